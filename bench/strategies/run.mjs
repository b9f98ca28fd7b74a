#!/usr/bin/env node
// What the strategies of `tool-search/ai-sdk` cost over one and the same conversation, measured on the bodies that go over the wire.
//   npm run bench:strategies [-- --markdown]
import { join } from "node:path";
import { parseArgs } from "node:util";
import { explain } from "../../scripts/lib/steps.mjs";
import { root, setup } from "../../scripts/setup.mjs";
import { table } from "./table.mjs";

try {
  const { values } = parseArgs({ options: { markdown: { type: "boolean" } } });
  await setup();
  const { developmentServers } = await import("../quality/development-servers.mjs");
  const { tools } = await developmentServers();
  const rows = await (await load()).measure(tools);
  if (values.markdown) console.log(table(rows));
  else console.table(Object.fromEntries(rows.map(({ title, ...row }) => [title, row])));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

/** The measuring is TypeScript, since it shares the tests' servers. */
async function load() {
  const { build } = await import("esbuild");
  const { rm } = await import("node:fs/promises");
  const outfile = join(root, "bench", "strategies", `.measure-${process.pid}.mjs`);
  try {
    await build({
      entryPoints: [join(root, "bench", "strategies", "measure.ts")],
      outfile,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      logLevel: "warning",
    });
    return await import(outfile);
  } finally {
    await rm(outfile, { force: true });
  }
}
