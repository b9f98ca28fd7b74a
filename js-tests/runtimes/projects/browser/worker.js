import { answers } from "/node_modules/golden/index.js";
import { ToolSearch } from "/node_modules/tool-search/dist/index.js";
import { meaning } from "/node_modules/tool-search/dist/meaning.js";

postMessage(answers(ToolSearch, meaning));
