// Definitions as nobody in their right mind would write them.

/** The schema `{items: {items: …}}`, as text: too deep for `JSON.stringify`. */
export const deepText = (levels: number, keyword = "items") => `${`{"${keyword}":`.repeat(levels)}{"description":"abyss"}${"}".repeat(levels)}`;

/** The same with `properties`, `anyOf` and `$defs` by turns. */
export function deepMixedText(levels: number): string {
  const times = levels / 3;
  return `${'{"properties":{"p":{"anyOf":[{"$defs":{"d":'.repeat(times)}{}${"}}]}}}".repeat(times)}`;
}

const wide = (count: number, length = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i.toString(36)}${"w".repeat(length)}`, true]));

/** What can stand in JSON, and so can come from any server. */
export const wireDefinitions: Record<string, () => unknown> = {
  "a schema 10,000 deep": () => JSON.parse(`{"name":"deep","inputSchema":${deepText(10_000)}}`),
  "a schema 9,999 deep of properties, anyOf and $defs": () => JSON.parse(`{"name":"deep","inputSchema":${deepMixedText(9_999)}}`),
  "an output schema 10,000 deep": () => JSON.parse(`{"name":"deep","outputSchema":${deepText(10_000, "not")}}`),
  "annotations 10,000 deep": () => JSON.parse(`{"name":"deep","annotations":${deepText(10_000, "a")}}`),
  "a schema 2,000 deep": () => JSON.parse(`{"name":"deep","inputSchema":${deepText(2_000)}}`),
  "a description of 1 MB": () => ({ name: "long", description: "w0rd ".repeat(200_000) }),
  "a description of 1 MB in one word": () => ({ name: "long", description: "w".repeat(1_000_000) }),
  "a description of more than the limit": () => ({ name: "long", description: "x".repeat(1_048_576) }),
  "a description of 300,000 ideographs": () => ({ name: "long", description: "検索語彙".repeat(75_000) }),
  "50,000 properties": () => ({ name: "wide", inputSchema: { type: "object", properties: wide(50_000) } }),
  "50,000 properties, more than the limit": () => ({ name: "wide", inputSchema: { type: "object", properties: wide(50_000, 20) } }),
  "50,000 values of an enum": () => ({ name: "wide", inputSchema: { enum: Object.keys(wide(50_000)) } }),
  "50,000 required names without a property": () => ({ name: "wide", inputSchema: { required: Object.keys(wide(50_000)) } }),
  "references in a ring": () => ({
    name: "ring",
    inputSchema: { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#" }] }, b: { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] } } },
  }),
  "references that double at each level": () => ({
    name: "doubling",
    inputSchema: {
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`d${i}`, { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }])),
    },
  }),
  "__proto__ among its keys": () =>
    JSON.parse(
      '{"name":"proto","__proto__":{"name":"other"},"inputSchema":{"type":"object","__proto__":{"x":1},"properties":{"__proto__":{"type":"string"},"constructor":{},"hasOwnProperty":{}},"required":["__proto__"]}}',
    ),
  "the name __proto__": () => JSON.parse('{"name":"__proto__"}'),
  "the name constructor": () => ({ name: "constructor" }),
  "the name toString": () => ({ name: "toString" }),
  "lone surrogates everywhere": () => ({
    name: "half\ud83e",
    title: "\udd80",
    description: "\ud83e half \udd80",
    inputSchema: { type: "object", properties: { "\ud83e": { enum: ["\udd80"] } } },
  }),
  "a name of one lone surrogate": () => ({ name: "\ud83e" }),
  "NUL everywhere": () => ({ name: "nu\u0000l", description: "\u0000", inputSchema: { properties: { "\u0000": {} } } }),
  "right-to-left marks": () => ({ name: "\u202egnp.exe", description: "\u2067abc\u2069 \u200f", title: "\u202d" }),
  "a name of one emoji": () => ({ name: "🦀" }),
  "a name of an emoji of many parts": () => ({ name: "👩‍👩‍👧‍👦" }),
  "a name of nothing that can be seen": () => ({ name: "\u200b\u2060\ufeff" }),
  "a name of white space": () => ({ name: " \t\n" }),
  "no name": () => ({ description: "nameless" }),
  "an empty name": () => ({ name: "" }),
  "a name of 128 characters": () => ({ name: "n".repeat(128) }),
  "a name of 129 characters": () => ({ name: "n".repeat(129) }),
  "a name that is a number": () => ({ name: 5 }),
  "a name that is an object": () => ({ name: { toString: "x" } }),
  "a name with every separator": () => ({ name: "a, b: c\nd`e<f>\"g'\\h" }),
  "a name that is a query": () => ({ name: "select:a,b" }),
  "nothing": () => null,
  "a text": () => "tool",
  "a number": () => 5,
  "an array": () => [{ name: "x" }],
  "fields of the wrong types": () => ({ name: "odd", title: [], description: { a: 1 }, annotations: "x", _meta: 5 }),
  "a schema that is a text": () => ({ name: "s", inputSchema: "object" }),
  "a schema that is null": () => ({ name: "s", inputSchema: null }),
  "a schema that is an array": () => ({ name: "s", inputSchema: [] }),
  "a schema that is false": () => ({ name: "s", inputSchema: false }),
  "a schema whose keywords have the wrong types": () => ({
    name: "s",
    inputSchema: { type: 5, properties: "x", required: { a: 1 }, items: 7, anyOf: {}, $defs: [], $ref: 9, enum: "a", description: [] },
  }),
  "hints that are no texts": () => ({ name: "s", annotations: { searchHint: { a: 1 }, alwaysLoad: "true" }, _meta: { "anthropic/searchHint": [] } }),
  "a function without a name": () => ({ type: "function", function: { parameters: {} } }),
  "a function that is a text": () => ({ type: "function", function: "f" }),
  "the search tool's name": () => ({ name: "toolSearch" }),
  "a name that is taken": () => ({ name: "create_issue" }),
};

const throwing = () => {
  throw new Error("no\nentry");
};

/** What only JavaScript can give. */
export const objectDefinitions: Record<string, () => unknown> = {
  "a ring": () => {
    const tool: Record<string, unknown> = { name: "ring" };
    tool["inputSchema"] = { properties: { self: tool } };
    return tool;
  },
  "a getter that throws": () => ({ name: "g", get description() { return throwing(); } }), // prettier-ignore
  "a getter for the name that throws": () => ({ get name() { return throwing(); } }), // prettier-ignore
  "a getter that throws from the second time on": () => {
    let times = 0;
    return { get name() { return times++ === 0 ? "once" : throwing(); }, description: "d" }; // prettier-ignore
  },
  "a name that is another each time": () => {
    let times = 0;
    return { get name() { return `n${times++}`; }, description: "d" }; // prettier-ignore
  },
  "a schema that is another each time": () => {
    let times = 0;
    return { name: "s", get inputSchema() { return { properties: { [`p${times++}`]: {} } }; } }; // prettier-ignore
  },
  "a Proxy that throws": () => new Proxy({}, { get: throwing, ownKeys: throwing, has: throwing, getOwnPropertyDescriptor: throwing }),
  "a Proxy without an end": () => {
    const endless = (): unknown => new Proxy({}, { ownKeys: () => ["name"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (_, key) => (key === "toJSON" ? undefined : endless()) });
    return endless();
  },
  "a Proxy that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable({ name: "r" }, {});
    revoke();
    return proxy;
  },
  "a Proxy around a tool": () => new Proxy({ name: "proxied", description: "d" }, {}),
  "toJSON that throws": () => ({ name: "t", toJSON: throwing }),
  "toJSON that throws what is no error": () => ({ name: "t", toJSON() { throw { toString: throwing }; } }), // prettier-ignore
  "toJSON in its schema that throws": () => ({ name: "t", inputSchema: { toJSON: throwing } }),
  "toJSON that gives nothing": () => ({ name: "t", toJSON: () => undefined }),
  "toJSON that gives another tool": () => ({ name: "t", toJSON: () => ({ name: "u" }) }),
  "toJSON of its prototype": () => Object.create({ toJSON: () => ({ name: "inherited" }) }),
  "a BigInt": () => ({ name: "b", inputSchema: { maximum: 5n } }),
  "a symbol": () => Symbol("tool"),
  "a function": () => throwing,
  "functions and symbols in it": () => ({ name: "f", execute: throwing, [Symbol.iterator]: throwing, inputSchema: { default: throwing } }),
  "undefined": () => undefined,
  "a name in a box": () => ({ name: new String("boxed") }),
  "no prototype": () => Object.assign(Object.create(null), { name: "bare" }),
  "an object that is frozen": () => Object.freeze({ name: "frozen", inputSchema: Object.freeze({ type: "object" }) }),
  "numbers that JSON has none for": () => ({ name: "n", inputSchema: { minimum: NaN, maximum: Infinity } }),
  "dates, maps and typed arrays": () => ({ name: "d", inputSchema: { a: new Date(0), b: new Map(), c: new Uint8Array(3) } }),
  "a date that is none": () => ({ name: "d", inputSchema: { a: new Date(NaN) } }),
};
