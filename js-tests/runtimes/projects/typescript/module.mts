import { answers } from "golden";
import { type Match, type ToolDefinition, ToolSearch, ToolSearchError } from "tool-search";
import { meaning } from "tool-search/meaning";

const tools: ToolDefinition[] = [{ name: "create_issue", description: "Opens an issue" }];
const search = new ToolSearch({ threshold: { percent: 5 } });
const { added } = search.add(tools, { server: "tracker" });
const best: Match | undefined = search.search("open issue").matches[0];
if (best?.name !== added[0]) throw new ToolSearchError("internal", "not found");
// @ts-expect-error there is no such option
new ToolSearch({ treshold: { percent: 5 } });
process.stdout.write(answers(ToolSearch, meaning));
