/**
 * MCP servers as the tools of a {@link ToolSearch}: reads their lists, follows their changes, and calls their tools.
 *
 * ```ts
 * const search = new ToolSearch();
 * const servers = new McpServers(search);
 * servers.add("files", client); // a connected `Client` of the MCP SDK, or one of `@ai-sdk/mcp`
 * servers.add("github", (signal) => connectToGithub(signal)); // may be slow, may fail: the others are there all the same
 * await servers.ready();
 * const result = await servers.call("mcp__files__read_file", { path: "notes.md" });
 * ```
 *
 * Clients are made and connected by you, with the transport and the authorisation that you want; nothing of their packages is
 * imported here.
 *
 * @module
 */
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ToolSearch } from "./engine.js";
import { ToolSearchError } from "./errors.js";
import { McpServer, unlessFreed, type McpChange, type McpFailure, type McpServerState, type McpSource, type Surroundings } from "./mcp-server.js";
import { shownName } from "./replies.js";
import type { ToolSearchSession } from "./session.js";
import type { AddOptions } from "./types.js";

export type { AiSdkMcpClient, McpClient, McpSdkClient, McpTransport } from "./mcp-client.js";
export type { McpChange, McpFailure, McpServerState, McpSource } from "./mcp-server.js";

/** What holds for all servers of a set. */
export interface McpServersOptions {
  /** Milliseconds that a server has to connect and give its whole list, and again for each reading of the list. Default 30,000. */
  timeout?: number | undefined;
  /** How many servers may connect at a time; the time of the others does not run yet. Default: all. */
  concurrency?: number | undefined;
  /** Milliseconds from a server's notice that its list changed to the reading, so that many notices lead to one. Default 100. */
  debounce?: number | undefined;
  /** Options of every call, for those that the call does not give itself: `timeout` (of the SDK: 60,000 ms), `onprogress` and others. */
  requestOptions?: Omit<RequestOptions, "signal"> | undefined;
  /** Called when a server's status or tools changed: to log, to `announce()` to the model, to reconnect what is disconnected. */
  onChange?: ((change: McpChange) => void) | undefined;
  /** Called when something went wrong that the servers go on from: connecting, reading a list, a tool that cannot be taken in. */
  onError?: ((failure: McpFailure) => void) | undefined;
}

/** What holds for one server: `load` and `prefix` as for `ToolSearch.add`, and a `timeout` of its own. */
export type McpServerOptions = Pick<AddOptions, "load" | "prefix"> & Pick<McpServersOptions, "timeout">;

/** What a call takes beside the SDK's own options (`signal`, `timeout`, `onprogress`, `resetTimeoutOnProgress`, `maxTotalTimeout`). */
export interface McpCallOptions extends RequestOptions {
  /** The conversation that the call is made in. Without it every tool of the catalog can be called, loaded or not. */
  session?: ToolSearchSession | undefined;
}

/**
 * The MCP servers of one catalog. None of its methods throws, or rejects, for what a server did; see `onError` and
 * `McpServerState`. A call does, as the client's own `callTool` would.
 */
export class McpServers {
  readonly #search: ToolSearch;
  readonly #around: Surroundings;
  readonly #requestOptions: Omit<RequestOptions, "signal">;
  readonly #servers = new Map<string, McpServer>();
  /** Resolves names for calls that are of no conversation. */
  #anyone: ToolSearchSession | undefined;
  #closed = false;

  /** @throws ToolSearchError `invalid_option` */
  constructor(search: ToolSearch, options: McpServersOptions = {}) {
    const { timeout = 30_000, concurrency = Infinity, debounce = 100, requestOptions = {}, onChange, onError } = options;
    this.#search = search;
    this.#requestOptions = requestOptions;
    this.#around = {
      search,
      timeout: milliseconds("timeout", timeout, 1),
      debounce: milliseconds("debounce", debounce, 0),
      place: places(concurrency),
      onChange: safely(onChange),
      onError: safely(onError),
    };
  }

  /**
   * Adds a server under a name, at once as "pending", and connects in the background; another of that name is let go, its tools
   * replaced when the new list is there. The names of its tools begin with it, as after `ToolSearch.add`.
   *
   * Status "ready": its list is in the catalog, and followed when the server says that it changed. "failed": it did not connect or
   * give a list in time, and replies to the model say why. "disconnected": its connection closed; its tools stay in the catalog, and
   * calls of them are answered with that.
   *
   * @returns how it is when it is ready or failed
   * @throws ToolSearchError `invalid_option`, also for an empty name; `freed` after `close()`
   */
  add(name: string, source: McpSource, options: McpServerOptions = {}): Promise<McpServerState> {
    this.#live();
    if (typeof name !== "string" || name === "") throw new ToolSearchError("invalid_option", "A server needs a name.");
    const { load, prefix, timeout = this.#around.timeout } = options;
    const around = { ...this.#around, timeout: milliseconds("timeout", timeout, 1) };
    const before = this.#servers.get(name);
    const server = new McpServer(name, source, { load, prefix }, around);
    this.#servers.set(name, server);
    void before?.close();
    return server.connect().then(() => server.state());
  }

  /** Waits until no server is connecting or reading its list, and gives them all. */
  async ready(): Promise<McpServerState[]> {
    await Promise.all(Array.from(this.#servers.values(), (server) => server.settled()));
    return this.list();
  }

  /** Every server, in the order they were added in. */
  list(): McpServerState[] {
    return Array.from(this.#servers.values(), (server) => server.state());
  }

  /** One server, or `undefined` when none of that name was added. */
  get(name: string): McpServerState | undefined {
    return this.#servers.get(name)?.state();
  }

  /**
   * Reads a server's list again, without waiting for its notice. Also for clients that tell of no changes, and for a client
   * that you have connected again yourself. What did not change changes nothing.
   *
   * @throws ToolSearchError `invalid_option` when no server of that name was added
   */
  async refresh(name: string): Promise<McpServerState> {
    const server = this.#server(name);
    await server.refresh();
    return server.state();
  }

  /**
   * Connects a server anew: closes the client that a function made, and calls the function again. With the same tools nothing changes
   * but the status.
   *
   * @throws ToolSearchError `invalid_option` when no server of that name was added
   */
  async reconnect(name: string): Promise<McpServerState> {
    const server = this.#server(name);
    await server.connect();
    return server.state();
  }

  /** Removes a server with its tools. A client that was given stays connected, one that a function made is closed. */
  async remove(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (!server) return;
    this.#servers.delete(name);
    const closing = server.close();
    unlessFreed(() => this.#search.removeServer(name));
    await closing;
  }

  /**
   * Calls a tool by callable name, on its server and by the server's own name for it.
   *
   * What the model is to be told instead comes as a result with `isError`: the tool is not loaded (and is now, in `session`), its server
   * is down, there is no such tool, the arguments are no object. With `session` a call of the search tool is answered too.
   *
   * @param args An object, or the JSON text of one.
   * @returns what `callTool` gives
   * @throws what `callTool` throws: the server's error, a time that ran out, an abort, a connection that closed; and ToolSearchError
   * `no_server` for a tool that is in the catalog and of no server added here
   */
  async call(name: string, args?: unknown, options: McpCallOptions = {}): Promise<CallToolResult> {
    this.#live();
    const { session = (this.#anyone ??= this.#search.session({ defer: "never" })), ...request } = options;
    const found = session.resolve(name);
    if (found.status !== "ready") return answer(found.text);
    if (found.name === session.searchToolName) {
      const { text, error } = session.handle(args);
      return answer(text, error !== undefined);
    }
    return this.#call(found.name, found.server, args, request);
  }

  /**
   * The same for `call` of `withToolSearch` (`tool-search/ai-sdk`), which has resolved the name already: gives the text of a result that
   * is text alone, its structured content when there is nothing else, any other result whole, and throws what the tool calls an error.
   */
  readonly execute = async (
    { name, server, input }: { name: string; server?: string; input: unknown },
    { abortSignal }: { abortSignal?: AbortSignal | undefined } = {},
  ): Promise<unknown> => {
    return outputOf(await this.#call(name, server, input, abortSignal ? { signal: abortSignal } : {}));
  };

  async #call(name: string, serverName: string | undefined, args: unknown, request: RequestOptions): Promise<CallToolResult> {
    const server = this.#servers.get(serverName ?? "");
    const definition = this.#search.get(name);
    if (!server || !definition) {
      throw new ToolSearchError("no_server", `"${name}" is a tool of no server that was added here; run it yourself.`);
    }
    const object = readArguments(args);
    if (!object) return answer(`The arguments of ${shownName(name)} must be a JSON object.`);
    return server.call(definition, object, { ...this.#requestOptions, ...request });
  }

  #live(): void {
    if (this.#closed) throw new ToolSearchError("freed", "These McpServers were closed; make new ones.");
  }

  #server(name: string): McpServer {
    const server = this.#servers.get(name);
    if (!server) throw new ToolSearchError("invalid_option", `No server "${name}" was added.`);
    return server;
  }

  /** Removes all servers with their tools, and everything that was set up for them. Safe to call twice. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#anyone?.free();
    await Promise.all(Array.from(this.#servers.keys(), (name) => this.remove(name)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** `setTimeout` takes no more. */
const LONGEST = 2 ** 31 - 1;

function milliseconds(option: string, value: number, least: number): number {
  return Math.min(atLeast(option, value, least), LONGEST);
}

function atLeast(option: string, value: number, least: number): number {
  if (value >= least) return value;
  throw new ToolSearchError("invalid_option", `\`${option}\` must be a number of at least ${least}.`);
}

/** At most so many at a time; the others in turn. */
function places(concurrency: number): Surroundings["place"] {
  let free = atLeast("concurrency", concurrency, 1);
  const queue: (() => void)[] = [];
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return leave;
  };
}

/** What a callback throws is its own affair, and must not leave a server half done. It is reported as any uncaught error is. */
function safely<T>(callback: ((value: T) => void) | undefined): (value: T) => void {
  return (value) => {
    try {
      callback?.(value);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}

function readArguments(args: unknown): Record<string, unknown> | undefined {
  try {
    const given: unknown = typeof args === "string" ? JSON.parse(args.trim() || "{}") : (args ?? {});
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    return isObject ? (given as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function answer(text: string, isError = true): CallToolResult {
  return { content: [{ type: "text", text }], isError };
}

function outputOf(result: CallToolResult): unknown {
  const { content = [], structuredContent, isError } = result;
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (isError) throw new Error(texts.join("\n") || "The tool failed.");
  if (content.length === 0 && structuredContent) return structuredContent;
  return texts.length === content.length ? texts.join("\n") : result;
}
