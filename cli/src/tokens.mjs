// @ts-check
import { estimateTokens } from "tool-search";

/** What a tool's own name may have; a callable name, with the server's before it, may be longer. */
const LONGEST = 128;

/**
 * Estimated tokens of a tool as it is sent, under its callable name.
 * @param {import("tool-search").ToolDefinition} tool
 */
export function tokensOf(tool) {
  return estimateTokens({ ...tool, name: tool.name.slice(0, LONGEST) });
}
