// What there is to measure, each for some sizes of catalog.
import { measureArrays } from "./arrays.mjs";
import { measureBuilds, measureJsonBuilds } from "./build.mjs";
import { measureCold } from "./cold.mjs";
import { loadContenders } from "./contenders.mjs";
import { measureIncremental } from "./incremental.mjs";
import { measureMemory, measureSessions } from "./memory.mjs";
import { measureQueries } from "./query.mjs";
import { measureRestore } from "./restore.mjs";

const contenders = await loadContenders();
const fitting = ({ tools }) => contenders.filter(({ most }) => tools.length <= most);

/**
 * @typedef {import("./catalogs.mjs").Catalog} Catalog
 * @typedef {object} Section
 * @property {string} title
 * @property {(catalog: Catalog) => object[] | Promise<object[]>} measure Rows of a `contender`, or of `what` was done, and of numbers.
 * @property {string[]} [sizes] Default: all.
 *
 * @type {Record<string, Section>}
 */
export const sections = {
  query: { title: "Query, µs", measure: (catalog) => measureQueries(catalog, fitting(catalog)) },
  add: { title: "From definitions to an index, ms", measure: (catalog) => measureBuilds(catalog, fitting(catalog)) },
  addJson: { title: "From JSON to an index, ms", measure: measureJsonBuilds },
  cold: { title: "From a new process to its first answer, ms", measure: measureCold, sizes: ["400", "10000"] },
  restore: { title: "A snapshot, ms", measure: measureRestore, sizes: ["400", "10000", "100000"] },
  incremental: { title: "A server changed, with the search that follows, ms", measure: measureIncremental, sizes: ["1000", "10000"] },
  arrays: { title: "The arrays of a request, µs", measure: measureArrays, sizes: ["400", "10000"] },
  memory: { title: "Memory, MB", measure: measureMemory },
  sessions: { title: "Memory of a session, bytes", measure: measureSessions, sizes: ["1000"] },
};
