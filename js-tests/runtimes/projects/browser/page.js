import { answers } from "/node_modules/golden/index.js";
import { ToolSearch } from "/node_modules/tool-search/dist/index.js";
import { meaning } from "/node_modules/tool-search/dist/meaning.js";

try {
  globalThis.outcome = answers(ToolSearch, meaning);
} catch ({ name, code }) {
  globalThis.outcome = { name, code };
}
