// One MCP server's way into a catalog: connecting, reading its list, following it.
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ToolSearch } from "./engine.js";
import { ToolSearchError } from "./errors.js";
import { listTools, peerOf, watch, within, type McpClient, type McpTransport, type Peer } from "./mcp-client.js";
import type { AddOptions, CatalogDelta, ServerStatus, ToolDefinition } from "./types.js";

/**
 * A client that is connected already and stays yours to close, or a function that makes one and connects it. What a function
 * made is closed with its server, and the function is called again to reconnect; its signal is aborted when nobody waits any more.
 */
export type McpSource = McpClient | ((signal: AbortSignal) => McpClient | Promise<McpClient>);

/** How a server and its list of tools are doing. */
export interface McpServerState {
  name: string;
  status: ServerStatus;
  /** Why it is not ready. */
  reason?: string;
  /** How many tools of its list are in the catalog; 0 before there is one. */
  tools: number;
  /** Tools of its list that are not in the catalog, and why: no name, a name taken, a schema that is none. */
  leftOut: { tool: unknown; error: ToolSearchError }[];
}

/** What happened to a server. */
export interface McpChange {
  server: McpServerState;
  /** What it did to the catalog; all empty when only the status is another. */
  delta: CatalogDelta;
}

/** What went wrong at a server. */
export interface McpFailure {
  server: string;
  error: Error;
  /** The tool that was left out, as the server listed it. Without it, connecting or reading the list failed. */
  tool?: unknown;
}

/** What a server needs of the set that it belongs to. @internal */
export interface Surroundings {
  search: ToolSearch;
  timeout: number;
  debounce: number;
  /** Waits until one more may connect, and gives the place back by what it returns. */
  place(): Promise<() => void>;
  onChange(change: McpChange): void;
  onError(failure: McpFailure): void;
}

/** So many tools of one list are left out. With more of them it is no list of tools, and looking for each would take too long. */
const MAX_LEFT_OUT = 50;
const NO_DELTA: CatalogDelta = { added: [], removed: [], changed: [] };

/** For what is done when something else ended: the catalog may have been freed first. @internal */
export function unlessFreed(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof ToolSearchError && error.code === "freed")) throw error;
  }
}

/** @internal */
export class McpServer {
  readonly #name: string;
  readonly #source: McpSource;
  readonly #options: AddOptions;
  readonly #around: Surroundings;
  #status: ServerStatus = "ready";
  #reason: string | undefined;
  #tools = 0;
  #leftOut: McpServerState["leftOut"] = [];
  #peer: Peer | undefined;
  #watched: { transport: McpTransport; stop(): void } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Until the client that was let go of last is closed. */
  #closing: Promise<void> = Promise.resolve();
  #closed = false;

  /** The work in hand, and the one behind it: never more, and never two at once, so that no list is applied after a newer one. */
  #working: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  /** Whether the one behind connects anew. */
  #anew = false;
  /** Breaks off the work in hand. */
  #end = new AbortController();

  constructor(name: string, source: McpSource, options: Omit<AddOptions, "server">, around: Surroundings) {
    this.#name = name;
    this.#source = source;
    this.#options = { ...options, server: name };
    this.#around = around;
  }

  state(): McpServerState {
    const reason = this.#reason;
    const state = { name: this.#name, status: this.#status, tools: this.#tools, leftOut: [...this.#leftOut] };
    return reason === undefined ? state : { ...state, reason };
  }

  /** Settles when nothing is being done about this server. Never rejects. */
  async settled(): Promise<void> {
    for (let last; last !== this.#working; ) await (last = this.#working);
  }

  /** Connects, anew where it was, and reads the list. Never rejects. */
  connect(): Promise<void> {
    this.#end.abort(new Error("it is connected anew"));
    this.#anew = true;
    this.#setStatus("pending");
    return this.refresh();
  }

  /** Reads the list again, by a client made anew where there is none. Never rejects. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#working = this.#working.then(() => {
      const anew = this.#anew;
      this.#anew = false;
      this.#waiting = undefined;
      return this.#work(anew);
    });
    return this.#waiting;
  }

  call(definition: ToolDefinition, args: Record<string, unknown>, options: RequestOptions): Promise<CallToolResult> {
    if (!this.#peer) throw new Error(`${this.#name} is not connected`);
    return this.#peer.call(definition, args, options);
  }

  /** Lets go of the client, and closes it when it was made here. The catalog stays as it is. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#end.abort(new Error("it was closed"));
    this.#detach();
    await this.#closing;
  }

  async #work(anew: boolean): Promise<void> {
    if (this.#closed) return;
    const { timeout, place } = this.#around;
    this.#end = new AbortController();
    const { signal: ended } = this.#end;
    const attaching = anew || !this.#peer;
    if (attaching) this.#setStatus("pending");
    const leave = attaching ? await place() : undefined;
    try {
      await within(timeout, ended, "not ready", async (signal) => {
        const peer = attaching ? await this.#attach(signal) : (this.#peer as Peer);
        this.#watch(peer);
        const tools = peer.hasTools ? await listTools(peer, { signal, timeout }) : [];
        this.#apply(tools, peer.instructions);
      });
    } catch (error) {
      this.#failed(error, attaching);
    } finally {
      leave?.();
    }
  }

  async #attach(signal: AbortSignal): Promise<Peer> {
    this.#detach();
    await this.#closing;
    signal.throwIfAborted();
    const source = this.#source;
    const peer = peerOf(typeof source === "function" ? await source(signal) : source);
    if (signal.aborted) this.#letGo(peer); // nobody waits for it any more
    signal.throwIfAborted();
    return (this.#peer = peer);
  }

  /** Each time that the list is read: a client may have been connected to another transport since. */
  #watch({ transport }: Peer): void {
    if (transport === this.#watched?.transport) return;
    this.#watched?.stop();
    const stop = transport && watch(transport, { onListChanged: () => this.#listChanged(), onClose: () => this.#gone() });
    this.#watched = stop && { transport, stop };
  }

  #detach(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watched?.stop();
    this.#watched = undefined;
    if (this.#peer) this.#letGo(this.#peer);
    this.#peer = undefined;
  }

  /** Closes a client that was made here. */
  #letGo(peer: Peer): void {
    if (typeof this.#source === "function") this.#closing = peer.close().catch(() => {});
  }

  /** The first of several notices counts the time, so that a server that never stops cannot put its reading off for ever. */
  #listChanged(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, this.#around.debounce);
    // Where there are processes: this is nothing to stay alive for.
    (this.#timer as { unref?(): void }).unref?.();
  }

  #gone(): void {
    // While it is being read, the reading says what became of it.
    if (this.#status !== "ready") return;
    this.#setStatus("disconnected", "its connection was closed");
    if (typeof this.#source === "function") this.#detach();
  }

  /** Takes the list over. Tools that cannot be are left out, and the others come in all the same. */
  #apply(tools: ToolDefinition[], instructions: string | undefined): void {
    const { search, onChange, onError } = this.#around;
    const leftOut: McpServerState["leftOut"] = [];
    const usable = [...tools];
    let delta: CatalogDelta | undefined;
    while (!delta) {
      try {
        delta = search.add(usable, { ...this.#options, ...(typeof instructions === "string" && { instructions }) });
      } catch (error) {
        const index = error instanceof ToolSearchError ? error.index : undefined;
        if (index === undefined) throw error;
        if (leftOut.length === MAX_LEFT_OUT) throw new Error(`more than ${MAX_LEFT_OUT} of its tools cannot be used: ${(error as Error).message}`);
        leftOut.push({ tool: usable.splice(index, 1)[0], error: error as ToolSearchError });
      }
    }
    const known = new Set(this.#leftOut.map(({ error }) => error.message));
    const news = this.#status !== "ready" || Object.values(delta).some((names) => names.length > 0);
    this.#status = "ready";
    this.#reason = undefined;
    this.#tools = usable.length;
    this.#leftOut = leftOut;
    for (const { tool, error } of leftOut) if (!known.has(error.message)) onError({ server: this.#name, error, tool });
    if (news) onChange({ server: this.state(), delta });
  }

  /** What was connected before stays as it is, with the list it has: that one reading failed does not make its tools uncallable. */
  #failed(cause: unknown, attaching: boolean): void {
    if (this.#closed || this.#anew) return;
    const error = cause instanceof Error ? cause : new Error(String(cause));
    if (attaching) {
      if (typeof this.#source === "function") this.#detach();
      this.#setStatus("failed", error.message);
    }
    this.#around.onError({ server: this.#name, error });
  }

  #setStatus(status: ServerStatus, reason?: string): void {
    const { search, onChange } = this.#around;
    if (this.#closed || (status === this.#status && reason === this.#reason)) return;
    unlessFreed(() => search.setServerStatus(this.#name, status, reason));
    this.#status = status;
    this.#reason = reason;
    onChange({ server: this.state(), delta: NO_DELTA });
  }
}
