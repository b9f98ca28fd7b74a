// The state of the page that a link carries. A link may come from anyone, so that every field falls back to its default.
import * as v from "valibot";
import { GATEWAY_SIZES } from "../catalog/gateway.ts";
import { PRICES } from "../conversation/prices.ts";
import { SCENARIOS, SYSTEM } from "../conversation/scenarios.ts";

export const WINDOW = { least: 8_000, most: 2_000_000 };
export const THRESHOLD = { least: 1, most: 50 };

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const amount = (most: number) => v.pipe(v.number(), v.minValue(0), v.maxValue(most));

const step = v.variant("kind", [
  v.object({ kind: v.literal("user"), text: text(20_000) }),
  v.object({ kind: v.literal("search"), query: text(2_000) }),
  v.object({ kind: v.literal("call"), tool: text(200), input: text(20_000), result: text(50_000) }),
  v.object({ kind: v.literal("answer"), text: text(20_000) }),
]);

const price = v.object({ model: text(60), input: amount(10_000), output: amount(10_000), cacheRead: amount(10), cacheWrite: amount(10) });

/** What a reader chose. Lengths bound what a link can ask of the page. */
const schema = v.object({
  /** Ids of sources that are switched off. */
  off: v.fallback(v.pipe(v.array(text(200)), v.maxLength(1_000)), []),
  gateway: v.fallback(v.picklist([0, ...GATEWAY_SIZES]), 0),
  /** Tokens. */
  contextWindow: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(WINDOW.least), v.maxValue(WINDOW.most)), 200_000),
  /** Percent of the context window. */
  threshold: v.fallback(v.pipe(v.number(), v.minValue(THRESHOLD.least), v.maxValue(THRESHOLD.most)), 10),
  /** "own" is the one made of the catalog's tools. */
  scenario: v.fallback(text(20), SCENARIOS[0]?.id ?? ""),
  /** Set when the scenario was edited. */
  steps: v.fallback(v.optional(v.pipe(v.array(step), v.maxLength(60))), undefined),
  system: v.fallback(text(200_000), SYSTEM),
  strategy: v.fallback(v.picklist(["append", "native", "bridge"]), "append"),
  /** Which request is looked at, by the place of the step that answers it. */
  at: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60)), 1),
  prices: v.fallback(v.pipe(v.array(price), v.minLength(1), v.maxLength(20)), [...PRICES]),
  /** Which of the prices is used. */
  model: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(19)), 1),
  query: v.fallback(text(2_000), "who changed this line"),
  /** Whether searches also know what words mean. */
  meaning: v.fallback(v.boolean(), false),
  format: v.fallback(v.picklist(["anthropic", "openai-responses", "openai-chat", "gemini", "mcp"]), "anthropic"),
  sdk: v.fallback(v.picklist(["ai-sdk", "plain"]), "ai-sdk"),
  /** The reader's own tools, when they put them into the link. */
  own: v.fallback(v.optional(v.pipe(v.array(v.object({ name: text(200), text: v.string() })), v.maxLength(200))), undefined),
});

export type Settings = v.InferOutput<typeof schema>;

export function settingsFrom(given: unknown): Settings {
  return v.parse(schema, typeof given === "object" && given !== null ? given : {});
}

/** Only what differs from the defaults. */
export function changed(settings: Settings): Partial<Settings> {
  const defaults = settingsFrom({});
  const entries = Object.entries(settings).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key as keyof Settings]));
  return Object.fromEntries(entries) as Partial<Settings>;
}
