// What `src/tokens.rs` counts of a text, again, since the fit needs the counts and the package gives only their weighed sum. `fit.mjs` fails
// when the two no longer agree.

/** In the order of the weights. */
export const FEATURES = [
  "words",
  "words_after_space",
  "humps",
  "over_four",
  "over_eight",
  "capitals",
  "digits",
  "spaces",
  "marks",
  "marks_after_space",
  "more_marks",
  "han",
  "kana",
  "hangul",
  "wide_marks",
  "letters",
  "symbols",
];

const KINDS = [
  ["word", /[A-Za-z]/],
  ["digits", /[0-9]/],
  ["space", /[ \t\n\r]/],
  ["marks", /[\x00-\x7f]/],
  ["kana", /[\u3040-\u30ff]/],
  ["hangul", /[\uac00-\ud7af]/],
  ["han", /[\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u],
  ["wide_marks", /[\u3000-\u303f\uff00-\uffef]/],
  ["letters", /\p{Alphabetic}/u],
  ["symbols", /[^]/u],
];
const kinds = new Map();

/** How often each feature is in a text, in the order of `FEATURES`. @returns {number[]} */
export function features(text) {
  const counts = Object.fromEntries(FEATURES.map((name) => [name, 0]));
  let [before, run, start] = ["", "", 0];
  const characters = [...text];
  for (let at = 0; at <= characters.length; at++) {
    const next = at < characters.length ? kindOf(characters[at]) : "";
    if (next === run) continue;
    count(counts, run, before, characters.slice(start, at));
    [before, run, start] = [run, next, at];
  }
  return FEATURES.map((name) => counts[name]);
}

function kindOf(character) {
  let kind = kinds.get(character);
  if (!kind) kinds.set(character, (kind = KINDS.find(([, pattern]) => pattern.test(character))[0]));
  return kind;
}

function count(counts, kind, before, run) {
  const { length } = run;
  switch (kind) {
    case "":
      break;
    case "word":
      counts.words++;
      counts.words_after_space += Number(before === "space");
      counts.over_four += Math.max(0, length - 4);
      counts.over_eight += Math.max(0, length - 8);
      for (let at = 1; at < length; at++) {
        if (run[at] <= "Z") counts[run[at - 1] <= "Z" ? "capitals" : "humps"]++;
      }
      break;
    case "digits":
      counts.digits += Math.ceil(length / 3);
      break;
    case "space":
      counts.spaces += Number(length > 1);
      break;
    case "marks":
      counts.marks++;
      counts.marks_after_space += Number(before === "space");
      counts.more_marks += length - 1;
      break;
    default:
      counts[kind] += length;
  }
}
