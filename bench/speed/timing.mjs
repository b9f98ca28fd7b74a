// Times on a machine that does other things too: the jobs take turns, so that a busy second hits all of them, and of each the median
// and the least are kept.
import { median } from "../quality/measure.mjs";

/**
 * Runs `jobs` in turn. Each runs for `warmUp` ms uncounted and for about `budget` ms counted, at least `least` times and at most `most`.
 * @template {string} Name
 * @param {Record<Name, () => number | number[]>} jobs Each gives the milliseconds of what it timed, one number or always as many.
 * @returns {Record<Name, number[][]>} The times of each round.
 */
export function interleave(jobs, { warmUp = 300, budget = 2_000, least = 3, most = 40 } = {}) {
  const states = Object.entries(jobs).map(([name, job]) => ({ name, job, rounds: [], warm: 0, spent: 0 }));
  for (let waiting = states; waiting.length > 0; waiting = waiting.filter((state) => !isDone(state))) {
    // Another begins each time: who comes after whom is nobody's advantage.
    for (const state of waiting) round(state, warmUp);
    states.push(states.shift());
  }
  return Object.fromEntries(states.map(({ name, rounds }) => [name, rounds]));

  function isDone({ rounds, spent }) {
    return rounds.length >= most || (rounds.length >= least && spent >= budget);
  }
}

function round(state, warmUp) {
  const start = performance.now();
  const times = [state.job()].flat();
  const took = performance.now() - start;
  // The first is never counted.
  if (state.warm === 0 || state.warm < warmUp) state.warm += took;
  else {
    state.rounds.push(times);
    state.spent += took;
  }
}

/** Of each of what was timed, the median and the least of all rounds. */
export function summary(rounds) {
  const all = rounds[0].map((_, at) => rounds.map((times) => times[at]));
  return { medians: all.map(median), minima: all.map((times) => Math.min(...times)) };
}

export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/**
 * The milliseconds that `run` takes: the lesser of what passed and of what the processor did for this process. The first also has the
 * time that other processes took, the second that of helping threads; on a quiet machine it would be at most either.
 */
export function time(run) {
  const before = process.cpuUsage();
  const passed = passing(run);
  const { user, system } = process.cpuUsage(before);
  return Math.min(passed, (user + system) / 1_000);
}

/** The milliseconds that pass. For what is over before another process comes between. */
export function passing(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/**
 * So that what one job leaves behind is not swept up in the time of the next. A whole collection also throws away compiled code of
 * those whose turn it is not, which matters where a build takes milliseconds: there, only what is young goes.
 */
export function sweep({ whole }) {
  globalThis.gc?.({ type: whole ? "major" : "minor" });
}
