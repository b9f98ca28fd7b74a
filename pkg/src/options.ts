import { ToolSearchError } from "./errors.js";
import type { AddOptions, SearchOptions, SessionOptions, ToolSearchOptions } from "./types.js";
import { readUsage } from "./usage.js";

// What callers give, as plain text and values: no object of theirs, and no exception of a getter, passes through the module.

/** What preloaded definitions come to at most, where nobody says. */
const PRELOAD_TOKENS = 2_000;

/** The options of an engine, but for its functions. @internal */
export function engineOptions(options: ToolSearchOptions | undefined): string {
  const { contextWindow, defer, threshold, maxResults, searchToolName, countTokens, keywords, directModels } = options ?? {};
  const { callableNames, tokens, ranking, listing, limits, meaning, preload, onEvent } = options ?? {};
  if (onEvent !== undefined && typeof onEvent !== "function") {
    throw new ToolSearchError("invalid_option", "`onEvent` must be a function.");
  }
  if (countTokens !== undefined && typeof countTokens !== "function") {
    throw new ToolSearchError("invalid_option", "`countTokens` must be a function.");
  }
  return optionsText({
    contextWindow,
    defer,
    threshold,
    maxResults,
    searchToolName,
    keywords: keywords && Object.fromEntries(Object.entries(keywords).map(([name, words]) => [name, textsOf(words)])),
    directModels: directModels && textsOf(directModels),
    callableNames,
    ranking,
    meaning: meaning !== undefined,
    listing,
    limits,
    tokens,
    preload: preload && {
      usage: Object.fromEntries(readUsage(preload.usage).map(([name, { loaded, called }]) => [name, [loaded, called]])),
      maxTokens: preload.maxTokens ?? PRELOAD_TOKENS,
    },
  });
}

/** The options of an addition. @internal */
export function addOptions(options: AddOptions | undefined): string {
  const { server, instructions, load, prefix } = options ?? {};
  const some = typeof load === "object" && load !== null;
  return optionsText({ server, instructions, prefix, ...(some ? { direct: textsOf(load.direct) } : { load }) });
}

/** The options of a search. @internal */
export function searchOptions({ limit, offset, allow, deny, server, loaded, mode, explain }: SearchOptions): string {
  return optionsText({
    limit: clamp(limit),
    offset: clamp(offset),
    allow: allow && textsOf(allow),
    deny: deny && textsOf(deny),
    server,
    loaded: loaded && textsOf(loaded),
    mode,
    explain,
  });
}

/** A number that JSON can write, which to the module is as good as any beyond; none of what is no number. */
function clamp(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || Number.isNaN(number) ? undefined : Math.min(Math.max(number, -MOST), MOST);
}
const MOST = 2 ** 32;

/** The options of a session, and the names it is confined to. @internal */
export function sessionOptions(options: SessionOptions): { plain: string; filter: Pick<SessionOptions, "allow" | "deny"> } {
  const { model, contextWindow, defer, allow, deny, state, maxTools, overflow } = options;
  const lists = [state?.activated, state?.preloaded ?? [], state?.array ?? [], state?.used ?? []];
  if (state !== undefined && (state?.version !== 1 || !lists.every(Array.isArray))) {
    throw new ToolSearchError("invalid_option", "`state` is not what `state()` gave: { version: 1, activated: [names] }.");
  }
  const filter = { allow: allow && textsOf(allow), deny: deny && textsOf(deny) };
  const plain = optionsText({
    model,
    contextWindow,
    defer,
    ...filter,
    activated: state && textsOf(state.activated),
    preloaded: state?.preloaded && textsOf(state.preloaded),
    array: state?.array && textsOf(state.array),
    used: state?.used && textsOf(state.used),
    maxTools,
    overflow,
  });
  return { plain, filter };
}

/**
 * Options as JSON text for the module. What JSON has no words for must not pass for "not given": it stays of a type that is refused.
 *
 * @internal
 * @throws ToolSearchError `invalid_option` for what cannot be written as JSON
 */
export function optionsText(options: object): string {
  try {
    // To be asked about each value takes longer than to write them.
    if (Object.values(options).every(isPlain)) return JSON.stringify(options);
    return JSON.stringify(options, (_, value: unknown) => {
      if (typeof value === "bigint") return Number(value);
      if (typeof value === "number" && !Number.isFinite(value)) return String(value);
      return typeof value === "function" || typeof value === "symbol" ? {} : value;
    });
  } catch (error) {
    throw new ToolSearchError("invalid_option", `The options cannot be written as JSON: ${reasonOf(error)}`);
  }
}

/** Whether JSON has words for a value, or leaves it out as not given. */
function isPlain(value: unknown): boolean {
  return value === undefined || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** The first line of what an exception says. @internal */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : textOf(error);
}

/** A text of whatever was given; of what cannot be one, "". @internal */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return String(value);
  } catch {
    return "";
  }
}

/** A list of names or patterns as plain strings. @internal */
export function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw new ToolSearchError("invalid_option", "Names and patterns are given as an array.");
  return list.map(textOf);
}

/** A number of whatever was given for one, as far as it is one. @internal */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "bigint" || (typeof value === "string" && value.trim() !== "")) return Number(value);
  return typeof value === "number" ? value : undefined;
}
