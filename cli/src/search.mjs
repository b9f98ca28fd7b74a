// @ts-check
// `search`: what a query finds, and why.
import { createInterface } from "node:readline/promises";
import { ToolSearchError } from "tool-search";
import { InputError } from "./errors.mjs";
import { cut, palette, plain, table, wrap } from "./terminal.mjs";

/** @typedef {import("tool-search").ToolSearch} ToolSearch */
/** @typedef {import("tool-search").SearchResult} SearchResult */

/** @typedef {{ limit: number, json?: boolean, reply?: boolean, compact?: boolean }} SearchFlags `compact`: JSON on one line. */

/**
 * Answers one query on stdout.
 * @param {ToolSearch} search
 * @param {string} query
 * @param {SearchFlags} flags
 * @returns {boolean} whether it found anything
 * @throws InputError for a query that is none
 */
export function answer(search, query, { limit, json = false, reply = false, compact = false }) {
  const indent = compact ? 0 : 2;
  if (reply) {
    const session = search.session({ defer: "always" });
    const { text, loaded, alreadyLoaded, result } = session.handle({ query, max_results: limit });
    process.stdout.write(json ? `${JSON.stringify({ query, text, loaded }, null, indent)}\n` : `${text.split("\n").map(plain).join("\n")}\n`);
    session.free();
    return loaded.length + alreadyLoaded.length + (result?.direct.length ?? 0) > 0;
  }
  const result = found(search, query, limit);
  process.stdout.write(json ? `${JSON.stringify(result, null, indent)}\n` : `${textOf(result)}\n`);
  return result.matches.length + result.direct.length > 0;
}

/**
 * @param {ToolSearch} search
 * @param {string} query
 * @param {number} limit
 */
function found(search, query, limit) {
  try {
    return search.search(query, { limit, explain: true });
  } catch (error) {
    throw error instanceof ToolSearchError ? new InputError(error.message) : error;
  }
}

const KINDS = { select: "by name", server: "tools of a server", keywords: "by words", regex: "by a pattern" };

/** @param {SearchResult} result */
function textOf(result) {
  const colours = palette(process.stdout);
  const { kind, matches, more, missing, direct, ambiguous, suggestions, confidence } = result;
  const rows = matches.map((match, i) => [String(i + 1), cut(match.name, 48), match.score > 0 ? match.score.toFixed(2) : "", cut(reasonOf(match, kind), 44)]);
  const list = (/** @type {string[]} */ names) => names.map(plain).join(", ");
  const notes = [
    matches.length === 0 && "Nothing matches.",
    more > 0 && `${more} more match.`,
    direct.length > 0 && `Callable without a search: ${list(direct)}.`,
    missing.length > 0 && `No tool is called ${list(missing)}.`,
    ...ambiguous.map(({ name, candidates }) => `"${plain(name)}" may be any of ${list(candidates)}.`),
    confidence === "low" && "Doubtful: the rarest word of the query is in no tool.",
    suggestions.length > 0 && `Close names: ${list(suggestions)}.`,
  ].filter((note) => note !== false);
  const head = ["", `Tool (${KINDS[kind]})`, "Score", "Why"];
  return [...(rows.length > 0 ? [table(head, rows, colours)] : []), ...notes.map((note) => wrap(note))].join("\n");
}

/** @param {SearchResult["matches"][number]} match @param {SearchResult["kind"]} kind */
function reasonOf({ tier, explain = [], server }, kind) {
  if (kind === "server") return `a tool of ${server ?? "the agent"}`;
  /** @type {Map<string, number>} */
  const weights = new Map();
  for (const { term, field, weight } of explain) weights.set(`${term} in ${field}`, (weights.get(`${term} in ${field}`) ?? 0) + weight);
  const byWord = [...weights].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a).slice(0, 3).map(([what, weight]) => `${what} ${weight.toFixed(1)}`);
  const byName = { exact: ["its name"], alias: ["another spelling of its name"], keywords: [], meaning: ["its meaning"] }[tier];
  return [...byName, ...byWord].join(", ");
}

/**
 * Answers queries line by line until the input ends; asks for them on a terminal.
 * @param {ToolSearch} search
 * @param {SearchFlags} flags
 * @returns {Promise<boolean>} whether all found something; a dialogue has no result
 */
export async function answerLines(search, flags) {
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  const { bold, dim, red } = palette(process.stdout);
  const lines = createInterface({ input: process.stdin, ...(terminal && { output: process.stdout, prompt: bold("query> ") }) });
  lines.on("SIGINT", () => lines.close());
  if (terminal) process.stdout.write(dim(`${search.size} tools. Words, +word, select:name, server:name; an empty line ends.\n`));
  let all = true;
  if (terminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() === "" && terminal) break;
    if (line.trim() !== "") {
      try {
        all = answer(search, line.trim(), { ...flags, compact: true }) && all;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        all = false;
        process.stdout.write(`${red(plain(error.message))}\n`);
      }
    }
    if (terminal) lines.prompt();
  }
  lines.close();
  return terminal || all;
}
