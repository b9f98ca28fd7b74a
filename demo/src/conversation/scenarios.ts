import type { ToolSearch } from "tool-search";
import type { Scenario, Step } from "./types.ts";

const user = (text: string): Step => ({ kind: "user", text });
const search = (query: string): Step => ({ kind: "search", query });
const call = (result: string, tool = "", input = ""): Step => ({ kind: "call", tool, input, result });
const answer = (text: string): Step => ({ kind: "answer", text });

export const SYSTEM =
  "You are the assistant of a software team. Use the tools you have been given to do what you are asked, one step after the other. " +
  "Say briefly what you did and what you found; when a tool fails, say so and try another way. Never make up results.";

/** Conversations over the development servers, then over the gateway. */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: "bug",
    title: "Report a bug",
    steps: [
      user("Open an issue that the login page is blank on Safari, and tell #web about it."),
      search("create an issue on github"),
      call('{"number": 482, "title": "Login page is blank on Safari", "state": "open"}'),
      search("+slack send a message"),
      call('{"ok": true, "channel": "web", "ts": "1718.0042"}'),
      answer("Issue 482 is open, and #web knows about it."),
    ],
  },
  {
    id: "release",
    title: "A release, in two turns",
    steps: [
      user("Write the release notes of 1.4 to release-notes.md and read them back to me."),
      search("write text to a file"),
      call("Successfully wrote to release-notes.md", "write_file"),
      search("select:read_text_file"),
      call("Version 1.4: tools are found by search.", "read_text_file"),
      answer("release-notes.md says: Version 1.4: tools are found by search."),
      user("Good. Open a merge request for them on GitLab, put them on a Notion page, and see that the shop still runs."),
      search("+gitlab create merge request"),
      call('{"iid": 31, "title": "Release notes of 1.4", "state": "opened"}'),
      search("create notion page"),
      call('{"object": "page", "id": "6f1c"}'),
      search("select:browser_navigate,browser_take_screenshot"),
      call("Page title: Shop", "browser_navigate"),
      call("A screenshot of 1280 by 720 pixels.", "browser_take_screenshot"),
      answer("Merge request 31 is open, the notes are on Notion, and the shop is up."),
    ],
  },
  {
    id: "refund",
    title: "Refund an order (gateway)",
    steps: [
      user("Ms Sato's order arrived broken. Refund it, note it on her ticket, and send a replacement."),
      search("find a customer order"),
      call('{"orders": [{"id": "o_7741", "total": 89.0, "status": "done"}]}'),
      search("create refund"),
      call('{"id": "re_19", "amount": 89.0}'),
      search("update support ticket"),
      call('{"id": "t_310", "status": "pending"}'),
      search("create shipment"),
      call('{"id": "sh_55", "arrives": "Thursday"}'),
      answer("89.00 is refunded, the ticket says so, and a replacement arrives on Thursday."),
    ],
  },
  {
    id: "nothing",
    title: "Nothing fits",
    steps: [
      user("Water the plants in the office."),
      search("water plants irrigation"),
      search("sprinkler"),
      answer("I have no tool that can water plants."),
    ],
  },
];

const REHEARSED = 3;

/** A conversation for any catalog: three of its tools, each searched for by the words of its name and called. */
export function rehearse(engine: ToolSearch): Scenario {
  const names = engine.names();
  const wanted = Array.from({ length: Math.min(REHEARSED, names.length) }, (_, i) => names[Math.floor(((i + 0.5) * names.length) / REHEARSED)] ?? names[i] ?? "");
  const steps = wanted.flatMap((name) => [search(words(name)), call('{"ok": true}')]);
  return { id: "own", title: "Three tools of this catalog", steps: [user("Please do three things for me."), ...steps, answer("All three are done.")] };
}

/** What a model would write to find a tool: the words of its name, without its server. */
function words(name: string): string {
  return name
    .replace(/^mcp__.*?__/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
