// What each request of a conversation carries, by strategy. The package decides what is sent; here it is laid out in pieces, in the order
// in which providers read and cache them: tools, system prompt, messages.
import { estimateTokens, type ToolDefinition, type ToolSearch } from "tool-search/slim";
import { BRIDGE } from "./bridge.ts";
import { bridgeReply } from "./reply.ts";
import type { Event, Played, Turn } from "./play.ts";
import type { Part, Strategy } from "./types.ts";

/** A piece with what identifies its bytes. Its text is made when it is shown. */
export interface Sent {
  part: Part;
  label: string;
  key: string;
  tokens: number;
  text: () => string;
}

export interface Request {
  step: number;
  sent: Sent[];
  output: number;
}

/** What the composing needs to know besides the conversation. */
export interface Setting {
  engine: ToolSearch;
  system: string;
}

export function requestsOf(strategy: Strategy, played: Played, setting: Setting): Request[] {
  const { events, turns } = played;
  // With every definition in sight nobody searches: those requests do not happen.
  const sent = strategy === "full" ? turns.filter(({ history }) => events[history]?.kind !== "search") : turns;
  return sent.map((turn) => {
    const before = events.slice(0, turn.history);
    const messages = before.flatMap((event, i) => messagesOf(event, i, strategy, setting));
    return {
      step: turn.step,
      sent: [...tools(strategy, played, turn, setting), ...system(strategy, played, setting), ...messages],
      output: outputOf(events[turn.history], strategy),
    };
  });
}

function tools(strategy: Strategy, { session }: Played, turn: Turn, { engine }: Setting): Sent[] {
  const { plan, searchToolName } = session;
  if (strategy === "full" || searchToolName === undefined) {
    const text = () => pretty(engine.session({ defer: "never" }).tools());
    return [{ part: "tools", label: `all ${engine.size.toLocaleString("en")} definitions`, key: "all", tokens: plan.tokens.full, text }];
  }
  const activated = new Set(session.activated);
  const direct = session.names().filter((name) => name !== searchToolName && !activated.has(name));
  const appended = strategy === "append" ? turn.activated : [];
  const searchTool = session.tools().find((tool) => (tool as ToolDefinition).name === searchToolName);
  return [
    ...direct.map((name) => definition(name, engine)),
    { part: "tools", label: searchToolName, key: "search", tokens: plan.tokens.searchTool, text: () => pretty(searchTool) },
    ...(strategy === "bridge" ? [{ ...ofDefinition(BRIDGE), key: "bridge" }] : []),
    ...appended.map((name) => definition(name, engine)),
  ];
}

function system(strategy: Strategy, { session }: Played, { system }: Setting): Sent[] {
  const base: Sent = { part: "system", label: "system prompt", key: system, tokens: estimateTokens(system), text: () => system };
  const section = session.prompt();
  if (strategy === "full" || section === "") return [base];
  return [base, { part: "section", label: "deferred section", key: "section", tokens: session.plan.tokens.listing, text: () => section }];
}

function messagesOf(event: Event, place: number, strategy: Strategy, { engine }: Setting): Sent[] {
  const message = (label: string, text: string, tokens = estimateTokens(text)): Sent => ({
    part: "messages",
    label,
    key: `${place}:${label}`,
    tokens,
    text: () => text,
  });
  if (event.kind === "user" || event.kind === "answer") return [message(event.kind, event.text)];
  if (event.kind === "call") {
    return [message("call", calling(event, strategy)), message("result", event.result)];
  }
  if (strategy === "full") return [];
  const asked = message("search", JSON.stringify({ query: event.query }));
  const { text, loaded } = event.reply;
  if (strategy === "append" || loaded.length === 0) return [asked, message("reply", text)];
  if (strategy === "bridge") return [asked, message("reply with parameters", bridgeReply(event.reply, engine))];
  // The provider puts the definitions in where they are referred to.
  const definitions = loaded.map((name) => definition(name, engine));
  const tokens = definitions.reduce((sum, each) => sum + each.tokens, 0);
  return [asked, message("reply, as definitions", definitions.map((each) => each.text()).join("\n"), tokens)];
}

/** Through the bridge, the name of the tool is an argument. */
function calling({ name, input }: Event & { kind: "call" }, strategy: Strategy): string {
  return strategy === "bridge" ? `${BRIDGE.name} {"name": ${JSON.stringify(name)}, "arguments": ${input}}` : `${name} ${input}`;
}

function outputOf(event: Event | undefined, strategy: Strategy): number {
  if (!event) return 0;
  if (event.kind === "search") return estimateTokens(JSON.stringify({ query: event.query }));
  return estimateTokens(event.kind === "call" ? calling(event, strategy) : event.text);
}

function definition(name: string, engine: ToolSearch): Sent {
  return ofDefinition({ ...engine.get(name), name });
}

function ofDefinition(tool: ToolDefinition): Sent {
  return { part: "tools", label: tool.name, key: `tool:${tool.name}`, tokens: estimateTokens(tool), text: () => pretty(tool) };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
