import lunr from "lunr";
import { DEPTH } from "../measure.mjs";
import { fields } from "../text.mjs";
import { inProcess } from "./in-process.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "lunr", answer: inProcess(build) }];

export function build(tools, depth = DEPTH) {
  const index = lunr(function () {
    for (const field of ["name", "description", "parameters", "parameterDescriptions"]) this.field(field);
    for (const [id, tool] of tools.entries()) this.add({ id, ...fields(tool) });
  });
  // `:`, `^`, `~`, `*`, `+` and `-` are operators to it, and text that was not written for it throws.
  const plain = (query) => query.replace(/[:^~*+-]/g, " ");
  return { search: (query) => index.search(plain(query)).slice(0, depth).map(({ ref }) => tools[Number(ref)].name) };
}
