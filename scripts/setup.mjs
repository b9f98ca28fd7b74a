#!/usr/bin/env node
// Brings everything that the project needs, from Node.js and Rust alone, and builds what is not built: npm packages, the
// WebAssembly tools, pkg/wasm and pkg/dist. Does nothing, in a moment, when nothing changed.
//   node scripts/setup.mjs [--quiet]
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./lib/lock.mjs";
import { ensurePackages } from "./lib/npm.mjs";
import { buildPackage, packageIsFresh } from "./lib/package.mjs";
import { stopAll } from "./lib/process.mjs";
import { ensureTarget, findCargo } from "./lib/rust.mjs";
import { explain, reporter, SetupError } from "./lib/steps.mjs";
import { ensureTools, wasmTools } from "./lib/tools.mjs";
import { buildWasm, compileCrate, wasmIsFresh } from "./lib/wasm.mjs";

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Makes the project ready to run and resolves to the environment in which `cargo` is found. Safe to call from several processes
 * at once: one works, the others wait. Progress goes to stderr; `quiet` leaves it out.
 * @throws SetupError for what the reader can mend, CommandFailed with the whole output of a command that failed
 */
export async function setup({ quiet = false } = {}) {
  await checkNode();
  const env = await findCargo();
  const step = reporter({ quiet });
  const wait = () => step.print("  … waiting for another setup of this checkout");
  await withLock(join(root, ".setup.lock"), () => bringAndBuild(env, step), wait);
  return env;
}

async function checkNode() {
  const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const [major, minor] = engines.node.match(/\d+/g).map(Number);
  const [haveMajor, haveMinor] = process.versions.node.split(".").map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  throw new SetupError(`This project needs Node.js ${engines.node}; this is ${process.versions.node}. See nodejs.org for a newer one.`);
}

async function bringAndBuild(env, step) {
  const packages = () => ensurePackages(root, env, step);
  if (await wasmIsFresh(root)) {
    await packages();
  } else {
    await ensureTarget(root, env, step);
    const crate = () => step("Rust crate", () => compileCrate(root, env));
    const [toolFolders] = await sideBySide([() => tools(env, step), packages, crate]);
    await step("WebAssembly module", () => buildWasm(root, env, toolFolders));
  }
  if (!(await packageIsFresh(root))) await step("npm package", () => buildPackage(root, env));
}

const tools = async (env, step) => ensureTools(await wasmTools(root), root, env, step);

/** Like Promise.all, but when one fails it ends the others first: nothing goes on behind the message. */
async function sideBySide(jobs) {
  const begun = jobs.map((job) => job());
  try {
    return await Promise.all(begun);
  } catch (error) {
    stopAll();
    await Promise.allSettled(begun);
    throw error;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const quiet = process.argv.includes("--quiet");
  try {
    await setup({ quiet });
    if (!quiet) console.error("Ready.");
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}
