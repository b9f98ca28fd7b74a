// Real MCP servers that do as a test says: in this process over memory or loopback HTTP, or in one of their own over stdio.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import type { McpChange, McpFailure } from "tool-search/mcp";

/** What a server lists and does. May be changed as the test goes. */
export interface Script {
  /** Listed as they stand here, be they tools or not. */
  tools: unknown[];
  instructions?: string;
  pageSize?: number;
  /** Instead of the list: may take its time, or fail. */
  list?: (cursor: string | undefined) => unknown;
  call?: (name: string, args: Record<string, unknown>, extra: CallExtra) => unknown;
  /** How often `tools/list` was asked for. */
  lists?: number;
}

export interface CallExtra {
  signal: AbortSignal;
  notify(notification: ServerNotification): Promise<void>;
  progressToken: string | number | undefined;
}

export const tool = (name: string, description = `Does ${name}`) => ({ name, description, inputSchema: { type: "object" } });
export const text = (said: string) => ({ content: [{ type: "text", text: said }] });
export const LIST_CHANGED = { method: "notifications/tools/list_changed" } as const;

export function serverOf(script: Script): Server {
  const { instructions } = script;
  const server = new Server({ name: "scripted", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } }, ...(instructions && { instructions }) });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    script.lists = (script.lists ?? 0) + 1;
    if (script.list) return (await script.list(params?.cursor)) as never;
    const { tools, pageSize = tools.length || 1 } = script;
    const begin = Number(params?.cursor ?? 0);
    const end = begin + pageSize;
    return { tools: tools.slice(begin, end), ...(end < tools.length && { nextCursor: String(end) }) } as never;
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const extra: CallExtra = { signal, notify: sendNotification, progressToken: _meta?.progressToken };
    return ((await script.call?.(params.name, params.arguments ?? {}, extra)) ?? text(`${params.name} ${JSON.stringify(params.arguments)}`)) as never;
  });
  return server;
}

const newClient = () => new Client({ name: "test", version: "1.0.0" });

/** A client and its server with nothing but memory between them. */
export async function inMemory(script: Script, client = newClient()) {
  const server = serverOf(script);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return { client, server };
}

/** Streamable HTTP on 127.0.0.1. A GET of it, the stream that unasked notices come by, has been opened when `listening` resolves. */
export async function overHttp(script: Script, port = 0) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let opened = () => {};
  const listening = new Promise<void>((resolve) => (opened = resolve));
  const servers: Server[] = [];
  const http = createServer(async (request, response) => {
    let transport = sessions.get(String(request.headers["mcp-session-id"]));
    if (!transport) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, made),
      });
      const server = serverOf(script);
      servers.push(server);
      await server.connect(made as never);
      transport = made;
    }
    if (request.method === "GET") {
      const write = response.writeHead.bind(response) as (...head: unknown[]) => typeof response;
      response.writeHead = (...head: unknown[]) => (opened(), write(...head));
    }
    await transport.handleRequest(request, response);
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  return {
    url,
    servers,
    listening,
    async client() {
      const client = newClient();
      await client.connect(new StreamableHTTPClientTransport(url) as never);
      return client;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      http.closeAllConnections();
      if (http.listening) await new Promise((resolve) => http.close(resolve));
    },
  };
}

export const STDIO_SERVER = fileURLToPath(new URL("./mcp-stdio-server.mjs", import.meta.url));

/** A server in a process of its own, with the tools `echo`, `crash`, `hang` and `grow`. */
export async function overStdio(signal?: AbortSignal): Promise<Client> {
  const client = newClient();
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [STDIO_SERVER] }), { ...(signal && { signal }) });
  return client;
}

/** Keeps what a set of servers tells, and waits for what it will tell. */
export function listener() {
  const changes: McpChange[] = [];
  const failures: McpFailure[] = [];
  const waiting = new Set<() => void>();
  const tell = <T>(list: T[]) => (told: T) => {
    list.push(told);
    for (const look of waiting) look();
  };
  const when = <T>(list: T[], is: (told: T) => boolean): Promise<T> => {
    const from = list.length;
    return new Promise((resolve) => {
      const look = () => {
        const found = list.slice(from).find(is);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
    });
  };
  return {
    changes,
    failures,
    onChange: tell(changes),
    onError: tell(failures),
    /** The next change, or the next one that is so. */
    change: (is: (change: McpChange) => boolean = () => true) => when(changes, is),
    failure: (is: (failure: McpFailure) => boolean = () => true) => when(failures, is),
    statuses: () => changes.map(({ server }) => `${server.name} ${server.status}`),
  };
}

/** A promise and what settles it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}
