// What composing a request takes, by the number of tools that are loaded.
import { added } from "./contenders/tool-search.mjs";
import { interleave, quantile, summary, time } from "./timing.mjs";

export const ACTIVATED = [1, 10, 100];
/** Calls that are timed together: one is over in a microsecond. */
const CALLS = 100;

/** @returns {{ what: string, size: string, median: number, least: number }[]} Microseconds. */
export function measureArrays(catalog) {
  const engine = added(catalog);
  const names = engine.names();
  const jobs = {};
  for (const count of ACTIVATED.filter((count) => count < names.length)) {
    const session = engine.session({ defer: "always" });
    session.activate(names.slice(0, count));
    for (const [what, call] of Object.entries({ "tools()": () => session.tools(), "names()": () => session.names() })) {
      jobs[`${what}, ${count} activated`] = () => Array.from({ length: 20 }, () => microseconds(call));
    }
  }
  const rounds = interleave(jobs, { warmUp: 100, budget: 200 });
  engine.free();
  return Object.keys(jobs).map((what) => {
    const { medians, minima } = summary(rounds[what]);
    return { what, size: catalog.name, median: quantile(medians, 0.5), least: quantile(minima, 0.5) };
  });
}

function microseconds(call) {
  const calls = () => {
    for (let left = CALLS; left > 0; left--) call();
  };
  return (time(calls) * 1_000) / CALLS;
}
