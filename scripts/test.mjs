#!/usr/bin/env node
// Brings and builds what is needed, then runs every check in order and stops at the first that fails. The last line counts the tests.
// What had to be left out on this machine stands before it, with the reason.
//   npm test                     everything
//   npm test -- engine search    only these of Vitest's files, and none of the runtimes (unless a name says "runtimes")
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { run } from "./lib/process.mjs";
import { ensureTarget, withPath } from "./lib/rust.mjs";
import { explain, reporter, SetupError } from "./lib/steps.mjs";
import { findCargoDeny } from "./lib/tools.mjs";
import { root, setup } from "./setup.mjs";

const require = createRequire(import.meta.url);
// A workspace of its own, and without what only libFuzzer needs.
const FUZZ = ["--manifest-path", "fuzz/Cargo.toml", "--no-default-features"];
const WASM = ["--target", "wasm32-unknown-unknown", "--features", "bindings"];
const MEANING = ["--features", "meaning"];
/** In WebAssembly numbers have 32 bits, where sums of what somebody forged go round that do not in 64; tests say so when one does. */
const WASI = "wasm32-wasip1";
const RUNNER = JSON.stringify([process.execPath, "--no-warnings", join(root, "scripts", "wasi.mjs")]);
const IN_WASI = ["--target", WASI, "--config", `target.${WASI}.runner=${RUNNER}`];
// A panic ends the program, and what was captured with it.
const TELL = ["--", "--no-capture"];
const totals = { passed: 0, failed: 0 };
const leftOut = [];

/** Adds the tests that a command reports, as `cargo test` does for each of its programs, or vitest once for all. */
function count(output) {
  const plain = output.replace(/\u001b\[[\d;]*m/g, "");
  for (const [line] of plain.matchAll(/^(test result:|\s*Tests {2}).*$/gm)) {
    totals.passed += Number(line.match(/(\d+) passed/)?.[1] ?? 0);
    totals.failed += Number(line.match(/(\d+) failed/)?.[1] ?? 0);
  }
  leftOut.push(...(plain.match(/^skipped: .*$/gm) ?? []));
}

function checks(env, vitestArgs) {
  const cargo = (args, more = {}) => () => run("cargo", args, { cwd: root, env: { ...env, ...more } });
  const node = (script, args, cwd = root) => () => run(process.execPath, [script, ...args], { cwd, env });
  const deny = async () => {
    const folders = await findCargoDeny(env);
    if (!folders) return { output: "skipped: cargo deny: it is not there; `npm run audit` brings it\n" };
    const args = ["deny", "--offline", "check", "licenses", "bans", "sources"];
    return run("cargo", args, { cwd: root, env: withPath(env, ...folders) });
  };
  const inWasi = (args) => async () => {
    try {
      if (process.platform === "win32") throw new SetupError("its paths are not those of WASI");
      await ensureTarget(root, env, reporter({ quiet: true }), WASI);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      return { output: `skipped: cargo ${args.join(" ")}, in WebAssembly: ${error.message.replaceAll("\n", " ")}\n` };
    }
    return cargo([...args, ...IN_WASI, ...TELL])();
  };
  const tsc = program("typescript", "tsc", join(root, "package.json"));
  const svelteCheck = program("svelte-check", "svelte-check", join(root, "demo", "package.json"));
  const vitest = program("vitest", "vitest", join(root, "js-tests", "package.json"));
  // The one or the other has no file of a name that is asked for.
  const vitestRun = ["run", ...vitestArgs, ...(vitestArgs.length > 0 ? ["--passWithNoTests"] : [])];
  return [
    ["cargo fmt", cargo(["fmt", "--check", "--", "pkg/decoder/lzma.rs", "pkg/decoder/text.rs"])],
    ["cargo clippy", cargo(["clippy", "--all-targets", ...MEANING, "--", "-D", "warnings"])],
    ["cargo clippy, bindings", cargo(["clippy", "--lib", ...WASM, "--", "-D", "warnings"])],
    ["cargo test", cargo(["test", "--no-fail-fast", ...MEANING])],
    ["cargo test, in WebAssembly", inWasi(["test", "--lib", "--tests", ...MEANING])],
    ["cargo test, optimised: the golden answers", cargo(["test", "--release", "--test", "golden", ...MEANING])],
    ["fuzz, cargo fmt", cargo(["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"])],
    ["fuzz, cargo clippy", cargo(["clippy", ...FUZZ, "--all-targets", "--", "-D", "warnings"])],
    ["fuzz, corpus and a little more", cargo(["test", ...FUZZ, "--no-fail-fast"])],
    ["fuzz, the same in WebAssembly", inWasi(["test", ...FUZZ])],
    ["cargo doc", cargo(["doc", "--no-deps"], { RUSTDOCFLAGS: "-D warnings" })],
    ["types of pkg", node(tsc, ["--noEmit", "--project", "pkg"])],
    ["types of agent", node(tsc, ["--noEmit", "--project", "agent"])],
    ["types of cli", node(tsc, ["--noEmit", "--project", "cli"])],
    ["types of js-tests", node(tsc, ["--noEmit", "--project", "js-tests"])],
    ["types of demo", node(svelteCheck, ["--tsconfig", "tsconfig.json", "--fail-on-warnings"], join(root, "demo"))],
    ["licences", node("scripts/third-party.mjs", ["--check"])],
    ["cargo deny", deny],
    ["vitest", node(vitest, vitestRun, join(root, "js-tests"))],
    ["vitest, runtimes", node(vitest, [...vitestRun, "--config", "runtimes/vitest.config.mjs"], join(root, "js-tests"))],
  ];
}

/** The script behind a command of an npm package, wherever npm put that. */
function program(name, command, from) {
  const manifest = createRequire(from).resolve(`${name}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === "string" ? bin : bin[command]);
}

try {
  const env = await setup();
  const step = reporter({ begin: false });
  for (const [title, check] of checks(env, process.argv.slice(2))) {
    count((await step(title, check)).output);
  }
} catch (error) {
  count(error.output ?? "");
  explain(error);
  process.exitCode = 1;
}
for (const line of leftOut) console.log(line);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
