// Compiled and never run: every public type, used as the contract has it.
import {
  estimateTokens,
  ToolSearch,
  ToolSearchError,
  mergeUsage,
  type ActivationEvent,
  type AddOptions,
  type AnyDefinition,
  type AnthropicDefinition,
  type CacheBreakEvent,
  type CallResolution,
  type CatalogDelta,
  type Format,
  type JsonSchema,
  type Limits,
  type ListingOptions,
  type Load,
  type Match,
  type OpenAiDefinition,
  type Plan,
  type PlanOptions,
  type PreloadOptions,
  type RescueEvent,
  type SearchEvent,
  type SearchInput,
  type SearchOptions,
  type SearchReply,
  type SearchResult,
  type ServerEvent,
  type ServerStatus,
  type SessionOptions,
  type SessionState,
  type ToolDefinition,
  type ToolSearchEvent,
  type ToolSearchOptions,
  type ToolSearchSession,
  type ToolUsage,
  type ToolUses,
} from "tool-search";
import type { AiToolSearch } from "./types-ai-sdk.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_?: T): void => undefined;

const schema: JsonSchema = { type: "object" };
const limits: Limits = { tools: 10, definitionBytes: 1_000 };
const listing: ListingOptions = { maxTokens: 100, names: "short" };
const options: ToolSearchOptions = {
  contextWindow: 1,
  defer: "auto",
  threshold: { count: 3 },
  maxResults: 5,
  searchToolName: "find",
  countTokens: (text: string) => text.length,
  tokens: { scale: 1.1, perTool: 12 },
  keywords: { a: ["b"] },
  directModels: ["*haiku*"],
  ranking: "additive",
  listing,
  limits,
  preload: { usage: mergeUsage(), maxTokens: 2_000 } satisfies PreloadOptions,
  onEvent: (event: ToolSearchEvent) => told(event),
};
/** Every event and what it has, by its type. */
function told(event: ToolSearchEvent): string | number | undefined {
  switch (event.type) {
    case "search":
      return (event satisfies SearchEvent).tokens?.reply ?? event.result?.kind;
    case "activation":
      return (event satisfies ActivationEvent).names.length + event.tokens.saved;
    case "rescue":
      return (event satisfies RescueEvent).called + event.name;
    case "cache-break":
      return (event satisfies CacheBreakEvent).removed.concat(event.changed).length - event.tokens.kept;
    case "server":
      return (event satisfies ServerEvent).server ?? event.delta.added[0];
  }
}
const search: ToolSearch = new ToolSearch(options);
const tool: ToolDefinition = { name: "a", title: "A", description: null, inputSchema: schema, outputSchema: true, annotations: {}, _meta: {} };
const openai: OpenAiDefinition = { type: "function", function: { name: "b", parameters: schema } };
const anthropic: AnthropicDefinition = { name: "c", input_schema: schema };
const all: readonly AnyDefinition[] = [tool, openai, anthropic];
const load: Load = "direct";
const addOptions: AddOptions = { server: "s", instructions: "i", load: { direct: ["a"] }, prefix: false };
const delta: CatalogDelta = search.add(all, { ...addOptions, load });
is<Equal<CatalogDelta, typeof delta>>();
search.addJson(new Uint8Array(), addOptions).added.at(0)?.trim();
search.addJson("[]");
const status: ServerStatus = "pending";
search.setServerStatus("s", status, "why");
const size: number = search.size;
const found: ToolDefinition | undefined = search.get(search.names()[0] ?? "");

const searchOptions: SearchOptions = { limit: 1, offset: 0, allow: [], deny: [], server: "s", loaded: [], mode: "regex", explain: true };
const result: SearchResult = search.search("q", searchOptions);
const match: Match | undefined = result.matches[0];
is<Equal<Match["tier"], "exact" | "alias" | "keywords" | "meaning">>();
const planOptions: PlanOptions = { model: "m", contextWindow: 1, defer: "never" };
const plan: Plan = search.plan(planOptions);
const saved: number = plan.tokens.saved;

const sessionOptions: SessionOptions = { ...planOptions, allow: [], deny: [], id: "c", state: { version: 1, activated: [], preloaded: [], array: [], used: [] }, maxTools: 128, overflow: "evict" };
const session: ToolSearchSession = search.session(sessionOptions);
const formats: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];
const arrays: unknown[][] = formats.map((format) => session.tools(format));
const input: SearchInput = { query: "q", max_results: 3 };
const reply: SearchReply = session.handle(input);
session.handle("anything at all");
const resolution: CallResolution = session.resolve("x");
if (resolution.status === "ready") resolution.rawName.trim();
else resolution.text.trim();
const usage: ToolUsage = mergeUsage(search.usage(), search.usage());
const uses: ToolUses | undefined = usage.tools["x"];
const id: string | undefined = session.id;
const state: SessionState = session.state();
const activated: readonly string[] = session.activated;
const searchTool: string | undefined = session.searchToolName;
session.compacted("reset");
const news: string = session.announce() + session.prompt();

const error = new ToolSearchError("code", "message");
is<Equal<typeof error.name, "ToolSearchError">>();
const estimate: number = estimateTokens("text") + estimateTokens(tool);
const restored: ToolSearch = ToolSearch.restore(search.snapshot(), options);

// @ts-expect-error a status is one of four
search.setServerStatus("s", "odd");
// @ts-expect-error a plan is read-only
session.plan = plan;

export type { AiToolSearch };
export const used = [delta, size, found, match, saved, arrays, reply, state, activated, searchTool, news, estimate, restored, uses, id];
