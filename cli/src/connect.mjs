// @ts-check
// Reads the tools of MCP servers: connects, lists, and lets go.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolSearch } from "tool-search";
import { McpServers } from "tool-search/mcp";
import { ServerProcess } from "./process.mjs";
import { redactor } from "./secrets.mjs";
import { cut } from "./terminal.mjs";

/** @typedef {import("./config.mjs").ServerSpec} ServerSpec */
/** @typedef {import("@modelcontextprotocol/sdk/shared/transport.js").Transport} Transport */

/**
 * @typedef {object} Listed
 * @property {import("tool-search").ToolDefinition[]} tools As the server lists them.
 * @property {string} instructions "" when it gives none.
 * @property {{ tool: unknown, reason: string }[]} leftOut Tools that no catalog takes.
 * @property {string[]} remarks What the server does wrong besides.
 */

/**
 * Connects to a server, reads its list, and ends it.
 * @param {ServerSpec} spec
 * @param {{ timeout: number, signal: AbortSignal }} options Milliseconds until its list must be there.
 * @returns {Promise<Listed>}
 * @throws Error that says why, on one line and without secrets
 */
export async function listTools(spec, { timeout, signal }) {
  const redact = redactor(spec.secrets);
  const search = new ToolSearch();
  const servers = new McpServers(search, { timeout });
  /** @type {ServerProcess | undefined} */
  let process;
  let instructions = "";
  const interrupt = () => void servers.close();
  signal.addEventListener("abort", interrupt);
  try {
    const state = await servers.add(spec.name, async (given) => {
      const [client, started] = await connect(spec, given, timeout, (made) => (process = made));
      process = started;
      instructions = client.getInstructions() ?? "";
      return client;
    });
    signal.throwIfAborted();
    if (state.status !== "ready") throw new Error(reasonOf(state.reason, process));
    const tools = search.names().flatMap((name) => search.get(name) ?? []);
    const leftOut = state.leftOut.map(({ tool, error }) => ({ tool, reason: error.message }));
    const remarks = process?.garbage.lines ? [redact(garbageOf(process))] : [];
    return { tools, instructions, leftOut, remarks };
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(cut(redact(error instanceof Error ? error.message : String(error)), 300));
  } finally {
    signal.removeEventListener("abort", interrupt);
    await servers.close();
    await process?.close();
    search.free();
  }
}

/**
 * @param {ServerSpec} spec
 * @param {AbortSignal} signal
 * @param {number} timeout
 * @param {(process: ServerProcess) => void} onProcess Before it is connected, so that it can be ended however that goes.
 * @returns {Promise<[Client, ServerProcess | undefined]>}
 */
async function connect({ how }, signal, timeout, onProcess) {
  if ("command" in how) {
    const process = new ServerProcess(how);
    onProcess(process);
    return [await clientOn(process, signal, timeout), process];
  }
  try {
    return [await connectTo(how, signal, timeout), undefined];
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: unknown }} */ (error);
    if (typeof code !== "number" || code < 400) throw error;
    throw new Error(code === 401 ? "it asks for authorisation (401); headers are given in the file of --config" : `it answers with status ${code}: ${message}`);
  }
}

/**
 * @param {Extract<ServerSpec["how"], { url: URL }>} how
 * @param {AbortSignal} signal
 * @param {number} timeout
 */
async function connectTo({ url, type, headers }, signal, timeout) {
  const requestInit = { headers };
  const sse = () => clientOn(new SSEClientTransport(url, { requestInit }), signal, timeout);
  if (type === "sse") return sse();
  try {
    return await clientOn(new StreamableHTTPClientTransport(url, { requestInit }), signal, timeout);
  } catch (error) {
    // As the protocol tells clients to find out what an older server speaks.
    const older = type === undefined && error instanceof StreamableHTTPError && [400, 404, 405].includes(error.code ?? 0);
    if (!older) throw error;
    return sse();
  }
}

/**
 * @param {any} transport The classes of transports fit their interface only without `exactOptionalPropertyTypes`.
 * @param {AbortSignal} signal
 * @param {number} timeout
 */
async function clientOn(transport, signal, timeout) {
  const client = new Client({ name: "tool-search", version: "1.0.0" });
  const close = () => void client.close();
  signal.addEventListener("abort", close);
  try {
    await client.connect(/** @type {Transport} */ (transport), { signal, timeout });
    return client;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

/**
 * Why a server did not come up, with what only its process tells.
 * @param {string | undefined} reason
 * @param {ServerProcess | undefined} process
 */
function reasonOf(reason = "it did not come up", process) {
  if (!process) return reason === "fetch failed" ? "it cannot be reached (fetch failed)" : reason;
  const { command } = process.how;
  if (/\bENOENT\b/.test(reason)) return `there is no command ${command}`;
  if (/\bEACCES\b/.test(reason)) return `${command} may not be run`;
  const said = process.complaint.trim().split("\n").filter((line) => line.trim() !== "");
  // Of an uncaught error of Node the message stands above the stack.
  const told = said.find((line) => /error|missing|required|must|not set|need/i.test(line) && !/^\s+at /.test(line)) ?? said.at(-1);
  const parts = [process.ended ?? reason, told && `on stderr: ${told.trim()}`, process.garbage.lines > 0 && garbageOf(process)];
  return parts.filter(Boolean).join("; ");
}

/** @param {ServerProcess} process */
function garbageOf({ garbage: { lines, first } }) {
  return `it writes on stdout what is no message of the protocol (${lines === 1 ? "1 line" : `${lines} lines`}, the first: ${cut(first, 60)})`;
}
