// @ts-check
// What `report` says, as data. Every form of it is made of this.
import { estimateTokens, ToolSearch } from "tool-search";
import { addTo, catalogOf } from "../sources.mjs";
import { tokensOf } from "../tokens.mjs";
import { conversation, definitionOf } from "./conversation.mjs";

/** @typedef {import("./conversation.mjs").ConversationOptions} ConversationOptions */

/**
 * @typedef {object} ServerRow
 * @property {string} name
 * @property {number} tools
 * @property {number} full Tokens of its definitions.
 * @property {number} deferred Tokens of the names that stand for them.
 * @property {{ name: string, tokens: number }} biggest
 * @property {number} leftOut Tools that no catalog takes.
 */

/**
 * @typedef {object} Report
 * @property {ServerRow[]} servers
 * @property {{ name: string, reason: string }[]} failed
 * @property {number} tools
 * @property {number} contextWindow
 * @property {{ deferring: boolean, reason: string, why: string, tokens: import("tool-search").Plan["tokens"] }} plan
 * @property {number} deferredRequest Tokens of a first request with deferral, whether or not it pays.
 * @property {{ name: string, server: string, tokens: number }[]} biggest
 * @property {ConversationOptions & { loaded: number, strategies: import("./conversation.mjs").StrategyRow[] }} conversation
 */

/**
 * @param {{ sources: import("../sources.mjs").Source[], failed: import("../sources.mjs").Failed[] }} read
 * @param {import("tool-search").ToolSearchOptions & { contextWindow: number }} engine
 * @param {ConversationOptions & { top: number }} options
 * @returns {Report}
 */
export function reportOf(read, engine, { top, ...options }) {
  const search = catalogOf(read, engine);
  const failed = new Set(read.failed.map(({ name }) => name)); // as some only turn out to be in a catalog with the others
  const measured = read.sources.filter(({ name }) => !failed.has(name)).map((source) => measure(source, engine));
  const servers = measured.map(({ row }) => row);
  const biggest = measured.flatMap(({ definitions }) => definitions).sort((a, b) => b.tokens - a.tokens);
  const plan = search.plan();
  const { rows, loaded } = conversation(search, options);
  const report = {
    servers,
    failed: read.failed.map(({ name, reason }) => ({ name, reason })),
    tools: search.size,
    contextWindow: engine.contextWindow,
    plan: { ...plan, why: whyOf(plan) },
    deferredRequest: search.plan({ defer: "always" }).tokens.firstRequest,
    biggest: biggest.slice(0, top),
    conversation: { ...options, loaded, strategies: rows },
  };
  search.free();
  return report;
}

/**
 * @param {import("../sources.mjs").Source} source
 * @param {import("tool-search").ToolSearchOptions} engine
 */
function measure(source, engine) {
  const { name, leftOut } = source;
  const search = new ToolSearch(engine);
  addTo(search, source);
  const names = search.names();
  const definitions = names.map((callable) => ({ name: callable, server: name, tokens: tokensOf(definitionOf(search, callable)) }));
  const [first = { name: "", tokens: 0 }, ...others] = definitions;
  const { name: biggest, tokens } = others.reduce((most, one) => (one.tokens > most.tokens ? one : most), first);
  /** @type {ServerRow} */
  const row = {
    name,
    tools: names.length,
    full: search.plan().tokens.full,
    deferred: estimateTokens(names.join("\n")),
    biggest: { name: biggest, tokens },
    leftOut: leftOut.length,
  };
  search.free();
  return { row, definitions };
}

/** @param {import("tool-search").Plan} plan */
function whyOf({ reason, tokens: { deferrable, threshold } }) {
  const number = (/** @type {number} */ tokens) => tokens.toLocaleString("en-US");
  const definitions = `the definitions come to ${number(deferrable)} tokens`;
  if (reason === "above-threshold") return `${definitions}, and deferral begins at ${number(threshold)}`;
  if (reason === "below-threshold") return `${definitions}, and deferral begins only at ${number(threshold)}`;
  if (reason === "nothing-to-defer") return "every tool asks to be sent whole";
  return `it was asked for (${reason})`;
}
