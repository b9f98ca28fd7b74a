// The examples, as they stand, with a scripted model.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serveModel, toolNames } from "./support/model.mjs";
import { exec, project, require, start } from "./support/tools.mjs";

it("the Node agent finds a tool of an MCP server, calls it and answers", async () => {
  const folder = project("node-agent");
  const server = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const files = { command: process.execPath, args: [server, folder] };
  await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { files } }));
  await writeFile(join(folder, "notes.md"), "Buy oats.");
  const { modelUrl, requests } = await serveModel([
    ["toolSearch", { query: "read a text file" }],
    ["mcp__files__read_text_file", { path: join(folder, "notes.md") }],
    "It says to buy oats.",
  ]);
  const env = { OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: "x", MODEL: "m" };
  expect(await exec(process.execPath, ["agent.mjs", "What is in notes.md?"], "node-agent", env)).toBe("It says to buy oats.\n");
  expect(requests.map(toolNames)[0]).toEqual(["toolSearch"]);
  expect(toolNames(requests[1])).toContain("mcp__files__read_text_file");
  expect(requests[2].messages.at(-1).content).toContain("Buy oats.");
});

it("the Cloudflare Worker goes on with a conversation in another isolate", async () => {
  const { modelUrl, toolsUrl, requests, calls } = await serveModel([
    ["toolSearch", { query: "cancel an order" }],
    ["mcp__shop__cancel_order", { number: "7" }],
    "It is cancelled.",
    ["toolSearch", { query: "parcel tracking" }],
    "Where is which parcel?",
  ]);
  const isolate = () =>
    start("wrangler", ["dev", "--ip", "127.0.0.1", "--port", "0", "--var", `MODEL_URL:${modelUrl}`, `TOOLS_URL:${toolsUrl}`], "cloudflare-worker");
  const turn = async (url, messages, cookie = "") => {
    const response = await fetch(url, { method: "POST", headers: { cookie }, body: JSON.stringify({ messages }) });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return { messages: [...messages, ...JSON.parse(text).messages], cookie: response.headers.get("set-cookie").split(";")[0] };
  };
  const user = (content) => ({ role: "user", content });

  const first = await turn(await isolate(), [user("Cancel order 7.")]);
  expect(first.messages.at(-1).content).toBe("It is cancelled.");
  expect(calls).toEqual([["shop/cancel_order", { number: "7" }]]);

  const second = await isolate();
  await turn(second, [...first.messages, user("Where is my parcel?")], first.cookie);
  const tools = requests.map(({ tools }) => JSON.stringify(tools).slice(0, -1));
  tools.slice(1).forEach((array, i) => expect(array.startsWith(tools[i])).toBe(true));
  expect(toolNames(requests[3])).toContain("mcp__shop__cancel_order");
  expect(new Set(requests.map(({ messages }) => messages[0].content)).size).toBe(1);

  expect((await turn(second, [user("Hello")], "tools=%7B%7D")).messages.at(-1).content).toBe("There is nothing more to say.");
});
