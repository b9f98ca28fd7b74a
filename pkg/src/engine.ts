import type { Engine } from "../wasm/core.js";
import { guard, numberOf, optionsText, reasonOf, textOf, textsOf, ToolSearchError } from "./errors.js";
import { Listener } from "./events.js";
import { core } from "./load.js";
import { SEARCH_TOOL, ToolSearchSession } from "./session.js";
import type {
  AddOptions,
  AnyDefinition,
  CatalogDelta,
  Format,
  Match,
  Plan,
  PlanOptions,
  SearchOptions,
  SearchResult,
  ServerStatus,
  SessionOptions,
  TokenOptions,
  ToolDefinition,
  ToolSearchOptions,
} from "./types.js";
import { readUsage, UsageCounter, type ToolUsage } from "./usage.js";

const encoder = new TextEncoder();
/** Tools, and UTF-16 units of them, that cross into the module at once: one copy instead of many, and no copy of everything. */
const CHUNK = 32;
const CHUNK_LENGTH = 1 << 20;
/** What preloaded definitions come to at most, where nobody says. */
const PRELOAD_TOKENS = 2_000;

interface Addition {
  delta: CatalogDelta;
  /** What stands for each added definition. */
  ids: number[];
  /** Of those, the ones that came in another shape than MCP's. */
  converted: number[];
  /** Ids that no longer stand for anything. */
  dropped: number[];
}

interface Info {
  name: string;
  rawName: string;
  server?: string;
  description?: string;
}

/** What an answer has to tell beside its hits. @internal */
export interface Details extends Pick<SearchResult, "missing" | "direct" | "ambiguous" | "suggestions" | "unavailable"> {
  /** For each match, when it was asked for. */
  explain: NonNullable<Match["explain"]>[];
}

/**
 * An agent's tools: finds them, decides whether deferring them pays, and begins conversations.
 *
 * ```ts
 * const search = new ToolSearch();
 * search.add(tools, { server: "github" }); // a tools/list result's `tools`
 * search.search("open an issue").matches[0]?.name; // "mcp__github__create_issue"
 * ```
 *
 * Tools stay the objects they are; the engine holds their text. An engine that is not needed any more is reclaimed with
 * the garbage, or at once by `free()` or `using`.
 */
export class ToolSearch {
  #engine: Engine | undefined;
  /** The caller's own objects by definition id; those that came as text are parsed when asked for. */
  readonly #objects = new Map<number, ToolDefinition>();
  readonly #infos = new Map<number, Info>();
  readonly #composed = new Map<Format, Map<number, unknown>>();
  /** How often an id was dropped: it may stand for another definition since. */
  readonly #drops = new Map<number, number>();
  readonly #listener: Listener | undefined;
  readonly #usage = new UsageCounter();
  /** What all its conversations have in common. */
  #owner: Owner | undefined;
  #counting = false;

  /** @throws ToolSearchError `invalid_option` */
  constructor(options?: ToolSearchOptions) {
    const [plain, countTokens] = this.#options(options);
    this.#listener = options?.onEvent && new Listener(options.onEvent);
    this.#engine = guard(() => new (core().Engine)(plain, countTokens));
  }

  /**
   * Adds tools; a server added again is replaced as a whole, and identical content is no change. Takes definitions of MCP,
   * OpenAI and Anthropic shape.
   *
   * @throws ToolSearchError `invalid_tool`, `duplicate_name`, `reserved_name`, `limit_exceeded`, `invalid_option`; nothing is
   * added then.
   */
  add(tools: readonly AnyDefinition[], options?: AddOptions): CatalogDelta {
    const engine = this.#live();
    if (!Array.isArray(tools)) throw new ToolSearchError("invalid_tool", "`tools` must be an array of definitions.");
    // Unlike `map`, this calls for the holes of an array too.
    const lines = Array.from(tools, stringify);
    const plain = addOptions(options);
    const tell = this.#watch(options?.server);
    guard(() => engine.begin());
    for (let at = 0; at < lines.length; ) {
      const start = at;
      for (let length = 0; at < lines.length && at - start < CHUNK && length < CHUNK_LENGTH; at++) length += (lines[at] as string).length;
      const text = lines.slice(start, at).join("\n");
      // No character takes more than three bytes a UTF-16 unit.
      const pointer = guard(() => engine.reserve(text.length * 3));
      const { written } = encoder.encodeInto(text, new Uint8Array(core().memory.buffer, pointer, text.length * 3));
      guard(() => engine.stage(written));
    }
    const addition = this.#commit(engine, plain);
    const converted = new Set(addition.converted);
    addition.ids.forEach((id, i) => {
      if (!converted.has(id)) this.#keep(id, tools[i] as ToolDefinition);
    });
    tell?.(addition.delta);
    return addition.delta;
  }

  /**
   * The same from JSON as it came off the wire: a `tools/list` result, bare or in its JSON-RPC response, or an array. A server's
   * list that came in pages must be joined first: each call replaces the server.
   *
   * @throws ToolSearchError as `add`, and `invalid_json`
   */
  addJson(json: Uint8Array | string, options?: AddOptions): CatalogDelta {
    const engine = this.#live();
    const bytes = typeof json === "string" ? encoder.encode(json) : json;
    if (!ArrayBuffer.isView(bytes)) throw new ToolSearchError("invalid_json", "`json` must be text or bytes.");
    const plain = addOptions(options);
    const tell = this.#watch(options?.server);
    guard(() => engine.begin());
    copyInto(engine, bytes);
    guard(() => engine.stageJson(bytes.byteLength));
    const { delta } = this.#commit(engine, plain);
    tell?.(delta);
    return delta;
  }

  #commit(engine: Engine, plain: string): Addition {
    const addition = JSON.parse(guard(() => engine.commit(plain))) as Addition;
    this.#drop(addition.dropped);
    return addition;
  }

  /** Removes a server with its tools, status and instructions; no change when there is none. */
  removeServer(server: string): CatalogDelta {
    const engine = this.#live();
    const name = textOf(server);
    const tell = this.#watch(name);
    const { delta, dropped } = JSON.parse(guard(() => engine.removeServer(name))) as Addition;
    this.#drop(dropped);
    tell?.(delta);
    return delta;
  }

  /**
   * Says how a server is doing, and why. One that has no tools yet may be named: while it is "pending", replies say so. Adding
   * its tools makes it "ready".
   *
   * @throws ToolSearchError `invalid_option` for another status or an empty name
   */
  setServerStatus(server: string, status: ServerStatus, reason?: string): void {
    const engine = this.#live();
    const [name, state, why] = [textOf(server), textOf(status), textOf(reason ?? "")];
    const tell = this.#watch(name);
    guard(() => engine.setServerStatus(name, state, why));
    tell?.({ added: [], removed: [], changed: [] }, why);
  }

  /** Notes how a server is doing before a change; what it gives tells the listener, if there is one, what is other after it. */
  #watch(server: string | undefined): ((delta: CatalogDelta, reason?: string) => void) | undefined {
    const listener = this.#listener;
    if (!listener) return undefined;
    const status = () => (server === undefined ? undefined : guard(() => this.#live().serverStatus(server)) as ServerStatus | undefined);
    const before = status();
    return (delta, reason) =>
      listener.tell(() => {
        const after = status();
        const same = delta.added.length + delta.removed.length + delta.changed.length === 0;
        if (same && before === after) return undefined;
        const catalog = guard(() => this.#live().tokens());
        return {
          type: "server",
          ...(server !== undefined && { server }),
          ...(after && { status: after }),
          ...(reason && { reason }),
          delta,
          tokens: { catalog },
        };
      });
  }

  /** The search tool's name, as the option says. */
  get searchToolName(): string {
    return (this.#tool(this.#live(), SEARCH_TOOL, "mcp") as { name: string }).name;
  }

  /** The number of tools. */
  get size(): number {
    const engine = this.#live();
    return guard(() => engine.size());
  }

  /** Every callable name in catalog order: built-in tools as added, then servers by name, each server's tools as given. */
  names(): string[] {
    const engine = this.#live();
    return JSON.parse(guard(() => engine.names())) as string[];
  }

  /** The definition of a callable name, as it was added: the very object, or a new one where it came as text or in another shape. */
  get(name: string): ToolDefinition | undefined {
    const engine = this.#live();
    const callable = textOf(name);
    const id = guard(() => engine.idOf(callable));
    return id === undefined ? undefined : this.#object(engine, id);
  }

  /**
   * Ranks without loading anything.
   *
   * @throws ToolSearchError `empty_query`, `no_tokens`, `empty_select`, `invalid_pattern`, `pattern_too_long`, `invalid_option`
   */
  search(query: string, options?: SearchOptions): SearchResult {
    const listener = this.#listener;
    if (!listener) return this.#search(query, options);
    const begun = performance.now();
    const tell = (result: SearchResult | null, error?: ToolSearchError) =>
      listener.tell(() => ({
        type: "search",
        query: typeof query === "string" ? query : "",
        result,
        ...(error && { error: { code: error.code, message: error.message } }),
        milliseconds: performance.now() - begun,
      }));
    try {
      const result = this.#search(query, options);
      tell(result);
      return result;
    } catch (error) {
      if (error instanceof ToolSearchError) tell(null, error);
      throw error;
    }
  }

  #search(query: string, options: SearchOptions | undefined): SearchResult {
    const engine = this.#live();
    const plain = options ? searchOptions(options) : "{}";
    const text = typeof query === "string" ? query : "";
    const hits = guard(() => engine.search(text, plain));
    return this.#result(text, hits, hits[HAS_DETAILS] === 1 ? detailsOf(engine) : undefined);
  }

  /**
   * Whether to defer, and what each choice costs in tokens.
   *
   * @throws ToolSearchError `invalid_option`, also when `countTokens` fails
   */
  plan(options?: PlanOptions): Plan {
    const engine = this.#live();
    const { model, contextWindow, defer } = options ?? {};
    const plain = optionsText({ model, contextWindow, defer });
    return JSON.parse(guard(() => engine.plan(plain))) as Plan;
  }

  /**
   * Begins one conversation. Sessions share the catalog and nothing else.
   *
   * @throws ToolSearchError `invalid_option`, also when `countTokens` fails; `too_many_tools` when `maxTools` has no room for what
   * every request carries
   */
  session(options?: SessionOptions): ToolSearchSession {
    return this.#session(options, (this.#owner ??= this.#own(this.#listener, this.#usage)));
  }

  #session(options: SessionOptions | undefined, owner: Owner): ToolSearchSession {
    const engine = this.#live();
    const { id, model, contextWindow, defer, allow, deny, state, maxTools, overflow } = options ?? {};
    if (state !== undefined && (state?.version !== 1 || !Array.isArray(state.activated) || !Array.isArray(state.preloaded ?? []))) {
      throw new ToolSearchError("invalid_option", "`state` is not what `state()` gave: { version: 1, activated: [names] }.");
    }
    const filter = { allow: allow && textsOf(allow), deny: deny && textsOf(deny) };
    const plain = optionsText({
      model,
      contextWindow,
      defer,
      ...filter,
      activated: state && textsOf(state.activated),
      preloaded: state?.preloaded && textsOf(state.preloaded),
      maxTools,
      overflow,
    });
    const conversation = guard(() => engine.session(plain));
    const asked = options === undefined ? NOTHING : { model, contextWindow, ...filter, maxTools };
    return new ToolSearchSession(conversation, owner, asked, id === undefined ? undefined : textOf(id));
  }

  #own(listener: Listener | undefined, usage: UsageCounter): Owner {
    return {
      engine: () => this.#live(),
      name: (id) => this.#info(this.#live(), id).name,
      definition: (id) => id + (this.#drops.get(id) ?? 0) * 2 ** 32,
      tool: (id, format) => this.#tool(this.#live(), id, format),
      result: (query, hits, details) => this.#result(query, hits, details),
      listener,
      usage,
      // To look tools up in, not to talk with: it tells nobody, and what it counts is nobody's.
      whole: ({ maxTools: _, ...asked }) => this.#session({ ...asked, defer: "never" }, this.#own(undefined, new UsageCounter())),
    };
  }

  /**
   * How often its conversations loaded and called tools since it was made: what `mergeUsage` adds to earlier counts, and what the
   * option `preload` of the next engine takes.
   */
  usage(): ToolUsage {
    return this.#usage.usage();
  }

  /** The catalog as bytes, with version and checksum. */
  snapshot(): Uint8Array {
    const engine = this.#live();
    return guard(() => engine.snapshot());
  }

  /**
   * An engine from `snapshot()` bytes that answers every search the same. Options are not in the snapshot.
   *
   * @throws ToolSearchError `invalid_snapshot` for another version or damaged bytes
   */
  static restore(bytes: Uint8Array, options?: ToolSearchOptions): ToolSearch {
    if (!ArrayBuffer.isView(bytes)) throw new ToolSearchError("invalid_snapshot", "A snapshot is a Uint8Array.");
    const restored = new ToolSearch(options);
    const engine = restored.#live();
    try {
      copyInto(engine, bytes);
      guard(() => engine.load(bytes.byteLength));
    } catch (error) {
      restored.free();
      throw error;
    }
    return restored;
  }

  /** Gives the memory back now; afterwards every call of this engine and its sessions throws `freed`. Safe to call twice. */
  free(): void {
    if (this.#engine) this.#live();
    const engine = this.#engine;
    this.#engine = undefined;
    this.#objects.clear();
    this.#infos.clear();
    this.#composed.clear();
    if (engine) guard(() => engine.free());
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #live(): Engine {
    if (!this.#engine) throw new ToolSearchError("freed", "This ToolSearch was freed; make a new one.");
    if (this.#counting) throw new ToolSearchError("reentrant", "`countTokens` must not call the engine it counts for.");
    return this.#engine;
  }

  /** The options as text, and the counter, which cannot be. */
  #options(options: ToolSearchOptions | undefined): [string, ((text: string) => number) | undefined] {
    const { contextWindow, defer, threshold, maxResults, searchToolName, countTokens, keywords, directModels } = options ?? {};
    const { callableNames, tokens, ranking, listing, limits, preload, onEvent } = options ?? {};
    if (onEvent !== undefined && typeof onEvent !== "function") {
      throw new ToolSearchError("invalid_option", "`onEvent` must be a function.");
    }
    if (countTokens !== undefined && typeof countTokens !== "function") {
      throw new ToolSearchError("invalid_option", "`countTokens` must be a function.");
    }
    const plain = optionsText({
      contextWindow,
      defer,
      threshold,
      maxResults,
      searchToolName,
      keywords: keywords && Object.fromEntries(Object.entries(keywords).map(([name, words]) => [name, textsOf(words)])),
      directModels: directModels && textsOf(directModels),
      callableNames,
      ranking,
      listing,
      limits,
      tokens,
      preload: preload && {
        usage: Object.fromEntries(readUsage(preload.usage).map(([name, { loaded, called }]) => [name, [loaded, called]])),
        maxTokens: preload.maxTokens ?? PRELOAD_TOKENS,
      },
    });
    return [plain, countTokens && this.#counter(countTokens)];
  }

  #counter(countTokens: (text: string) => number): (text: string) => number {
    return (text) => {
      this.#counting = true;
      try {
        return countTokens(text);
      } finally {
        this.#counting = false;
      }
    };
  }

  #keep(id: number, tool: ToolDefinition): void {
    this.#objects.set(id, tool);
    // The same definition may be another object now, with other functions on it.
    this.#composed.get("mcp")?.delete(id);
  }

  #drop(ids: readonly number[]): void {
    for (const id of ids) {
      this.#objects.delete(id);
      this.#infos.delete(id);
      this.#drops.set(id, (this.#drops.get(id) ?? 0) + 1);
      for (const composed of this.#composed.values()) composed.delete(id);
    }
  }

  #object(engine: Engine, id: number): ToolDefinition {
    let object = this.#objects.get(id);
    if (!object) {
      object = JSON.parse(guard(() => engine.definition(id)) ?? "{}") as ToolDefinition;
      this.#objects.set(id, object);
    }
    return object;
  }

  #info(engine: Engine, id: number): Info {
    let info = this.#infos.get(id);
    if (!info) {
      info = JSON.parse(guard(() => engine.info(id)) ?? "{}") as Info;
      this.#infos.set(id, info);
    }
    return info;
  }

  /** A tool as a request carries it: the caller's own object as "mcp", in other formats a copy that is the caller's to change. */
  #tool(engine: Engine, id: number, format: Format): unknown {
    let composed = this.#composed.get(format);
    if (!composed) this.#composed.set(format, (composed = new Map()));
    let tool = composed.get(id);
    if (!tool) {
      if (format === "mcp" && id !== SEARCH_TOOL) {
        const object = this.#object(engine, id);
        const { name } = this.#info(engine, id);
        tool = object.name === name ? object : { ...object, name };
      } else {
        tool = JSON.parse(guard(() => engine.compose(id, format)) ?? "null");
      }
      composed.set(id, tool);
    }
    return format === "mcp" ? tool : { ...(tool as object) };
  }

  #result(query: string, hits: Float64Array, details: Details | undefined): SearchResult {
    const engine = this.#live();
    const matches: Match[] = [];
    for (let at = HITS; at < hits.length; at += 3) {
      const { name, rawName, server, description } = this.#info(engine, hits[at] as number);
      const match: Match = { name, rawName, score: hits[at + 1] as number, tier: TIERS[hits[at + 2] as number] ?? "keywords" };
      if (server !== undefined) match.server = server;
      if (description !== undefined) match.description = description;
      const explain = details?.explain[matches.length];
      if (explain) match.explain = explain;
      matches.push(match);
    }
    return {
      query,
      kind: KINDS[hits[0] as number] ?? "keywords",
      matches,
      missing: details?.missing ?? [],
      direct: details?.direct ?? [],
      ambiguous: details?.ambiguous ?? [],
      suggestions: details?.suggestions ?? [],
      confidence: CONFIDENCES[hits[1] as number] ?? "none",
      more: hits[2] as number,
      unavailable: details?.unavailable ?? [],
    };
  }
}

/** How an answer's numbers are laid out: kind, confidence, further matches, whether there are details, then three a match. */
const HAS_DETAILS = 3;
const HITS = 4;
const KINDS = ["select", "server", "keywords", "regex"] as const;
const CONFIDENCES = ["high", "low", "none"] as const;
const TIERS = ["exact", "alias", "keywords"] as const;

/** Of what a session was asked to be: what others like it would be asked. @internal */
export type Asked = Pick<SessionOptions, "model" | "contextWindow" | "allow" | "deny" | "maxTools">;
const NOTHING: Asked = {};

/** What a session needs of the engine it belongs to. @internal */
export interface Owner {
  engine(): Engine;
  name(id: number): string;
  /** A number for the definition that an id stands for now. Ids are given again, these are not. */
  definition(id: number): number;
  tool(id: number, format: Format): unknown;
  result(query: string, hits: Float64Array, details: Details | undefined): SearchResult;
  readonly listener: Listener | undefined;
  readonly usage: UsageCounter;
  whole(asked: Asked): ToolSearchSession;
}

/** A tool as JSON. What cannot be written as JSON is no definition. */
function stringify(tool: unknown, place: number): string {
  let json: string | undefined;
  let reason = "it is not an object";
  try {
    json = JSON.stringify(tool);
  } catch (error) {
    reason = reasonOf(error);
  }
  if (json === undefined) {
    throw new ToolSearchError("invalid_tool", `tool ${place}${called(tool)} cannot be written as JSON: ${reason}`, { index: place });
  }
  return json;
}

function called(tool: unknown): string {
  try {
    const { name } = tool as { name?: unknown };
    return typeof name === "string" ? ` (${JSON.stringify(name.slice(0, 64))})` : "";
  } catch {
    return "";
  }
}

/** The options of an addition as plain values: an exception of a getter must not pass through the module. */
function addOptions(options: AddOptions | undefined): string {
  const { server, instructions, load, prefix } = options ?? {};
  const some = typeof load === "object" && load !== null;
  return optionsText({ server, instructions, prefix, ...(some ? { direct: textsOf(load.direct) } : { load }) });
}

function searchOptions({ limit, offset, allow, deny, server, loaded, mode, explain }: SearchOptions): string {
  return optionsText({
    limit: clamp(limit),
    offset: clamp(offset),
    allow: allow && textsOf(allow),
    deny: deny && textsOf(deny),
    server,
    loaded: loaded && textsOf(loaded),
    mode,
    explain,
  });
}

/** A number that JSON can write, which to the module is as good as any beyond; none of what is no number. */
function clamp(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || Number.isNaN(number) ? undefined : Math.min(Math.max(number, -MOST), MOST);
}
const MOST = 2 ** 32;

/** What the last answer has to tell beside its hits; weights cross as numbers. */
function detailsOf(engine: Engine): Details {
  const details = JSON.parse(guard(() => engine.details()) ?? "{}") as Details;
  const addends = details.explain.flat();
  if (addends.length > 0) guard(() => engine.weights()).forEach((weight, at) => Object.assign(addends[at] as object, { weight }));
  return details;
}

/** Bytes into the module's memory, for its next call. */
function copyInto(engine: Engine, bytes: Uint8Array): void {
  const pointer = guard(() => engine.reserve(bytes.byteLength));
  new Uint8Array(core().memory.buffer, pointer, bytes.byteLength).set(bytes);
}

/**
 * Estimated tokens of a text, or of a tool as a provider sees it: name, description and schema as compact JSON. With the `tokens` of
 * an engine's options, what its plans count for the same.
 *
 * @throws ToolSearchError `invalid_tool`
 */
export function estimateTokens(input: string | ToolDefinition, { scale = 1, perTool = 0 }: TokenOptions = {}): number {
  if (typeof input === "string") return Math.round(guard(() => core().estimateText(encoder.encode(input))) * scale);
  const json = stringify(input, 0);
  return Math.round(guard(() => core().estimateDefinition(json)) * scale) + perTool;
}
