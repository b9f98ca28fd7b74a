import { TEXT_FORM } from "./replay.js";
import type { Kit, Strategy } from "./strategy.js";

/** What is loaded joins the end of the tools array. */
export function append(kit: Kit): Strategy {
  return {
    offers: () => kit.sent().map(([name, definition]) => ({ name, tool: kit.toolOf(name, definition) })),
    form: TEXT_FORM,
    answerTool: kit.searchTool,
  };
}
