// What the engine is to reach, beside what it does. A ratio is of medians; `least` is the same of minima.
import { MINISEARCH, OURS, TYPED } from "./contenders.mjs";

const TIMES = [
  ["query", MINISEARCH, { 400: 15, "10,000": 80, "100,000": 200 }],
  ["query", TYPED, { 400: 1, "10,000": 1.5, "100,000": 1.5 }],
  ["add", MINISEARCH, { 400: 3, "10,000": 5, "100,000": 5 }],
  ["addJson", MINISEARCH, { 400: 5, "10,000": 8, "100,000": 8 }],
];

/**
 * @typedef {object} Goal
 * @property {string} title
 * @property {string} size
 * @property {{ atLeast: number } | { atMost: number }} asked
 * @property {string} unit
 * @property {number} reached
 * @property {number} least
 * @property {boolean} isReached
 *
 * @returns {Goal[]} Those for which there are results.
 */
export function goals(results) {
  const all = [];
  for (const [section, other, sizes] of TIMES) {
    for (const [size, atLeast] of Object.entries(sizes)) {
      const row = (contender) => results[section]?.find((it) => it.size === size && it.contender === contender);
      const [ours, theirs] = [row(OURS), row(other)];
      if (ours && theirs) all.push(goal(`${section}, times faster than ${other}`, size, { atLeast }, "x", theirs.median / ours.median, theirs.least / ours.least));
    }
  }
  return all;
}

function goal(title, size, asked, unit, reached, least) {
  const isReached = "atLeast" in asked ? reached >= asked.atLeast : reached <= asked.atMost;
  return { title, size, asked, unit, reached, least, isReached };
}
