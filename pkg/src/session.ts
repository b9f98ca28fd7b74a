import type { Conversation } from "../wasm/core.js";
import type { Details } from "./answers.js";
import { SEARCH_TOOL } from "./definitions.js";
import type { Asked, Owner } from "./engine.js";
import type { ActivationEvent } from "./events.js";
import { guard, release, ToolSearchError } from "./errors.js";
import { numberOf, optionsText, textOf, textsOf } from "./options.js";
import type { CallResolution, Format, Plan, SearchInput, SearchReply, SessionState } from "./types.js";

const FORMATS: readonly string[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];

/** One conversation of an agent, made by `ToolSearch.session`: what it has loaded, and what it has been told. */
export class ToolSearchSession {
  /** What events name it by; as it was given. */
  readonly id: string | undefined;
  #conversation: Conversation | undefined;
  #plan: Plan | undefined;
  #whole: ToolSearchSession | undefined;
  readonly #owner: Owner;
  readonly #asked: Asked;
  /** The tools array given last; kept only where somebody is told when the next does not extend it. */
  #sent: { definition: number; name: string }[] | undefined;

  /** @internal */
  constructor(conversation: Conversation, owner: Owner, asked: Asked, id?: string) {
    this.id = id;
    this.#conversation = conversation;
    this.#owner = owner;
    this.#asked = asked;
  }

  /** Whether this conversation defers, and what that saves. Decided when it began, for its whole life. */
  get plan(): Plan {
    // Read when it is asked for: there may be thousands of sessions.
    const { conversation } = this.#live();
    this.#plan ??= JSON.parse(guard(() => conversation.plan())) as Plan;
    return this.#plan;
  }

  /** The search tool's name; `undefined` without deferral, when there is none. */
  get searchToolName(): string | undefined {
    return this.plan.deferring ? this.knownSearchTool : undefined;
  }

  /** The same whether this conversation defers or not. @internal */
  get knownSearchTool(): string {
    return (this.#owner.tool(SEARCH_TOOL, "mcp") as { name: string }).name;
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
   * @throws ToolSearchError `invalid_option` for an unknown format, `too_many_tools` when they are more than `maxTools`
   */
  tools(format: Format = "mcp"): unknown[] {
    if (!FORMATS.includes(format)) throw new ToolSearchError("invalid_option", `A format is one of ${FORMATS.join(", ")}.`);
    const { conversation, engine } = this.#live();
    guard(() => conversation.check(engine));
    const ids = this.#ids();
    const tools = ids.map((id) => this.#owner.tool(id, format));
    if (this.#owner.listener) this.#tellOfBreak(ids);
    return tools;
  }

  /** Their names, in the same order. */
  names(): string[] {
    return this.#ids().map((id) => this.#nameOf(id));
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
    return (this.#whole ??= this.#owner.whole(this.#asked));
  }

  /**
   * Holds a request to `maxTools` whose array is not `tools()`, since it has tools that are not loaded.
   *
   * @throws ToolSearchError `too_many_tools`
   * @internal
   */
  checkCount(count: number): void {
    const most = this.#asked.maxTools ?? Infinity;
    if (count <= most) return;
    const all = `a request would carry ${count} tools, loaded or not, and \`maxTools\` allows ${most}`;
    throw new ToolSearchError("too_many_tools", `${all}: use the strategy "append", or hide some with \`allow\` and \`deny\``);
  }

  /**
   * Lets tools leave as a request does, and leaves it to the next one to fail where it must.
   *
   * @internal
   */
  makeRoom(): void {
    const { conversation, engine } = this.#live();
    guard(() => conversation.makeRoom(engine));
  }

  /** Callable names activated so far, in activation order. */
  get activated(): readonly string[] {
    const { conversation, engine } = this.#live();
    return JSON.parse(guard(() => conversation.activated(engine))) as string[];
  }

  /** Answers the model's call of the search tool, and loads what it found. Never throws for what the model wrote. */
  handle(input: SearchInput | unknown): SearchReply {
    const { conversation, engine } = this.#live();
    const { query, maxResults } = readInput(input);
    const begun = this.#owner.listener && performance.now();
    const hits = guard(() => conversation.handle(engine, query, maxResults));
    const told = JSON.parse(guard(() => conversation.reply()) ?? "{}") as Omit<SearchReply, "result"> & { details?: Details };
    const { details, ...reply } = told;
    const result = hits.length > 0 ? this.#owner.result(query ?? "", hits, details) : null;
    const answer: SearchReply = { ...reply, result };
    this.#activated(reply.loaded, "search");
    this.#owner.listener?.tell(() => ({
      type: "search",
      ...this.#who(),
      query: query ?? "",
      result,
      ...(answer.error && { error: answer.error }),
      milliseconds: performance.now() - (begun ?? 0),
      reply: answer,
      tokens: { loaded: this.#tokensOf(answer.loaded), reply: this.#count(answer.text) },
    }));
    return answer;
  }

  /** What to do with a call the model made: run it when "ready", else answer it with the text. */
  resolve(name: string): CallResolution {
    const { conversation, engine } = this.#live();
    const called = textOf(name);
    const resolution = JSON.parse(guard(() => conversation.resolve(engine, called))) as CallResolution;
    if (resolution.status === "activated") {
      const { name: callable, text } = resolution;
      this.#activated([callable], "call");
      this.#owner.listener?.tell(() => ({ type: "rescue", ...this.#who(), called, name: callable, tokens: { reply: this.#count(text) } }));
    }
    if (resolution.status === "ready" && resolution.name !== this.searchToolName) this.#owner.usage.add(resolution.name, { called: 1 });
    return resolution;
  }

  /**
   * Loads tools by name and gives the callable names that are newly loaded; names that no deferred tool has are passed over.
   *
   * @throws ToolSearchError `invalid_option` for what is no array
   */
  activate(names: readonly string[]): string[] {
    const loaded = this.restore(names);
    this.#activated(loaded, "activate");
    return loaded;
  }

  /**
   * The same for what was loaded before, in another process: that was counted and told of there.
   *
   * @internal
   */
  restore(names: readonly string[]): string[] {
    const { conversation, engine } = this.#live();
    const all = optionsText(textsOf(names));
    return JSON.parse(guard(() => conversation.activate(engine, all))) as string[];
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

  /** Deferred tools that came or went since the model was last told, as a message; "" when none. Each is told once; names, 500 of each at most. */
  announce(): string {
    const { conversation, engine } = this.#live();
    return guard(() => conversation.announce(engine));
  }

  /** What `session({ state })` goes on from, in this process or another; plain JSON. */
  state(): SessionState {
    const { conversation, engine } = this.#live();
    const kept = JSON.parse(guard(() => conversation.kept(engine))) as Omit<SessionState, "version" | "activated">;
    return { version: 1, activated: [...this.activated], ...kept };
  }

  /** Gives the memory back now; afterwards every call throws `freed`. Safe to call twice. */
  free(): void {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    this.#whole?.free();
    if (conversation) release(() => conversation.free());
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

  #nameOf(id: number): string {
    return id === SEARCH_TOOL ? (this.searchToolName as string) : this.#owner.name(id);
  }

  #who(): { session?: string } {
    return this.id === undefined ? {} : { session: this.id };
  }

  #count(text: string): number {
    const { engine } = this.#live();
    return guard(() => engine.count(text));
  }

  #tokensOf(names: string[]): number {
    const { conversation, engine } = this.#live();
    return guard(() => conversation.tokensOf(engine, JSON.stringify(names)));
  }

  #activated(names: string[], by: ActivationEvent["by"]): void {
    if (names.length === 0) return;
    for (const name of names) this.#owner.usage.add(name, { loaded: 1 });
    this.#owner.listener?.tell(() => {
      const { conversation, engine } = this.#live();
      const [array = 0, saved = 0] = guard(() => conversation.tokens(engine));
      return { type: "activation", ...this.#who(), names, by, tokens: { loaded: this.#tokensOf(names), array, saved } };
    });
  }

  #tellOfBreak(ids: number[]): void {
    const before = this.#sent ?? [];
    const sent = ids.map((id) => ({ definition: this.#owner.definition(id), name: this.#nameOf(id) }));
    this.#sent = sent;
    const parting = before.findIndex(({ definition }, at) => definition !== sent[at]?.definition);
    if (parting < 0) return;
    this.#owner.listener?.tell(() => {
      const now = new Map(sent.map(({ definition, name }) => [name, definition]));
      const behind = before.slice(parting);
      const kept = this.#tokensOf(before.slice(0, parting).map(({ name }) => name));
      return {
        type: "cache-break",
        ...this.#who(),
        removed: behind.filter(({ name }) => !now.has(name)).map(({ name }) => name),
        changed: behind.filter(({ definition, name }) => now.has(name) && now.get(name) !== definition).map(({ name }) => name),
        tokens: { kept, array: this.#tokensOf(sent.map(({ name }) => name)) },
      };
    });
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
