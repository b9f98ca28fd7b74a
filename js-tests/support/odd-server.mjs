// An MCP server over stdio for the tests of the command. What it does wrong is its first argument; further ones are names of its tools.
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [mode = "fine", ...names] = process.argv.slice(2);
const { PID_FILE, API_TOKEN } = process.env;
if (PID_FILE) appendFileSync(PID_FILE, `${process.pid}\n`);

if (mode === "needs-env" && !API_TOKEN) {
  console.error("Starting up\nError: API_TOKEN is not set");
  process.exit(3);
}
if (mode === "leaks") {
  console.error(`Error: the token ${API_TOKEN} was refused (Authorization: Bearer ${API_TOKEN})`);
  process.exit(1);
}
if (mode === "crash") throw new Error("no database");
if (mode === "garbage-only") for (let i = 0; i < 3; i++) console.log(`\u001b[31mlog line ${i}\u001b[0m`);
if (mode === "garbage") console.log(`Server is starting ${API_TOKEN ?? "…"}\n{not json}`);
if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}
// A process of its own, which hears nothing of its parent's end.
if (mode === "parent") spawn(process.execPath, [import.meta.filename, "stubborn"], { stdio: "ignore", env: process.env });

const tools = (names.length > 0 ? names : ["read_note", "write_note"]).map((name) => ({
  name,
  description: `Does what ${name} says with a note`,
  inputSchema: { type: "object", properties: { path: { type: "string", description: "Where the note is" } } },
}));

if (["hang", "parent", "stubborn", "garbage-only"].includes(mode)) setInterval(() => {}, 1000);
else {
  const server = new Server({ name: "odd", version: "1.0.0" }, { capabilities: { tools: {} }, ...(mode !== "silent" && { instructions: "Notes of a team." }) });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    if (mode === "crash-later") {
      console.error("Error: out of notes");
      process.exit(7);
    }
    return { tools: mode === "bad-tool" ? [...tools, { name: "broken", inputSchema: 5 }] : tools };
  });
  await server.connect(new StdioServerTransport());
}
