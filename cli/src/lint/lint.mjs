// @ts-check
// Runs the rules over the tools.
import { ToolSearch } from "tool-search";
import { addTo, catalogOf } from "../sources.mjs";
import { RULES } from "./rules.mjs";
import { suppressionOf } from "./settings.mjs";

/** @typedef {import("../sources.mjs").Source} Source */

/**
 * @typedef {object} Finding
 * @property {string} rule
 * @property {"error" | "warning" | "info"} severity
 * @property {string} server
 * @property {string} [tool] Its callable name; none when it is about the server.
 * @property {string} message
 * @property {string} why Why it matters.
 * @property {string} fix What to do.
 * @property {import("./findability.mjs").Miss[]} [misses] Queries that do not bring the tool, and the tools that stand in its way.
 * @property {{ file: string, line: number }} [place]
 * @property {{ kind: "external" | "inSource", reason: string }} [suppressed]
 */

/**
 * @typedef {object} Linted
 * @property {Finding[]} findings Suppressed ones too.
 * @property {{ errors: number, warnings: number, infos: number, suppressed: number, tools: number, servers: number }} summary
 */

/**
 * @param {{ sources: Source[], failed: import("../sources.mjs").Failed[] }} read
 * @param {import("./settings.mjs").Settings} settings
 * @returns {Linted}
 */
export function lint(read, settings) {
  const search = catalogOf(read);
  const failed = new Set(read.failed.map(({ name }) => name));
  const sources = read.sources.filter(({ name }) => !failed.has(name));
  const entries = sources.flatMap(entriesOf);
  /** @type {Finding[]} */
  const findings = [];
  for (const { id, why, fix, check } of RULES) {
    const { severity, options } = /** @type {NonNullable<ReturnType<typeof settings.rules.get>>} */ (settings.rules.get(id));
    if (severity === "off") continue;
    for (const found of check({ sources, entries, search }, options)) {
      const { source, tool, name, message, misses } = found;
      const suppressed = suppressionOf(settings, id, found);
      const place = placeOf(source, tool?.name ?? name);
      const about = name === source.name && !tool ? {} : { tool: name };
      findings.push({ rule: id, severity, server: source.name, ...about, message, why, fix, ...(misses && { misses }), ...(place && { place }), ...(suppressed && { suppressed }) });
    }
  }
  search.free();
  const count = (/** @type {Finding["severity"]} */ wanted) => findings.filter(({ severity, suppressed }) => severity === wanted && !suppressed).length;
  const suppressed = findings.filter((finding) => finding.suppressed).length;
  const summary = { errors: count("error"), warnings: count("warning"), infos: count("info"), suppressed, tools: entries.length, servers: sources.length };
  return { findings, summary };
}

/**
 * Its tools with their callable names.
 * @param {Source} source
 * @returns {import("./rules.mjs").Entry[]}
 */
function entriesOf(source) {
  const search = new ToolSearch();
  addTo(search, source);
  const entries = search.names().map((name) => ({ source, name, tool: /** @type {import("tool-search").ToolDefinition} */ (search.get(name)) }));
  search.free();
  return entries;
}

/**
 * The line of a file where a tool is named, or that of its server.
 * @param {Source} source
 * @param {string} name
 */
function placeOf({ place, text }, name) {
  if (!place || text === undefined) return place;
  const at = text.search(new RegExp(`"name"\\s*:\\s*${JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`));
  return at < 0 ? place : { ...place, line: text.slice(0, at).split("\n").length };
}
