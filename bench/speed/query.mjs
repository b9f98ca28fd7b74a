// Queries, all contenders in turn.
import { interleave, passing, quantile, summary, sweep, time } from "./timing.mjs";

/**
 * @returns {{ contender: string, size: string, median: number, least: number, p95: number }[]} In microseconds. Each query counts with
 * its median; `least` is the median of their minima.
 */
export function measureQueries(catalog, contenders) {
  const indexes = contenders.map(({ title, build }) => ({ title, index: build(catalog) }));
  // With very many tools some need half a second for a query.
  const isHuge = catalog.tools.length > 20_000;
  const queries = catalog.queries.slice(0, isHuge ? 50 : catalog.tools.length > 2_000 ? 100 : 200);
  const jobs = indexes.map(({ title, index }) => {
    const ask = () => queries.forEach((query) => index.search(query));
    const isLong = time(ask) > 0.2 * queries.length;
    return [title, () => queries.map((query) => (isLong ? time : passing)(() => index.search(query)) * 1_000)];
  });
  sweep({ whole: true });
  const rounds = interleave(Object.fromEntries(jobs), { warmUp: 500, budget: 3_000, least: isHuge ? 2 : 3, most: 60 });
  for (const { index } of indexes) index.free?.();
  return indexes.map(({ title }) => {
    const { medians, minima } = summary(rounds[title]);
    return { contender: title, size: catalog.name, median: quantile(medians, 0.5), least: quantile(minima, 0.5), p95: quantile(medians, 0.95) };
  });
}
