// What the model is answered when it searches, by strategy.
import type { Format, SearchReply, ToolSearch } from "tool-search";
import { BRIDGE } from "./bridge.ts";
import type { Strategy } from "./types.ts";

/** The reply with the parameters of what it loaded, for a model that will not be sent the definitions. */
export function bridgeReply({ text, loaded }: SearchReply, engine: ToolSearch): string {
  const parameters = loaded.map((name) => `${name}: ${JSON.stringify(engine.get(name)?.inputSchema ?? {})}`);
  return parameters.length > 0 ? [text, `Call with ${BRIDGE.name}. Parameters:`, ...parameters].join("\n") : text;
}

/** The reply as it is written in the next request. */
export function replyText(reply: SearchReply, strategy: Strategy, format: Format, engine: ToolSearch): string {
  const { text, loaded } = reply;
  if (strategy === "bridge") return bridgeReply(reply, engine);
  if (strategy !== "native" || loaded.length === 0) return text;
  if (format !== "openai-responses") return pretty(loaded.map((name) => ({ type: "tool_reference", tool_name: name })));
  const tools = engine.session({ defer: "always", state: { version: 1, activated: loaded } }).tools(format).slice(-loaded.length);
  return pretty({ type: "tool_search_output", execution: "client", status: "completed", tools });
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
