// Compiled and never run: clients of both packages are taken as they are, and results have the SDK's type.
import { createMCPClient } from "@ai-sdk/mcp";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ToolSearch } from "tool-search";
import { withToolSearch } from "tool-search/ai-sdk";
import { McpServers, type McpChange, type McpServerState, type McpSource } from "tool-search/mcp";

export async function types() {
  const search = new ToolSearch();
  await using servers = new McpServers(search, {
    timeout: 1_000,
    requestOptions: { timeout: 1_000, resetTimeoutOnProgress: true },
    onChange: ({ server, delta }: McpChange) => [server.reason?.length, delta.added[0]?.length],
    onError: ({ server, error, tool }) => [server.length, error.message, tool],
  });
  const sources: McpSource[] = [
    new Client({ name: "a", version: "1" }),
    (signal) => (signal.throwIfAborted(), new Client({ name: "b", version: "1" })),
    new Client2({ name: "c", version: "2" }),
    await createMCPClient({ transport: { type: "http", url: "" } }),
    () => createMCPClient({ transport: { type: "http", url: "" } }),
  ];
  const states: McpServerState[] = await Promise.all(sources.map((source, n) => servers.add(`s${n}`, source, { load: { direct: ["a"] } })));
  // @ts-expect-error the name of the server is the first argument
  await servers.add("s", sources[0]!, { server: "t" });
  const session = search.session();
  const result: CallToolResult = await servers.call("name", { a: 1 }, { session, signal: new AbortController().signal, onprogress: () => {} });
  return [states, result, withToolSearch(session, { call: servers.execute })];
}
