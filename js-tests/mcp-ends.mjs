// Run by a test, which waits for its end: a client that stays connected in memory, a reading that is still to come, and nothing closed.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ToolSearch } from "tool-search";
import { McpServers } from "tool-search/mcp";

const [near, far] = InMemoryTransport.createLinkedPair();
const server = new McpServer({ name: "s", version: "1.0.0" });
server.registerTool("t", {}, () => ({ content: [] }));
await server.connect(far);
const client = new Client({ name: "c", version: "1.0.0" });
await client.connect(near);

const servers = new McpServers(new ToolSearch(), { debounce: 3_600_000, timeout: 3_600_000 });
const { status } = await servers.add("s", client);
server.sendToolListChanged();
await new Promise(setImmediate);
console.log(`${status}, read again pending`);
