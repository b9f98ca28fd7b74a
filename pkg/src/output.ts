/** What a tool gave, in parts that every provider has some way of sending. */
export interface ToolOutput {
  parts: OutputPart[];
  isError: boolean;
}

export type OutputPart = { text: string } | Media;

export interface Media {
  /** Base64. */
  data: string;
  mimeType: string;
}

/** Takes a text, a result of an MCP server, or anything that is JSON. */
export function readOutput(output: unknown): ToolOutput {
  if (output === undefined || output === null) return { parts: [], isError: false };
  if (typeof output === "string") return { parts: [{ text: output }], isError: false };
  const { content, structuredContent, isError } = output as { content?: unknown; structuredContent?: unknown; isError?: unknown };
  if (!Array.isArray(content)) return { parts: [{ text: json(output) }], isError: false };
  const parts = content.map(readPart);
  if (parts.length === 0 && structuredContent !== undefined) parts.push({ text: json(structuredContent) });
  return { parts, isError: isError === true };
}

/** Text for providers that take no other: what cannot be shown is said to be there. */
export function textOfOutput({ parts }: ToolOutput): string {
  return parts.map((part) => ("text" in part ? part.text : notShown(part))).join("\n");
}

export function notShown({ mimeType }: Media): string {
  return `[${mimeType} that cannot be shown here]`;
}

/** A content block of MCP. */
function readPart(block: unknown): OutputPart {
  const { type, text, data, mimeType, resource } = (block ?? {}) as Record<string, unknown>;
  if (type === "text" && typeof text === "string") return { text };
  if (typeof data === "string" && typeof mimeType === "string") return { data, mimeType };
  const { blob, ...embedded } = (resource ?? {}) as Record<string, unknown>;
  if (typeof embedded["text"] === "string") return { text: embedded["text"] };
  if (typeof blob === "string") return { data: blob, mimeType: String(embedded["mimeType"] ?? "application/octet-stream") };
  return { text: json(block) };
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
