/**
 * A contender: the names it finds for each query, best first, and how long it took.
 * @typedef {{ names: string[], microseconds: number, unsure?: boolean }} Answer `unsure`: it says itself that this is likely not it.
 * @typedef {object} Contender
 * @property {string} title
 * @property {(tools: import("../sets.mjs").Tool[], queries: string[]) => Promise<Answer[]>} answer
 */

/**
 * Makes the `answer` of a contender that runs in this process. Each query is asked twice: once to answer and to warm up, once for
 * the time.
 * @param {(tools: import("../sets.mjs").Tool[]) => { search: (query: string) => string[], unsure?: (query: string) => boolean, free?: () => void }} build
 * @returns {Contender["answer"]}
 */
export function inProcess(build) {
  return async (tools, queries) => {
    const { search, unsure = () => false, free } = build(tools);
    const answers = queries.map((query) => ({ names: search(query), unsure: unsure(query), microseconds: 0 }));
    for (const [index, query] of queries.entries()) {
      const begin = performance.now();
      search(query);
      answers[index].microseconds = (performance.now() - begin) * 1000;
    }
    free?.();
    return answers;
  };
}
