// What the engine is to reach, beside what it does.
import { ACTIVATED } from "./arrays.mjs";
import { COLD } from "./cold.mjs";
import { ADDITIVE, MINISEARCH, OURS, TYPED } from "./contenders.mjs";
import { ANEW, CHANGES } from "./incremental.mjs";
import { RESTORE } from "./restore.mjs";

/**
 * @typedef {object} Goal
 * @property {string} section
 * @property {string} title
 * @property {string} row What is to be reached, a `contender` or a `what`,
 * @property {string} [beside] in how many times that,
 * @property {string} [at] and if that is not in the same catalog, in which.
 * @property {string} [key] What of the rows; default the median, and the least beside it.
 * @property {boolean} [faster] At least so many times faster; else at most so much.
 * @property {string} unit
 * @property {Record<string, number>} asked By size of catalog.
 */

const snapshot = Object.keys(COLD)[0];
const [few, many] = ["400", "10,000"];

/** @type {Goal[]} */
const GOALS = [
  { section: "query", title: "query", row: OURS, beside: MINISEARCH, faster: true, unit: "x", asked: { 400: 15, "10,000": 80, "100,000": 200 } },
  { section: "query", title: "query", row: OURS, beside: TYPED, faster: true, unit: "x", asked: { 400: 1, "10,000": 1.5, "100,000": 1.5 } },
  { section: "add", title: "add and index", row: OURS, beside: MINISEARCH, faster: true, unit: "x", asked: { 400: 3, "10,000": 5, "100,000": 5 } },
  { section: "addJson", title: "addJson and index", row: OURS, beside: MINISEARCH, faster: true, unit: "x", asked: { 400: 5, "10,000": 8, "100,000": 8 } },
  { section: "cold", title: "cold, from a snapshot", row: snapshot, beside: MINISEARCH, faster: true, unit: "x", asked: { 400: 8, "10,000": 40 } },
  { section: "cold", title: "cold", row: OURS, beside: ADDITIVE, unit: "x", asked: { 400: 3 } },
  { section: "restore", title: "restore", row: RESTORE, unit: " ms", asked: { "10,000": 10 } },
  // Its share is 5%.
  ...CHANGES.map((row) => ({ section: "incremental", title: row, row, beside: ANEW, unit: "x", asked: { "1,000": 0.1, "10,000": 0.1 } })),
  ...ACTIVATED.map((count) => ({ section: "arrays", title: `tools(), ${count} activated`, row: `tools(), ${count} activated`, beside: `tools(), ${count} activated`, at: few, unit: "x", asked: { [many]: 1.5 } })),
  { section: "memory", title: "memory, of the text", row: OURS, key: "timesText", unit: "x", asked: { "1,000": 5, "10,000": 5, "100,000": 5 } },
  { section: "sessions", title: "a session", row: "a session", key: "bytes", unit: " B", asked: { "1,000": 500 } },
];

/** Those for which there are results. @returns {{ title: string, size: string, asked: string, reached: number[], unit: string, isReached: boolean }[]} */
export function goals(results) {
  return GOALS.flatMap((goal) => Object.entries(goal.asked).flatMap(([size, asked]) => judged(results[goal.section] ?? [], goal, size, asked)));
}

function judged(rows, { title, row, beside, at, key, faster, unit }, size, asked) {
  const find = (name, size) => rows.find((it) => it.size === size && (it.contender ?? it.what) === name);
  const ours = find(row, size);
  const other = beside && find(beside, at ?? size);
  if (!ours || (beside && !other)) return [];
  const value = (key) => (other ? (faster ? other[key] / ours[key] : ours[key] / other[key]) : ours[key]);
  const reached = (key ? [key] : ["median", "least"]).map(value);
  const isReached = faster ? reached[0] >= asked : reached[0] <= asked;
  const against = other ? `${faster ? ", faster than" : ", of"} ${at ? `that at ${at}` : beside}` : "";
  return [{ title: title + against, size, asked: `${faster ? "≥" : "≤"} ${asked}${unit}`, reached, unit, isReached }];
}
