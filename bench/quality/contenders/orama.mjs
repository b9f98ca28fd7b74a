import { create, insertMultiple, search } from "@orama/orama";
import { DEPTH } from "../measure.mjs";
import { fields } from "../text.mjs";
import { inProcess } from "./in-process.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "Orama", answer: inProcess(build) }];

export function build(tools, depth = DEPTH) {
  const text = "string";
  const schema = /** @type {const} */ ({ name: text, description: text, parameters: text, parameterDescriptions: text });
  const index = create({ schema });
  // Ids of our own: its generated ones differ from run to run, and with them the order of equal scores.
  insertMultiple(index, tools.map((tool, id) => ({ id: String(id), ...fields(tool) })));
  return { search: (query) => search(index, { term: query, limit: depth }).hits.map(({ id }) => tools[Number(id)].name) };
}
