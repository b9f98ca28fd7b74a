// An MCP server over stdio that ends, hangs and changes its list when it is told to.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const names = ["echo", "crash", "hang", "grow"];
const server = new Server(
  { name: "stdio", version: "1.0.0" },
  { capabilities: { tools: { listChanged: true } }, instructions: "Echoes what it is given." },
);

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: names.map((name) => ({ name, description: `The tool ${name}`, inputSchema: { type: "object" } })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  if (params.name === "crash") process.exit(1);
  if (params.name === "hang") return new Promise(() => {});
  if (params.name === "grow") {
    names.push(`grown_${names.length}`);
    await server.sendToolListChanged();
  }
  return { content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }] };
});

await server.connect(new StdioServerTransport());
