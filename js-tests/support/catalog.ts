import { ToolSearch, type ToolSearchOptions } from "tool-search";

/** As OpenAI's own tool search calls it, so that one name fits everywhere. */
export const SEARCH = "tool_search";

export function schema(...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names };
}

/** Two servers and two built-in tools, one of them direct. */
export function catalog(options: ToolSearchOptions = {}) {
  const search = new ToolSearch({ defer: "always", searchToolName: SEARCH, ...options });
  search.add([{ name: "clock", description: "The time of day", inputSchema: schema() }], { load: "direct" });
  search.add([{ name: "notepad", description: "Jot something down", inputSchema: schema("text") }]);
  search.add(
    [
      { name: "create_issue", description: "Open a new issue in a repository", inputSchema: schema("title") },
      { name: "list_branches", description: "List the branches of a repository", inputSchema: schema() },
      { name: "merge", description: "Merge a pull request", inputSchema: schema("number") },
    ],
    { server: "forge" },
  );
  search.add([{ name: "send_mail", description: "Send a mail message to someone", inputSchema: schema("to") }], { server: "post" });
  return search;
}
