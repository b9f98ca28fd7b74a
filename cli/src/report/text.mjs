// @ts-check
// The report for a terminal, and as Markdown.
import { cut, grouped, palette, plain, table, wrap } from "../terminal.mjs";

/** @typedef {import("./data.mjs").Report} Report */

export const percent = (/** @type {number} */ part, /** @type {number} */ whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)}%` : "0%");
export const dollars = (/** @type {number} */ amount) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;

/** @param {Report["servers"]} servers @param {(row: Report["servers"][number]) => number} of */
const total = (servers, of) => servers.reduce((sum, row) => sum + of(row), 0);

/** @param {Report} report */
export function decision({ plan, contextWindow }) {
  return `${plan.deferring ? "Deferral switches on" : "Deferral stays off"} in a context window of ${grouped(contextWindow)} tokens: ${plan.why}.`;
}

/** @param {Report} report */
export function firstRequest({ plan: { tokens, deferring }, deferredRequest }) {
  const parts = `direct tools ${grouped(tokens.direct)}, search tool ${grouped(tokens.searchTool)}, names ${grouped(tokens.listing)}`;
  const saved = tokens.full - deferredRequest;
  const saves = saved >= 0 ? `saves ${grouped(saved)} (${percent(saved, tokens.full)})` : `costs ${grouped(-saved)} more`;
  return `A first request with every tool carries ${grouped(tokens.full)} tokens of tools; deferred it ${deferring ? "carries" : "would carry"} ${grouped(deferredRequest)} (${parts}), which ${saves}.`;
}

/** @param {Report} report */
export function course({ conversation: { steps, searches, loaded, stepTokens, price, cachedPrice } }) {
  const found = `at most ${searches} searches that load ${grouped(loaded)} tools in all`;
  return `${steps} requests, ${found}, ${grouped(stepTokens)} tokens of other messages with each; $${price} for a million tokens of input, $${Number(cachedPrice.toPrecision(6))} for cached ones.`;
}

/** @param {Report} report */
function tables(report) {
  const { servers, biggest, tools, plan, conversation } = report;
  const sum = ["together", tools, plan.tokens.full, total(servers, ({ deferred }) => deferred), ""];
  const rows = servers.map(({ name, tools, full, deferred, biggest }) => [name, tools, full, deferred, biggest.name && `${cut(biggest.name, 38)} ${grouped(biggest.tokens)}`]);
  return {
    servers: { head: ["Server", "Tools", "In full", "Deferred", "Biggest"], rows: servers.length > 1 ? [...rows, sum] : rows },
    biggest: { head: ["Biggest definitions", "Tokens", "Share"], rows: biggest.map(({ name, tokens }) => [name, tokens, percent(tokens, plan.tokens.full)]) },
    strategies: {
      head: ["Strategy", "First request", "All requests", "Cached", "Cost"],
      rows: conversation.strategies.map(({ strategy, first, all, cached, cost }) => [strategy, first, all, percent(cached, all), dollars(cost)]),
    },
  };
}

/** @param {Report} report */
export function textOf(report) {
  const colours = palette(process.stdout);
  /** A name may be long; its column is not. @param {{ head: string[], rows: (string | number)[][] }} one @param {number} first */
  const narrow = ({ head, rows }, first) => table(head, rows.map(([name = "", ...cells]) => [cut(String(name), first), ...cells]), colours);
  const { servers, biggest, strategies } = tables(report);
  return [
    narrow(servers, 24),
    `${colours.bold(wrap(decision(report)))}\n${wrap(firstRequest(report))}`,
    narrow(biggest, 72),
    `${narrow(strategies, 32)}\n\n${wrap(`A conversation of ${course(report)} Tokens are estimates.`)}`,
    "",
  ].join("\n\n").replace(/\n\n$/, "\n");
}

/** @param {Report} report */
export function markdownOf(report) {
  const { servers, biggest, strategies } = tables(report);
  const failed = report.failed.map(({ name, reason }) => `- ${escaped(name)} failed: ${escaped(reason)}`);
  return [
    "# Tools and what they cost",
    markdownTable(servers),
    `**${escaped(decision(report))}** ${escaped(firstRequest(report))}`,
    ...(failed.length > 0 ? [failed.join("\n")] : []),
    "## Biggest definitions",
    markdownTable(biggest),
    "## One conversation, by strategy",
    markdownTable(strategies),
    `A conversation of ${course(report)} Tokens are estimates.\n`,
  ].join("\n\n");
}

/** @param {{ head: string[], rows: (string | number)[][] }} table */
function markdownTable({ head, rows }) {
  const aligns = head.map((_, column) => (typeof rows[0]?.[column] === "number" ? "--:" : "---"));
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "number" ? grouped(cell) : escaped(cell))));
  return [head, aligns, ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Names and reasons come from servers: they must not end a cell, nor be read as markup. @param {string} text */
function escaped(text) {
  return plain(text).replace(/[\\`*_[\]<>|#~!&]/g, (character) => (character === "_" ? "_" : `\\${character}`)).replaceAll("\\<", "&lt;").replaceAll("\\&", "&amp;");
}
