// Runs the command `tool-search` as a user does.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, vi } from "vitest";

// Each starts processes, on machines that do something else, too.
vi.setConfig({ testTimeout: 60_000 });

export const COMMAND = fileURLToPath(new URL("../../pkg/bin.mjs", import.meta.url));
export const ODD_SERVER = fileURLToPath(new URL("./odd-server.mjs", import.meta.url));

export const scratch = mkdtempSync(join(tmpdir(), "tool-search-cli-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Writes a file into the scratch folder and gives its path. */
export function file(name, content) {
  const path = join(scratch, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

/** An entry of `mcpServers` for a server that does something wrong. */
export const odd = (mode, env = {}, names = []) => ({ command: process.execPath, args: [ODD_SERVER, mode, ...names], env });

let files = 0;
export const config = (mcpServers) => file(`mcp-${++files}.json`, { mcpServers });

/** Starts the command; `done` resolves to its status and output. */
export function start(args, { env = {}, stdin = "", cwd = scratch } = {}) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const done = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })));
  return { child, done };
}

export const run = (args, options) => start(args, options).done;

/** Whether a process is there. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
