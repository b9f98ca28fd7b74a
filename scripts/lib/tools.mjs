import { access, mkdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { withLock } from "./lock.mjs";
import { run } from "./process.mjs";
import { which } from "./rust.mjs";

const WASM_PACK = "0.15.1";
const CARGO_FUZZ = "0.13.2";
const CARGO_DENY = { crate: "cargo-deny", program: "cargo-deny", version: "0.20.2", args: ["--locked"] };

/** Where tools are kept: not in `target`, so that `cargo clean` or a fresh clone costs no rebuild of them. */
export function toolsFolder(env) {
  if (env.TOOL_SEARCH_TOOLS) return resolve(env.TOOL_SEARCH_TOOLS);
  const caches =
    env.XDG_CACHE_HOME ||
    (process.platform === "win32" ? env.LOCALAPPDATA : undefined) ||
    join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
  return join(caches, "tool-search", "tools");
}

/** What the WebAssembly module is made by. wasm-bindgen comes without `--locked`: its lock file names versions that are gone. */
export async function wasmTools(root) {
  const lock = await readFile(join(root, "Cargo.lock"), "utf8");
  const [, bindgen] = lock.match(/name = "wasm-bindgen"\r?\nversion = "(.+?)"/);
  return [
    // The glue and the crate must be of one version to the last digit.
    { crate: "wasm-bindgen-cli", program: "wasm-bindgen", version: bindgen, args: ["--bin", "wasm-bindgen"] },
    { crate: "wasm-pack", program: "wasm-pack", version: WASM_PACK, args: ["--locked"] },
  ];
}

/** What runs the fuzz targets. */
export const fuzzTools = () => [{ crate: "cargo-fuzz", program: "cargo-fuzz", version: CARGO_FUZZ, args: ["--locked"] }];

/** What checks dependencies; nothing but the audit needs it. */
export const auditTools = () => [{ ...CARGO_DENY }];

/** The folders that must be on PATH for the cargo-deny that is there already; undefined when none is. */
export async function findCargoDeny(env) {
  const tool = { ...CARGO_DENY, home: homeOf(CARGO_DENY, env) };
  if (await rightOnPath(tool, env)) return [];
  return (await isThere(tool)) ? [join(tool.home, "bin")] : undefined;
}

/**
 * Finds tools on PATH or in the cache, or builds them into the cache, and resolves to the folders that must be on PATH for them.
 * Built, not downloaded: that needs nothing but the crates registry.
 */
export async function ensureTools(wanted, root, env, step) {
  const folders = [];
  const missing = [];
  for (const tool of wanted) {
    tool.home = homeOf(tool, env);
    if (await rightOnPath(tool, env)) continue;
    folders.push(join(tool.home, "bin"));
    if (!(await isThere(tool))) missing.push(tool);
  }
  if (missing.length > 0) {
    step.print(`  Building tools, once for all checkouts, into ${toolsFolder(env)}: two or three minutes.`);
    const wait = () => step.print("  … waiting for another checkout that builds them");
    await withLock(join(toolsFolder(env), "lock"), () => buildAll(missing, root, env, step), wait);
  }
  return folders;
}

const homeOf = ({ crate, version }, env) => join(toolsFolder(env), `${crate}-${version}`);

async function rightOnPath({ program, version }, env) {
  if (!(await which(program, env))) return false;
  const said = await run(program, ["--version"], { env }).catch(() => ({ stdout: "" }));
  return said.stdout.trim() === `${program} ${version}`;
}

const isThere = ({ home }) => access(home).then(() => true, () => false);

/** One after the other in one target folder: what they share is compiled once. */
async function buildAll(tools, root, env, step) {
  const target = join(toolsFolder(env), "build");
  try {
    for (const tool of tools) {
      if (await isThere(tool)) continue; // another run built it while we waited for the lock
      await step(`${tool.program} ${tool.version}`, () => build(tool, target, root, env));
    }
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

async function build({ crate, version, args, home }, target, root, env) {
  const partial = `${home}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  // Unoptimised: they run for a second, and compile in half the time.
  const install = ["install", crate, "--version", `=${version}`, ...args, "--debug", "--root", partial];
  await run("cargo", install, { cwd: root, env: { ...env, CARGO_TARGET_DIR: target, CARGO_PROFILE_DEV_DEBUG: "0" } });
  await rename(partial, home);
}
