// What is used of the clients of the MCP SDK and of `@ai-sdk/mcp`, and all as one: a `Peer`. Nothing of their packages is imported.
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ToolDefinition } from "./types.js";

/** A connected `Client` of `@modelcontextprotocol/sdk` (1), or of `@modelcontextprotocol/client` (2), as far as it is used. */
export interface McpSdkClient {
  request(request: { method: "tools/list"; params: { cursor?: string } }, schema: never, options?: RequestOptions): Promise<unknown>;
  /** What follows `params` is a schema and options (1), or options (2). */
  callTool(params: ToolCall, ...rest: never[]): Promise<unknown>;
  getInstructions(): string | undefined;
  getServerCapabilities(): { tools?: unknown } | undefined;
  readonly transport?: McpTransport | undefined;
  close(): Promise<void>;
}

interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A client that `createMCPClient` of `@ai-sdk/mcp` made, as far as it is used. */
export interface AiSdkMcpClient {
  listTools(options: {
    params?: { cursor: string };
    options: { signal?: AbortSignal; timeout?: number };
  }): Promise<{ tools: unknown[]; nextCursor?: string | undefined }>;
  toolsFromDefinitions(definitions: never): object;
  readonly instructions?: string | undefined;
  readonly initializeResult?: { capabilities?: { tools?: unknown } };
  close(): Promise<void>;
}

/** The two callbacks of a transport that a client is told by. */
export interface McpTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** A client that is connected to its server. */
export type McpClient = McpSdkClient | AiSdkMcpClient;

/** A limit on one reading of a list. */
interface ReadOptions {
  signal: AbortSignal;
  timeout: number;
}

interface Page {
  tools?: unknown;
  nextCursor?: unknown;
}

/** A client of any kind. @internal */
export interface Peer {
  readonly instructions: string | undefined;
  /** Whether the server says that it has tools; one that has none need not answer `tools/list`. */
  readonly hasTools: boolean;
  readonly transport: McpTransport | undefined;
  page(cursor: string | undefined, options: ReadOptions): Promise<Page>;
  call(definition: ToolDefinition, args: Record<string, unknown>, options: RequestOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** @internal */
export function peerOf(client: McpClient): Peer {
  return "toolsFromDefinitions" in client ? aiSdkPeer(client) : sdkPeer(client);
}

/**
 * Takes a result as the server wrote it, in the shapes that the SDK wants of a schema (zod's in 1, Standard Schema's in 2). Its own for
 * `tools/list` drops fields that it does not know, hints for searches among them, and refuses the whole list for one odd tool;
 * `listTools` also compiles every output schema, which its default validator cannot do on the edge.
 */
const AS_WRITTEN = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "tool-search", validate: (value: unknown) => ({ value }) },
};

function sdkPeer(client: McpSdkClient): Peer {
  return {
    get instructions() {
      return client.getInstructions();
    },
    get hasTools() {
      const capabilities = client.getServerCapabilities(); // unknown when it took up a session of HTTP that there was already
      return capabilities === undefined || capabilities.tools !== undefined;
    },
    get transport() {
      return client.transport;
    },
    page: async (cursor, options) => {
      const params = cursor === undefined ? {} : { cursor };
      return (await client.request({ method: "tools/list", params }, AS_WRITTEN as never, options)) as Page;
    },
    call: ({ name }, args, options) =>
      following(options.signal, async ({ signal }) => {
        const own = { ...options, signal };
        const rest = "getProtocolEra" in client ? [own] : [undefined, own];
        return (await client.callTool({ name, arguments: args }, ...(rest as never[]))) as CallToolResult;
      }),
    close: () => client.close(),
  };
}

interface AiSdkTool {
  execute(args: Record<string, unknown>, options: { toolCallId: string; messages: []; abortSignal: AbortSignal }): Promise<CallToolResult>;
}

function aiSdkPeer(client: AiSdkMcpClient): Peer {
  return {
    get instructions() {
      return client.instructions;
    },
    get hasTools() {
      const capabilities = client.initializeResult?.capabilities;
      return capabilities === undefined || capabilities.tools !== undefined;
    },
    get transport() {
      return (client as { transport?: McpTransport }).transport; // not in its types
    },
    page: (cursor, options) => client.listTools({ ...(cursor !== undefined && { params: { cursor } }), options }),
    // Its `callTool` takes other arguments from one major to the next; this does not.
    call: async (definition, args, { signal, timeout }) => {
      const tools = client.toolsFromDefinitions({ tools: [definition] } as never) as Record<string, AiSdkTool | undefined>;
      const tool = tools[definition.name];
      if (!tool) throw new Error(`${definition.name} cannot be called by this client`);
      const run = (abortSignal: AbortSignal) => tool.execute(args, { toolCallId: "", messages: [], abortSignal });
      return within(timeout ?? DEFAULT_CALL_TIMEOUT, signal, "no result", run);
    },
    close: () => client.close(),
  };
}

/** Milliseconds, as in `@modelcontextprotocol/sdk`. */
const DEFAULT_CALL_TIMEOUT = 60_000;

/**
 * Gives up on the work after `timeout` milliseconds, or when `outer` is aborted, even when it does not listen to its signal.
 * @internal
 */
export function within<T>(
  timeout: number,
  outer: AbortSignal | undefined,
  missed: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return following(outer, async (limit) => {
    const { signal } = limit;
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const late = () => limit.abort(new Error(`${missed} after ${timeout / 1000} s`));
    const timer = setTimeout(late, timeout);
    try {
      return await Promise.race([work(signal), aborted]);
    } finally {
      clearTimeout(timer);
    }
  });
}

/** Gives work a signal of its own that follows `outer`, since clients never take their listeners off the signal of a request. */
async function following<T>(outer: AbortSignal | undefined, work: (own: AbortController) => Promise<T>): Promise<T> {
  outer?.throwIfAborted();
  const own = new AbortController();
  const follow = () => own.abort(outer?.reason);
  outer?.addEventListener("abort", follow);
  try {
    return await work(own);
  } finally {
    outer?.removeEventListener("abort", follow);
  }
}

/** A server with more pages than this gives no list, but an endless stream. */
const MAX_PAGES = 1_000;

/** All pages of `tools/list`, each tool as the server wrote it. @internal */
export async function listTools(peer: Peer, { signal, timeout }: ReadOptions): Promise<ToolDefinition[]> {
  const all: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { tools, nextCursor } = await following(signal, (own) => peer.page(cursor, { signal: own.signal, timeout }));
    signal.throwIfAborted();
    if (!Array.isArray(tools)) throw new Error("its answer to tools/list has no array of tools");
    for (const tool of tools) all.push(tool);
    if (typeof nextCursor !== "string" || nextCursor === "") return all as ToolDefinition[]; // some servers end with "" or null
    if (cursors.has(nextCursor)) throw new Error("its list of tools goes in circles: a page names one before it as the next");
    if (cursors.size === MAX_PAGES) throw new Error(`its list of tools has more than ${MAX_PAGES} pages`);
    cursors.add((cursor = nextCursor));
  }
}

/**
 * Tells when the server says that its list changed, and when the connection closes. A client keeps one handler for each, and it may
 * be the caller's own; the callbacks of its transport are chained instead, as the SDK does itself.
 *
 * @returns what ends it
 * @internal
 */
export function watch(transport: McpTransport, { onListChanged, onClose }: { onListChanged(): void; onClose(): void }): () => void {
  const { onmessage, onclose } = transport;
  let watching = true;
  const theirs: McpTransport = {
    onmessage: (message, extra) => {
      onmessage?.call(transport, message, extra);
      if (watching && (message as { method?: unknown } | null)?.method === "notifications/tools/list_changed") onListChanged();
    },
    onclose: () => {
      onclose?.call(transport);
      if (watching) onClose();
    },
  };
  Object.assign(transport, theirs);
  return () => {
    watching = false;
    // What others have chained since stays as it is.
    if (transport.onmessage === theirs.onmessage) transport.onmessage = onmessage;
    if (transport.onclose === theirs.onclose) transport.onclose = onclose;
  };
}
