import { answers } from "golden";
import { ToolSearch } from "tool-search";

export const dynamic = "force-dynamic";
export const GET = () => new Response(answers(ToolSearch));
