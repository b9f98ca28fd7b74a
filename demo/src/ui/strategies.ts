import type { Strategy } from "../conversation/types.ts";

interface Described {
  label: string;
  /** How a found definition reaches the model, and what that does to the cache. */
  explained: string;
  color: string;
  /** A pattern of its line in charts, so that colour is not all that tells them apart. */
  dash: string;
}

export const STRATEGY: Record<Strategy, Described> = {
  full: { label: "No search", explained: "Every request carries every definition.", color: "var(--tools)", dash: "2 4" },
  append: {
    label: "Append",
    explained: "Found definitions join the end of the tools array. Works with every provider; behind that place the cache has to be filled again.",
    color: "var(--messages)",
    dash: "8 4",
  },
  native: {
    label: "Native reference",
    explained: "The reply refers to the tools and the provider puts their definitions in right there, so that all before it stays cached. Anthropic and OpenAI Responses.",
    color: "var(--section)",
    dash: "none",
  },
  bridge: {
    label: "Bridge",
    explained: "The reply carries the definitions as text, and a second fixed tool calls what was found. The cache holds everywhere, but providers do not check the arguments.",
    color: "var(--system)",
    dash: "12 3 2 3",
  },
};
