import type { Engine } from "../wasm/core.js";
import type { Definitions } from "./definitions.js";
import { guard } from "./errors.js";
import type { Match, SearchResult } from "./types.js";

/** What an answer has to tell beside its hits. @internal */
export interface Details extends Pick<SearchResult, "missing" | "direct" | "ambiguous" | "suggestions" | "unavailable"> {
  /** For each match, when it was asked for. */
  explain: NonNullable<Match["explain"]>[];
}

/** How an answer's numbers are laid out: kind, confidence, further matches, whether there are details, then three a match. */
export const HAS_DETAILS = 3;
const HITS = 4;
const KINDS = ["select", "server", "keywords", "regex"] as const;
const CONFIDENCES = ["high", "low", "none"] as const;
const TIERS = ["exact", "alias", "keywords", "meaning"] as const;

/** What the last answer has to tell beside its hits; weights cross as numbers. @internal */
export function detailsOf(engine: Engine): Details {
  const details = JSON.parse(guard(() => engine.details()) ?? "{}") as Details;
  const addends = details.explain.flat();
  if (addends.length > 0) guard(() => engine.weights()).forEach((weight, at) => Object.assign(addends[at] as object, { weight }));
  return details;
}

/** An answer, of what the module says in numbers and what it has to tell beside. @internal */
export function answer(query: string, hits: ArrayLike<number>, details: Details | undefined, definitions: Definitions): SearchResult {
  const matches: Match[] = [];
  for (let at = HITS; at < hits.length; at += 3) {
    const { name, rawName, server, description } = definitions.info(hits[at] as number);
    const match: Match = { name, rawName, score: hits[at + 1] as number, tier: TIERS[hits[at + 2] as number] ?? "keywords" };
    if (server !== undefined) match.server = server;
    if (description !== undefined) match.description = description;
    const explain = details?.explain[matches.length];
    if (explain) match.explain = explain;
    matches.push(match);
  }
  return {
    query,
    kind: KINDS[hits[0] as number] ?? "keywords",
    matches,
    missing: details?.missing ?? [],
    direct: details?.direct ?? [],
    ambiguous: details?.ambiguous ?? [],
    suggestions: details?.suggestions ?? [],
    confidence: CONFIDENCES[hits[1] as number] ?? "none",
    more: hits[2] as number,
    unavailable: details?.unavailable ?? [],
  };
}
