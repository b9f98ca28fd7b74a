// The texts that the module is inlined as, made by pkg/inline.mjs and pkg/pack.mjs, and what the package decodes of them.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";
import { compressedTextOf, textOf } from "../pkg/inline.mjs";
import { packed } from "../pkg/pack.mjs";
import { CODE, number, sectionsOf } from "../scripts/lib/sections.mjs";

const run = promisify(execFile);
const dist = dirname(createRequire(import.meta.url).resolve("tool-search"));
const read = (file) => readFile(join(dist, file));
const wasm = await read("core.wasm");
const meaning = await read("meaning.wasm");

it("stand in the entries, whole and without an escape", async () => {
  expect((await read("index.js")).toString()).toContain(`"${await compressedTextOf(packed(wasm))}"`);
  expect((await read("meaning.js")).toString()).toContain(`"${textOf(packed(meaning))}"`);
  expect((await read("index.node.js")).toString()).toContain(`"${wasm.toString("base64")}"`);
});

it("have no character that a minifier, a character set or an inline script could change", async () => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, i) => (i * i) >> 3);
  for (const text of [textOf(bytes), await compressedTextOf(bytes)]) {
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(text).not.toMatch(/["'`\\$<]/);
  }
});

/** The functions of a module, without how many bytes each has, which may be written in several ways. */
function functionsOf(module) {
  const code = sectionsOf(module).get(CODE);
  const functions = [];
  for (let [left, at] = number(code, 0); left > 0; left--) {
    const [length, start] = number(code, at);
    at = start + length;
    functions.push(code.subarray(start, at));
  }
  return functions;
}

/** Each with how many bytes what decodes it may have, since they come on top. */
const ENTRIES = [
  { entry: "index.js", wasm, most: 3_100, start: ({ ToolSearch }) => new ToolSearch() },
  { entry: "meaning.js", wasm: meaning, most: 1_800, start: ({ meaning }) => new ToolSearch({ meaning }) },
];

it.each(ENTRIES)("are decoded to the very module, at the first use: $entry", async ({ entry, wasm, most, start }) => {
  const entries = await import(pathToFileURL(join(dist, entry)).href);
  const { Module } = WebAssembly;
  const compiled = [];
  WebAssembly.Module = function (bytes) {
    compiled.push(Buffer.from(bytes));
    return new Module(bytes);
  };
  try {
    start(entries);
    start(entries);
  } finally {
    WebAssembly.Module = Module;
  }
  const [decoder, module, ...others] = compiled;
  expect(others).toEqual([]);
  expect(decoder.length).toBeLessThan(most);
  const [sections, wanted] = [sectionsOf(module), sectionsOf(wasm)];
  expect([...sections.keys()]).toEqual([...wanted.keys()]);
  for (const [id, section] of wanted) if (id !== CODE) expect(section.equals(sections.get(id)), `section ${id}`).toBe(true);
  expect(Buffer.concat(functionsOf(module)).equals(Buffer.concat(functionsOf(wasm)))).toBe(true);
  expect(functionsOf(module).map(({ length }) => length)).toEqual(functionsOf(wasm).map(({ length }) => length));
});

it("are not taken apart for Node.js, which nobody sends them to", async () => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", `
    const { Module } = WebAssembly;
    WebAssembly.Module = function (bytes) {
      process.stdout.write(Buffer.from(bytes).toString("base64") + " ");
      return new Module(bytes);
    };
    const { ToolSearch } = await import("tool-search");
    new ToolSearch();
    new ToolSearch();
  `], { cwd: import.meta.dirname, maxBuffer: 1e7 });
  expect(stdout === `${wasm.toString("base64")} `).toBe(true);
});
