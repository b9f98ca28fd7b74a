// What the tests of sessions share: a small catalog, and short ways to ask.
import { ToolSearch, ToolSearchError, type ToolDefinition, type ToolSearchOptions } from "tool-search";
import { expect } from "vitest";

export const issueTools = (): ToolDefinition[] => [
  { name: "create_issue", description: "Opens an issue", inputSchema: { type: "object", properties: { title: { type: "string" } } } },
  { name: "list_issues", description: "Lists the issues of a project" },
];

/** One direct built-in tool, and a server of two. Defers always. */
export function small(options: ToolSearchOptions = {}): ToolSearch {
  const search = new ToolSearch({ defer: "always", ...options });
  search.add([{ name: "readFile", description: "Reads a file" }], { load: "direct" });
  search.add(issueTools(), { server: "tracker" });
  return search;
}

/** What a call throws, which must be a ToolSearchError that says something. */
export function caught(call: () => unknown): ToolSearchError | undefined {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolSearchError);
    expect(error).toBeInstanceOf(Error);
    expect((error as ToolSearchError).name).toBe("ToolSearchError");
    expect((error as ToolSearchError).message).toMatch(/\w{3}/);
    return error as ToolSearchError;
  }
  return undefined;
}

/** Its code. */
export function code(call: () => unknown): string {
  return caught(call)?.code ?? "nothing was thrown";
}
