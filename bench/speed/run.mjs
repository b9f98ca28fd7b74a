#!/usr/bin/env node
// What everything costs, beside the peers. See ../README.md.
//   npm run bench:speed -- [--sizes 100,400,real] [--only query,add,…] [--catalogs FOLDER] [--json FILE]
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { explain, SetupError } from "../../scripts/lib/steps.mjs";
import { root, setup } from "../../scripts/setup.mjs";
import { generate, readCatalogs } from "./catalogs.mjs";
import { report, reportGoals } from "./report.mjs";

const SIZES = ["100", "400", "1000", "10000", "100000", "real"];
/** Definitions of public servers, where somebody has put them beside the checkout. */
const REAL = join(root, "..", "shared", "data", "catalogs");

try {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { sizes: text, only: text, catalogs: text, json: text } });
  await setup();
  await main(values);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

async function main({ sizes = SIZES.join(), only, catalogs: folder = REAL, json }) {
  // Packages are there only since the set-up has run.
  const { sections } = await import("./sections.mjs");
  const unknown = only?.split(",").find((name) => !(name in sections));
  if (unknown !== undefined) throw new SetupError(`--only ${unknown}: what there is: ${Object.keys(sections).join(", ")}`);
  const results = { machine: `${cpus()[0]?.model ?? "?"}, Node.js ${process.version}` };
  const catalog = (size) => (size === "real" ? readCatalogs(folder) : generate(Number(size)));
  for (const name of only?.split(",") ?? Object.keys(sections)) {
    const notice = (what) => process.stderr.write(`  … ${name}, ${what}\n`);
    results[name] = await sections[name]({ sizes: sizes.split(","), catalog, notice });
    console.log(report(name, results[name]).join("\n"));
  }
  console.log(reportGoals(results));
  if (json) await writeFile(json, `${JSON.stringify(results, null, 1)}\n`);
}
