// The module as compilers leave it when they optimise nothing, with every check of arithmetic: it answers as the one that ships does, which
// the tests of the runtimes run. Natively both are run by cargo.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { meaning } from "tool-search/meaning";
import { initSync, ToolSearch } from "tool-search/slim";
import { expect, it } from "vitest";
import { run } from "../../scripts/lib/process.mjs";
import { findCargo, withPath } from "../../scripts/lib/rust.mjs";
import { reporter } from "../../scripts/lib/steps.mjs";
import { ensureTools, wasmTools } from "../../scripts/lib/tools.mjs";
import { root } from "../../scripts/setup.mjs";
import { answers } from "../runtimes/golden.mjs";

const golden = (file) => readFile(join(root, "tests", "golden", file), "utf8");

it("c8 the module without optimisation gives the same answers, to the bit", { timeout: 600_000 }, async () => {
  const cargo = await findCargo();
  const env = withPath(cargo, ...(await ensureTools(await wasmTools(root), root, cargo, reporter({ quiet: true }))));
  const target = join(root, "target");
  const made = join(target, "unoptimised");
  await run("cargo", ["build", "--lib", "--target", "wasm32-unknown-unknown", "--features", "bindings", "--target-dir", target], { cwd: root, env });
  const built = join(target, "wasm32-unknown-unknown", "debug", "tool_search.wasm");
  await run("wasm-bindgen", ["--target", "bundler", "--no-typescript", "--out-dir", made, "--out-name", "core", built], { cwd: root, env });
  const module = await readFile(join(made, "core_bg.wasm"));
  expect(module.length).toBeGreaterThan(2 * (await readFile(join(root, "pkg", "dist", "core.wasm"))).length);
  initSync(module);
  const sets = await Promise.all(["cases.json", "services.json"].map(async (file) => JSON.parse(await golden(file))));
  expect(sets.reduce((sum, { searches }) => sum + searches.length, 0)).toBeGreaterThanOrEqual(500);
  expect(answers(ToolSearch, meaning, sets)).toBe(await golden("answers.txt"));
});
