import { answers } from "golden";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";

export const dynamic = "force-dynamic";
export const GET = () => new Response(answers(ToolSearch, meaning));
