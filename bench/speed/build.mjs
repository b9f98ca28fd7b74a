// Building an index, from definitions and from JSON as it comes off the wire, all contenders in turn.
import { build as miniSearch } from "../quality/contenders/minisearch.mjs";
import { fields } from "../quality/text.mjs";
import { LIMIT, MINISEARCH, OURS, TYPED } from "./contenders.mjs";
import { added, buildFromJson } from "./contenders/tool-search.mjs";
import { build as typedBm25 } from "./contenders/typed-bm25.mjs";
import { interleave, summary, sweep, time } from "./timing.mjs";

/** @returns {{ contender: string, size: string, median: number, least: number }[]} Milliseconds to an index of `catalog`. */
export function measureBuilds(catalog, contenders) {
  const builds = contenders.map(({ title, build }) => [title, () => build(catalog)]);
  return run(catalog, {
    ...Object.fromEntries(builds),
    "(tool-search, adding alone)": () => added(catalog),
    // What all others but the additive scorer index.
    "(texts of tools alone)": () => catalog.tools.map(fields),
  });
}

/** The same from the bytes of a `tools/list` result a server. */
export function measureJsonBuilds(catalog) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const wire = new Map([...catalog.servers].map(([server, tools]) => [server, encoder.encode(JSON.stringify({ tools }))]));
  const parsed = () => [...wire].flatMap(([server, bytes]) => JSON.parse(decoder.decode(bytes)).tools.map((tool) => ({ ...tool, server })));
  return run(catalog, {
    [OURS]: () => buildFromJson(wire),
    [MINISEARCH]: () => miniSearch(parsed(), LIMIT),
    [TYPED]: () => typedBm25({ tools: parsed() }),
    "(JSON.parse alone)": parsed,
  });
}

function run({ name, tools }, builds) {
  const jobs = Object.entries(builds).map(([title, build]) => [title, job(build, tools.length >= 10_000)]);
  const rounds = interleave(Object.fromEntries(jobs), { warmUp: 500, least: tools.length > 20_000 ? 2 : 3 });
  return Object.keys(builds).map((contender) => {
    const { medians, minima } = summary(rounds[contender]);
    return { contender, size: name, median: medians[0], least: minima[0] };
  });
}

function job(build, whole) {
  return () => {
    sweep({ whole });
    let index;
    const took = time(() => (index = build()));
    index.free?.();
    return took;
  };
}
