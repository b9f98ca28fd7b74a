// The rows of a run as a table: the means, the time, then R@5 set by set.

/** For a terminal, with the heads broken at dashes so that the columns stay narrow. */
export function plain(rows, sets) {
  const [head, ...body] = cells(rows, sets);
  const heads = head.map((title) => title.split("-"));
  const height = Math.max(...heads.map(({ length }) => length));
  const lines = Array.from({ length: height }, (_, line) => heads.map((parts) => parts[parts.length - height + line] ?? ""));
  const widths = head.map((_, column) => Math.max(...[...lines, ...body].map((row) => row[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  const rule = widths.map((width) => "─".repeat(width));
  return [...lines, rule, ...body].map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

export function markdown(rows, sets) {
  const [head, ...body] = cells(rows, sets);
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cells(rows, sets) {
  const quiet = rows.some((row) => row.quiet !== undefined);
  const head = ["contender", "R@1", "R@5", "MRR", ...(quiet ? ["quiet"] : []), "µs", ...sets.map(({ set }) => set)];
  const body = rows.map((row) => [
    row.contender,
    ...[row["R@1"], row["R@5"], row.MRR, ...(quiet ? [row.quiet] : [])].map(share),
    row.microseconds.toFixed(row.microseconds < 10 ? 1 : 0),
    ...row.perSet.map((scores) => share(scores["R@5"])),
  ]);
  return [head, ...body];
}

/** `.812`: every number in the table is at most 1. */
function share(number) {
  return number.toFixed(3).replace(/^0/, "");
}
