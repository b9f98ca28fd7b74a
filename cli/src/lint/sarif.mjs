// @ts-check
// Findings as SARIF 2.1.0, which code reviews read (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { RULES } from "./rules.mjs";

const LEVELS = /** @type {const} */ ({ error: "error", warning: "warning", info: "note" });

/**
 * @param {import("./lint.mjs").Linted} linted
 * @param {string} version Of the command.
 * @returns {import("sarif").Log}
 */
export function sarifOf({ findings }, version) {
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "tool-search", semanticVersion: version, rules: RULES.map(descriptorOf) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { "%SRCROOT%": { description: { text: "The folder that lint was run in." } } },
        results: findings.map(resultOf),
      },
    ],
  };
}

/**
 * @param {import("./rules.mjs").Rule} rule
 * @returns {import("sarif").ReportingDescriptor}
 */
function descriptorOf({ id, title, why, fix, severity }) {
  return {
    id,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: why },
    help: { text: `${why} ${fix}`, markdown: `${why}\n\n**What to do:** ${fix}` },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/**
 * @param {import("./lint.mjs").Finding} finding
 * @returns {import("sarif").Result}
 */
function resultOf({ rule, severity, server, tool, message, fix, place, suppressed }) {
  const about = tool ?? server;
  const logicalLocations = [{ name: about, fullyQualifiedName: tool === undefined ? server : `${server}/${tool}`, kind: tool === undefined ? "module" : "function" }];
  const physicalLocation = place && { artifactLocation: artifactOf(place.file), region: { startLine: place.line } };
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level: LEVELS[severity],
    message: { text: `${about}: ${message} ${fix}` },
    locations: [{ ...(physicalLocation && { physicalLocation }), logicalLocations }],
    // The message changes with other tools; what it is about does not.
    partialFingerprints: { "toolAndRule/v1": createHash("sha256").update(`${rule}\0${server}\0${about}`).digest("hex").slice(0, 32) },
    suppressions: suppressed ? [{ kind: suppressed.kind, ...(suppressed.reason && { justification: suppressed.reason }) }] : [],
  };
}

/** @param {string} file */
function artifactOf(file) {
  const path = relative(process.cwd(), resolve(file));
  if (path.startsWith("..") || isAbsolute(path)) return { uri: pathToFileURL(resolve(file)).href };
  return { uri: path.split(sep).map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
}
