// From a new process to its first answer: what there is before it begins is the input, in files.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MINISEARCH, TYPED, ADDITIVE } from "./contenders.mjs";
import { added } from "./contenders/tool-search.mjs";
import { interleave, summary } from "./timing.mjs";

/** What a process does, by what it is called in the tables, and as `first-answer.mjs` knows it. */
export const COLD = {
  "tool-search, from a snapshot": "snapshot",
  "tool-search": "search",
  "tool-search, an engine without tools": "empty",
  "tool-search, select:": "select",
  "tool-search, plan": "plan",
  "tool-search, section": "section",
  "tool-search, tools array": "tools",
  [ADDITIVE]: "additive",
  [TYPED]: "typed-bm25",
  [MINISEARCH]: "minisearch",
};

const PROGRAM = fileURLToPath(new URL("first-answer.mjs", import.meta.url));

/** @returns {Promise<{ what: string, size: string, median: number, least: number }[]>} Milliseconds, without Node.js' own start. */
export async function measureCold(catalog) {
  const folder = await mkdtemp(join(tmpdir(), "tool-search-bench-"));
  try {
    const engine = added(catalog);
    engine.search("anything");
    await writeFile(join(folder, "snapshot"), engine.snapshot());
    engine.free();
    await writeFile(join(folder, "servers.json"), JSON.stringify([...catalog.servers]));
    const jobs = Object.entries(COLD).map(([what, task]) => [what, () => milliseconds(task, folder, catalog.queries[0])]);
    const rounds = interleave(Object.fromEntries(jobs), { warmUp: 0, budget: 0, least: catalog.tools.length > 2_000 ? 7 : 15 });
    return Object.keys(COLD).map((what) => {
      const { medians, minima } = summary(rounds[what]);
      return { what, size: catalog.name, median: medians[0], least: minima[0] };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function milliseconds(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
