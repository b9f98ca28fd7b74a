// One server of twenty replaced, removed and added, each with the search by words that follows, beside building everything anew.
import { added } from "./contenders/tool-search.mjs";
import { interleave, summary, sweep, time } from "./timing.mjs";

export const SERVERS = 20;
export const ANEW = "all 20 anew";
export const CHANGES = ["1 of 20 replaced", "1 of 20 removed", "1 of 20 added"];

/** @returns {{ what: string, size: string, median: number, least: number }[]} Milliseconds. */
export function measureIncremental({ name: size, tools, queries: [query] }) {
  const share = Math.ceil(tools.length / SERVERS);
  const servers = new Map(Array.from({ length: SERVERS }, (_, at) => [`server-${at}`, tools.slice(at * share, (at + 1) * share).map(unique)]));
  const server = "server-7";
  const mine = servers.get(server);
  // What a server does when it comes in a new version: every definition is another.
  const versions = [mine, mine.map((tool) => ({ ...tool, description: `${tool.description} Since version 2.` }))];
  const engine = added({ servers });
  engine.search(query);
  let version = 0;
  const searched = (change) => time(() => (change(), engine.search(query)));
  const rounds = interleave({
    changes: () => [
      searched(() => engine.add(versions[(version ^= 1)], { server })),
      searched(() => engine.removeServer(server)),
      searched(() => engine.add(versions[version], { server })),
    ],
    anew: () => {
      sweep({ whole: false });
      let other;
      const took = time(() => (other = added({ servers })).search(query));
      other.free();
      return took;
    },
  });
  engine.free();
  const [changes, anew] = [summary(rounds.changes), summary(rounds.anew)];
  const rows = CHANGES.map((what, at) => ({ what, size, median: changes.medians[at], least: changes.minima[at] }));
  return [...rows, { what: ANEW, size, median: anew.medians[0], least: anew.minima[0] }];
}

/** What is unique in its own server need not be in a larger one. */
function unique({ server: _, ...tool }, at) {
  return { ...tool, name: `${tool.name}_${at}` };
}
