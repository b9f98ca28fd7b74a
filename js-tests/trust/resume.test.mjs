// Interrupted work: what was saved after any step, restored where nothing else is known, goes on with the same bytes (rules F1, F5; L50).
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ToolSearch } from "tool-search";
import { beforeAll, describe, expect, it } from "vitest";
import { STEPS, WAYS } from "./conversation.mjs";

const ways = Object.keys(WAYS);
/** By way: what the conversation did that nobody interrupted. */
const whole = {};
/** By the step behind which it was interrupted, and by way: what it did from there on, in a thread of its own. */
const resumed = [];

beforeAll(async () => {
  for (const way of ways) whole[way] = await WAYS[way]({ at: 0 });
  for (let at = 1; at < STEPS; at++) {
    const memories = Object.fromEntries(ways.map((way) => [way, whole[way].memories[at - 1]]));
    const worker = new Worker(new URL("./resume-worker.mjs", import.meta.url), { workerData: { at, memories } });
    [resumed[at]] = await once(worker, "message");
    await worker.terminate();
  }
}, 120_000);

/** Where two texts part, for a message that can be read; "" where they do not. */
function parting(text = "", expected) {
  if (text === expected) return "";
  const at = [...expected].findIndex((char, i) => char !== text[i]);
  return `${expected.slice(Math.max(0, at - 200), at + 100)}\nis\n${text.slice(Math.max(0, at - 200), at + 100)}`;
}

describe.each(ways)("%s", (way) => {
  it("does something at each step", () => {
    expect(whole[way].outputs.length).toBeGreaterThanOrEqual(STEPS);
    expect(new Set(whole[way].outputs).size).toBe(whole[way].outputs.length);
  });

  it.each(Array.from({ length: STEPS - 1 }, (_, i) => i + 1))("goes on behind step %i", (at) => {
    for (const [i, output] of whole[way].outputs.slice(at).entries()) expect(parting(resumed[at][way][i], output)).toBe("");
    expect(resumed[at][way]).toHaveLength(whole[way].outputs.length - at);
  });
});

it("a session that is restored where the catalog is another has the news in its prompt, and tells it no more", () => {
  const search = new ToolSearch({ defer: "always" });
  search.add([{ name: "old" }], { server: "s" });
  const session = search.session();
  search.add([{ name: "old" }, { name: "news" }], { server: "s" });
  const state = JSON.parse(JSON.stringify(session.state()));
  expect(session.announce()).toContain("mcp__s__news");
  const restored = search.session({ state });
  expect(restored.prompt()).toContain("mcp__s__news");
  expect(restored.announce()).toBe("");
});
