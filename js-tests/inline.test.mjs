// The text that the module is inlined as, made by pkg/inline.mjs, and what the package decodes of it.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";
import { textOf } from "../pkg/inline.mjs";

const dist = dirname(createRequire(import.meta.url).resolve("tool-search"));
const wasm = await readFile(join(dist, "core.wasm"));

it("stands in the entry, whole and without an escape", async () => {
  expect(await readFile(join(dist, "index.js"), "utf8")).toContain(`"${textOf(wasm)}"`);
});

it("has no character that a minifier, a character set or an inline script could change", () => {
  const text = textOf(Uint8Array.from({ length: 256 }, (_, i) => i));
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(text).not.toMatch(/["'`\\$<]/);
});

it("is decoded to the very bytes, at the first use", () => {
  const { Module } = WebAssembly;
  const compiled = [];
  WebAssembly.Module = function (bytes) {
    compiled.push(Buffer.from(bytes));
    return new Module(bytes);
  };
  try {
    new ToolSearch();
    new ToolSearch();
  } finally {
    WebAssembly.Module = Module;
  }
  // Before it comes what decodes it.
  expect(compiled.map((bytes) => bytes.equals(wasm))).toEqual([false, true]);
});
