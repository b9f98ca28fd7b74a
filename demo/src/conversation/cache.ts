// A provider's prompt cache: a request reads from it as far as its beginning is that of an earlier request, and pays in full for the rest.
import type { Request } from "./requests.ts";
import type { Fate, Piece, RequestView } from "./types.ts";

/** Shorter beginnings are not cached: Anthropic's and OpenAI's minimum for most models, in tokens. */
export const MINIMUM = 1_024;

/** What becomes of each piece of each request, in a conversation whose requests follow one another before the cache expires. */
export function throughCache(requests: readonly Request[]): RequestView[] {
  return requests.map(({ step, sent, output }, at) => {
    const before = requests.slice(0, at);
    const shared = Math.max(0, ...before.map((earlier) => sharedBeginning(earlier.sent, sent)));
    const tokens = sent.slice(0, shared).reduce((sum, piece) => sum + piece.tokens, 0);
    const kept = tokens >= MINIMUM ? shared : 0;
    const known = new Set(before.at(-1)?.sent.map(({ key }) => key));
    const pieces = sent.map(({ part, label, key, tokens }, i): Piece => {
      const fate: Fate = i < kept ? "kept" : known.has(key) ? "lost" : "new";
      return { part, label, tokens, fate };
    });
    const of = (fate: Fate) => pieces.reduce((sum, piece) => sum + (piece.fate === fate ? piece.tokens : 0), 0);
    return { step, pieces, kept: of("kept"), lost: of("lost"), fresh: of("new"), output };
  });
}

function sharedBeginning(a: readonly { key: string }[], b: readonly { key: string }[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at]?.key === b[at]?.key) at++;
  return at;
}
