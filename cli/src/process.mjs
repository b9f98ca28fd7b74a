// @ts-check
// A server as a process of its own group, so that whatever it started ends with it: `npx some-server` is three processes.
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import spawn from "cross-spawn";

const GROUPS = process.platform !== "win32";
/** Milliseconds that a server has to end after its input ended, and again after SIGTERM. */
const GRACE = 500;
/** Characters of one message: more is no list of tools. */
const LONGEST = 32 * 1024 * 1024;

/** @type {Set<number>} */
const running = new Set();
process.on("exit", () => running.forEach((pid) => send(pid, "SIGKILL")));

/** @implements {Pick<import("@modelcontextprotocol/sdk/shared/transport.js").Transport, "start" | "send" | "close">} */
export class ServerProcess {
  /** @type {((message: any) => void) | undefined} */
  onmessage;
  /** @type {(() => void) | undefined} */
  onclose;
  /** @type {((error: Error) => void) | undefined} */
  onerror;
  /** The end of what it wrote on stderr. */
  complaint = "";
  /** Lines on stdout that are no messages, and the first of them. */
  garbage = { lines: 0, first: "" };
  /** How it ended, if it did by itself. @type {string | undefined} */
  ended;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #closed = Promise.resolve();
  #text = "";

  /** @param {{ command: string, args: string[], env: Record<string, string>, cwd: string | undefined }} how */
  constructor(how) {
    this.how = how;
  }

  async start() {
    const { command, args, env, cwd } = this.how;
    const options = { env: { ...getDefaultEnvironment(), ...env }, cwd, detached: GROUPS, windowsHide: true };
    const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    this.#closed = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.ended = signal ? `it was ended by ${signal}` : `it exited with status ${code}`;
      });
      child.once("close", () => {
        resolve();
        this.onclose?.();
      });
      child.once("error", () => resolve());
    });
    child.stdout?.setEncoding("utf8").on("data", (chunk) => this.#read(chunk));
    child.stderr?.setEncoding("utf8").on("data", (chunk) => (this.complaint = (this.complaint + chunk).slice(-4_000)));
    child.stdin?.on("error", () => {}); // it is gone; its exit says so
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  }

  /** @param {string} chunk */
  #read(chunk) {
    // A long message comes in many parts, and is looked through once.
    const lines = chunk.includes("\n") ? (this.#text + chunk).split("\n") : [this.#text + chunk];
    this.#text = lines.pop() ?? "";
    if (this.#text.length > LONGEST) {
      this.ended = "it wrote a line without an end on stdout";
      void this.close();
      return;
    }
    for (const line of lines) {
      if (line.trim() === "") continue;
      let message;
      try {
        message = deserializeMessage(line);
      } catch {
        if (this.garbage.lines++ === 0) this.garbage.first = line.slice(0, 200);
        continue;
      }
      this.onmessage?.(message);
    }
  }

  /** @param {import("@modelcontextprotocol/sdk/types.js").JSONRPCMessage} message */
  async send(message) {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) throw new Error(this.ended ?? "it is not running");
    if (!stdin.write(serializeMessage(message))) await new Promise((resolve) => stdin.once("drain", () => resolve(undefined)).once("close", () => resolve(undefined)));
  }

  /** Ends it, by asking first: its input ends, then SIGTERM, then SIGKILL, which nothing of its group survives. */
  async close() {
    const { pid, stdin } = this.#child ?? {};
    if (pid === undefined || !running.has(pid)) return;
    stdin?.end();
    for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
      if (await this.#endsWithin(GRACE)) break;
      send(pid, signal);
    }
    await this.#endsWithin(GRACE);
    send(pid, "SIGKILL"); // what it left behind
    running.delete(pid);
  }

  /** @param {number} milliseconds */
  async #endsWithin(milliseconds) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
    const ended = await Promise.race([this.#closed.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(GROUPS ? -pid : pid, signal);
  } catch {
    // It has ended by itself.
  }
}
