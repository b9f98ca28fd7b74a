import MiniSearch from "minisearch";
import { DEPTH } from "../measure.mjs";
import { fields } from "../text.mjs";
import { inProcess } from "./in-process.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "MiniSearch", answer: inProcess(build) }];

export function build(tools, depth = DEPTH) {
  const index = new MiniSearch({ fields: ["name", "description", "parameters", "parameterDescriptions"] });
  index.addAll(tools.map((tool, id) => ({ id, ...fields(tool) })));
  return { search: (query) => index.search(query).slice(0, depth).map(({ id }) => tools[id].name) };
}
