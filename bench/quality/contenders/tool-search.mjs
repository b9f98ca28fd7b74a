import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";
import { DEPTH } from "../measure.mjs";
import { inProcess } from "./in-process.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [
  { title: "tool-search", answer: inProcess((tools) => engine(tools, {})) },
  { title: "tool-search, meaning", answer: inProcess((tools) => engine(tools, { meaning })) },
  { title: "tool-search, additive", answer: inProcess((tools) => engine(tools, { ranking: "additive" })) },
];

function engine(tools, options) {
  const engine = new ToolSearch(options);
  const groups = new Map();
  for (const tool of tools) groups.set(tool.server, [...(groups.get(tool.server) ?? []), tool]);
  // The names are callable already, however the set spells them.
  for (const [server, group] of groups) engine.add(group, server ? { server, prefix: false } : {});
  const ask = (query) => {
    try {
      return engine.search(query, { limit: DEPTH });
    } catch (error) {
      if (error.name !== "ToolSearchError") throw error;
      return { matches: [], confidence: "none" }; // it has no word to search for
    }
  };
  return {
    search: (query) => ask(query).matches.map(({ name }) => name),
    unsure: (query) => ask(query).confidence !== "high",
    free: () => engine.free(),
  };
}
