import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

// At the top level, where workers get ready before the first request and randomness and time are refused.
const search = new ToolSearch();
search.add([{ name: "create_issue", description: "Opens an issue" }], { server: "tracker" });
const first = search.search("open issue").matches[0].name;

export default {
  fetch: () => new Response(first === "mcp__tracker__create_issue" ? answers(ToolSearch, meaning) : first),
};
