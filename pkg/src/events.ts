import type { CatalogDelta, SearchReply, SearchResult, ServerStatus } from "./types.js";

/**
 * What `onEvent` is told, right after it happened. Objects in it are the very ones that the caller gets: read them, and leave
 * them as they are. Tokens are by `countTokens` where there is one.
 */
export type ToolSearchEvent = SearchEvent | ActivationEvent | RescueEvent | CacheBreakEvent | ServerEvent;

/** Of an event of a session. */
interface OfSession {
  /** The session's `id`, if it was given one. */
  session?: string;
}

/** A search: by `search`, or by the model through `handle`. */
export interface SearchEvent extends OfSession {
  type: "search";
  query: string;
  /** `null` when the query was unusable. */
  result: SearchResult | null;
  error?: { code: string; message: string };
  /** How long it took, loading included. */
  milliseconds: number;
  /** What the model is answered; only of a session's search. */
  reply?: SearchReply;
  /** `loaded`: definitions that the next request carries on top. `reply`: the reply's text. Only of a session's search. */
  tokens?: { loaded: number; reply: number };
}

/** Tools were loaded. What a session is restored with is no activation. */
export interface ActivationEvent extends OfSession {
  type: "activation";
  /** Callable names, in activation order. */
  names: string[];
  /** By the model's search, by its call of a tool that was not loaded, or by `activate`. */
  by: "search" | "call" | "activate";
  /** `loaded`: their definitions. `array`: the next tools array. `saved`: every visible definition less that and the deferred section. */
  tokens: { loaded: number; array: number; saved: number };
}

/** The model called a tool that was not loaded, which was answered with the tool's parameters; an activation came before it. */
export interface RescueEvent extends OfSession {
  type: "rescue";
  /** The name as the model wrote it. */
  called: string;
  /** The tool's callable name. */
  name: string;
  /** `reply`: the answer's text. */
  tokens: { reply: number };
}

/** `tools()` gave an array that does not extend the one it gave before, so that providers' prompt caches end where they part. */
export interface CacheBreakEvent extends OfSession {
  type: "cache-break";
  /** Callable names that are no longer there. */
  removed: string[];
  /** Callable names whose definition is another. */
  changed: string[];
  /** `kept`: what both arrays begin with. `array`: the new one. */
  tokens: { kept: number; array: number };
}

/** A server's tools or status are others than before. Of built-in tools when it names no server. */
export interface ServerEvent {
  type: "server";
  server?: string;
  /** How it is doing now; left out when it was removed, and for built-in tools. */
  status?: ServerStatus;
  reason?: string;
  delta: CatalogDelta;
  /** `catalog`: every definition of the catalog in full. */
  tokens: { catalog: number };
}

/** Tells one listener. Nothing is computed without one, and nothing that it does or throws reaches the teller. @internal */
export class Listener {
  readonly #onEvent: (event: ToolSearchEvent) => unknown;
  #telling = false;

  constructor(onEvent: (event: ToolSearchEvent) => unknown) {
    this.#onEvent = onEvent;
  }

  /** What a listener does within makes no events, or its own searches would never end. */
  tell(make: () => ToolSearchEvent | undefined): void {
    if (this.#telling) return;
    this.#telling = true;
    try {
      const event = make();
      const onEvent = this.#onEvent;
      const answer = event && onEvent(event);
      // An asynchronous listener fails later, and as quietly.
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // Observing changes nothing.
    } finally {
      this.#telling = false;
    }
  }
}
