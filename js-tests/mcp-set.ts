// What every test of MCP servers begins with: a catalog, its servers, clients. All of it ends with the test.
import { ToolSearch, type ToolSearchOptions } from "tool-search";
import { McpServers, type McpServersOptions } from "tool-search/mcp";
import { afterEach, vi } from "vitest";
import { listener, overHttp, overStdio, type Script } from "./mcp-servers.js";

// Processes and sockets take their time on a machine that is busy.
vi.setConfig({ testTimeout: 60_000 });

const steps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step();
});

/** Has something done when the test is over; what was said last comes first. */
export function atEnd(step: () => Promise<void> | void): void {
  steps.push(step);
}

/** A catalog, its servers, and what they told. */
export function set(options: McpServersOptions = {}, engine: ToolSearchOptions = {}) {
  const search = new ToolSearch({ defer: "always", ...engine });
  const news = listener();
  const servers = new McpServers(search, { debounce: 0, ...options, onChange: news.onChange, onError: news.onError });
  atEnd(() => servers.close());
  return { search, servers, news };
}

export async function http(script: Script, port?: number) {
  const server = await overHttp(script, port);
  atEnd(() => server.close());
  return server;
}

export async function stdio(signal?: AbortSignal) {
  const client = await overStdio(signal);
  atEnd(() => client.close());
  return client;
}

export const never = () => new Promise<never>(() => {});
export const said = (result: { content: unknown }) => (result.content as { text: string }[]).map((part) => part.text).join("\n");
export const fails = (call: Promise<unknown>) => call.then(() => "it did not fail", (error: Error) => error.message);
