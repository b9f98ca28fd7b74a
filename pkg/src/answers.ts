import type { Engine } from "../wasm/core.js";
import type { Definitions, Info } from "./definitions.js";
import { guard } from "./errors.js";
import type { Match, SearchResult } from "./types.js";

/** What an answer has to tell beside its hits. @internal */
export interface Details extends Pick<SearchResult, "missing" | "direct" | "ambiguous" | "suggestions" | "unavailable"> {
  /** For each match, when it was asked for. */
  explain: NonNullable<Match["explain"]>[];
}

/** How an answer's numbers are laid out: how many follow, kind, confidence, further matches, whether there are details, then three a match. */
const KIND = 1;
const CONFIDENCE = 2;
const MORE = 3;
export const HAS_DETAILS = 4;
const HITS = 5;
const KINDS = ["select", "server", "keywords", "regex"] as const;
const CONFIDENCES = ["high", "low", "none"] as const;
const TIERS = ["exact", "alias", "keywords", "meaning"] as const;

/** What the last answer has to tell beside its hits; weights cross as numbers. @internal */
export function detailsOf(engine: Engine): Details {
  const details = JSON.parse(guard(() => engine.details())) as Details;
  const addends = details.explain.flat();
  if (addends.length > 0) guard(() => engine.weights()).forEach((weight, at) => Object.assign(addends[at] as object, { weight }));
  return details;
}

/** An answer, of what the module says in numbers and what it has to tell beside. @internal */
export function answer(query: string, hits: ArrayLike<number>, details: Details | undefined, definitions: Definitions): SearchResult {
  const matches: Match[] = [];
  const last = hits[0] as number;
  for (let at = HITS; at < last; at += 3) {
    const match = matchOf(definitions.info(hits[at] as number), hits[at + 1] as number, TIERS[hits[at + 2] as number] ?? "keywords");
    const explain = details?.explain[matches.length];
    if (explain) match.explain = explain;
    matches.push(match);
  }
  return {
    query,
    kind: KINDS[hits[KIND] as number] ?? "keywords",
    matches,
    missing: details?.missing ?? [],
    direct: details?.direct ?? [],
    ambiguous: details?.ambiguous ?? [],
    suggestions: details?.suggestions ?? [],
    confidence: CONFIDENCES[hits[CONFIDENCE] as number] ?? "none",
    more: hits[MORE] as number,
    unavailable: details?.unavailable ?? [],
  };
}

/** Most have all there is to say, and are made at once. */
function matchOf({ name, rawName, server, description }: Info, score: number, tier: Match["tier"]): Match {
  if (server !== undefined && description !== undefined) return { name, rawName, score, tier, server, description };
  const match: Match = { name, rawName, score, tier };
  if (server !== undefined) match.server = server;
  if (description !== undefined) match.description = description;
  return match;
}
