import { Document } from "flexsearch";
import { DEPTH } from "../measure.mjs";
import { fields } from "../text.mjs";
import { inProcess } from "./in-process.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "FlexSearch", answer: inProcess(build) }];

export function build(tools, depth = DEPTH) {
  const index = new Document({ document: { id: "id", index: ["name", "description", "parameters", "parameterDescriptions"] } });
  for (const [id, tool] of tools.entries()) index.add({ id, ...fields(tool) });
  // Without `suggest` every word has to be in one field, and requests as models write them find next to nothing.
  const options = /** @type {const} */ ({ limit: depth, merge: true, suggest: true });
  return { search: (query) => index.search(query, options).slice(0, depth).map(({ id }) => tools[id].name) };
}
