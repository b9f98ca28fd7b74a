import tool = require("tool-search");
import words = require("tool-search/meaning");

const search = new tool.ToolSearch();
const delta: tool.CatalogDelta = search.add([{ name: "create_issue", description: "Opens an issue" }]);
const score: number | undefined = search.search("open issue").matches[0]?.score;
if (score === undefined || delta.added.length !== 1) throw new tool.ToolSearchError("internal", "not found");
import("golden").then(({ answers }) => process.stdout.write(answers(tool.ToolSearch, words.meaning)));
