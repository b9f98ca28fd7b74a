// A snapshot written and read, warm, beside MiniSearch's JSON.
import MiniSearch from "minisearch";
import { ToolSearch } from "tool-search";
import { fields } from "../quality/text.mjs";
import { added } from "./contenders/tool-search.mjs";
import { interleave, summary, sweep, time } from "./timing.mjs";

export const RESTORE = "restore";

/** @returns {{ what: string, size: string, median: number, least: number, MB: number }[]} Milliseconds. */
export function measureRestore(catalog) {
  const engine = added(catalog);
  const query = catalog.queries[0];
  engine.search(query);
  const bytes = engine.snapshot();
  const options = { fields: ["name", "description", "parameters", "parameterDescriptions"] };
  const peer = new MiniSearch(options);
  peer.addAll(catalog.tools.map((tool, id) => ({ id, ...fields(tool) })));
  const json = JSON.stringify(peer);

  const restored = (use) => () => {
    sweep({ whole: false });
    let engine;
    const took = time(() => use((engine = ToolSearch.restore(bytes))));
    engine.free();
    return took;
  };
  const size = { ours: bytes.byteLength / 1e6, theirs: json.length / 1e6 };
  const jobs = {
    snapshot: [() => time(() => engine.snapshot()), size.ours],
    [RESTORE]: [restored(() => {}), size.ours],
    "restore and search": [restored((engine) => engine.search(query)), size.ours],
    "MiniSearch.loadJSON": [() => time(() => MiniSearch.loadJSON(json, options)), size.theirs],
  };
  const rounds = interleave(Object.fromEntries(Object.entries(jobs).map(([what, [job]]) => [what, job])));
  engine.free();
  return Object.entries(jobs).map(([what, [, MB]]) => {
    const { medians, minima } = summary(rounds[what]);
    return { what, size: catalog.name, median: medians[0], least: minima[0], MB };
  });
}
