#!/usr/bin/env node
// What adding, indexing and searching cost through the package, by the size of the catalog. Times are of this machine, now.
//   npm run bench:cost
import { explain } from "../../scripts/lib/steps.mjs";
import { setup } from "../../scripts/setup.mjs";
import { median } from "../quality/measure.mjs";
import { generate } from "./generate.mjs";

try {
  await setup();
  const { ToolSearch } = await import("tool-search");
  console.log("   tools   add ms  index ms  query µs: median     p95  nothing found µs  select µs");
  for (const count of [100, 400, 1_000, 10_000, 100_000]) console.log(row(ToolSearch, count));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

function row(ToolSearch, count) {
  const { servers, queries } = generate(count);
  const search = new ToolSearch({ defer: "always" });
  const add = time(() => {
    for (const [server, tools] of servers) search.add(tools, { server });
  });
  const index = time(() => search.search("anything"));
  const rounds = Math.max(1, Math.min(100, Math.floor(1_000_000 / count)));
  const times = [];
  // The first round is not counted: the engine's code is compiled by use.
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const took = time(() => search.search(query)) * 1_000;
      if (round > 0) times.push(took);
    }
  }
  times.sort((a, b) => a - b);
  const names = search.names();
  const select = median(repeat(500, (n) => search.search(`select:${names[(n * 7_919) % names.length]}`)));
  const nothing = median(repeat(50, (n) => search.search(`quxquux${n} blorp`)));
  search.free();
  const cells = [add.toFixed(0), index.toFixed(0), times[times.length >> 1].toFixed(1), times[Math.floor(times.length * 0.95)].toFixed(1)];
  const widths = [8, 9, 17, 7];
  const shown = cells.map((cell, at) => cell.padStart(widths[at]));
  return [String(count).padStart(8), ...shown, nothing.toFixed(1).padStart(17), select.toFixed(1).padStart(10)].join(" ");
}

function repeat(times, run) {
  return Array.from({ length: times }, (_, n) => time(() => run(n)) * 1_000);
}

function time(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}
