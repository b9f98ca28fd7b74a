import { ToolSearchError, type Match, type SearchResult, type ToolSearch } from "tool-search/slim";

const LIMIT = 8;
/** A query is repeated for so many milliseconds, since a browser's clock is too coarse for one. */
const MEASURING_MS = 6;
const MOST_RUNS = 500;

/** What a scorer found, and the microseconds that it took: the mean of several runs of the same query. */
export interface Found {
  matches: Match[];
  micros: number;
}

export interface FoundView {
  query: string;
  result: Omit<SearchResult, "query" | "matches"> | undefined;
  ranked: Found;
  /** Another engine's answer to the same query. */
  other: Found;
  /** Why the query is none; there is no result then. */
  error: string;
}

const NOTHING: Found = { matches: [], micros: 0 };

/** The answer to a query of one engine beside that of another over the same catalog. */
export function find(engine: ToolSearch, other: ToolSearch, query: string): FoundView {
  try {
    const { query: _, matches, ...result } = engine.search(query, { limit: LIMIT, explain: true });
    const { matches: others } = other.search(query, { limit: LIMIT });
    return {
      query,
      result,
      ranked: { matches, micros: microsOf(engine, query) },
      other: { matches: others, micros: microsOf(other, query) },
      error: "",
    };
  } catch (error) {
    if (!(error instanceof ToolSearchError)) throw error;
    return { query, result: undefined, ranked: NOTHING, other: NOTHING, error: error.message };
  }
}

function microsOf(engine: ToolSearch, query: string): number {
  const begin = performance.now();
  let runs = 0;
  let passed = 0;
  do {
    engine.search(query, { limit: LIMIT });
    runs++;
    passed = performance.now() - begin;
  } while (passed < MEASURING_MS && runs < MOST_RUNS);
  return (passed / runs) * 1_000;
}
