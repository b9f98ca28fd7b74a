// What docs/strategies.md says of costs holds for what goes over the wire.
import { developmentServers } from "tool-search-bench/development-servers";
import { expect, it } from "vitest";
import { measure } from "../bench/strategies/measure.ts";

it("saves most of the tokens, and keeps the cache by strategies that never change their tools", async () => {
  const { tools } = await developmentServers();
  const rows = await measure(tools);
  const [everything, append, anthropic, openai, bridge] = rows;
  expect(rows.map(({ requests }) => requests)).toEqual([8, 12, 12, 12, 12]);
  for (const row of [append, anthropic, openai, bridge]) {
    expect(row.first).toBeLessThan(everything.first / 10);
    expect(row.all).toBeLessThan(everything.all / 5);
    expect(row.paid).toBeLessThan(everything.paid / 3);
  }
  for (const row of [anthropic, openai, bridge]) {
    expect(row.cached / row.all).toBeGreaterThan(0.85);
    expect(row.paid).toBeLessThan(append.paid / 2);
  }
  expect(openai.sent).toBeLessThan(anthropic.sent / 10);
}, 120_000);
