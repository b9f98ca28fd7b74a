import { ToolSearch } from "tool-search";
import { addToolSet } from "tool-search/ai-sdk";
import { initSync } from "tool-search/slim";

export const start = initSync;
export const tools = addToolSet(new ToolSearch(), {});
