import type { ToolSearchEvent } from "./events.js";
import type { ToolUsage } from "./usage.js";

/** A JSON Schema. Kept as it is: what goes in comes out. */
export type JsonSchema = { [keyword: string]: unknown } | boolean;

/** A tool in the shape of MCP `tools/list`. Fields that are not named here are kept too. */
export interface ToolDefinition {
  /** At most 128 characters. */
  name: string;
  title?: string;
  description?: string | null;
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  /** `alwaysLoad: true` makes the tool direct; `searchHint` is matched and never shown. */
  annotations?: Record<string, unknown>;
  /** `"anthropic/alwaysLoad": true` and `"anthropic/searchHint"` mean the same. */
  _meta?: Record<string, unknown>;
}

/** A definition as OpenAI's APIs have it: nested in `function` (Chat Completions) or flat (Responses). */
export type OpenAiDefinition =
  | { type: "function"; function: { name: string; description?: string | null; parameters?: JsonSchema | null | undefined } }
  | { type: "function"; name: string; description?: string | null; parameters?: JsonSchema | null | undefined };

/** A definition as Anthropic's API has it. */
export interface AnthropicDefinition {
  name: string;
  description?: string | null;
  input_schema: JsonSchema;
}

/** Everything `add` takes for a tool. */
export type AnyDefinition = ToolDefinition | OpenAiDefinition | AnthropicDefinition;

/** How a tool is sent: whole with every request, or by name until it is loaded. */
export type Load = "direct" | "deferred";

/** Where added tools come from and how they are sent. */
export interface AddOptions {
  /** The MCP server, or another source. Without one the tools are built-in tools of the agent. */
  server?: string | undefined;
  /** The server's own instructions; shown with its names, on one line, sanitised, at most 2,048 bytes. */
  instructions?: string | undefined;
  /** Default "deferred". `direct` lists the tools that are direct, by callable or raw name or pattern (`*`, `?`); the rest is deferred. */
  load?: Load | { direct: string[] } | undefined;
  /** Whether a server's tools are called `mcp__<server>__<name>`. Default true; a name that begins so already stays. */
  prefix?: boolean | undefined;
}

/** How a server is doing. */
export type ServerStatus = "ready" | "pending" | "failed" | "disconnected";

/** What a change of the catalog did, by callable name, in catalog order. */
export interface CatalogDelta {
  added: string[];
  removed: string[];
  /** Tools whose definition, or whose way of loading, is another. */
  changed: string[];
}

/** The options of an engine. */
export interface ToolSearchOptions {
  /** Tokens of the model's context window. Default 200,000. */
  contextWindow?: number | undefined;
  /** Default "auto": defer when the deferrable definitions reach the threshold. */
  defer?: "auto" | "always" | "never" | undefined;
  /**
   * Where "auto" begins to defer; equality defers. Default `{ percent: 10 }` of the context window; or tokens of the deferrable
   * definitions, or their `count`.
   */
  threshold?: { percent: number } | { tokens: number } | { count: number } | undefined;
  /** Matches a keyword search loads when the model names no number, 1 to 50. Default 5. */
  maxResults?: number | undefined;
  /** The search tool's name: letters, digits, `_`, `-`, at most 64. Default "toolSearch". */
  searchToolName?: string | undefined;
  /** Counts the tokens of a text exactly; must not call the engine. Default: `estimateTokens`. */
  countTokens?: ((text: string) => number) | undefined;
  /** How the provider bills what it is sent, against that. */
  tokens?: TokenOptions | undefined;
  /** Further words to find tools by, by callable name, raw name or pattern. Matched, never shown. */
  keywords?: Record<string, string[]> | undefined;
  /** Models (patterns, held against `provider:model` and the bare id, whatever the case) that get every tool directly. Default none. */
  directModels?: string[] | undefined;
  /**
   * What tools are called. "mcp" (default): as MCP allows, up to 128 characters and more with the server's prefix. "portable": as every
   * provider takes them, `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`; a name that is longer or has other characters becomes an alias, its beginning
   * and a hash, the same in every process. Prompt, replies, arrays and state all have the alias; the full name still finds the tool,
   * and `resolve` gives its server and raw name.
   */
  callableNames?: "mcp" | "portable" | undefined;
  /** Default "bm25f". "additive" is the plain keyword scorer of x-code-cli and Claude Code. */
  ranking?: "bm25f" | "additive" | undefined;
  /** From the entry `tool-search/meaning`: word vectors that widen what a query finds. Goes with "bm25f"; default none. */
  meaning?: Meaning | undefined;
  /** The deferred section of the system prompt. */
  listing?: ListingOptions | undefined;
  /** How much the catalog takes. */
  limits?: Limits | undefined;
  /** Deferred tools that conversations begin with, since they were called most. Default none. */
  preload?: PreloadOptions | undefined;
  /** Is told of searches, activations, rescues, cache breaks and changes of servers. What it throws is passed over. Default none. */
  onEvent?: ((event: ToolSearchEvent) => void) | undefined;
}

export interface TokenOptions {
  /**
   * What the built-in estimate is multiplied by: 1.1 for a tokenizer that makes 10% more of the same text. The numbers of
   * `countTokens` stay as they are. Above 0, at most 100; default 1.
   */
  scale?: number | undefined;
  /** Tokens that each tool costs beside its definition, the search tool too. A whole number, at most 100,000; default 0. */
  perTool?: number | undefined;
}

/** Opaque; exported as `meaning` by `tool-search/meaning`. */
export interface Meaning {
  readonly kind: "tool-search/meaning";
}

export interface ListingOptions {
  /** Token budget of the section. Default: 5% of the context window, at most 8,000. */
  maxTokens?: number | undefined;
  /** Default "full": callable names. "short" says the prefix of a server's names once. */
  names?: "full" | "short" | undefined;
}

export interface Limits {
  /** Tools in one catalog. Default 100,000. */
  tools?: number | undefined;
  /** UTF-8 bytes of one definition as compact JSON. Default 1,048,576. */
  definitionBytes?: number | undefined;
}

/**
 * Which deferred tools are sent whole from a session's first request on: those called most, of equal ones those loaded more often,
 * then by name, as far as they fit. The same counts and tools choose the same in every process. A session keeps what it began
 * with.
 */
export interface PreloadOptions {
  /** What `usage()` gave in earlier runs, merged by `mergeUsage`. Names that no tool has are passed over. */
  usage: ToolUsage;
  /** What their definitions may come to in tokens. Default 2,000. */
  maxTokens?: number | undefined;
}

/** What one search may see and gives. */
export interface SearchOptions {
  /** Default `maxResults`; clamped to 1..50. Tools that the query names are never cut off. */
  limit?: number | undefined;
  /** Matches to leave out at the front. Default 0. */
  offset?: number | undefined;
  /** Only these tools exist for this search: callable or raw names, or patterns (`*`, `?`). */
  allow?: string[] | undefined;
  /** These do not. */
  deny?: string[] | undefined;
  /** Only this server's tools exist. */
  server?: string | undefined;
  /** Callable names loaded already: matches not among them come first. */
  loaded?: string[] | undefined;
  /**
   * "regex": the query is one pattern over callable names and descriptions, 200 characters at most, matched in linear time. It may have
   * classes (`[a-z]`, `\d \w \s`, by ASCII), `^ $ \b`, groups, `|`, `* + ? {n,m}`, and flags (`(?i)`, `m`, `s`); it cannot look around or back.
   */
  mode?: "auto" | "regex" | undefined;
  /** Adds `explain` to each match. */
  explain?: boolean | undefined;
}

/** The answer to a query. */
export interface SearchResult {
  /** As it was given; "" for what was no text. */
  query: string;
  /** How the query was understood. */
  kind: "select" | "server" | "keywords" | "regex";
  /** Best first; those not loaded before those that are. */
  matches: Match[];
  /** Names asked for that no tool has. */
  missing: string[];
  /** Callable names of tools asked for that are direct: callable already. */
  direct: string[];
  /** Names that several tools share, each with the first 50 of them in catalog order; none is guessed. */
  ambiguous: { name: string; candidates: string[] }[];
  /** Close callable names, when something is missing or nothing matched. */
  suggestions: string[];
  /** "none": no match. "low": there are matches, but the query's rarest word is unknown to the catalog. */
  confidence: "high" | "low" | "none";
  /** Further matches beyond the limit. */
  more: number;
  /** Servers that are not ready and whose tools could have matched. */
  unavailable: { server: string; status: ServerStatus; reason?: string }[];
}

/** A tool that a search found. */
export interface Match {
  /** What the model calls it. */
  name: string;
  /** What its server calls it. */
  rawName: string;
  /** Left out for built-in tools. */
  server?: string;
  /** As the definition has it: a stranger's text. */
  description?: string;
  /** Finite, at least 0, comparable within one answer; 0 where nothing was ranked. */
  score: number;
  /** By its callable name, by another spelling of its name, or by words. */
  tier: "exact" | "alias" | "keywords" | "meaning";
  /** What the score is the sum of, by word of the query and field; with `~` before it, another word that stands for it. */
  explain?: { term: string; field: string; weight: number }[];
}

/** Whether to defer, and what each choice costs. */
export interface Plan {
  /** Whether requests carry the search tool and the deferred section in place of deferred definitions. */
  deferring: boolean;
  /** What decided it (rules D1, D2). */
  reason: "always" | "never" | "above-threshold" | "below-threshold" | "direct-model" | "nothing-to-defer";
  /** In tokens. */
  tokens: {
    /** Every definition in full: `direct` + `deferrable`. */
    full: number;
    /** The definitions that every request carries, preloaded ones included. */
    direct: number;
    /** The definitions that are, or would be, deferred. The decision counts preloaded ones here too. */
    deferrable: number;
    /** Where deferral begins; with `{ count }`, that number of tools. */
    threshold: number;
    /** The search tool's definition. */
    searchTool: number;
    /** The deferred section. */
    listing: number;
    /** What the first request carries for tools: `direct` + `searchTool` + `listing` when deferring, else `full`. */
    firstRequest: number;
    /** `full` - `firstRequest`. */
    saved: number;
  };
}

/** Which decision is asked for; default: as the engine's options say. */
export interface PlanOptions {
  /** Held against `directModels`. */
  model?: string | undefined;
  /** In tokens. */
  contextWindow?: number | undefined;
  /** "auto" defers when the threshold is reached. */
  defer?: "auto" | "always" | "never" | undefined;
}

/** What a conversation begins with. */
export interface SessionOptions extends PlanOptions {
  /** What events name this conversation by. Any text; nothing else depends on it. */
  id?: string | undefined;
  /** The tools this conversation may see: callable or raw names, or patterns. Others do not exist for it. */
  allow?: string[] | undefined;
  /** Those that do not exist for it. */
  deny?: string[] | undefined;
  /** What `state()` gave earlier; names that no deferred tool has are dropped. */
  state?: SessionState | undefined;
  /** The most tools of one request, the search tool included, such as 128 for OpenAI. Default: as many as there are. */
  maxTools?: number | undefined;
  /**
   * What happens when there would be more. "error", the default: `tools()` throws. "evict": activated tools leave, the least recently
   * loaded, found or called first; each leaving ends the cached prefix where the tool stood. Direct tools and the
   * search tool never leave.
   */
  overflow?: "error" | "evict" | undefined;
}

/** What a conversation is to be continued from, in any process. */
export interface SessionState {
  /** Of this shape. */
  version: 1;
  /** Callable names, in activation order. */
  activated: string[];
  /** Callable names of the deferred tools that it began with; only with the option `preload`. They are kept, whatever that says by then. */
  preloaded?: string[];
  /** Callable names of the tools array in order, the search tool's among them; only where a new conversation would have another. */
  array?: string[];
  /** Callable names of what may leave, the least recently used first; only with `overflow: "evict"`, where it is another order. */
  used?: string[];
}

/**
 * A wire format of a tools array: `mcp` definitions; `openai-chat` and `openai-responses` functions; `anthropic` tools; `gemini`
 * function declarations, which go into `tools: [{ functionDeclarations }]`.
 */
export type Format = "mcp" | "openai-chat" | "openai-responses" | "anthropic" | "gemini";

/** What the model writes to call the search tool. */
export interface SearchInput {
  /** `select:NAME,NAME`, words, or a server. */
  query: string;
  /** Tools to load for words; default `maxResults`, clamped to 1..50. */
  max_results?: number | undefined;
}

/** The answer to a call of the search tool. */
export interface SearchReply {
  /** The tool result to send to the model. */
  text: string;
  /** Newly activated: callable on the next step. */
  loaded: string[];
  /** Asked for and loaded before: to be called directly. */
  alreadyLoaded: string[];
  /** Whether `tools()` changed, and with it the cached prefix. */
  changed: boolean;
  /** What the search found; `null` when the input was unusable. */
  result: SearchResult | null;
  /** Set when the input was unusable; `text` then says how to correct it. */
  error?: { code: string; message: string };
}

/** What to do with a call the model made: run it when "ready", else answer it with `text`. */
export type CallResolution =
  | { status: "ready"; name: string; rawName: string; server?: string }
  /** It was known but not loaded, and is now. */
  | { status: "activated"; name: string; text: string }
  | { status: "unavailable"; name: string; server: string; text: string }
  | { status: "ambiguous"; candidates: string[]; text: string }
  | { status: "unknown"; suggestions: string[]; text: string };
