// @ts-check
// What of the rules holds: a file of the project, the command line, and what tools say of themselves.
import { existsSync } from "node:fs";
import { parse as parseJsonc } from "jsonc-parser";
import { isObject, readText } from "../config.mjs";
import { InputError } from "../errors.mjs";
import { RULES } from "./rules.mjs";

/** Read from the current folder when it is there. */
export const SETTINGS_FILE = "tool-search.lint.json";
/** An array of rules in a tool's `_meta`, which it asks to be let off. */
export const META_KEY = "tool-search/lint-ignore";

const SEVERITIES = /** @type {const} */ (["off", "info", "warning", "error"]);

/** @typedef {{ rule?: string, tool?: string, reason?: string }} Ignore `tool`: callable or raw name, or server; `*` and `?` stand for others. */

/**
 * @typedef {object} Settings
 * @property {Map<string, { severity: typeof SEVERITIES[number], options: Record<string, number> }>} rules
 * @property {Ignore[]} ignore
 * @property {number} maxWarnings
 */

/**
 * @param {{ lintConfig?: string, rule?: string[], maxWarnings?: number }} flags
 * @returns {Settings}
 * @throws InputError
 */
export function readSettings({ lintConfig, rule = [], maxWarnings }) {
  const file = lintConfig ?? (existsSync(SETTINGS_FILE) ? SETTINGS_FILE : undefined);
  const content = file === undefined ? {} : parse(file);
  const rules = new Map(RULES.map(({ id, severity, options = {} }) => [id, { severity: /** @type {typeof SEVERITIES[number]} */ (severity), options: { ...options } }]));
  for (const [id, value] of Object.entries(content.rules ?? {})) set(rules, id, value, String(file));
  for (const text of rule) {
    const [id = "", severity] = text.split("=");
    set(rules, id, severity, "--rule");
  }
  const ignore = (content.ignore ?? []).map((/** @type {unknown} */ one) => ignoreOf(one, String(file)));
  const most = maxWarnings ?? content.maxWarnings ?? Infinity;
  if (typeof most !== "number" || !(most >= 0)) throw new InputError(`${file}: "maxWarnings" must be a number.`);
  return { rules, ignore, maxWarnings: most };
}

/**
 * @param {string} file
 * @returns {Record<string, any>}
 */
function parse(file) {
  const content = parseJsonc(readText(file), [], { allowTrailingComma: true });
  if (!isObject(content)) throw new InputError(`${file} is no JSON object.`);
  const known = ["$schema", "rules", "ignore", "maxWarnings"];
  const unknown = Object.keys(content).find((key) => !known.includes(key));
  if (unknown) throw new InputError(`${file}: there is no setting "${unknown}"; there are rules, ignore and maxWarnings.`);
  if (content.rules !== undefined && !isObject(content.rules)) throw new InputError(`${file}: "rules" must be an object.`);
  if (content.ignore !== undefined && !Array.isArray(content.ignore)) throw new InputError(`${file}: "ignore" must be an array.`);
  return content;
}

/**
 * @param {Settings["rules"]} rules
 * @param {string} id
 * @param {unknown} value A severity, or an array of that and options.
 * @param {string} where
 */
function set(rules, id, value, where) {
  const rule = rules.get(id);
  if (!rule) throw new InputError(`${where}: there is no rule "${id}"; tool-search lint --list-rules names them.`);
  const [severity, options = {}] = Array.isArray(value) ? value : [value];
  if (!SEVERITIES.includes(severity)) throw new InputError(`${where}: ${id} must be one of ${SEVERITIES.join(", ")}.`);
  for (const [name, number] of Object.entries(options)) {
    if (!(name in rule.options)) throw new InputError(`${where}: ${id} has no option "${name}".`);
    if (typeof number !== "number" || !(number > 0)) throw new InputError(`${where}: the option "${name}" of ${id} must be a number above 0.`);
  }
  rule.severity = severity;
  Object.assign(rule.options, options);
}

/**
 * @param {any} one
 * @param {string} file
 * @returns {Ignore}
 */
function ignoreOf(one, file) {
  if (!isObject(one) || (one.rule === undefined && one.tool === undefined)) throw new InputError(`${file}: what is ignored needs a "rule", a "tool" or both.`);
  if (one.rule !== undefined && !RULES.some(({ id }) => id === one.rule)) throw new InputError(`${file}: there is no rule "${one.rule}" to ignore.`);
  return one;
}

/**
 * Why a finding is to be passed over; undefined when it is not.
 * @param {Settings} settings
 * @param {string} rule
 * @param {import("./rules.mjs").Found} found
 * @returns {{ kind: "external" | "inSource", reason: string } | undefined}
 */
export function suppressionOf({ ignore }, rule, { name, tool, source }) {
  const names = [name, tool?.name ?? name, source.name];
  const external = ignore.find((one) => (one.rule ?? rule) === rule && (one.tool === undefined || names.some((text) => glob(String(one.tool)).test(text))));
  if (external) return { kind: "external", reason: external.reason ?? "" };
  const own = tool?._meta?.[META_KEY];
  return Array.isArray(own) && own.includes(rule) ? { kind: "inSource", reason: `its _meta["${META_KEY}"]` } : undefined;
}

/** @param {string} pattern */
function glob(pattern) {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*").replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s");
}
