// Answers one question with the tools of the MCP servers in mcp.json.
//   OPENAI_API_KEY=… node agent.mjs "What is in notes.md?"
// OPENAI_BASE_URL and MODEL name another endpoint and model.
import { readFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolSearch } from "tool-search";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
const { mcpServers } = JSON.parse(await readFile(new URL("mcp.json", import.meta.url), "utf8"));

// By default tools are deferred when they take a tenth of the context window; here ten of them are enough.
const search = new ToolSearch({ threshold: { count: 10 } });
const clients = new Map();
for (const [server, command] of Object.entries(mcpServers)) {
  const client = new Client({ name: "node-agent", version: "1.0.0" });
  await client.connect(new StdioClientTransport(command));
  search.add((await client.listTools()).tools, { server, instructions: client.getInstructions() });
  clients.set(server, client);
}

const session = search.session({ model: `openai:${MODEL}` });
const messages = [
  { role: "system", content: `You are a careful assistant.\n\n${session.prompt()}` },
  { role: "user", content: process.argv[2] ?? "What can you do?" },
];

for (;;) {
  const message = await complete();
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  for (const { id, function: call } of message.tool_calls) {
    messages.push({ role: "tool", tool_call_id: id, content: await answer(call.name, call.arguments) });
  }
}
for (const client of clients.values()) await client.close();

/** The model's next message. What it found by searching is among the tools from the next request on. */
async function complete() {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages, tools: session.tools("openai-chat") }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).choices[0].message;
}

/** The result of a call, for the model to read. */
async function answer(name, json) {
  if (name === session.searchToolName) return session.handle(json).text;
  const call = session.resolve(name);
  if (call.status !== "ready") return call.text;
  try {
    const { content } = await clients.get(call.server).callTool({ name: call.rawName, arguments: JSON.parse(json) });
    return JSON.stringify(content);
  } catch (error) {
    return `The call failed: ${error.message}`;
  }
}
