#!/usr/bin/env node
// What the package costs over the wire: the default entry with its module as a bundler delivers it, by part, and what each further
// entry adds. Bytes, minified, alone and compressed (gzip 9, brotli 11).
//   npm run bench:size
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { CODE, DATA, sectionsOf } from "../../scripts/lib/sections.mjs";
import { setup } from "../../scripts/setup.mjs";

await setup({ quiet: true });
const pkg = dirname(createRequire(import.meta.url).resolve("tool-search/package.json"));
const { exports, peerDependencies } = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));
const wasm = await readFile(join(pkg, "dist", "core.wasm"));

/** What a bundler makes of a module's text: one minified ES module. */
async function minified(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    legalComments: "none",
    external: Object.keys(peerDependencies),
  });
  return Buffer.from(outputFiles[0].contents);
}

const sizes = (bytes) => [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
const minus = (all, part) => all.map((size, i) => size - part[i]);

const sections = sectionsOf(wasm);
const whole = sizes(await minified('export * from "tool-search"'));
const without = sizes(await minified('export * from "tool-search/slim"'));
const glue = sizes(await minified(`export * from ${JSON.stringify(join(pkg, "wasm", "core_bg.js"))}`));

const rows = [
  ["**default entry, module included**", whole],
  ["the module as text, with its decoder", minus(whole, without)],
  ["JavaScript: engine and sessions", minus(without, glue)],
  ["JavaScript: glue of wasm-bindgen", glue],
  ["*the module as a file*", sizes(wasm)],
  ["*its code*", sizes(sections.get(CODE))],
  ["*its data: tables of Unicode, stems, synonyms, texts*", sizes(sections.get(DATA))],
];
for (const entry of Object.keys(exports).filter((path) => !/^\.$|\.\w+$|slim$/.test(path))) {
  const both = await minified(`export * from "tool-search"; export * as more from ${JSON.stringify(entry.replace(".", "tool-search"))}`);
  rows.push([`\`${entry.replace(".", "tool-search")}\` adds`, minus(sizes(both), whole)]);
}

const number = (size) => size.toLocaleString("en");
console.log("| bytes | minified | gzip | brotli |\n| --- | --: | --: | --: |");
for (const [title, values] of rows) console.log(`| ${title} | ${values.map(number).join(" | ")} |`);
