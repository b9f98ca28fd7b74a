import { answers } from "golden";
import { ToolSearch } from "tool-search";

process.stdout.write(answers(ToolSearch));
