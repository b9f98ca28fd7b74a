import type { Conversation } from "../wasm/core.js";
import type { Details, Owner } from "./engine.js";
import { guard, numberOf, textOf, textsOf, ToolSearchError } from "./errors.js";
import type { CallResolution, Format, Plan, SearchInput, SearchReply, SessionState } from "./types.js";

/** What stands for the search tool among the ids of definitions. @internal */
export const SEARCH_TOOL = 0xffff_ffff;

const FORMATS: readonly string[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];

/** One conversation of an agent, made by `ToolSearch.session`: what it has loaded, and what it has been told. */
export class ToolSearchSession {
  /** Whether this conversation defers, and what that saves. Decided when it began, for its whole life. */
  readonly plan: Plan;
  /** The search tool's name; `undefined` without deferral, when there is none. */
  readonly searchToolName: string | undefined;
  /** The same whether this conversation defers or not. @internal */
  readonly knownSearchTool: string;
  #conversation: Conversation | undefined;
  #whole: ToolSearchSession | undefined;
  readonly #owner: Owner;

  /** @internal */
  constructor(conversation: Conversation, owner: Owner) {
    this.#conversation = conversation;
    this.#owner = owner;
    this.plan = guard(() => conversation.plan()) as Plan;
    this.knownSearchTool = (owner.tool(SEARCH_TOOL, "mcp") as { name: string }).name;
    this.searchToolName = this.plan.deferring ? this.knownSearchTool : undefined;
  }

  /** The `## Deferred Tools` section of the system prompt, "" when nothing is deferred. The same bytes for the session's whole life. */
  prompt(): string {
    const { conversation } = this.#live();
    return guard(() => conversation.prompt());
  }

  /**
   * The tools of the next request: direct tools in catalog order, the search tool, then activated tools in activation order, so
   * that each array extends the one before. Without deferral: all tools. "mcp", the default, gives the very objects that
   * were added, as copies only where the callable name is another; in other formats each call gives copies.
   *
   * @throws ToolSearchError `invalid_option` for an unknown format
   */
  tools(format: Format = "mcp"): unknown[] {
    if (!FORMATS.includes(format)) throw new ToolSearchError("invalid_option", `A format is one of ${FORMATS.join(", ")}.`);
    return this.#ids().map((id) => this.#owner.tool(id, format));
  }

  /** Their names, in the same order. */
  names(): string[] {
    return this.#ids().map((id) => (id === SEARCH_TOOL ? (this.searchToolName as string) : this.#owner.name(id)));
  }

  /**
   * The same conversation without deferral: `names()` are all the tools that it may see, and `resolve` says what is meant by a
   * name and loads nothing.
   *
   * @internal
   */
  get whole(): ToolSearchSession {
    this.#live();
    if (!this.plan.deferring) return this;
    return (this.#whole ??= this.#owner.whole());
  }

  /** Callable names activated so far, in activation order. */
  get activated(): readonly string[] {
    const { conversation, engine } = this.#live();
    return guard(() => conversation.activated(engine));
  }

  /** Answers the model's call of the search tool, and loads what it found. Never throws for what the model wrote. */
  handle(input: SearchInput | unknown): SearchReply {
    const { conversation, engine } = this.#live();
    const { query, maxResults } = readInput(input);
    const { hits, details, ...reply } = guard(() => conversation.handle(engine, query, maxResults)) as Omit<SearchReply, "result"> & {
      hits?: number[];
      details?: Details;
    };
    const result = hits && details ? this.#owner.result(query ?? "", Float64Array.from(hits), details) : null;
    return { ...reply, result };
  }

  /** What to do with a call the model made: run it when "ready", else answer it with the text. */
  resolve(name: string): CallResolution {
    const { conversation, engine } = this.#live();
    const called = textOf(name);
    return guard(() => conversation.resolve(engine, called)) as CallResolution;
  }

  /**
   * Loads tools by name and gives the callable names that are newly loaded; names that no deferred tool has are passed over.
   *
   * @throws ToolSearchError `invalid_option` for what is no array
   */
  activate(names: readonly string[]): string[] {
    const { conversation, engine } = this.#live();
    const all = textsOf(names);
    return guard(() => conversation.activate(engine, all));
  }

  /**
   * To be called after the conversation was compacted. "keep", the default, leaves what is loaded; "reset" forgets it, for when
   * the model no longer knows what it loaded.
   *
   * @throws ToolSearchError `invalid_option` for another policy
   */
  compacted(policy: "keep" | "reset" = "keep"): void {
    const { conversation, engine } = this.#live();
    if (policy !== "keep" && policy !== "reset") throw new ToolSearchError("invalid_option", "A policy is keep or reset.");
    if (policy === "reset") guard(() => conversation.reset(engine));
  }

  /** Deferred tools that came or went since the model was last told, as a short message; "" when none. Each is told once. */
  announce(): string {
    const { conversation, engine } = this.#live();
    return guard(() => conversation.announce(engine));
  }

  /** What `session({ state })` goes on from, in this process or another; plain JSON. */
  state(): SessionState {
    return { version: 1, activated: [...this.activated] };
  }

  /** Gives the memory back now; afterwards every call throws `freed`. Safe to call twice. */
  free(): void {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    this.#whole?.free();
    if (conversation) guard(() => conversation.free());
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #live() {
    if (!this.#conversation) throw new ToolSearchError("freed", "This session was freed; begin a new one.");
    return { conversation: this.#conversation, engine: this.#owner.engine() };
  }

  #ids(): number[] {
    const { conversation, engine } = this.#live();
    return Array.from(guard(() => conversation.ids(engine)));
  }
}

/** The two fields of a search call, whatever the model wrote: JSON text that was not parsed, other types, an object that throws. */
function readInput(input: unknown): { query: string | undefined; maxResults: number | undefined } {
  try {
    const given = (typeof input === "string" ? JSON.parse(input) : input) as Record<string, unknown> | null;
    const query = given?.["query"];
    const number = given?.["max_results"];
    return {
      query: typeof query === "string" ? query : undefined,
      maxResults: numberOf(number),
    };
  } catch {
    return { query: undefined, maxResults: undefined };
  }
}
