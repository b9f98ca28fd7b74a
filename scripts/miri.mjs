#!/usr/bin/env node
// Runs tests of the Rust core under Miri, which sees undefined behaviour of unsafe code. There is none of ours: what it watches is the
// crates that the core leans on, as the core uses them. Takes some minutes. Where Miri cannot be had it says so and does nothing.
//   npm run miri [-- FILTER]
import { run, runInForeground } from "./lib/process.mjs";
import { findCargo } from "./lib/rust.mjs";
import { explain } from "./lib/steps.mjs";
import { root } from "./setup.mjs";

/** Tests that take minutes there: of large inputs, whose unsafe code others reach as well. */
const SLOW = [
  "a8_deep_schemas",
  "a8_places_within_one_another",
  "b2_plain_words",
  "b3_agrees_on",
  "c11_what_repeats_nothing_ends",
  "compacts_outside_of_strings",
  "h3_forged_postings",
  "h3_only_distinct_words",
  "h4_no_words_collide",
  "near_the_diagonal",
];

/** Why there is no Miri; undefined when there is. */
async function missing(env) {
  const has = () => run("cargo", ["+nightly", "miri", "--version"], { cwd: root, env });
  try {
    await has();
  } catch {
    try {
      await run("rustup", ["toolchain", "install", "nightly", "--profile", "minimal", "-c", "miri", "-c", "rust-src"], { env });
      await has();
    } catch (error) {
      return error.message;
    }
  }
  return undefined;
}

try {
  const env = await findCargo();
  const reason = await missing(env);
  if (reason) {
    console.log(`skipped: Miri: ${reason}`);
  } else {
    // Tests that ask for the working folder, or for the time, are no reason to stop.
    Object.assign(process.env, env, { MIRIFLAGS: "-Zmiri-disable-isolation", PROPTEST_CASES: "2" });
    const tests = ["--", ...process.argv.slice(2), ...SLOW.flatMap((name) => ["--skip", name])];
    process.exitCode = await runInForeground("cargo", ["+nightly", "miri", "test", "--lib", ...tests]);
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
