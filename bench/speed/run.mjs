#!/usr/bin/env node
// What everything costs, beside the peers. See ../README.md.
//   npm run bench:speed -- [--sizes 100,400,real] [--only query,add,…] [--catalogs FOLDER] [--json FILE]
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { explain, SetupError } from "../../scripts/lib/steps.mjs";
import { setup } from "../../scripts/setup.mjs";
import { readCatalog, REAL } from "./catalogs.mjs";
import { report, reportGoals } from "./report.mjs";

const SIZES = ["100", "400", "1000", "10000", "100000", "real"];

try {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { sizes: text, only: text, catalogs: text, json: text } });
  await setup();
  await main(values);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

async function main({ sizes, only, catalogs: folder = REAL, json }) {
  // Packages are there only since the set-up has run.
  const { sections } = await import("./sections.mjs");
  const asked = only?.split(",") ?? Object.keys(sections);
  const unknown = asked.find((name) => !(name in sections));
  if (unknown !== undefined) throw new SetupError(`--only ${unknown}: there are ${Object.keys(sections).join(", ")}.`);
  const results = { machine: `${cpus()[0]?.model}, Node.js ${process.version}` };
  console.log(`${results.machine}\n`);
  for (const name of asked) {
    const { title, measure, sizes: own = SIZES } = sections[name];
    results[name] = [];
    for (const size of own.filter((size) => !sizes || sizes.split(",").includes(size))) {
      const catalog = await readCatalog(size, folder);
      if (!catalog) continue;
      process.stderr.write(`  … ${name}, ${catalog.name} tools\n`);
      const rows = await measure(catalog);
      results[name].push(...rows);
      console.log(`${title}, ${catalog.name} tools\n\n${report(rows)}\n`);
      // Each time: whoever ends a long run early has what was measured.
      if (json) await writeFile(json, `${JSON.stringify(results, null, 1)}\n`);
    }
  }
  console.log(reportGoals(results));
}
