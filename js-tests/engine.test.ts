// The package as its users import it: objects in, objects out, errors, memory.
import { createRequire } from "node:module";
import { estimateTokens, ToolSearch, ToolSearchError, type Format, type ToolDefinition } from "tool-search";
import { describe, expect, it } from "vitest";
import { caught, code, issueTools, small } from "./small.js";

const FORMATS: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];

describe("catalog", () => {
  it("a1 gives portable names that lead back, in everything the model sees", () => {
    const search = new ToolSearch({ defer: "always", callableNames: "portable" });
    const raw = `create.${"very_".repeat(20)}long`;
    search.add([{ name: raw, description: "Creates a report" }], { server: "reports" });
    const [name] = search.names() as [string];
    expect(name).toMatch(/^mcp__reports__[\w-]{1,51}$/);
    const session = search.session();
    expect(session.prompt()).toContain(name);
    expect(session.handle({ query: `select:mcp__reports__${raw}` }).loaded).toEqual([name]);
    expect(session.names()).toContain(name);
    expect(session.resolve(name)).toEqual({ status: "ready", name, rawName: raw, server: "reports" });
    expect(session.state().activated).toEqual([name]);
    expect(code(() => new ToolSearch({ callableNames: "short" as never }))).toBe("invalid_option");
  });

  it("hands back the very objects that were added", () => {
    const search = new ToolSearch({ defer: "never" });
    const execute = () => 1;
    const own = { name: "own", description: "x", execute };
    const [served] = issueTools() as [ToolDefinition];
    search.add([own]);
    search.add([served], { server: "tracker" });
    expect(search.get("own")).toBe(own);
    expect(search.get("mcp__tracker__create_issue")).toBe(served);
    expect(search.get("create_issue")).toBeUndefined();
    const session = search.session();
    expect(session.tools()[0]).toBe(own);
    expect(session.tools()[1]).toEqual({ ...served, name: "mcp__tracker__create_issue" });
    expect(session.tools()[1]).toBe(session.tools()[1]);
  });

  it("hands back the newest object of an unchanged definition", () => {
    const search = new ToolSearch({ defer: "never" });
    const make = (execute: () => number) => ({ name: "x", description: "same", execute });
    search.add([make(() => 1)], { server: "s" });
    const session = search.session();
    session.tools();
    const next = make(() => 2);
    expect(search.add([next], { server: "s" })).toEqual({ added: [], removed: [], changed: [] });
    expect(search.get("mcp__s__x")).toBe(next);
    expect((session.tools()[0] as typeof next).execute()).toBe(2);
  });

  it("takes OpenAI's and Anthropic's definitions, and gives them as MCP's", () => {
    const search = new ToolSearch();
    const parameters = { type: "object", properties: { a: {} } };
    search.add([
      { type: "function", function: { name: "nested", description: "d", parameters } },
      { type: "function", name: "flat", parameters },
      { name: "claude", input_schema: parameters },
      { type: "function", function: { name: "bare", parameters: null } },
    ]);
    expect(search.names()).toEqual(["nested", "flat", "claude", "bare"]);
    expect(search.get("nested")).toEqual({ name: "nested", description: "d", inputSchema: parameters });
    expect(search.get("claude")).toEqual({ name: "claude", inputSchema: parameters });
  });

  it("takes JSON as it came off the wire", () => {
    const search = new ToolSearch({ defer: "never" });
    const wire = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: issueTools(), nextCursor: undefined } }, null, 2);
    expect(search.addJson(new TextEncoder().encode(wire), { server: "tracker" }).added).toHaveLength(2);
    expect(search.addJson(wire, { server: "tracker" })).toEqual({ added: [], removed: [], changed: [] });
    expect(search.get("mcp__tracker__create_issue")).toEqual(issueTools()[0]);
    expect(search.session().tools()).toHaveLength(2);
    expect(code(() => search.addJson("{"))).toBe("invalid_json");
    expect(code(() => search.addJson(5 as never))).toBe("invalid_json");
  });

  it("takes in many and large definitions", () => {
    const search = new ToolSearch();
    const many = Array.from({ length: 3_000 }, (_, n) => ({ name: `tool_${n}`, description: `${"日本語 ünïcode ".repeat(n % 50)} number ${n}` }));
    expect(search.add(many).added).toHaveLength(3_000);
    search.add([{ name: "long", description: "x".repeat(1_000_000) }]);
    expect(search.size).toBe(3_001);
    expect(search.search("tool_2999").matches[0]?.name).toBe("tool_2999");
    expect(code(() => search.add([{ name: "longer", description: "x".repeat(2_000_000) }]))).toBe("limit_exceeded");
  });

  it("adds nothing of what broke off, and nothing of it later", () => {
    const search = new ToolSearch();
    const tools = Array.from({ length: 100 }, (_, i) => ({ name: i === 99 ? "" : `tool_${i}` }));
    expect(code(() => search.add(tools))).toBe("invalid_tool");
    expect(search.add([]).added).toEqual([]);
    expect(code(() => search.add(tools))).toBe("invalid_tool");
    expect(search.addJson('[{"name":"one"}]').added).toEqual(["one"]);
    expect(code(() => search.add(tools))).toBe("invalid_tool");
    expect(search.add([{ name: "two" }]).added).toEqual(["two"]);
    expect(search.size).toBe(2);
  });

  it("refuses what is no definition, names it, and adds nothing", () => {
    const search = small();
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic["self"] = cyclic;
    const bad: [unknown, string][] = [
      [{ name: "c", inputSchema: cyclic }, "invalid_tool"],
      [{ name: "b", inputSchema: { n: 1n } }, "invalid_tool"],
      [{ name: "t", toJSON: () => { throw new Error("no"); } }, "invalid_tool"], // prettier-ignore
      [new Proxy({}, { ownKeys: () => { throw new Error("no"); }, get: () => { throw new Error("no"); } }), "invalid_tool"], // prettier-ignore
      [undefined, "invalid_tool"],
      [() => 1, "invalid_tool"],
      ["text", "invalid_tool"],
      [{ name: "x".repeat(129) }, "invalid_tool"],
      [{ name: "s", inputSchema: "s" }, "invalid_tool"],
      [{ name: "toolSearch" }, "reserved_name"],
      [{ name: "readFile" }, "duplicate_name"],
    ];
    for (const [tool, expected] of bad) {
      const error = caught(() => search.add([{ name: "fine" }, tool as never]));
      expect(error).toMatchObject({ code: expected, index: 1 });
    }
    expect(caught(() => search.addJson('[{"name":"fine"},{"name":""}]'))).toMatchObject({ code: "invalid_tool", index: 1 });
    expect(caught(() => search.add([{ name: "fine" }], { server: "" }))?.index).toBeUndefined();
    expect(() => search.add([{ name: "fine" }, { name: "c", inputSchema: cyclic }])).toThrow(/tool 1 \("c"\)/);
    expect(code(() => search.add("tools" as never))).toBe("invalid_tool");
    expect(caught(() => search.add([{ name: "fine" }, , { name: "more" }] as never))).toMatchObject({ code: "invalid_tool", index: 1 });
    expect(search.names()).toEqual(["readFile", "mcp__tracker__create_issue", "mcp__tracker__list_issues"]);
    expect(search.search("select:create_issue").matches).toHaveLength(1);
  });

  it("takes odd text for what it is", () => {
    const search = new ToolSearch({ defer: "never" });
    const deep = JSON.parse(`${'{"items":'.repeat(2_000)}{}${"}".repeat(2_000)}`) as Record<string, unknown>;
    const tools = ["__proto__", "constructor", "toString", "🦀", "\u0000", "\ud83e", "a\u202eb"].map((name) => ({ name, description: null }));
    search.add([...tools, { name: "deep", inputSchema: deep }, { name: "half", description: "lone \ud83e surrogate" }]);
    expect(search.size).toBe(9);
    expect(search.get("__proto__")).toBe(tools[0]);
    expect(search.search("surrogate").matches[0]?.name).toBe("half");
    for (const query of ["\ud83e", "🦀", "\u0000", "\u202e", "x".repeat(100_000), "a ".repeat(50_000)]) {
      try {
        search.search(query);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolSearchError);
      }
    }
  });

  it("follows servers", () => {
    const search = small();
    search.setServerStatus("tracker", "disconnected", "gone");
    search.setServerStatus("other", "pending");
    expect(search.search("issue").unavailable).toEqual([
      { server: "other", status: "pending" },
      { server: "tracker", status: "disconnected", reason: "gone" },
    ]);
    expect(search.removeServer("tracker").removed).toHaveLength(2);
    expect(search.get("mcp__tracker__create_issue")).toBeUndefined();
    expect(code(() => search.setServerStatus("x", "odd" as never))).toBe("invalid_option");
  });
});

describe("search", () => {
  it("gives matches whole", () => {
    const result = small().search("open issues", { limit: 1, explain: true });
    expect(result).toMatchObject({ query: "open issues", kind: "keywords", confidence: "high", more: 1 });
    const [match] = result.matches;
    expect(match).toMatchObject({ name: "mcp__tracker__create_issue", rawName: "create_issue", server: "tracker", tier: "keywords", description: "Opens an issue" });
    expect(match?.explain?.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(match?.score ?? 0, 9);
    expect(small().search("select:readFile,nope,create_issue")).toMatchObject({ direct: ["readFile"], missing: ["nope"], kind: "select" });
    expect("server" in (small().search("web", { allow: [] }).matches[0] ?? {})).toBe(false);
  });

  it("reads queries of any length and script, whatever was written before", () => {
    const search = small();
    const first = (query: string) => search.search(query).matches[0]?.rawName;
    const long = `issue ${"and so on ".repeat(1_000)}`;
    const lengths = [249, 250, 251, 300, 500].map((length) => `issue ${"x".repeat(length)}`);
    for (const query of ["issue", "issue…", "issue \ud800", ...lengths, `issue ${"é".repeat(250)}`, long, `${long}é`, "issue"]) {
      expect(first(query)).toBe("create_issue");
      expect(search.search(query).query).toBe(query);
      search.add([{ name: `tool_${query.length}`, description: "Something else" }], { server: "other" });
      expect(first("issue")).toBe("create_issue");
    }
    search.add([{ name: "brew", description: "Coffee at the café" }], { server: "bar" });
    expect(first("café")).toBe("brew");
  });

  it("takes every option", () => {
    const search = small();
    const names = (options: Parameters<ToolSearch["search"]>[1]) => search.search("issue", options).matches.map(({ rawName }) => rawName);
    expect(names({})).toEqual(["create_issue", "list_issues"]);
    expect(names({ loaded: ["mcp__tracker__create_issue"] })).toEqual(["list_issues", "create_issue"]);
    expect(names({ deny: ["create_*"] })).toEqual(["list_issues"]);
    expect(names({ allow: ["create_*"] })).toEqual(["create_issue"]);
    expect(names({ server: "nobody" })).toEqual([]);
    expect(names({ offset: 1 })).toEqual(["list_issues"]);
    expect(names({ mode: "regex" })).toEqual(["create_issue", "list_issues"]);
    for (const limit of [-1, 0, 1.9, Number.NaN, Infinity, 1e300]) expect(names({ limit }).length).toBeGreaterThan(0);
    expect(code(() => search.search("issue", { allow: "x" as never }))).toBe("invalid_option");
    expect(names({ limit: "1" as never })).toHaveLength(1);
    expect(names({ limit: "x" as never })).toHaveLength(2);
    expect(search.search("issue", { offset: 5 })).toMatchObject({ matches: [], more: 0, confidence: "high", suggestions: [] });
    expect(search.search("issue", { offset: Infinity }).matches).toEqual([]);
  });

  it("throws typed errors", () => {
    const search = small();
    expect(code(() => search.search(" "))).toBe("empty_query");
    expect(code(() => search.search(undefined as never))).toBe("empty_query");
    expect(code(() => search.search("!!!"))).toBe("no_tokens");
    expect(code(() => search.search("select:"))).toBe("empty_select");
    expect(code(() => search.search("[", { mode: "regex" }))).toBe("invalid_pattern");
    expect(code(() => search.search("x".repeat(201), { mode: "regex" }))).toBe("pattern_too_long");
    expect(code(() => new ToolSearch({ maxResults: 0 }))).toBe("invalid_option");
    expect(code(() => new ToolSearch({ contextWindow: "big" as never }))).toBe("invalid_option");
    expect(code(() => new ToolSearch({ threshold: { percent: 10, tokens: 5 } as never }))).toBe("invalid_option");
    expect(code(() => new ToolSearch({ countTokens: 5 as never }))).toBe("invalid_option");
    expect(search.search("issue").matches).toHaveLength(2);
  });
});

describe("session", () => {
  it("composes arrays that extend one another, in every format", () => {
    const search = small();
    const session = search.session();
    expect(session.searchToolName).toBe("toolSearch");
    for (const format of FORMATS) {
      const fresh = search.session();
      const before = fresh.tools(format);
      expect(fresh.handle({ query: "select:list_issues" })).toMatchObject({ loaded: ["mcp__tracker__list_issues"], changed: true, result: { kind: "select" } });
      const after = fresh.tools(format);
      expect(after.slice(0, 2)).toEqual(before);
      if (format === "mcp") expect(after[0]).toBe(before[0]);
      else expect(after[0]).not.toBe(before[0]);
      expect(after).toHaveLength(3);
      expect(JSON.stringify(fresh.tools(format))).toBe(JSON.stringify(after));
    }
    expect(session.names()).toEqual(["readFile", "toolSearch"]);
    expect(code(() => session.tools("odd" as never))).toBe("invalid_option");
  });

  it("goes on from its state, in plain JSON", () => {
    const search = small();
    const session = search.session();
    session.activate(["list_issues", "create_issue"]);
    const state = JSON.parse(JSON.stringify(session.state())) as ReturnType<typeof session.state>;
    expect(state).toEqual({ version: 1, activated: ["mcp__tracker__list_issues", "mcp__tracker__create_issue"] });
    const again = search.session({ state });
    expect(again.names()).toEqual(session.names());
    expect(again.prompt()).toBe(session.prompt());
    for (const odd of [{ version: 2, activated: [] }, { version: 1 }, null, 5]) expect(code(() => search.session({ state: odd as never }))).toBe("invalid_option");
    again.compacted();
    expect(again.activated).toHaveLength(2);
    again.compacted("reset");
    expect(again.activated).toEqual([]);
  });

  it("explains whatever the model wrote", () => {
    const session = small().session();
    const thrower = new Proxy({}, { get: () => { throw new Error("no"); } }); // prettier-ignore
    for (const input of [undefined, null, 5, "words", [], {}, { query: 5 }, { query: null }, () => 1, Symbol("s"), thrower, 5n]) {
      const reply = session.handle(input);
      expect(reply).toMatchObject({ loaded: [], changed: false, result: null, error: { code: "invalid_input" } });
      expect(reply.text).toContain("toolSearch");
    }
    expect(session.handle('{"query":"select:list_issues"}').loaded).toHaveLength(1);
    expect(session.handle({ query: "create", max_results: "many" as never, extra: { why: 1 } }).error).toBeUndefined();
  });

  it("says what to do with calls", () => {
    const search = small();
    const session = search.session();
    expect(session.resolve("readFile")).toEqual({ status: "ready", name: "readFile", rawName: "readFile" });
    expect(session.resolve("toolSearch").status).toBe("ready");
    expect(session.resolve("create_issue")).toMatchObject({ status: "activated", name: "mcp__tracker__create_issue" });
    expect(session.resolve("create_issue")).toEqual({ status: "ready", name: "mcp__tracker__create_issue", rawName: "create_issue", server: "tracker" });
    expect(session.resolve("nope")).toMatchObject({ status: "unknown", suggestions: [] });
    search.setServerStatus("tracker", "failed");
    expect(session.resolve("create_issue")).toMatchObject({ status: "unavailable", server: "tracker" });
  });

  it("announces changes once", () => {
    const search = small();
    const session = search.session();
    search.add([{ name: "ping" }], { server: "net" });
    expect(session.announce()).toContain("mcp__net__ping");
    expect(session.announce()).toBe("");
  });
});

describe("tokens", () => {
  it("are estimated for texts and tools", () => {
    expect(estimateTokens("")).toBe(0);
    const [tool] = issueTools() as [ToolDefinition];
    const { name, description, inputSchema } = tool;
    expect(estimateTokens(tool)).toBe(estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema })));
    expect(code(() => estimateTokens({} as never))).toBe("invalid_tool");
  });

  it("are scaled to what a provider bills", () => {
    const billed = { scale: 1.5, perTool: 8 };
    const [plain, scaled] = [small(), small({ tokens: billed })].map((search) => search.plan().tokens);
    const definitions = small().names().map((name) => ({ ...small().get(name), name }) as ToolDefinition);
    const sum = (tokens?: { scale: number; perTool: number }) => definitions.reduce((all, tool) => all + estimateTokens(tool, tokens), 0);
    expect(plain?.full).toBe(sum());
    expect(scaled?.full).toBe(sum(billed));
    expect(scaled?.listing).toBe(Math.round((plain?.listing ?? 0) * 1.5));
    expect(estimateTokens("some words", { scale: 3 })).toBe(estimateTokens("some words") * 3);
    for (const tokens of [{ scale: 0 }, { scale: Number.NaN }, { scale: "x" as never }, { perTool: -1 }, { perTool: 1e9 }]) {
      expect(code(() => small({ tokens }))).toBe("invalid_option");
    }
  });

  it("are counted by the user's counter, which must not call back", () => {
    const seen: string[] = [];
    const search = small({ countTokens: (text) => seen.push(text) && text.length });
    const { tokens } = search.plan();
    expect(tokens.full).toBe(tokens.direct + tokens.deferrable);
    expect(tokens.firstRequest).toBe(tokens.direct + tokens.searchTool + tokens.listing);
    expect(seen.some((text) => text.startsWith('{"name":"mcp__tracker__create_issue"'))).toBe(true);
    const count = seen.length;
    search.plan();
    expect(seen.length - count).toBe(2); // the section and the search tool; definitions are counted once
    const recursive: ToolSearch = small({ countTokens: () => recursive.size });
    expect(code(() => recursive.plan())).toBe("invalid_option");
    for (const counter of [() => Number.NaN, () => -1, () => "x" as never, () => { throw new Error("no"); }]) { // prettier-ignore
      expect(code(() => small({ countTokens: counter }).plan())).toBe("invalid_option");
    }
    expect(recursive.size).toBe(3);
  });
});

describe("faults and memory", () => {
  it("survives whatever is given for a text, a list or options", () => {
    const search = small();
    const session = search.session();
    const odd = [Object.create(null), { toString: 1 }, { toString: () => { throw new Error("no"); } }, Symbol("s"), null, undefined, 5n]; // prettier-ignore
    for (const value of odd) {
      const x = value as never;
      expect(session.resolve(x).status).toBe("unknown");
      expect(search.get(x)).toBeUndefined();
      expect(search.removeServer(x).removed).toEqual([]);
      expect(code(() => search.setServerStatus("s", x))).toBe("invalid_option");
      expect(session.activate([x])).toEqual([]);
      expect(search.search("issue", { allow: [x] }).matches).toEqual([]);
    }
    for (const list of [null, "x", 5]) expect(code(() => session.activate(list as never))).toBe("invalid_option");
    expect(code(() => session.compacted("bogus" as never))).toBe("invalid_option");
    const nothing = null as never;
    expect(new ToolSearch(nothing).size).toBe(0);
    expect(search.add([{ name: "x" }], nothing).added).toEqual(["x"]);
    expect(search.plan(nothing).deferring && search.session(nothing).plan.deferring).toBe(true);
    search.setServerStatus("tracker", "failed", nothing);
    expect(search.search("issue").unavailable).toEqual([{ server: "tracker", status: "failed" }]);
  });

  it("refuses options that are of another type, hostile ones too", () => {
    const search = small();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const throwing = { toJSON: () => { throw new Error("no"); } }; // prettier-ignore
    for (const value of [cyclic, throwing, () => 5, Symbol("s"), 2.5, -1, Number.NaN, Infinity, "5", [], {}]) {
      const x = value as never;
      expect(code(() => new ToolSearch({ contextWindow: x }))).toBe("invalid_option");
      expect(code(() => new ToolSearch({ listing: { maxTokens: x } }))).toBe("invalid_option");
      expect(code(() => search.plan({ contextWindow: x }))).toBe("invalid_option");
    }
    for (const value of [cyclic, throwing, () => "x", Symbol("s"), 5, true, [], {}]) {
      const x = value as never;
      expect(code(() => new ToolSearch({ searchToolName: x }))).toBe("invalid_option");
      expect(code(() => new ToolSearch({ ranking: x }))).toBe("invalid_option");
      expect(code(() => search.add([], { server: x }))).toBe("invalid_option");
      expect(code(() => search.search("issue", { server: x }))).toBe("invalid_option");
      expect(code(() => search.session({ model: x }))).toBe("invalid_option");
    }
    for (const load of ["odd", cyclic, () => "direct", 5]) expect(code(() => search.add([], { load: load as never }))).toBe("invalid_option");
    expect(new ToolSearch({ contextWindow: 1_000n as never }).plan().tokens.threshold).toBe(100);
    expect(search.search("issue", { server: "tracker\ud800" }).matches).toEqual([]);
    expect(search.add([{ name: "x" }], { server: "half \udc00" }).added).toEqual(["mcp__half____x"]);
    const keywords = { ["__proto__"]: ["zebra"], create_issue: ["\ud83eunicorn"] };
    const found = small({ keywords }).search("unicorn").matches;
    expect(found.map(({ rawName }) => rawName)).toEqual(["create_issue"]);
  });

  it("refuses what does not fit into memory, and goes on", () => {
    const huge = new Uint8Array(3 * 2 ** 30);
    expect(code(() => new ToolSearch().addJson(huge))).toBe("limit_exceeded");
    huge.set(new ToolSearch().snapshot());
    expect(code(() => ToolSearch.restore(huge))).toBe("limit_exceeded");
    const long = Array.from({ length: 3 }, (_, n) => ({ name: `t${n}`, description: "x".repeat(5_000_000) }));
    expect(code(() => new ToolSearch().add(long))).toBe("limit_exceeded");
    expect(small().search("issue").matches).toHaveLength(2);
  });

  it("stays in one piece when the counter frees it", () => {
    const search: ToolSearch = small({ countTokens: () => (search.free(), 1) });
    expect(code(() => search.plan())).toBe("invalid_option");
    expect(search.size).toBe(3);
  });

  it("says `freed` after free, which may be called twice", () => {
    const search = small();
    const session = search.session();
    const other = search.session();
    session.free();
    session.free();
    expect(code(() => session.names())).toBe("freed");
    expect(other.names()).toHaveLength(2);
    search.free();
    search.free();
    for (const use of [() => search.names(), () => search.search("x"), () => search.size, () => search.add([]), () => other.prompt(), () => other.handle({}), () => search.plan()]) {
      expect(code(use)).toBe("freed");
    }
    other.free();
    expect(small().size).toBe(3);
  });

  it("says `freed` when its own arguments free it, and spoils nothing else", () => {
    const frees = (use: (search: ToolSearch, free: () => string) => unknown) => {
      const search = small();
      return code(() => use(search, () => (search.free(), "x")));
    };
    expect(frees((search, free) => search.add([{ name: "a", toJSON: free } as never]))).toBe("freed");
    expect(frees((search, free) => search.search("a", { get server() { return free(); } }))).toBe("freed"); // prettier-ignore
    expect(frees((search, free) => search.removeServer({ toString: free } as never))).toBe("freed");
    expect(frees((search, free) => search.session().handle({ get query() { return free(); } }))).toBe("freed"); // prettier-ignore
    expect(small().size).toBe(3);
  });

  it("tells apart what has had the same place inside", () => {
    const search = new ToolSearch({ defer: "always" });
    const run = () => "done";
    const [one, two, again, six] = [{ name: "one", description: "1", run }, { name: "two", description: "2", run }, { name: "two", description: "3" }, { name: "six" }]; // prettier-ignore
    search.add([one!, two!], { server: "a", prefix: false });
    const session = search.session();
    session.activate(["one", "two"]);
    expect(session.tools().slice(1)).toEqual([one, two]);
    for (const format of ["anthropic", "openai-chat", "openai-responses", "gemini"] as const) session.tools(format);
    search.add([six!, again!], { server: "a", prefix: false });
    expect([search.get("one"), search.get("two"), search.get("six")]).toEqual([undefined, again, six]);
    expect(search.get("two")).toBe(again);
    expect(session.tools().slice(1)).toEqual([again]);
    expect(session.tools("anthropic")[1]).toMatchObject({ name: "two", description: "3" });
    search.removeServer("a");
    search.addJson('[{"name":"six","description":"4"},{"name":"one","description":"5"}]', { server: "b", prefix: false });
    expect(session.names()).toEqual(["toolSearch"]);
    expect(search.search("six").matches[0]).toMatchObject({ server: "b", description: "4" });
    expect(search.get("one")).toEqual({ name: "one", description: "5" });
    session.activate(["one"]);
    expect(session.tools("gemini")[1]).toMatchObject({ name: "one", description: "5" });
  });

  it("is disposed of by `using`", () => {
    const search = small();
    const session = search.session();
    session[Symbol.dispose]();
    search[Symbol.dispose]();
    expect(code(() => search.size)).toBe("freed");
  });

  it("does not grow with sessions, searches and replacements", async () => {
    const search = small();
    const memory = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    const churn = (times: number) => {
      for (let i = 0; i < times; i++) {
        const session = search.session();
        session.handle({ query: "list issues" });
        session.tools();
        session.free();
        if (i % 10 === 0) search.add([...issueTools(), { name: `t${i}` }], { server: "tracker" });
      }
    };
    churn(1_000);
    const before = memory();
    churn(9_000);
    expect(memory() - before).toBeLessThan(2_000_000);
    expect(search.size).toBe(4);
  });

  it("restores snapshots, and refuses other bytes", () => {
    const search = small();
    const bytes = search.snapshot();
    const copy = ToolSearch.restore(bytes, { defer: "always" });
    expect(copy.names()).toEqual(search.names());
    expect(copy.search("open issue")).toEqual(search.search("open issue"));
    expect(copy.session().prompt()).toBe(search.session().prompt());
    bytes[bytes.length - 1]! ^= 1;
    for (const bad of [bytes, new Uint8Array(), new Uint8Array(5), "x" as never]) expect(code(() => ToolSearch.restore(bad))).toBe("invalid_snapshot");
  });
});

describe("CommonJS", () => {
  it("has the same exports, and errors and adapter of one kind", async () => {
    const require = createRequire(import.meta.url);
    const cjs = require("tool-search") as typeof import("tool-search");
    const esm = await import("tool-search");
    expect(Object.keys(cjs).sort()).toEqual(Object.keys(esm).sort());
    const search = new cjs.ToolSearch();
    search.add(issueTools(), { server: "tracker" });
    expect(search.search("issue").matches).toHaveLength(2);
    expect(() => search.search("")).toThrow(cjs.ToolSearchError);
    const adapter = require("tool-search/ai-sdk") as typeof import("tool-search/ai-sdk");
    await expect(adapter.addToolSet(search, { toolSearch: { inputSchema: undefined } as never })).rejects.toBeInstanceOf(cjs.ToolSearchError);
  });
});
