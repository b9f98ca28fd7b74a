import { answers } from "golden";
import { ToolSearch } from "tool-search";

postMessage(answers(ToolSearch));
