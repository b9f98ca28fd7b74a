/**
 * How well a ranking serves one query. R@k is the share of the right tools among the first k, so that a query with two right tools
 * reaches at most .5 at 1, and one with a server's forty tools .125 at 5: whoever ranks, the ceiling is the same.
 * @param {string[]} found Names, best first; those after the tenth count for nothing.
 * @param {string[]} gold
 */
export function measure(found, gold) {
  const right = new Set(gold);
  const ranked = found.slice(0, DEPTH);
  const share = (k) => ranked.slice(0, k).filter((name) => right.has(name)).length / right.size;
  const first = ranked.findIndex((name) => right.has(name));
  return { "R@1": share(1), "R@5": share(5), MRR: first < 0 ? 0 : 1 / (first + 1) };
}

/** Matches that every contender is asked for. */
export const DEPTH = 10;

export const MEASURES = ["R@1", "R@5", "MRR"];

/** The mean of each measure. @param {Record<string, number>[]} scores */
export function meanOf(scores) {
  return Object.fromEntries(MEASURES.map((key) => [key, mean(scores.map((score) => score[key]))]));
}

/** @param {number[]} numbers */
export function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
