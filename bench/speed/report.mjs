// Results as tables, ratios first. Markdown that a terminal can show, too.
import { OURS } from "./contenders.mjs";
import { goals } from "./goals.mjs";

/** The rows of a measurement. */
export function report(rows) {
  const [heads, cells] = rows[0].contender && rows[0].median ? besideOurs(rows) : [[], () => []];
  const values = Object.keys(rows[0]).filter((key) => typeof rows[0][key] === "number");
  const body = rows.map((row) => [row.contender ?? row.what, ...cells(row), ...values.map((key) => number(row[key]))]);
  return table([["", ...heads, ...values], ...body]);
}

/** Columns of how many times ours another takes, by what is usual and by what is least. */
function besideOurs(rows) {
  const ours = rows.find(({ contender }) => contender === OURS);
  return [["times ours", "by least"], (row) => [row.median / ours.median, row.least / ours.least].map((ratio) => `${number(ratio)}x`)];
}

/** What was asked and what is reached, for everything that was measured. */
export function reportGoals(results) {
  const body = goals(results).map(({ title, size, asked, reached, unit, isReached }) => {
    const [usual, least = ""] = reached.map((value) => number(value) + unit);
    return [title, size, asked, usual, least, isReached ? "yes" : "NO"];
  });
  return table([["", "tools", "asked", "reached", "by least", ""], ...body]);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (cells, pad = " ") => `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0], pad) : cell.padStart(widths[at], pad))).join(" | ")} |`;
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(rows[0]), line(rule), ...rows.slice(1).map((row) => line(row))].join("\n");
}

/** With three digits, or all of those before the point. */
function number(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
