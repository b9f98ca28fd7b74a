import { answers } from "golden";
import { estimateTokens, ToolSearch, type ToolSearchSession } from "tool-search";
import { meaning } from "tool-search/meaning";
import { initSync } from "tool-search/slim";
import module from "tool-search/core.wasm";

const session: ToolSearchSession = new ToolSearch().session();
export const tokens: number = estimateTokens(session.prompt());
export const start = (): void => initSync(module);
export const text: string = answers(ToolSearch, meaning);
