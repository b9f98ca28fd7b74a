import type { Plan } from "tool-search";

/** What happens next in a conversation. All but "user" are what the model answers to one request. */
export type Step =
  | { kind: "user"; text: string }
  /** The model calls the search tool. */
  | { kind: "search"; query: string }
  /** The model calls a tool; `tool` "" is the best match that no step has called yet. `input` "" is made up from its schema. */
  | { kind: "call"; tool: string; input: string; result: string }
  | { kind: "answer"; text: string };

export interface Scenario {
  id: string;
  title: string;
  steps: Step[];
}

/**
 * How a tool that was found reaches the model:
 * "full": nothing is deferred, every request carries every definition; for comparison.
 * "append": it joins the end of the tools array.
 * "native": the reply refers to it, and the provider puts the definition in where the reply stands.
 * "bridge": the definition is in the text of the reply, and a second fixed tool calls it.
 */
export type Strategy = "full" | "append" | "native" | "bridge";

export const STRATEGIES: readonly Strategy[] = ["full", "append", "native", "bridge"];

/** Parts of a request, in the order in which providers read and cache them. */
export type Part = "tools" | "system" | "section" | "messages";

/** What the provider's cache does with a piece of a request. */
export type Fate =
  /** Read from the cache. */
  | "kept"
  /** It was cached, but something before it changed: processed again. */
  | "lost"
  | "new";

/** A piece of a request that the cache keeps or loses as a whole. Tokens are estimates of the package. */
export interface Piece {
  part: Part;
  label: string;
  tokens: number;
  fate: Fate;
}

export interface RequestView {
  /** The step that answers it. */
  step: number;
  pieces: Piece[];
  /** Tokens of the pieces by fate. */
  kept: number;
  lost: number;
  fresh: number;
  /** Tokens that the model writes. */
  output: number;
}

/** What came of a step, for the page. */
export interface StepView {
  /** The reply of the search tool, the tool's result, or "". */
  reply: string;
  /** Callable names that it loaded. */
  loaded: string[];
  /** The tool that was called, by its callable name. */
  called: string;
  /** The arguments of that call, as JSON. */
  input: string;
  /** Set when the call was answered instead of run. */
  refused: boolean;
  /** A search without a search tool: nothing is deferred. */
  skipped: boolean;
}

export interface ConversationView {
  plan: Plan;
  steps: StepView[];
  requests: Record<Strategy, RequestView[]>;
}
