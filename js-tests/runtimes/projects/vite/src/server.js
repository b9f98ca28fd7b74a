import { answers } from "golden";
import { ToolSearch } from "tool-search";

export const render = () => answers(ToolSearch);
