import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

process.stdout.write(answers(ToolSearch, meaning));
