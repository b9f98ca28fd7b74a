import { answers } from "golden";
import { ToolSearch } from "tool-search";

globalThis.outcome = answers(ToolSearch);
