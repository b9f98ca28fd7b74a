#!/usr/bin/env node
// Feeds the Rust core with inputs that nobody thought of: every target of fuzz/ in turn, for some minutes each, by libFuzzer. What
// reaches new code is kept in fuzz/grown and gone on from; an input that a target fails on is kept in fuzz/artifacts.
//   npm run fuzz -- [TARGET…] [--minutes N]       all targets and 5 minutes, unless said otherwise
//   npm run fuzz -- [TARGET…] --bits 32           with numbers of 32 bits, as the module has them (Linux, and a C++ compiler for that)
//   npm run fuzz -- [TARGET…] --minimize          makes fuzz/corpus of it and of what was grown: few files that reach most
import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "./lib/process.mjs";
import { ensureTarget, findCargo, withPath } from "./lib/rust.mjs";
import { explain, reporter, SetupError } from "./lib/steps.mjs";
import { ensureTools, fuzzTools } from "./lib/tools.mjs";
import { root } from "./setup.mjs";

/** The longest input of each target, in bytes: as long as it takes to say everything once. */
const TARGETS = { catalog: 2_048, definitions: 8_192, handle: 2_048, queries: 1_024, regexes: 1_024, snapshots: 1_024, state: 2_048 };
/** What counts as a hang, in seconds, and as a flood, in megabytes. */
const LIMITS = ["-timeout=10", "-rss_limit_mb=2048"];
// Without a sanitizer stable Rust will do, and the core has no `unsafe` for one to watch. Without traces of comparisons it is three
// times as fast: targets draw from lists what takes luck to guess.
const BUILD = ["-s", "none", "--no-trace-compares"];
/** By the bits of a number. In 32, sums go round that nothing in 64 does: it is an error when one does. */
const BITS = { 64: [], 32: ["--target", "i686-unknown-linux-gnu", "--debug-assertions"] };

const folder = (kind, target) => join(root, "fuzz", kind, target);

/** Runs one target and resolves to what came of it. */
function fuzz(target, minutes, build, env) {
  const flags = [`-max_total_time=${Math.round(minutes * 60)}`, `-max_len=${TARGETS[target]}`, "-print_final_stats=1", ...LIMITS];
  const args = ["fuzz", "run", ...build, target, folder("grown", target), folder("corpus", target), "--", ...flags];
  return new Promise((resolve, reject) => {
    const child = spawn("cargo", args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
    const began = Date.now();
    let output = "";
    child.stderr.setEncoding("latin1").on("data", (text) => {
      // The end says what happened, and of the rest only how much code was reached.
      output = (output + text).slice(-100_000);
      coverage.push(...[...text.matchAll(/ cov: (\d+) /g)].map(([, count]) => Number(count)));
    });
    const coverage = [];
    child.on("error", reject);
    child.on("close", (code) => {
      const executions = Number(output.match(/stat::number_of_executed_units:\s+(\d+)/)?.[1] ?? 0);
      const kept = output.match(/Test unit written to (\S+)/)?.[1];
      const reached = coverage.length > 0 ? [coverage[0], coverage.at(-1)] : [0, 0];
      resolve({ code, executions, seconds: (Date.now() - began) / 1000, reached, kept, output });
    });
  });
}

/** The most files of a corpus, besides those that have a name of their own. */
const FEW = 60;

/** Makes the corpus of a target anew: of all inputs those that reach most, as few as it takes for what they reach. */
async function minimize(target, build, env) {
  const [own, chosen] = [folder("corpus", target), await mkdtemp(join(tmpdir(), "tool-search-fuzz-"))];
  try {
    await mkdir(folder("grown", target), { recursive: true });
    // Without counting how often a line is reached: that takes thousands of files.
    const flags = ["-set_cover_merge=1", "-use_counters=0", `-max_len=${TARGETS[target]}`];
    await run("cargo", ["fuzz", "run", ...build, target, chosen, folder("grown", target), own, "--", ...flags], { cwd: root, env });
    const old = await readdir(own);
    await Promise.all(old.filter((name) => /^[0-9a-f]{12}$/.test(name)).map((name) => rm(join(own, name))));
    // They were written in the order in which they were chosen, those that reach most first.
    const written = async (name) => ({ name, at: (await stat(join(chosen, name), { bigint: true })).mtimeNs });
    const all = (await Promise.all((await readdir(chosen)).map(written))).sort((a, b) => Number(a.at - b.at));
    for (const { name } of all.slice(0, FEW)) await copyFile(join(chosen, name), join(own, name.slice(0, 12)));
    console.log(`${target.padEnd(12)} ${(await readdir(own)).length} inputs`);
  } finally {
    await rm(chosen, { recursive: true, force: true });
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: "string", default: "5" },
      bits: { type: "string", default: "64" },
      minimize: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.filter((target) => !Object.hasOwn(TARGETS, target));
  if (unknown.length > 0) throw new SetupError(`There is no target ${unknown.join(", ")}; there are ${Object.keys(TARGETS).join(", ")}.`);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new SetupError(`--minutes must be a positive number, not ${values.minutes}.`);
  if (!Object.hasOwn(BITS, values.bits)) throw new SetupError(`--bits must be 64 or 32, not ${values.bits}.`);
  const build = [...BUILD, ...BITS[values.bits]];
  const targets = positionals.length > 0 ? positionals : Object.keys(TARGETS);

  const step = reporter();
  const cargo = await findCargo();
  const env = withPath(cargo, ...(await ensureTools(fuzzTools(), root, cargo, step)));
  if (values.bits === "32") await ensureTarget(root, cargo, step, BITS[32][1]);
  await step("fuzz targets (libFuzzer needs a C++ compiler)", () => run("cargo", ["fuzz", "build", ...build], { cwd: root, env }));
  const totals = { executions: 0, seconds: 0, failed: 0 };
  for (const target of targets) {
    if (values.minimize) {
      await minimize(target, build, env);
      continue;
    }
    await mkdir(folder("grown", target), { recursive: true });
    const { code, executions, seconds, reached, kept, output } = await fuzz(target, minutes, build, env);
    totals.executions += executions;
    totals.seconds += seconds;
    const [first, last] = reached;
    console.log(`${target.padEnd(12)} ${executions} executions in ${seconds.toFixed(0)} s, code reached ${first} → ${last}`);
    if (code === 0) continue;
    totals.failed += 1;
    console.error(output.match(/panicked at [\s\S]{0,1500}/)?.[0] ?? output.slice(-3_000));
    const again = kept && (await stat(kept).catch(() => undefined)) ? `cargo fuzz run ${build.join(" ")} ${target} ${kept}` : undefined;
    console.error(`✗ ${target} failed.${again ? ` The input is kept; to see it fail again:\n  ${again}` : ""}`);
  }
  if (!values.minimize) {
    console.log(`${totals.executions} executions in ${(totals.seconds / 60).toFixed(1)} minutes, ${totals.failed} of ${targets.length} targets failed`);
  }
  if (totals.failed > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
