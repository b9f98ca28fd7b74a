import type { Part, RequestView } from "../conversation/types.ts";

/** The parts of a request, in the order in which providers read them. */
export const PARTS: readonly { part: Part; label: string; color: string }[] = [
  { part: "tools", label: "Definitions", color: "var(--tools)" },
  { part: "system", label: "System prompt", color: "var(--system)" },
  { part: "section", label: "Names of deferred tools", color: "var(--section)" },
  { part: "messages", label: "Messages", color: "var(--messages)" },
];

/** Tokens of a request by part. */
export function byPart({ pieces }: RequestView): Record<Part, number> {
  const tokens = { tools: 0, system: 0, section: 0, messages: 0 };
  for (const piece of pieces) tokens[piece.part] += piece.tokens;
  return tokens;
}
