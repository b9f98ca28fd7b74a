#!/usr/bin/env node
// Retrieval quality side by side: every contender on the same catalogs and queries, in one table. See ../README.md.
//   npm run bench:quality -- [--data FOLDER] [--only a,b] [--markdown] [--json FILE]
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { explain } from "../../scripts/lib/steps.mjs";
import { root, setup } from "../../scripts/setup.mjs";
import { mean, measure, meanOf, median } from "./measure.mjs";
import { readSets } from "./sets.mjs";
import { markdown, plain } from "./table.mjs";

const CONTENDERS = ["tool-search", "minisearch", "orama", "lunr", "flexsearch", "bm25-crate", "mastra", "ai-sdk"];
/** Public catalogs and queries, where somebody has put them beside the checkout. */
const PUBLIC_SETS = join(root, "..", "shared", "data", "retrieval");

try {
  const options = { data: { type: "string" }, only: { type: "string" }, json: { type: "string" }, markdown: { type: "boolean" } };
  const { values } = parseArgs({ options });
  await setup();
  await main(values);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

async function main({ data, only, json, markdown: asMarkdown }) {
  const sets = data ? await readSets(data) : await defaultSets();
  const [rows, leftOut] = [[], []];
  for (const file of only?.split(",") ?? CONTENDERS) {
    // Packages are there only since the set-up has run.
    const { default: contenders } = await import(`./contenders/${file}.mjs`);
    for (const contender of contenders) {
      process.stderr.write(`  … ${contender.title}\n`);
      try {
        rows.push(await row(contender, sets));
      } catch (error) {
        leftOut.push({ contender: contender.title, reason: error.message });
      }
    }
  }
  const described = sets.map(({ name, tools, queries }) => ({ set: name, tools: tools.length, queries: queries.length }));
  console.log((asMarkdown ? markdown : plain)(rows, described));
  for (const { contender, reason } of leftOut) console.log(`\nLEFT OUT: ${contender}: ${reason}`);
  if (json) await writeFile(json, `${JSON.stringify({ sets: described, rows, leftOut }, null, 1)}\n`);
}

async function defaultSets() {
  const { developmentServers } = await import("./development-servers.mjs");
  return [await developmentServers(), ...(existsSync(PUBLIC_SETS) ? await readSets(PUBLIC_SETS) : [])];
}

/** A contender over all sets. Every set counts alike, however many queries it has; the time is the median of all queries. */
async function row({ title, answer }, sets) {
  const perSet = [];
  const times = [];
  for (const { name, tools, queries } of sets) {
    const answers = await answer(tools, queries.map(({ query }) => query));
    times.push(...answers.map(({ microseconds }) => microseconds));
    const has = queries.map(({ gold }) => gold.length > 0);
    const scores = queries.flatMap(({ gold }, index) => (has[index] ? [measure(answers[index].names, gold)] : []));
    const hopeless = answers.filter((_, index) => !has[index]);
    const quiet = hopeless.map(({ names, unsure }) => Number(names.length === 0 || unsure === true));
    perSet.push({ set: name, ...meanOf(scores), ...(quiet.length > 0 ? { quiet: mean(quiet) } : {}) });
  }
  const quiet = perSet.flatMap((scores) => scores.quiet ?? []);
  return { contender: title, ...meanOf(perSet), ...(quiet.length > 0 ? { quiet: mean(quiet) } : {}), microseconds: median(times), perSet };
}
