// @ts-check
// What the user sees: progress on stderr, the report on stdout.
import { cut, grouped, line, palette, plain, table } from "./terminal.mjs";

/** @typedef {import("./run.mjs").Listener} Listener */
/** @typedef {import("./run.mjs").RunResult} RunResult */
/** @typedef {import("./requests.mjs").RequestRow} RequestRow */

/** @typedef {Listener & { onEnd: (result: RunResult) => void }} Report */

const REASONS = {
  always: "deferral is switched on",
  never: "deferral is switched off",
  "above-threshold": "they reach the threshold",
  "below-threshold": "they stay below the threshold",
  "direct-model": "this model gets every tool",
  "nothing-to-defer": "there is nothing to defer",
};

const progress = palette(process.stderr);

/** @type {Listener["onServer"]} */
const onServer = (server) => {
  const seconds = `${(server.milliseconds / 1000).toFixed(1)} s`;
  const name = server.spec.name.padEnd(16);
  const text =
    server.status === "ready"
      ? `${progress.green("up")}    ${name} ${String(server.tools.length).padStart(4)} tools  ${progress.dim(seconds)}`
      : `${progress.red("down")}  ${name} ${cut(server.reason, 80)}`;
  process.stderr.write(`${text}\n`);
};

/** @returns {Report} */
export function jsonReport() {
  const nothing = () => {};
  return {
    onServer,
    onCatalog: nothing,
    onTurn: nothing,
    onRequest: nothing,
    onResult: nothing,
    onEnd: (result) => process.stdout.write(`${JSON.stringify(result, null, 2)}\n`),
  };
}

const COLUMNS = [3, 52, 5, 7, 8, 15];
const onRight = (/** @type {number} */ column) => column === 0 || (column >= 2 && column <= 4);

/** @returns {Report} */
export function textReport() {
  const { bold, dim, red, green, yellow } = palette(process.stdout);
  const print = (text = "") => process.stdout.write(`${text}\n`);

  return {
    onServer,

    onCatalog: (servers, { deferring, reason, tokens }) => {
      const sum = (/** @type {(row: typeof servers[number]) => number} */ of) => servers.reduce((total, row) => total + of(row), 0);
      const rows = servers.map(({ name, tools, tokensInFull, tokensByName }) => [name, tools, tokensInFull, tokensByName]);
      const total = ["together", sum(({ tools }) => tools), sum((row) => row.tokensInFull), sum((row) => row.tokensByName)];
      const [head = "", ...lines] = table(["Server", "Tools", "Tokens in full", "By name only"], [...rows, total]);
      print(`\n${bold(head)}\n${lines.slice(0, -1).join("\n")}\n${bold(lines.at(-1) ?? "")}\n`);

      print(bold(`Plan: ${deferring ? "tools are deferred" : "all tools are sent"}`));
      const why = `${grouped(tokens.deferrable)} tokens of tools can be deferred and the threshold is ${grouped(tokens.threshold)}: ${REASONS[reason]}.`;
      const parts = `direct tools ${grouped(tokens.direct)}, search tool ${grouped(tokens.searchTool)}, list of names ${grouped(tokens.listing)}`;
      const first = `The first request carries ${grouped(tokens.firstRequest)} (${parts}) and saves ${grouped(tokens.saved)}.`;
      for (const text of [why, first]) print(wrap(text).join("\n"));
    },

    onTurn: (number, asked) => {
      print(`\n${bold(`Turn ${number}`)}\n${wrap(asked).join("\n")}\n`);
      print(bold(line(["#", "The model", "Tools", "Tokens", "In full", "Cached prefix"], COLUMNS, onRight)));
    },

    onRequest: (row) => {
      const { held, brokenAt } = row.prefix;
      const numbers = [row.tools.length, row.toolTokens, row.fullTokens].map(grouped);
      const [first = "answers nothing", ...others] = row.did;
      const text = line([String(row.request), first, ...numbers, prefixText(row)], COLUMNS, onRight);
      print(held ? text : red(text));
      for (const other of others) print(line(["", other], COLUMNS, onRight));
      if (!held) print(red(`     the prefix broke at ${brokenAt}`));
    },

    onResult: (_tool, text, failed) => {
      const shown = cut(text, 93);
      print(failed ? yellow(`     ! ${shown}`) : dim(`     > ${shown}`));
    },

    onEnd: ({ ok, problems, failed, totals, activated, milliseconds, model }) => {
      const percent = totals.fullTokens > 0 ? (100 * totals.saved) / totals.fullTokens : 0;
      print(`\n${bold("Totals")} (model: ${plain(model)}, ${(milliseconds / 1000).toFixed(1)} s)`);
      const sums = `sent ${grouped(totals.toolTokens)} tokens of tools; full injection would have sent ${grouped(totals.fullTokens)}.`;
      print(`${totals.requests} requests ${sums}`);
      print(`${bold(`${grouped(totals.saved)} tokens saved, ${percent.toFixed(1)}%.`)} ${activated.length} tools were loaded.`);
      for (const { name, reason } of failed) print(yellow(`Left out: ${name}: ${cut(reason, 80)}`));
      for (const problem of problems) print(red(`Problem: ${plain(problem)}`));
      print(ok ? green("The run worked.") : red("The run did not work."));
    },
  };
}

/** @param {RequestRow} row */
function prefixText({ request, prefix }) {
  if (request === 1) return "first";
  if (!prefix.held) return "BROKEN";
  return prefix.added > 0 ? `held, ${prefix.added} more` : "held";
}

/** @param {string} text */
function wrap(text) {
  const lines = [""];
  for (const word of plain(text).split(" ")) {
    const last = lines[lines.length - 1] ?? "";
    if (last && last.length + word.length + 1 > 100) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
