import { answers } from "/node_modules/golden/index.js";
import { ToolSearch } from "/node_modules/tool-search/dist/index.js";

postMessage(answers(ToolSearch));
