import type { Engine } from "../wasm/core.js";
import { answer, detailsOf, HAS_DETAILS, type Details } from "./answers.js";
import { Definitions, SEARCH_TOOL } from "./definitions.js";
import { checkFault, failureOf, guard, release, ToolSearchError } from "./errors.js";
import { Listener } from "./events.js";
import { core, coreOf, type Core } from "./load.js";
import { addOptions, engineOptions, optionsText, reasonOf, searchOptions, sessionOptions, textOf } from "./options.js";
import { ToolSearchSession } from "./session.js";
import type {
  AddOptions,
  AnyDefinition,
  CatalogDelta,
  Format,
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
import { UsageCounter, type ToolUsage } from "./usage.js";

const encoder = new TextEncoder();
/** Tools, and UTF-16 units of them, that cross into the module at once: one copy instead of many, and no copy of everything. */
const CHUNK = 32;
const CHUNK_LENGTH = 1 << 20;
/** Bytes of a snapshot that cross at once; the first have all of its first line. */
const PART = 1 << 17;
/** UTF-16 units of a query for which room is kept. */
const SHORT = 256;
interface Addition {
  delta: CatalogDelta;
  /** What stands for each added definition. */
  ids: number[];
  /** Of those, the ones that came in another shape than MCP's. */
  converted: number[];
  /** Ids that no longer stand for anything. */
  dropped: number[];
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
  /** The module that the engine runs in. */
  readonly #core: Core;
  readonly #definitions = new Definitions(() => this.#live());
  readonly #listener: Listener | undefined;
  readonly #usage = new UsageCounter();
  /** Where short queries are written; 0 where that is not known. */
  #desk = 0;
  /** What all its conversations have in common. */
  #owner: Owner | undefined;
  #counting = false;

  /** @throws ToolSearchError `invalid_option` */
  constructor(options?: ToolSearchOptions) {
    const { countTokens } = options ?? {};
    const plain = engineOptions(options);
    this.#listener = options?.onEvent && new Listener(options.onEvent);
    this.#core = coreOf(options?.meaning);
    this.#engine = guard(() => new this.#core.Engine(plain, countTokens && this.#counter(countTokens)));
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
    // Read once: what is kept is what was taken in.
    const given = listOf(tools);
    const lists = listsOf(given, 0);
    const plain = addOptions(options);
    const tell = this.#watch(options?.server);
    for (const text of lists) {
      const written = this.#writeAll(engine, text);
      guard(() => engine.stage(written));
    }
    const addition = this.#commit(engine, plain);
    const converted = new Set(addition.converted);
    addition.ids.forEach((id, i) => {
      if (!converted.has(id)) this.#definitions.keep(id, given[i] as ToolDefinition);
    });
    tell?.(addition.delta);
    return addition.delta;
  }

  /** Writes a text where the engine reads it, and gives how many bytes it takes. */
  #writeAll(engine: Engine, text: string): number {
    // Most text is ASCII; no character takes more than three bytes a UTF-16 unit.
    return this.#write(engine, text, text.length) ?? this.#write(engine, text, text.length * 3) ?? 0;
  }

  /** The same if it takes not more than there is `room` for. */
  #write(engine: Engine, text: string, room: number): number | undefined {
    this.#desk = 0;
    const pointer = guard(() => engine.reserve(room));
    const { read, written } = encoder.encodeInto(text, new Uint8Array(this.#core.memory.buffer, pointer, room));
    return read === text.length ? written : undefined;
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
    guard(() => engine.makeRoom(bytes.byteLength));
    guard(() => engine.stageJson(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    const { delta } = this.#commit(engine, plain);
    tell?.(delta);
    return delta;
  }

  #commit(engine: Engine, plain: string): Addition {
    this.#desk = 0;
    const addition = JSON.parse(guard(() => engine.commit(plain))) as Addition;
    this.#definitions.drop(addition.dropped);
    return addition;
  }

  /** Removes a server with its tools, status and instructions; no change when there is none. */
  removeServer(server: string): CatalogDelta {
    const engine = this.#live();
    const name = textOf(server);
    const tell = this.#watch(name);
    const { delta, dropped } = JSON.parse(guard(() => engine.removeServer(name))) as Addition;
    this.#definitions.drop(dropped);
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
    return (this.#definitions.tool(SEARCH_TOOL, "mcp") as { name: string }).name;
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
    return id === undefined ? undefined : this.#definitions.object(id);
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
    const plain = options && searchOptions(options);
    const text = typeof query === "string" ? query : "";
    const written = this.#isWritten(engine, text) ? text.length : this.#writeAll(engine, text);
    const pointer = this.#ask(engine, written, plain);
    if (pointer === 0) guard(() => engine.failure());
    const hits = this.#core.numbersAt(pointer);
    return answer(text, hits, hits[HAS_DETAILS] === 1 ? detailsOf(engine) : undefined, this.#definitions);
  }

  /** As `guard` does it, but without a function for each call, which takes as long as a word of a query. */
  #ask(engine: Engine, written: number, plain: string | undefined): number {
    checkFault();
    try {
      return engine.search(written, plain);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Writes a query where the engine reads it, if it is short and of ASCII. Unit by unit, since the encoder takes as long as a query. */
  #isWritten(engine: Engine, text: string): boolean {
    if (text.length > SHORT) return false;
    if (this.#desk === 0) this.#desk = guard(() => engine.reserve(SHORT));
    const bytes = this.#core.bytes();
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) return false;
      bytes[this.#desk + at] = unit;
    }
    return true;
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
    const { id, model, contextWindow, maxTools } = options ?? {};
    const { plain, filter } = sessionOptions(options ?? {});
    const conversation = guard(() => engine.session(plain));
    const asked = options === undefined ? NOTHING : { model, contextWindow, ...filter, maxTools };
    return new ToolSearchSession(conversation, owner, asked, id === undefined ? undefined : textOf(id));
  }

  #own(listener: Listener | undefined, usage: UsageCounter): Owner {
    return {
      engine: () => this.#live(),
      name: (id) => this.#definitions.info(id).name,
      definition: (id) => this.#definitions.life(id),
      tool: (id, format) => this.#definitions.tool(id, format),
      result: (query, hits, details) => answer(query, hits, details, this.#definitions),
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

  /**
   * The catalog and its index as bytes, with version and checksum (rule H3). The index is made for it if no search by words has been.
   */
  snapshot(): Uint8Array {
    const engine = this.#live();
    return guard(() => engine.snapshot());
  }

  /**
   * An engine from `snapshot()` bytes that answers every search the same, without reading a definition again. Options are not in the
   * snapshot; callable names are as they were given then. With other `keywords` the index is made anew by the first search by words.
   *
   * @throws ToolSearchError `invalid_snapshot` for another version or damaged bytes, `limit_exceeded` and `reserved_name` where the options do
   * not admit what is in it
   */
  static restore(bytes: Uint8Array, options?: ToolSearchOptions): ToolSearch {
    if (!ArrayBuffer.isView(bytes)) throw new ToolSearchError("invalid_snapshot", "A snapshot is a Uint8Array.");
    const restored = new ToolSearch(options);
    const engine = restored.#live();
    try {
      restored.#receive(engine, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    } catch (error) {
      restored.free();
      throw error;
    }
    return restored;
  }

  /** Hands a snapshot over in parts of a size that processors still have at hand when the engine reads what was copied. */
  #receive(engine: Engine, bytes: Uint8Array): void {
    let at = 0;
    do {
      const part = bytes.subarray(at, at + PART);
      at += part.length;
      const pointer = guard(() => engine.reserve(part.length));
      new Uint8Array(this.#core.memory.buffer, pointer).set(part);
      guard(() => engine.receive(part.length, bytes.length - at));
    } while (at < bytes.length);
  }

  /** Gives the memory back now; afterwards every call of this engine and its sessions throws `freed`, but for `usage()`. Safe to call twice. */
  free(): void {
    if (this.#engine) this.#live();
    const engine = this.#engine;
    this.#engine = undefined;
    this.#definitions.clear();
    if (engine) release(() => engine.free());
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #live(): Engine {
    if (!this.#engine) throw new ToolSearchError("freed", "This ToolSearch was freed; make a new one.");
    if (this.#counting) throw new ToolSearchError("reentrant", "`countTokens` must not call the engine it counts for.");
    return this.#engine;
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
}

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
  result(query: string, hits: ArrayLike<number>, details: Details | undefined): SearchResult;
  readonly listener: Listener | undefined;
  readonly usage: UsageCounter;
  whole(asked: Asked): ToolSearchSession;
}

/** What was given for an array of tools, holes included. */
function listOf(tools: unknown): unknown[] {
  try {
    if (Array.isArray(tools)) return Array.from(tools as unknown[]);
  } catch (cause) {
    throw new ToolSearchError("invalid_tool", `\`tools\` cannot be read: ${reasonOf(cause)}`, { cause });
  }
  throw new ToolSearchError("invalid_tool", "`tools` must be an array of definitions.");
}

/** Tools as JSON, in lists of few; the first stands at `place`. */
function listsOf(tools: unknown[], place: number): string[] {
  if (tools.length <= 1) return tools.map((tool) => `[${stringify(tool, place)}]`);
  if (tools.length <= CHUNK) {
    try {
      const text = JSON.stringify(tools);
      if (text.length <= CHUNK_LENGTH) return [text];
    } catch {
      // Which of them is the reason is found below.
    }
  }
  const middle = tools.length >> 1;
  return [...listsOf(tools.slice(0, middle), place), ...listsOf(tools.slice(middle), place + middle)];
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

/**
 * Estimated tokens of a text, or of a tool as a provider sees it: name, description and schema as compact JSON. With the `tokens` of
 * an engine's options, what its plans count for the same.
 *
 * @throws ToolSearchError `invalid_tool`
 */
export function estimateTokens(input: string | ToolDefinition, { scale = 1, perTool = 0 }: TokenOptions = {}): number {
  if (typeof input === "string") return Math.round(guard(() => core().estimateText(encoder.encode(input))) * scale);
  const list = `[${stringify(input, 0)}]`;
  return Math.round(guard(() => core().estimateDefinition(list)) * scale) + perTool;
}
