// What there is to measure.
import { measureBuilds, measureJsonBuilds } from "./build.mjs";
import { loadContenders } from "./contenders.mjs";
import { measureQueries } from "./query.mjs";

const contenders = await loadContenders();

/**
 * @typedef {object} Context
 * @property {string[]} sizes
 * @property {(size: string) => Promise<import("./catalogs.mjs").Catalog | undefined>} catalog
 * @property {(what: string) => void} notice
 *
 * @type {Record<string, (context: Context) => Promise<object[]>>}
 */
export const sections = {
  query: bySize((catalog) => measureQueries(catalog, fitting(catalog))),
  add: bySize((catalog) => measureBuilds(catalog, fitting(catalog))),
  addJson: bySize(measureJsonBuilds),
};

/** A measurement of one catalog, for each of the sizes. */
function bySize(measure) {
  return async ({ sizes, catalog, notice }) => {
    const rows = [];
    for (const size of sizes) {
      const tools = await catalog(size);
      if (!tools) continue;
      notice(`${tools.tools.length} tools`);
      rows.push(...(await measure(tools)));
    }
    return rows;
  };
}

function fitting({ tools }) {
  return contenders.filter(({ most }) => tools.length <= most);
}
