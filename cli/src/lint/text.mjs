// @ts-check
// Findings for a terminal: by rule, so that why it matters and what to do are said once.
import { counted, cut, palette, plain, table, wrap } from "../terminal.mjs";
import { RULES } from "./rules.mjs";

/** So many findings of a rule are shown. */
const SHOWN = 10;

/**
 * @param {import("./lint.mjs").Linted} linted
 * @param {{ all?: boolean }} flags
 */
export function textOf({ findings, summary }, { all = false }) {
  const colours = palette(process.stdout);
  const paint = { error: colours.red, warning: colours.yellow, info: colours.blue };
  const parts = [];
  for (const severity of /** @type {const} */ (["error", "warning", "info"])) {
    for (const { id, title, why, fix } of RULES) {
      const those = findings.filter((finding) => finding.rule === id && finding.severity === severity && !finding.suppressed);
      if (those.length === 0) continue;
      const shown = all ? those : those.slice(0, SHOWN);
      const lines = shown.map(({ tool, server, message }) => `  ${colours.bold(cut(tool ?? server, 80))}\n${wrap(message, "    ")}`);
      if (shown.length < those.length) lines.push(`  … and ${those.length - shown.length} more (--all shows them)`);
      parts.push([`${paint[severity](severity)}  ${colours.bold(id)}  ${title}`, wrap(`${why} ${fix}`, "  "), ...lines].join("\n"));
    }
  }
  const { errors, warnings, infos, suppressed, tools, servers } = summary;
  const counts = [counted(errors, "error"), counted(warnings, "warning"), ...(infos > 0 ? [`${infos} for information`] : []), ...(suppressed > 0 ? [`${suppressed} suppressed`] : [])];
  parts.push(`${counts.join(", ")} in ${counted(tools, "tool")} of ${counted(servers, "server")}.`);
  return `${parts.join("\n\n")}\n`;
}

/** The rules as a table. */
export function rulesText() {
  const options = (/** @type {Record<string, number>} */ of) => Object.entries(of).map(([name, value]) => `${name} ${value}`).join(", ");
  return `${table(["Rule", "Severity", "Finds", "Options"], RULES.map(({ id, severity, title, options: of = {} }) => [plain(id), severity, title, options(of)]), palette(process.stdout))}\n`;
}
