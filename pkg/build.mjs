// Builds dist/ from src/ and wasm/: ES modules, CommonJS, declarations for both, and core.wasm.
import { execFile } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, posix, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { inlineWasm } from "./inline.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
/** Entries that say where a module comes from, and those that work with any. */
const WITH_MODULE = ["index", "index.node", "index.edge", "slim", "meaning", "meaning.edge"];
const ENTRIES = ["ai-sdk", "anthropic", "openai", "gemini", "mcp"];
const COMMON = { bundle: true, target: "es2022", outdir: dist, legalComments: "none", logLevel: "warning" };
/** What a user's own installation gives. */
const PACKAGES = ["ai", "@cfworker/json-schema"];

/**
 * What entries share stands in files that all of them import. So a class is the same object whichever entry it came from, and
 * `tool-search/ai-sdk` never brings a second engine.
 *
 * All of the engine stands in one of them, and beside it the default entry has nothing but the module: a new process takes a while to
 * find and link each file.
 */
async function buildModules() {
  const bundle = (entries, options) =>
    build({
      ...COMMON,
      entryPoints: entries.map((entry) => join(here, "src", `${entry}.ts`)),
      format: "esm",
      external: ["*.wasm?module", ...PACKAGES],
      ...options,
    });
  const { metafile } = await bundle(["core"], { metafile: true });
  const files = new Set(Object.keys(metafile.inputs).map((path) => resolve(path)));
  const core = {
    name: "core",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) =>
        files.has(resolve(resolveDir, path.replace(/\.js$/, ".ts"))) ? { path: "./core.js", external: true, sideEffects: false } : undefined,
      ),
  };
  await bundle(WITH_MODULE, { plugins: [core, inlineWasm] });
  await bundle(ENTRIES, { plugins: [core], splitting: true, chunkNames: "shared-[hash]" });
}

/** esbuild splits ES modules only, so CommonJS is made from those, file by file. Edge runtimes have no use for it. */
async function buildCommonJs() {
  const files = (await readdir(dist)).filter((file) => file.endsWith(".js") && !file.endsWith(".edge.js"));
  const siblings = {
    name: "siblings",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\// }, ({ path, kind }) =>
        kind === "entry-point" ? undefined : { path: path.replace(/\.js$/, ".cjs"), external: true },
      ),
  };
  await build({
    ...COMMON,
    entryPoints: files.map((file) => join(dist, file)),
    format: "cjs",
    platform: "node",
    outExtension: { ".js": ".cjs" },
    external: PACKAGES,
    plugins: [siblings],
  });
}

// What the bundlers of edge runtimes make of an import of it.
const WASM_TYPES = `declare const module: WebAssembly.Module;
export default module;
`;

/** npm puts both into every package that has them in its folder. */
async function copyTexts() {
  for (const file of ["README.md", "LICENSE"]) await copyFile(join(here, "..", file), join(here, file));
}

/** The compiled modules, for the entries of edge runtimes and for those who load them in their own way. */
const MODULES = { "core.wasm": "wasm/core_bg.wasm", "meaning.wasm": "wasm/meaning/core_bg.wasm" };

async function copyModules() {
  for (const [name, built] of Object.entries(MODULES)) await copyFile(join(here, built), join(dist, name));
  await writeFile(join(dist, "core.wasm.d.ts"), WASM_TYPES);
}

/**
 * TypeScript reads a .d.ts here as describing an ES module, so CommonJS needs declarations of its own. Those stay that an entry's
 * lead to; what an entry for some runtimes declares is what the other does.
 */
async function buildDeclarations() {
  await promisify(execFile)(process.execPath, [tsc(), "--project", here]);
  const kept = new Set();
  const keep = async (file) => {
    if (kept.has(file)) return;
    kept.add(file);
    const text = await readFile(join(dist, file), "utf8");
    const imported = text.matchAll(/["'](\.\.?\/[\w./-]+)\.js["']/g);
    for (const [, path] of imported) await keep(posix.join(posix.dirname(file), `${path}.d.ts`));
    await writeFile(join(dist, file.replace(/\.d\.ts$/, ".d.cts")), text.replace(/(["']\.\.?\/[\w./-]+)\.js(["'])/g, "$1.cjs$2"));
  };
  for (const entry of [...WITH_MODULE, ...ENTRIES, "core.wasm"]) if (!/\.(edge|node)$/.test(entry)) await keep(`${entry}.d.ts`);
  for (const file of (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".d.ts"))) {
    if (!kept.has(file.split(sep).join("/"))) await rm(join(dist, file));
  }
}

function tsc() {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  return join(dirname(manifest), "bin", "tsc");
}

try {
  await rm(dist, { recursive: true, force: true });
  await buildModules();
  await Promise.all([copyModules(), copyTexts()]);
  await Promise.all([buildCommonJs(), buildDeclarations()]);
} catch (error) {
  // esbuild has printed its own messages; tsc's are in its output.
  console.error(error.stdout || error.message);
  process.exitCode = 1;
}
