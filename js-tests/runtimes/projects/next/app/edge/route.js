import { answers } from "golden";
import { ToolSearch } from "tool-search";

export const runtime = "edge";
export const GET = () => new Response(answers(ToolSearch));
