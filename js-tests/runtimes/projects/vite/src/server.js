import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

export const render = () => answers(ToolSearch, meaning);
