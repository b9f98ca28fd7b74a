// The exact bytes of a request's parts.
import { estimateTokens, ToolSearch, type Format, type ToolDefinition } from "tool-search/slim";
import { BRIDGE } from "../conversation/bridge.ts";
import type { Played, Turn } from "../conversation/play.ts";
import type { Strategy } from "../conversation/types.ts";

export const FORMATS: readonly Format[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "mcp"];

/** More is not shown, only copied: a page of megabytes of text is no use to anyone. */
const SHOWN = 120_000;

export interface Document {
  /** At most the beginning of a long text. */
  shown: string;
  /** Of the whole text. */
  bytes: number;
  /** Of the whole text; 0 for tools, which are counted one by one, whatever the format. */
  tokens: number;
  /** Why there is none, or what to know about it. */
  note: string;
}

/** A text, and what there is to know about it. */
export interface Text {
  text: string;
  note: string;
}

export function documentOf({ text, note }: Text, counted: boolean): Document {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
  return { shown, bytes: new TextEncoder().encode(text).length, tokens: counted ? estimateTokens(text) : 0, note };
}

/** The tools array as a request carries it. */
export function toolsText(engine: ToolSearch, played: Played, turn: Turn, strategy: Strategy, format: Format, indented: boolean): Text {
  const { session } = played;
  const write = (tools: unknown[], note = "") => ({ text: JSON.stringify(wrapped(tools, format), null, indented ? 2 : 0), note });
  if (strategy === "full" || !session.plan.deferring) return write(engine.session({ defer: "never" }).tools(format));
  const at = (activated: readonly string[]) =>
    engine.session({ defer: "always", state: { version: 1, activated: [...activated] } }).tools(format);
  if (strategy === "append") return write(at(turn.activated));
  if (strategy === "bridge") return write([...at([]), bridge(format)]);
  if (format !== "anthropic" && format !== "openai-responses") return { text: "", note: `The ${format} format has no native tool search.` };
  const fixed = at([]);
  const names = new Set(fixed.map((tool) => (tool as ToolDefinition).name));
  const deferred = engine.session({ defer: "never" }).tools(format).filter((tool) => !names.has((tool as ToolDefinition).name));
  const marked = deferred.map((tool) => ({ ...(tool as object), defer_loading: true }));
  const searchTool = (tool: unknown) => (tool as ToolDefinition).name === session.searchToolName;
  const native = format === "anthropic" ? fixed : fixed.map((tool) => (searchTool(tool) ? clientSearch(tool) : tool));
  return write([...native, ...marked], "Deferred definitions travel with the request, but the model does not read them and they are not billed.");
}

/** Gemini's function declarations stand one level deeper. */
function wrapped(tools: unknown[], format: Format): unknown {
  return format === "gemini" ? [{ functionDeclarations: tools }] : tools;
}

/** OpenAI's own kind of tool for a search that the caller carries out. */
function clientSearch(tool: unknown): object {
  const { description, parameters } = tool as { description: string; parameters: object };
  return { type: "tool_search", execution: "client", description, parameters };
}

function bridge(format: Format): unknown {
  const engine = new ToolSearch({ defer: "never" });
  engine.add([BRIDGE]);
  const [tool] = engine.session().tools(format);
  engine.free();
  return tool;
}
