// Memory: of catalogs, each in a process of its own, and of sessions.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MINISEARCH, OURS, TYPED } from "./contenders.mjs";

export const WITH_DEFINITIONS = `${OURS}, from JSON`;
const PROGRAM = fileURLToPath(new URL("hold.mjs", import.meta.url));
const TASKS = { [OURS]: "tool-search", [WITH_DEFINITIONS]: "json", [TYPED]: "typed-bm25", [MINISEARCH]: "minisearch" };

/**
 * What an index holds, in bytes: on JavaScript's heap and of WebAssembly's memory, which only ever grows and so tells the most there was;
 * and how many times the bytes that are searched that is. Definitions that the caller keeps anyway are not counted.
 * @returns {{ contender: string, size: string, heapMB: number, wasmMB: number, textMB: number, timesText: number }[]}
 */
export function measureMemory(catalog) {
  return Object.entries(TASKS).map(([contender, task]) => {
    const { heap, wasm, text } = hold(task, catalog);
    return { contender, size: catalog.name, heapMB: heap / 1e6, wasmMB: wasm / 1e6, textMB: text / 1e6, timesText: (heap + wasm) / text };
  });
}

/** @returns {{ what: string, size: string, bytes: number }[]} What each of 1,000 sessions takes. */
export function measureSessions(catalog) {
  return Object.entries({ "a session": "sessions", "a session with 5 tools activated": "busy-sessions" }).map(([what, task]) => {
    const { heap, wasm, count } = hold(task, catalog);
    return { what, size: catalog.name, bytes: (heap + wasm) / count };
  });
}

function hold(task, { source }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", PROGRAM, task, ...source], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
