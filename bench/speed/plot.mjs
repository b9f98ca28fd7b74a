#!/usr/bin/env node
// Time and memory by the size of the catalog, from what `run.mjs --json` wrote, as an SVG for light and dark pages.
//   node bench/speed/plot.mjs RESULTS.json bench/speed/plot.svg
import { readFile, writeFile } from "node:fs/promises";
import { MINISEARCH, OURS, TYPED } from "./contenders.mjs";

const PANELS = [
  { title: "Query, µs", rows: ({ query }) => query, value: ({ median }) => median },
  { title: "From definitions to an index, ms", rows: ({ add }) => add, value: ({ median }) => median },
  { title: "Memory, MB", rows: ({ memory }) => memory, value: ({ heapMB, wasmMB }) => heapMB + wasmMB },
];
/** Hues that stand apart for all kinds of sight, on white and on black. */
const COLOURS = { [OURS]: "#d55e00", [TYPED]: "#0099dd", [MINISEARCH]: "#009e73", FlexSearch: "#cc79a7", Orama: "#a08000", lunr: "#8877cc", "additive scorer": "#888888" };
const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [270, 240, 68, 34, 74];

const [from, to] = process.argv.slice(2);
await writeFile(to, draw(JSON.parse(await readFile(from, "utf8"))));

function draw(results) {
  const panels = PANELS.map((panel, at) => `<g transform="translate(${LEFT + at * (WIDTH + GAP)} ${TOP})">${drawPanel(panel, results)}</g>`);
  const names = Object.entries(COLOURS);
  const legend = names.map(([name, colour], at) => {
    const x = LEFT + at * 144;
    return `<path d="M${x} ${TOP + HEIGHT + 52}h18" stroke="${colour}" stroke-width="${stroke(name)}"/>${text(x + 23, TOP + HEIGHT + 56, name, "start")}`;
  });
  const [width, height] = [LEFT + PANELS.length * (WIDTH + GAP), TOP + HEIGHT + 70];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time and memory by the number of tools">
<style>
text { font: 12px system-ui, sans-serif; fill: #444 }
.title { font-weight: 600; font-size: 13px }
.grid { stroke: #8886; stroke-width: .5 }
path { fill: none; stroke-linejoin: round; stroke-linecap: round }
@media (prefers-color-scheme: dark) { text { fill: #bbb } }
</style>
${[...panels, ...legend].join("\n")}
</svg>
`;
}

/** Both axes are logarithmic: what grows in proportion rises by a decade with each decade of tools. */
function drawPanel({ title, rows, value }, results) {
  const points = rows(results).filter(({ contender, size }) => contender in COLOURS && /^[\d,]+$/.test(size));
  const of = (row) => [Math.log10(Number(row.size.replaceAll(",", ""))), Math.log10(Math.max(value(row), 0.01))];
  const [xs, ys] = [0, 1].map((axis) => points.map((row) => of(row)[axis]));
  const [x0, x1] = [Math.floor(Math.min(...xs)), Math.ceil(Math.max(...xs))];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const x = (log) => round(((log - x0) / (x1 - x0)) * WIDTH);
  const y = (log) => round(HEIGHT - ((log - y0) / (y1 - y0)) * HEIGHT);
  const across = range(y0, y1).map((log) => `<path class="grid" d="M0 ${y(log)}H${WIDTH}"/>${text(-6, y(log) + 4, shown(log), "end")}`);
  const down = range(x0, x1).map((log) => `<path class="grid" d="M${x(log)} 0V${HEIGHT}"/>${text(x(log), HEIGHT + 18, shown(log), "middle")}`);
  const lines = Object.entries(COLOURS).map(([name, colour]) => {
    const own = points.filter(({ contender }) => contender === name).map(of);
    const path = own.map(([a, b], at) => `${at ? "L" : "M"}${x(a)} ${y(b)}`).join("");
    return own.length ? `<path d="${path}" stroke="${colour}" stroke-width="${stroke(name)}"/>` : "";
  });
  return [`<text class="title" y="-16">${title}</text>`, ...across, ...down, text(WIDTH / 2, HEIGHT + 34, "tools", "middle"), ...lines.reverse()].join("\n");
}

function stroke(name) {
  return name === OURS ? 3 : 1.5;
}

function text(x, y, what, anchor) {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${what}</text>`;
}

function shown(log) {
  return log < 0 ? String(10 ** log) : (10 ** log).toLocaleString("en");
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function round(number) {
  return Math.round(number * 10) / 10;
}
