// An agent's tools: a catalog of two servers and two built-in tools, one of them direct.
import { tool, type ToolSet } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet } from "tool-search/ai-sdk";
import { z } from "zod";

export const SEARCH = "toolSearch";

/** `ran` is what was executed. */
export async function agent(options: ConstructorParameters<typeof ToolSearch>[0] = {}) {
  const ran: string[] = [];
  const make = (name: string, description: string) =>
    tool({
      description,
      inputSchema: z.object({ text: z.string().optional() }),
      execute: async ({ text }) => {
        ran.push(name);
        return `${name} ran${text ? ` with ${text}` : ""}`;
      },
    });
  const search = new ToolSearch({ defer: "always", ...options });
  const tools: ToolSet = {
    ...(await addToolSet(search, { clock: make("clock", "The time of day") }, { load: "direct" })),
    ...(await addToolSet(search, { notepad: make("notepad", "Jot something down") })),
    ...(await addToolSet(
      search,
      {
        create_issue: make("create_issue", "Open a new issue in a repository"),
        list_branches: make("list_branches", "List the branches of a repository"),
        merge: make("merge", "Merge a pull request"),
      },
      { server: "forge" },
    )),
    ...(await addToolSet(search, { send_mail: make("send_mail", "Send a mail message to someone") }, { server: "post" })),
  };
  return { search, tools, ran };
}

/** The names of the tools that were called, each as often as it was counted. */
export function callsCounted(search: ToolSearch): string[] {
  return Object.entries(search.usage().tools).flatMap(([name, { called }]) => Array<string>(called).fill(name));
}
