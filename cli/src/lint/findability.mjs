// @ts-check
// Whether a search brings a tool: every tool is looked for in the whole catalog, in its own words and in others for the same.
import { ToolSearchError } from "tool-search";
import { paraphrases, telling, wordsOf, wordsOfName } from "./words.mjs";

/** @typedef {import("tool-search").ToolDefinition} ToolDefinition */

/** A query that does not bring the tool, and the tools that it brings instead. @typedef {{ query: string, instead: string[] }} Miss */

/** Words of a query: models write a few, not sentences. */
const LONGEST = 6;
/** Other ways to say one query. */
const WAYS = 4;

/**
 * What a model may ask for that means this tool.
 * @param {ToolDefinition} tool
 * @returns {{ own: string[], others: string[] }}
 */
export function queriesFor({ name, title, description }) {
  const fromName = wordsOfName(name);
  const sentence = (description ?? "").split(/(?<=[.!?:])\s|\n/).find((part) => part.trim() !== "") ?? "";
  const fromDescription = telling(wordsOf(sentence)).slice(0, LONGEST);
  const own = [fromName, wordsOf(title ?? ""), fromDescription].filter((words) => words.length > 0);
  const others = own.flatMap((words) => paraphrases(words, WAYS));
  const said = own.map((words) => words.join(" "));
  return { own: [...new Set(said)], others: [...new Set(others)].filter((query) => !said.includes(query)) };
}

/**
 * @param {import("tool-search").ToolSearch} search
 * @param {string} name Callable.
 * @param {string[]} queries
 * @param {number} top How many matches a model is given.
 * @returns {Miss[]}
 */
export function misses(search, name, queries, top) {
  return queries.flatMap((query) => {
    const instead = found(search, query, top);
    return instead.includes(name) ? [] : [{ query, instead }];
  });
}

/**
 * What the model would see: matches, tools that it has anyway, and those that a shared name may mean.
 * @param {import("tool-search").ToolSearch} search
 * @param {string} query
 * @param {number} limit
 */
function found(search, query, limit) {
  try {
    const { matches, direct, ambiguous } = search.search(query, { limit });
    return [...direct, ...matches.map(({ name }) => name), ...ambiguous.flatMap(({ candidates }) => candidates)].slice(0, Math.max(limit, direct.length));
  } catch (error) {
    if (error instanceof ToolSearchError) return []; // words of no script that is searched
    throw error;
  }
}
