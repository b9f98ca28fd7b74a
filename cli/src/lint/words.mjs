// @ts-check
// Words of names and descriptions, and what else people say for them. On purpose not the engine's own: lint asks whether a tool is
// found by words that its author did not think of.

/**
 * `getURLsForPage_2` is get, urls, for, page, 2.
 * @param {string} name
 */
export function wordsOfName(name) {
  return wordsOf(name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2").replace(/(\p{L})(\d)/gu, "$1 $2").replace(/_/g, " "));
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * @param {string} text
 * @returns {string[]}
 */
export function wordsOf(text) {
  if (UNSPACED.test(text)) return Array.from(segmenter.segment(text.toLowerCase())).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []).map((word) => word.replace(/['’]s$/, ""));
}

const STOP = new Set(
  ("a an the this that these those it its of for from to in into on onto at by with within without and or not no nor as is are was were be been being has have had do does did will would can could should may might " +
    "must which who whose what when where how why if then than so such also only just your you we our i my me their they them there here all any each every some one other more most per via using use used uses e g etc").split(" "),
);

/** Those that say something. @param {string[]} words */
export function telling(words) {
  return words.filter((word) => !STOP.has(word));
}

/** What says nothing in a tool's name: every tool is one, is called and returns something. */
const EMPTY = new Set(
  ("tool tools function func fn method action command cmd api call caller execute exec run do perform process handle handler util utils utility helper misc general generic " +
    "test tmp temp foo bar baz my new item thing things stuff object data op operation operations task main default untitled unnamed example sample demo endpoint request service v").split(" "),
);

/** @param {string} word */
export function saysNothing(word) {
  return EMPTY.has(word) || /^\d+$/.test(word) || /^\p{Script=Latin}$/u.test(word);
}

/** The first of a group says what the others do; each stands for the others. */
const GROUPS = [
  ["create", "make", "add"],
  ["delete", "remove", "get rid of"],
  ["update", "change", "edit"],
  ["list", "show", "enumerate"],
  ["get", "fetch", "retrieve"],
  ["search", "find", "look for"],
  ["send", "post", "deliver"],
  ["read", "view", "open"],
  ["write", "save", "store"],
  ["run", "execute", "launch"],
  ["start", "begin", "launch"],
  ["stop", "halt", "end"],
  ["copy", "duplicate", "clone"],
  ["move", "transfer", "relocate"],
  ["upload", "import"],
  ["download", "export"],
  ["merge", "combine", "join"],
  ["check", "verify", "validate"],
  ["analyze", "inspect", "examine"],
  ["convert", "transform"],
  ["cancel", "abort", "call off"],
  ["approve", "accept", "confirm"],
  ["assign", "allocate"],
  ["close", "finish", "resolve"],
  ["reply", "respond", "answer"],
  ["comment", "remark"],
  ["schedule", "plan", "arrange"],
  ["file", "document"],
  ["directory", "folder"],
  ["issue", "ticket", "bug report"],
  ["repository", "repo"],
  ["image", "picture", "photo"],
  ["user", "person", "member"],
  ["email", "mail", "message"],
  ["error", "failure", "problem"],
  ["database", "db", "data store"],
  ["setting", "option", "preference"],
  ["screenshot", "picture of the screen"],
  ["invoice", "bill"],
  ["customer", "client"],
  ["order", "purchase"],
];

/** @type {Map<string, string[]>} */
const OTHERS = new Map();
for (const group of GROUPS) {
  for (const word of group) if (!word.includes(" ")) OTHERS.set(word, [...(OTHERS.get(word) ?? []), ...group.filter((other) => other !== word)]);
}

/**
 * The same with one word said otherwise: first each word in one way, then in another; none when no word has another.
 * @param {string[]} words
 * @param {number} most
 */
export function paraphrases(words, most) {
  const choices = words.map((word) => OTHERS.get(word) ?? OTHERS.get(word.replace(/s$/, "")) ?? []);
  const ways = [0, 1].flatMap((way) => choices.flatMap((others, at) => (others[way] === undefined ? [] : [words.with(at, others[way]).join(" ")])));
  return ways.slice(0, most);
}
