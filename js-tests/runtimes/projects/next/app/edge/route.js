import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

export const runtime = "edge";
export const GET = () => new Response(answers(ToolSearch, meaning));
