// Finding tools as models ask for them: the project's own queries over what the development servers list. The floors stand just
// under what is reached, so that a change of the ranking shows where it helps and where it costs.
import { ToolSearch } from "tool-search";
import { developmentServers } from "tool-search-bench/development-servers";
import { DEPTH, MEASURES, meanOf, measure } from "tool-search-bench/measure";
import { beforeAll, describe, expect, it } from "vitest";

/** R@1, R@5 and MRR. A bare server word has all of its server's tools as right answers, hence the low recall. */
const FLOORS = {
  all: [0.62, 0.87, 0.84],
  "server-words": [0.75, 0.98, 0.88],
  server: [0.05, 0.27, 0.98],
  capability: [0.72, 0.96, 0.92],
  name: [0.92, 0.98, 0.97],
  sentence: [0.21, 0.57, 0.4],
  and: [0.44, 0.94, 0.93],
  typo: [0.85, 0.94, 0.98],
  language: [0.38, 0.79, 0.58],
};
/** The share of queries for what no tool does that find nothing or are answered with doubt. */
const NONSENSE_FLOOR = 0.92;

describe("the project's queries over the development servers", () => {
  const scores = {};
  const quiet = [];

  // The first time, the ten servers are started for what they list.
  beforeAll(async () => {
    const { tools, queries } = await developmentServers();
    const engine = new ToolSearch();
    for (const server of new Set(tools.map((tool) => tool.server))) {
      engine.add(tools.filter((tool) => tool.server === server), { server });
    }
    for (const { query, gold, kind } of queries) {
      const { matches, confidence } = ask(engine, query);
      if (gold.length === 0) {
        quiet.push(Number(confidence !== "high"));
        continue;
      }
      const score = measure(matches.map(({ name }) => name), gold);
      (scores[kind] ??= []).push(score);
      (scores.all ??= []).push(score);
    }
    engine.free();
  }, 120_000);

  it("are of the kinds that the floors are for", () => {
    expect(Object.keys(scores).toSorted()).toEqual(Object.keys(FLOORS).toSorted());
    expect(scores.all.length + quiet.length).toBeGreaterThanOrEqual(200);
  });

  it.each(Object.keys(FLOORS))("find the right tools: %s", (kind) => {
    const reached = meanOf(scores[kind]);
    for (const [index, key] of MEASURES.entries()) {
      expect(reached[key], `${key} of ${kind}`).toBeGreaterThanOrEqual(FLOORS[kind][index]);
    }
  });

  it("find nothing, or say that they doubt it, where there is no such tool", () => {
    expect(quiet.reduce((sum, one) => sum + one, 0) / quiet.length).toBeGreaterThanOrEqual(NONSENSE_FLOOR);
  });
});

function ask(engine, query) {
  try {
    return engine.search(query, { limit: DEPTH });
  } catch (error) {
    if (error.name !== "ToolSearchError") throw error;
    return { matches: [], confidence: "none" }; // nothing but emoji: there is no word to search for
  }
}
