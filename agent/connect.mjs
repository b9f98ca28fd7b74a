// @ts-check
// Starts MCP servers over stdio and puts their tools into a catalog. Also for tests, benches and the playground.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolSearch } from "tool-search";
import { McpServers } from "tool-search/mcp";
import { SERVERS } from "./servers.mjs";
import { plain } from "./terminal.mjs";

/** @typedef {import("./folder.mjs").RunFolder} RunFolder */
/** @typedef {import("./servers.mjs").ServerSpec} ServerSpec */

/**
 * @typedef {object} Connected
 * @property {ServerSpec} spec
 * @property {"ready"} status
 * @property {import("tool-search").ToolDefinition[]} tools
 * @property {string | undefined} instructions
 * @property {number} milliseconds From the start of its process to its last page of tools.
 */

/**
 * @typedef {object} Failed
 * @property {ServerSpec} spec
 * @property {"failed"} status
 * @property {string} reason
 * @property {number} milliseconds
 */

/**
 * @typedef {object} ConnectOptions
 * @property {RunFolder} folder Where the servers work.
 * @property {ToolSearch} [search] Where their tools go. Default: a catalog of their own.
 * @property {readonly ServerSpec[]} [servers] Default: all.
 * @property {number} [concurrency] How many start at a time. Default 3.
 * @property {number} [timeout] Milliseconds each has to list its tools. Default 20,000.
 * @property {AbortSignal} [signal]
 * @property {(server: Connected | Failed) => void} [onProgress] Called as each comes up or fails.
 */

/**
 * Starts the servers side by side. One that does not come up in time is among `failed`, and the others are there all the same.
 * Call `close` at the end; whatever happens, no server outlives this process.
 *
 * @param {ConnectOptions} options
 * @returns {Promise<{ ready: Connected[], failed: Failed[], mcp: McpServers, close: () => Promise<void> }>} Both in the order of `servers`.
 */
export async function connectAll({ folder, search = new ToolSearch(), servers = SERVERS, concurrency = 3, timeout = 20_000, signal, onProgress }) {
  /** @type {Set<number>} */
  const running = new Set();
  const killAll = () => running.forEach(kill);
  process.once("exit", killAll);

  const mcp = new McpServers(search, { concurrency, timeout });
  const interrupt = () => void mcp.close();
  signal?.addEventListener("abort", interrupt);
  const results = await Promise.all(
    servers.map(async (spec) => {
      const result = await connect(spec, { folder, running, timeout }, mcp, search);
      if (!signal?.aborted) onProgress?.(result);
      return result;
    }),
  );

  return {
    ready: results.filter((result) => result.status === "ready"),
    failed: results.filter((result) => result.status === "failed"),
    mcp,
    close: async () => {
      signal?.removeEventListener("abort", interrupt);
      await mcp.close();
      process.removeListener("exit", killAll);
      killAll();
    },
  };
}

/**
 * @param {ServerSpec} spec
 * @param {{ folder: RunFolder, running: Set<number>, timeout: number }} options
 * @param {McpServers} mcp
 * @param {ToolSearch} search
 * @returns {Promise<Connected | Failed>}
 */
async function connect(spec, { folder, running, timeout }, mcp, search) {
  const client = new Client({ name: "tool-search-agent", version: "1.0.0" });
  let begin = performance.now();
  let complaint = "";
  const { status, reason = "interrupted" } = await mcp.add(spec.name, async (signal) => {
    begin = performance.now();
    const command = {
      command: process.execPath,
      args: [await program(spec.package), ...(spec.args?.(folder) ?? [])],
      env: { ...bareEnvironment(folder), ...spec.env?.(folder) },
      cwd: folder.path,
    };
    signal.throwIfAborted();
    const transport = new ServerProcess(command, running);
    transport.stderr?.on("data", (chunk) => (complaint = (complaint + chunk).slice(-2_000)));
    await client.connect(transport, { signal, timeout });
    return client;
  });
  const milliseconds = Math.round(performance.now() - begin);
  if (status === "ready") {
    const names = search.names().filter((name) => name.startsWith(`mcp__${spec.name}__`));
    const tools = names.flatMap((name) => search.get(name) ?? []);
    return { spec, status, tools, instructions: client.getInstructions(), milliseconds };
  }
  const lastLine = complaint.trim().split("\n").at(-1);
  return { spec, status: "failed", reason: plain(lastLine ? `${reason} (${lastLine})` : reason).slice(0, 300), milliseconds };
}

/** Keeps its process id among `running` until the process has really ended, which may be a while after `close` was called. */
class ServerProcess extends StdioClientTransport {
  /**
   * @param {{ command: string, args: string[], env: Record<string, string>, cwd: string }} command
   * @param {Set<number>} running
   */
  constructor(command, running) {
    super({ ...command, stderr: "pipe" });
    this.running = running;
  }

  /** @override */
  async start() {
    const { onclose } = this;
    await super.start();
    const { pid, running } = this;
    if (pid === null) return;
    running.add(pid);
    this.onclose = () => {
      running.delete(pid);
      onclose?.();
    };
  }
}

/**
 * What every program needs, and nothing that is the user's. The MCP SDK hands a few variables on by itself; these take their place.
 * @param {RunFolder} folder
 * @returns {Record<string, string>}
 */
function bareEnvironment({ home, path }) {
  const user = { HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home, HOMEPATH: home };
  const named = { USER: "agent", USERNAME: "agent", LOGNAME: "agent", SHELL: "", TERM: "dumb", TMPDIR: path, TMP: path, TEMP: path };
  return { ...user, ...named, NO_COLOR: "1", DO_NOT_TRACK: "1", NO_UPDATE_NOTIFIER: "1", CI: "1" };
}

/**
 * The file that `npx` would run. Packages may hide their package.json from `require`, so folders are looked through as Node does.
 * @param {string} name
 */
async function program(name) {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const there = join(folder, "node_modules", name);
    if (existsSync(join(there, "package.json"))) {
      const { bin } = JSON.parse(await readFile(join(there, "package.json"), "utf8"));
      return join(there, typeof bin === "string" ? bin : String(Object.values(bin ?? {})[0]));
    }
    if (folder === dirname(folder)) throw new Error(`the package ${name} is not installed`);
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
