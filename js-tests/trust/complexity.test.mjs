// Input that somebody chose to be slow, against ordinary input of the same size: names and definitions of a server, queries of a model.
//
// The bound is stated in SECURITY.md. What is compared is the processor's time, in turn, in one process, and the least of some rounds counts, so
// that other work on the machine does not. What was quadratic took thousands of times as long, or never ended.
import { ToolSearch } from "tool-search";
import { beforeAll, describe, expect, it } from "vitest";

/** The most that hostile input may cost, in times of ordinary input. */
const BOUND = 64;
const TOOLS = 2_000;
const WORDS = "create list delete update find send read write issue message file branch release note user team table page order ticket".split(" ");
const LONG = 120_000;

const numbers = (count) => Array.from({ length: count }, (_, n) => n);
const word = (n) => WORDS[(n * 7 + Math.floor(n / 20)) % WORDS.length];
const text = (words, from = 0) => numbers(words).map((n) => word(from + n)).join(" ");
/** A number in letters, so that it is part of a word. */
const letters = (n) => [...n.toString(26)].map((digit) => String.fromCharCode(97 + parseInt(digit, 26))).join("");

const ordinaryTool = (n) => ({
  name: `${word(n)}_${word(n + 3)}_${n}`,
  description: text(20, n),
  inputSchema: { type: "object", properties: { [word(n)]: { type: "string", description: text(6, n) }, limit: { type: "integer" } } },
});

/** An engine with these tools of one server, its index built. */
function engineOf(tools) {
  const engine = new ToolSearch();
  engine.add(tools, { server: "s" });
  engine.search("anything");
  return engine;
}

/** Processor time that is long enough to be told, in microseconds. */
const ENOUGH = 20_000;

/** Microseconds of processor time that it takes, as the mean of so many runs as take long enough. */
function cost(work) {
  const begun = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    work();
    const { user, system } = process.cpuUsage(begun);
    if (user + system > ENOUGH) return (user + system) / runs;
  }
}

/** How many times as much one costs as the other. */
function times(hostile, ordinary, rounds = 3) {
  let [much, little] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    little = Math.min(little, cost(ordinary));
    much = Math.min(much, cost(hostile));
  }
  return much / little;
}

describe("queries", () => {
  let ordinary;
  beforeAll(() => (ordinary = engineOf(numbers(TOOLS).map(ordinaryTool))));

  const many = text(100_000);
  const ratio = (query, engine, usual) => times(() => engine.search(query), () => engine.search(usual));

  it.each([
    ["words that no tool has", () => numbers(100_000).map((n) => `qua${letters(n)}`).join(" ")],
    ["required words", () => numbers(100_000).map((n) => `+${word(n)}`).join(" ")],
    ["required words that no tool has", () => numbers(100_000).map((n) => `+messag${letters(n)}`).join(" ")],
    ["names", () => ordinary.names().join(" ").repeat(4) + " word"],
    ["one word", () => "issue".repeat(20_000)],
    ["marks", () => "a" + "\u0301\u0316".repeat(50_000)],
    ["separators", () => "a_".repeat(50_000)],
  ])("h4 of 100,000 %s cost no more than as many ordinary words", { timeout: LONG }, (_, query) => {
    expect(ratio(query(), ordinary, many)).toBeLessThan(BOUND / 4);
  });

  it("h4 of 100,000 words cost what the first 16 KiB of them cost, and the copying", { timeout: LONG }, () => {
    expect(ratio(many, ordinary, many.slice(0, 16_384))).toBeLessThan(BOUND);
  });

  it("h4 that select 100,000 names cost as much a name as ordinary ones", { timeout: LONG }, () => {
    const select = (names) => () => ordinary.search(`select:${names.join(",")}`);
    expect(times(select(numbers(100_000).map((n) => `no_${n}`)), select(ordinary.names())) / (100_000 / TOOLS)).toBeLessThan(BOUND);
  });

  it("h4 in thousands of spellings of a name that a thousand tools have are answered in proportion to the query", { timeout: LONG }, () => {
    const shared = new ToolSearch();
    for (const n of numbers(1_000)) shared.add([{ name: "abcdefghijklm" }], { server: `s${n}` });
    const spelt = (n) => [..."abcdefghijklm"].map((letter, at) => letter + ((n >> at) & 1 ? "_" : "")).join("");
    const select = (count) => `select:${numbers(count).map(spelt).join(",")}`;
    expect(times(() => shared.search(select(2_000)), () => shared.search(select(20))) / 100).toBeLessThan(8);
    const { ambiguous } = shared.search(select(2_000));
    expect(ambiguous).toHaveLength(2_000);
    expect(ambiguous.flatMap(({ candidates }) => candidates).length).toBeLessThan(5_001);
    const reply = shared.session({ defer: "always" }).handle({ query: select(2_000) }).text;
    expect(reply.length).toBeLessThan(100_000);
  });

  it("h4 of a word that every tool has cost no more than one that few have, a tool", { timeout: LONG }, () => {
    const everywhere = engineOf(numbers(TOOLS).map((n) => ({ name: `t${n}`, description: `common ${n < 100 ? "seldom" : "often"}` })));
    expect(times(() => everywhere.search("common"), () => everywhere.search("seldom"))).toBeLessThan(BOUND);
  });

  it("h4 of misspelt words cost the same among 100,000 words that are nearly theirs", { timeout: LONG }, () => {
    const near = engineOf(numbers(1_000).map((n) => ({ name: `t${n}`, description: numbers(100).map((k) => `isue${letters(n * 100 + k)}`).join(" ") })));
    const misspelt = (mark) => numbers(2_000).map((n) => `${mark}issue${letters(n)}q`).join(" ");
    // Eight of them are looked for.
    for (const mark of ["", "+"]) expect(ratio(misspelt(mark), near, text(12) + " isuebbbbx")).toBeLessThan(BOUND);
  });

  it.each([["in_repository_", 0], ["", 100]])("h4 of a name that thousands are nearly like (%s %i) cost no more", { timeout: LONG }, (middle, padding) => {
    const start = "create_issue_" + middle + "abcdefghij".repeat(padding / 10);
    const near = engineOf(numbers(TOOLS).map((n) => ({ name: `${start}${letters(n)}` })));
    const asked = `select:${start.replace("ss", "s").slice(0, 126)}`;
    expect(near.search(asked).suggestions.length).toBeGreaterThan(0);
    expect(times(() => near.search(asked), () => ordinary.search("select:create_isue_1"))).toBeLessThan(BOUND);
  });

  it.each(["(a+)+$", "(a|a)*b", "(a*)*b", "(x+x+)+y", "([a-z]+)*\\d\\d\\d", "(.*)*z"])("c11 the pattern %s takes linear time", { timeout: LONG }, (pattern) => {
    const regex = (query, engine) => () => engine.search(query, { mode: "regex" });
    expect(times(regex(pattern, ordinary), regex("issue|page", ordinary))).toBeLessThan(BOUND);
    const [short, long] = [1_000, 8_000].map((length) => engineOf([{ name: "x", description: "a".repeat(length) + "!" }]));
    expect(times(regex(pattern, long), regex(pattern, short))).toBeLessThan(8 * 4);
  });
});

describe("definitions", () => {
  /** Reads a list, makes its index and lets it go. */
  const take = (json) => () => {
    const engine = new ToolSearch();
    engine.addJson(json, { server: "s" });
    engine.session({ defer: "always" }).prompt();
    engine.search("anything");
    engine.free();
  };
  const schema = (inputSchema) => [{ name: "x", inputSchema }];
  const described = (description) => [{ name: "x", description }];
  const nested = (depth, around) => numbers(depth).reduce(around, {});
  const deep = (count, open, close) => `[${numbers(count).map((n) => `{"name":"x${n}","inputSchema":${open}{}${close}}`)}]`;
  const properties = (count, value) => Object.fromEntries(numbers(count).map((n) => [`p${n}`, value(n)]));
  const tildes = (n) => numbers(12).map((bit) => ((n >> bit) & 1 ? "~0" : "~")).join("");
  // What multiplies as little as can be written, where the hash's factors are those of its source.
  const collides = (n) => `${n.toString(36).padStart(3, "0")}zzzzz\u0017\u0009G\u00b5\u0544?`;

  it.each([
    ["schemas 1,000 deep", () => schema(nested(1_000, (inner) => ({ type: "object", properties: { a: inner } })))],
    ["schemas 2,000 deep in keywords", () => deep(25, '{"items":'.repeat(2_000), "}".repeat(2_000))],
    ["10,000 properties", () => schema({ properties: properties(10_000, () => ({ type: "string", description: "a b" })) })],
    ["the same property again and again", () => `[{"name":"x","inputSchema":{${'"properties":{"a":{}},'.repeat(20_000)}"type":"object"}}]`],
    ["enums of 30,000 values", () => schema({ properties: { a: { enum: numbers(30_000).map((n) => `value${n}`) } } })],
    ["arrays 2,000 deep", () => deep(50, `{"enum":${"[".repeat(2_000)}`, `${"]".repeat(2_000)}}`)],
    ["100,000 brackets beside them", () => `{"tools":${JSON.stringify(numbers(1_000).map(ordinaryTool))},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["10,000 references", () => schema({ properties: properties(10_000, (n) => ({ $ref: `#/c/p${n}` })), c: properties(10_000, () => ({ description: "d" })) })],
    ["references into one another", () => schema({ properties: properties(60, (n) => ({ $ref: `#/c${"/items".repeat(n)}` })), c: nested(60, (items) => ({ items, description: text(800) })) })],
    ["one reference in 1,000 spellings", () => schema({ properties: properties(1_000, (n) => ({ $ref: `#/c/${tildes(n)}` })), c: { [tildes(0)]: { description: text(50_000) } } })],
    ["references that collide in an unseeded hash", () => schema({ properties: properties(20_000, (n) => ({ $ref: `#/${collides(n)}` })) })],
    ["keys that collide in an unseeded hash", () => schema({ properties: { a: { $ref: "#/c/x" } }, c: Object.fromEntries(numbers(20_000).map((n) => [collides(n), 1])) })],
    ["100,000 words", () => described(numbers(100_000).map(letters).join(" "))],
    ["a word of 500,000 letters", () => described("a".repeat(500_000))],
    ["a word of 250,000 capitals", () => described("aB".repeat(250_000))],
    ["250,000 dots", () => described("A.".repeat(250_000))],
    ["250,000 separators", () => described("a_".repeat(250_000))],
    ["100,000 marks behind a letter", () => described(`a${"\u0301\u0316".repeat(50_000)}`)],
    ["100,000 marks of another script", () => described(`\u05d0${"\u05b0\u0591".repeat(50_000)}`)],
    ["letters that are many", () => described("\ufdfa ".repeat(50_000))],
    ["a text without spaces", () => described("翻訳文章検索".repeat(20_000))],
    ["1,000 names of one spelling", () => numbers(1_000).map((n) => ({ name: [..."abcdefghij"].map((c, at) => c + ((n >> at) & 1 ? "_" : "")).join("") }))],
  ])("h4 with %s cost as much a byte as ordinary ones", { timeout: LONG }, (_, make) => {
    const made = make();
    const hostile = typeof made === "string" ? made : JSON.stringify(made);
    const bytes = Buffer.byteLength(hostile);
    expect(bytes).toBeLessThan(2 ** 20);
    const usual = JSON.stringify(numbers(1_000).map(ordinaryTool));
    expect(times(take(hostile), take(usual)) / (bytes / Buffer.byteLength(usual))).toBeLessThan(BOUND);
  });

  it("h4 of thousands of near-copies change as fast as others", { timeout: LONG }, () => {
    const change = (name) => {
      const engine = engineOf(numbers(TOOLS).map((n) => ({ name: name(n), description: text(12) })));
      let round = 0;
      return () => engine.add(numbers(TOOLS).map((n) => ({ name: name(n), description: text(12, ++round % 7) })), { server: "s" });
    };
    const alike = (n) => [..."abcdefghijk"].map((c, at) => c + ((n >> at) & 1 ? "-" : "")).join("");
    expect(times(change(alike), change((n) => `${word(n)}_${n}`))).toBeLessThan(BOUND);
  });
});
