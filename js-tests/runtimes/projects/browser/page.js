import { answers } from "/node_modules/golden/index.js";
import { ToolSearch } from "/node_modules/tool-search/dist/index.js";

try {
  globalThis.outcome = answers(ToolSearch);
} catch ({ name, code }) {
  globalThis.outcome = { name, code };
}
