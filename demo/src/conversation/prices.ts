import type { RequestView } from "./types.ts";

/** A model's prices. */
export interface Price {
  model: string;
  /** US dollars for a million tokens of input, and of output. */
  input: number;
  output: number;
  /** What a token costs that is read from the prompt cache, or written to it, as a multiple of `input`. */
  cacheRead: number;
  cacheWrite: number;
}

/**
 * Examples to begin with, for the reader to change. Anthropic: platform.claude.com/docs/en/about-claude/pricing (writes for 5 minutes);
 * OpenAI: developers.openai.com/api/docs/pricing; Google: ai.google.dev/gemini-api/docs/pricing. As published in 2026; list prices move.
 */
export const PRICES: readonly Price[] = [
  { model: "Claude Opus 5", input: 5, output: 25, cacheRead: 0.1, cacheWrite: 1.25 },
  { model: "Claude Sonnet 5", input: 2, output: 10, cacheRead: 0.1, cacheWrite: 1.25 },
  { model: "Claude Haiku 4.5", input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  { model: "GPT-5.2", input: 1.75, output: 14, cacheRead: 0.1, cacheWrite: 1 },
  { model: "GPT-5 mini", input: 0.25, output: 2, cacheRead: 0.1, cacheWrite: 1 },
  { model: "Gemini 2.5 Pro", input: 1.25, output: 10, cacheRead: 0.1, cacheWrite: 1 },
];

/** US dollars of one request. */
export function costOf({ kept, lost, fresh, output }: RequestView, price: Price): number {
  const input = kept * price.cacheRead + (lost + fresh) * price.cacheWrite;
  return (input * price.input + output * price.output) / 1_000_000;
}
