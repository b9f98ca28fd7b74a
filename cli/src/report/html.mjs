// @ts-check
// The report as one page that loads nothing: no script, no font, no picture from elsewhere.
import { grouped, plain } from "../terminal.mjs";
import { course, decision, dollars, firstRequest, percent } from "./text.mjs";

/** @typedef {import("./data.mjs").Report} Report */

const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --dim: #60646c; --page: #fcfcfd; --card: #fff; --line: #e2e4e9; --full: #8b8d98; --deferred: #0a7c66; --c0: #8b8d98; --c1: #c2410c; --c2: #0a7c66; --c3: #5b5bd6; }
@media (prefers-color-scheme: dark) { :root { --text: #edeef0; --dim: #b0b4ba; --page: #111113; --card: #18191b; --line: #2e3135; --full: #777b84; --deferred: #1fd8a4; --c0: #8b8f98; --c1: #f5a76c; --c2: #1fd8a4; --c3: #b1a9ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; } p { margin: .5rem 0; } .dim { color: var(--dim); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; } .card b { display: block; font-size: 1.6rem; line-height: 1.2; } .card span { color: var(--dim); font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { color: var(--dim); font-size: .85rem; font-weight: 600; } td.number, th.number { text-align: right; white-space: nowrap; } td.bar { width: 40%; min-width: 9rem; } code { font: .87em ui-monospace, monospace; overflow-wrap: anywhere; }
.bar i { display: block; height: .6rem; border-radius: .3rem; background: var(--full); min-width: 2px; } .bar i + i { margin-top: 3px; } .bar i.deferred { background: var(--deferred); }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: .2rem; margin-right: .35rem; } svg { display: block; width: 100%; height: auto; margin-top: .5rem; } svg text { fill: var(--dim); font: 12px system-ui, sans-serif; } .failed { border-left: 3px solid var(--c1); padding-left: 1rem; }
`;

/** @param {Report} report */
export function htmlOf(report) {
  const { servers, failed, tools, plan, deferredRequest, biggest, conversation } = report;
  const full = plan.tokens.full;
  const saved = full - deferredRequest;
  const card = (/** @type {string} */ number, /** @type {string} */ text) => `<div class="card"><b>${escaped(number)}</b><span>${escaped(text)}</span></div>`;
  const mostOfServer = Math.max(1, ...servers.map(({ full }) => full));
  const serverRows = servers.map(
    (row) =>
      `<tr><td><code>${escaped(row.name)}</code></td>${number(row.tools)}${number(row.full)}${number(row.deferred)}<td class="bar">${bar(row.full, mostOfServer)}${bar(row.deferred, mostOfServer, "deferred")}</td></tr>`,
  );
  const mostOfTool = Math.max(1, ...biggest.map(({ tokens }) => tokens));
  const toolRows = biggest.map(({ name, tokens }) => `<tr><td><code>${escaped(name)}</code></td>${number(tokens)}<td class="number">${percent(tokens, full)}</td><td class="bar">${bar(tokens, mostOfTool)}</td></tr>`);
  const strategyRows = conversation.strategies.map(
    ({ strategy, first, all, cached, cost }, i) =>
      `<tr><td><span class="key" style="background:var(--c${i})"></span>${escaped(strategy)}</td>${number(first)}${number(all)}<td class="number">${percent(cached, all)}</td><td class="number">${dollars(cost)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Tools and what they cost</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Tools and what they cost</h1>
<p>${escaped(decision(report))}</p>
<div class="cards">
${card(grouped(tools), `tools of ${servers.length} ${servers.length === 1 ? "server" : "servers"}`)}
${card(grouped(full), "tokens in full, with every request")}
${card(grouped(deferredRequest), "tokens deferred, in the first request")}
${card(percent(Math.max(0, saved), full), "saved by deferral")}
</div>
<p class="dim">${escaped(firstRequest(report))}</p>
${failed.length > 0 ? `<div class="failed"><h2>Not among them</h2>\n${failed.map(({ name, reason }) => `<p><code>${escaped(name)}</code> ${escaped(reason)}</p>`).join("\n")}</div>\n` : ""}<h2>By server</h2>
<p class="dim"><span class="key" style="background:var(--full)"></span>tokens in full &nbsp; <span class="key" style="background:var(--deferred)"></span>deferred, names alone</p>
${tableOf(["Server"], ["Tools", "In full", "Deferred"], serverRows)}
<h2>Biggest definitions</h2>
${tableOf(["Tool"], ["Tokens", "Share"], toolRows)}
<h2>One conversation, by strategy</h2>
<p class="dim">A conversation of ${escaped(course(report))} Tokens are estimates.</p>
${tableOf(["Strategy"], ["First request", "All requests", "Cached", "Cost"], strategyRows, false)}
${chart(conversation.strategies)}
</body>
</html>
`;
}

/** @param {string} text */
function escaped(text) {
  return plain(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @param {number} value */
const number = (value) => `<td class="number">${grouped(value)}</td>`;

/**
 * @param {number} value
 * @param {number} most
 * @param {string} [kind]
 */
const bar = (value, most, kind = "full") => `<i class="${kind}" style="width:${((100 * value) / most).toFixed(2)}%" role="img" aria-label="${kind === "full" ? "in full" : kind} ${grouped(value)}"></i>`;

/**
 * @param {string[]} texts
 * @param {string[]} numbers
 * @param {string[]} rows
 * @param {boolean} [bars] Whether the last column has no head.
 */
function tableOf(texts, numbers, rows, bars = true) {
  const head = [...texts.map((text) => `<th>${text}</th>`), ...numbers.map((text) => `<th class="number">${text}</th>`), ...(bars ? ["<th></th>"] : [])];
  return `<div class="scroll"><table><thead><tr>${head.join("")}</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
}

/** Tokens of each request, as lines. @param {Report["conversation"]["strategies"]} strategies */
function chart(strategies) {
  const [width, height, left, right, top, bottom] = [860, 280, 64, 16, 16, 36];
  const steps = strategies[0]?.requests.length ?? 0;
  const most = Math.max(1, ...strategies.flatMap(({ requests }) => requests));
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * unit).find((size) => most / size <= 5) ?? 2 * unit;
  const x = (/** @type {number} */ i) => (left + ((width - left - right) * i) / Math.max(1, steps - 1)).toFixed(1);
  const y = (/** @type {number} */ tokens) => (height - bottom - ((height - top - bottom) * tokens) / most).toFixed(1);
  const lines = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  const grid = lines.map((at) => `<line x1="${left}" x2="${width - right}" y1="${y(at)}" y2="${y(at)}" stroke="var(--line)"/><text x="${left - 8}" y="${y(at)}" dy="4" text-anchor="end">${grouped(Math.round(at))}</text>`);
  const marks = Array.from({ length: steps }, (_, i) => `<text x="${x(i)}" y="${height - bottom + 20}" text-anchor="middle">${i + 1}</text>`).filter((_, i) => steps <= 24 || i % Math.ceil(steps / 24) === 0);
  const paths = strategies.map(({ strategy, requests }, i) => {
    const points = requests.map((tokens, at) => `${x(at)},${y(tokens)}`).join(" ");
    // Lines that lie on each other stay visible.
    return `<polyline points="${points}" fill="none" stroke="var(--c${i})" stroke-width="2.5"${i > 1 ? ` stroke-dasharray="${i === 2 ? "7 5" : "2 5"}"` : ""} stroke-linejoin="round" stroke-linecap="round"><title>${escaped(strategy)}</title></polyline>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Tokens of each request, by strategy">
${grid.join("\n")}
${marks.join("")}
${paths.join("\n")}
</svg>
<p class="dim">Tokens of each request, from the first to the last.</p>`;
}
