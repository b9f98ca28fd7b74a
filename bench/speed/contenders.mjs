// Who is measured, and how an index of each is built and asked.

/** Matches that each is asked for: what an agent loads at once. */
export const LIMIT = 5;

/**
 * @typedef {{ search: (query: string) => { length: number }, free?: () => void }} Index
 * @typedef {object} Contender
 * @property {string} title
 * @property {(catalog: import("./catalogs.mjs").Catalog) => Index} build
 * @property {number} most Tools: with more it takes minutes, and is left out.
 */

export const OURS = "tool-search";
export const MINISEARCH = "MiniSearch";
export const TYPED = "typed-array BM25";
export const ADDITIVE = "additive scorer";

/** Packages are there only since the set-up has run. @returns {Promise<Contender[]>} */
export async function loadContenders() {
  const own = async (title, file) => ({ title, build: (await import(`./contenders/${file}.mjs`)).build, most: Infinity });
  // As in the measurement of quality: their defaults over name, description, names and descriptions of parameters.
  const theirs = async (title, file, most = Infinity) => {
    const { build } = await import(`../quality/contenders/${file}.mjs`);
    return { title, build: ({ tools }) => build(tools, LIMIT), most };
  };
  return Promise.all([
    own(OURS, "tool-search"),
    own(ADDITIVE, "additive"),
    own(TYPED, "typed-bm25"),
    theirs(MINISEARCH, "minisearch"),
    theirs("FlexSearch", "flexsearch"),
    theirs("Orama", "orama", 10_000),
    theirs("lunr", "lunr", 10_000),
  ]);
}
