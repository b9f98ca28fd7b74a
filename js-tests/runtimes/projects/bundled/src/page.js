import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

globalThis.outcome = answers(ToolSearch, meaning);
