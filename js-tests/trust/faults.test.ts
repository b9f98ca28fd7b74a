// Faults leave a clear error and no wrong answer: memory that ends, use after the end, the package twice (rules H1, H2, F5).
import fc from "fast-check";
import { ToolSearch, ToolSearchError, type ToolSearchSession } from "tool-search";
import { stateFromMessages, withToolSearch } from "tool-search/ai-sdk";
import { anthropicTools } from "tool-search/anthropic";
import { geminiTools } from "tool-search/gemini";
import { McpServers } from "tool-search/mcp";
import { openaiChatTools, openaiResponsesTools } from "tool-search/openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { inMemory, tool } from "../mcp-servers.js";
import { caught, code, issueTools, small } from "../small.js";
import { copyOfPackage, packageOf, type Package } from "./copies.js";
import { holds } from "./property.js";

/** Every method and getter of an object's class, as calls with arguments that are good for all of them. */
function uses(object: object): Record<string, () => unknown> {
  const all: Record<string, () => unknown> = {};
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)))) {
    if (get) all[name] = () => get.call(object);
    else if (name !== "constructor") all[name] = () => (value as (...args: unknown[]) => unknown).apply(object, ARGUMENTS[name] ?? []);
  }
  return all;
}
const ARGUMENTS: Record<string, unknown[]> = {
  add: [[{ name: "x" }]],
  addJson: ["[]"],
  removeServer: ["tracker"],
  setServerStatus: ["tracker", "failed"],
  get: ["readFile"],
  search: ["issue"],
  handle: [{ query: "issue" }],
  resolve: ["readFile"],
  activate: [["create_issue"]],
  restore: [["create_issue"]],
  compacted: ["reset"],
  checkCount: [1],
};
/** What asks the module for nothing: counts of JavaScript's own, a number that is compared, a name that was told. */
const APART = ["usage", "checkCount", "knownSearchTool", "free"];

describe("memory that ends", () => {
  const word = (n: number) => `w${n.toString(36)}`;
  const bulky = (n: number) => ({ name: `tool_${n}`, description: Array.from({ length: 400 }, (_, i) => word(n * 400 + i)).join(" ") });

  const fillings: [string, (search: ToolSearch, n: number) => unknown][] = [
    ["adding", (search, n) => search.add([bulky(n)], { server: `s${n}` })],
    ["adding text", (search, n) => search.addJson(JSON.stringify(Array.from({ length: 20 }, (_, i) => bulky(n * 20 + i))), { server: `s${n}` })],
    ["searching by words", (search, n) => (search.add([bulky(n)], { server: `s${n}` }), search.search("w1 tool"))],
    ["snapshots", (search, n) => (search.add([bulky(n)], { server: `s${n}` }), search.snapshot())],
    ["sessions", (search, n) => (search.add([bulky(n)], { server: `s${n}` }), search.session({ deny: [`x${n}`] }).prompt())],
    ["one text after the other, each larger", (search, n) => search.addJson(`[{"name":"t","description":"${"x ".repeat(2 ** n)}"}]`, { server: "s" })],
  ];
  it.each(fillings.flatMap(([how, fill]) => [2, 30].map((pages) => [how, pages, fill] as const)))("by %s, with %i pages more, ends in clear errors and not in an answer", async (_, pages, fill) => {
    await using pkg = await packageOf(pages);
    const search = new pkg.ToolSearch({ defer: "always", limits: { definitionBytes: 2 ** 30 } });
    search.add([{ name: "first", description: "Opens an issue" }]);
    const session = search.session();
    const [found, prompt] = [search.search("issue"), session.prompt()];
    let error: ToolSearchError | undefined;
    for (let n = 0; n < 3_000 && !error; n++) error = caught(() => fill(search, n));
    expect(["internal", "limit_exceeded"]).toContain(error?.code);
    if (error?.code === "limit_exceeded") {
      // Refused before anything was changed: everything is as before, or the next call says that it cannot be told.
      for (const [use, before] of [[() => search.search("first issue").matches[0]?.name, "first"], [() => search.get("first")?.description, "Opens an issue"], [() => session.prompt(), prompt]] as const) {
        let answer: unknown;
        const later = caught(() => (answer = use()));
        if (later) expect(later.code).toMatch(/^(internal|limit_exceeded)$/);
        else expect(answer).toBe(before);
      }
      return;
    }
    expect(error?.message).toMatch(/^The engine failed, and none can be used any more in this process\. It ran out of memory/);
    expect(error?.cause).toBeInstanceOf(WebAssembly.RuntimeError);
    // From here on nothing is answered, by nothing that there is or that is made anew.
    const others = [...Object.entries(uses(search)), ...Object.entries(uses(session))].filter(([name]) => !APART.includes(name) && !name.startsWith("Symbol"));
    expect(others.length).toBeGreaterThan(20);
    for (const [name, use] of others) {
      if (name === "searchToolName" || name === "plan") continue; // may be known from before
      expect(code(use), name).toBe("internal");
    }
    for (const use of [() => new pkg.ToolSearch(), () => pkg.ToolSearch.restore(new Uint8Array(9)), () => pkg.estimateTokens("x")]) expect(code(use)).toBe("internal");
    // The end of a scope does not hide what went wrong in it.
    search.free();
    session.free();
    expect(code(() => search.names())).toBe("freed");
    expect(found.matches).toHaveLength(1);
    // Another copy of the package is none the worse.
    expect(small().search("issue").matches).toHaveLength(2);
  });

  it("is said so by the entries, too", async () => {
    await using pkg = await packageOf(3);
    const search = new pkg.ToolSearch({ defer: "always" }) as ToolSearch;
    search.add([{ name: "first" }]);
    const session = search.session();
    const entries = [anthropicTools(session), openaiChatTools(session), openaiResponsesTools(session), geminiTools(session)];
    const settings = withToolSearch(session);
    const servers = new McpServers(search);
    const { client } = await inMemory({ tools: Array.from({ length: 2_000 }, (_, n) => bulky(n)) });
    expect(await servers.add("bulky", client)).toMatchObject({ status: "failed", reason: expect.stringMatching(/memory/) });
    const held: unknown[] = [];
    for (let n = 0; n < 100_000 && code(() => held.push(search.session({ deny: [`${"x".repeat(500)}${n}`] }))) !== "internal"; n++);
    for (const entry of entries) expect(code(() => entry.tools())).toBe("internal");
    await expect(async () => settings.prepareStep({ steps: [], stepNumber: 0, model: "x", messages: [] } as never)).rejects.toMatchObject({ code: "internal" });
    await expect(servers.call("first")).rejects.toMatchObject({ code: "internal" });
    await servers.close().catch((error) => expect(error.code).toBe("internal"));
  });
});

describe("the end of an engine or a session", () => {
  it("h2 every method of a freed engine, and of its sessions, says `freed`", () => {
    const search = small();
    const [session, cold] = [search.session(), search.session()];
    for (const use of [...Object.values(uses(session)), () => search.searchToolName]) if (use !== uses(session)["free"]) caught(use);
    const live = search.session();
    void [live.plan, live.searchToolName, live.prompt(), live.tools(), search.searchToolName];
    search.free();
    search.free();
    for (const object of [search, session, cold, live]) {
      for (const [name, use] of Object.entries(uses(object)).filter(([name]) => !APART.includes(name))) expect(code(use), name).toBe("freed");
    }
    for (const each of [session, cold, live, session]) each.free();
    expect(small().size).toBe(3);
  });

  it("h2 every method of a freed session says `freed`, and no other session does", () => {
    const search = small();
    const [session, other] = [search.session(), search.session()];
    void session.plan;
    session.free();
    session.free();
    for (const [name, use] of Object.entries(uses(session)).filter(([name]) => !APART.includes(name))) expect(code(use), name).toBe("freed");
    expect(other.handle({ query: "issue" }).loaded).toHaveLength(2);
  });

  it("is said by every entry that holds one", async () => {
    const search = small();
    const session = search.session();
    const entries = [anthropicTools(session), openaiChatTools(session), openaiResponsesTools(session), geminiTools(session)];
    const settings = withToolSearch(session);
    const servers = new McpServers(search);
    search.free();
    for (const entry of entries) {
      expect(code(() => entry.tools())).toBe("freed");
      expect(code(() => entry.restore([]))).toBe("freed");
    }
    expect(code(() => anthropicTools(session))).toBe("freed");
    expect(code(() => withToolSearch(session))).toBe("freed");
    expect(code(() => stateFromMessages(search, []))).toBe("freed");
    await expect(async () => settings.prepareStep({ steps: [], stepNumber: 0, model: "x", messages: [] } as never)).rejects.toMatchObject({ code: "freed" });
    await expect(servers.call("readFile")).rejects.toMatchObject({ code: "freed" });
    await servers.close();
  });

  it("f5 a session outlives servers and whole catalogs", () => {
    const search = small();
    const session = search.session();
    session.handle({ query: "issue" });
    const prompt = session.prompt();
    search.removeServer("tracker");
    expect(session.names()).toEqual(["readFile", "toolSearch"]);
    expect(session.activated).toEqual([]);
    expect(session.resolve("create_issue").status).toBe("unknown");
    expect(session.handle({ query: "issue" }).loaded).toEqual([]);
    expect(session.announce()).toContain("mcp__tracker__create_issue");
    expect(session.prompt()).toBe(prompt);
    for (let i = 0; i < 50; i++) {
      search.add([...issueTools(), { name: `t${i}` }], { server: i % 2 ? "tracker" : "other" });
      session.handle({ query: `select:t${i},create_issue` });
      expect(session.names()).toEqual([...new Set(session.names())]);
      expect(session.names().filter((name) => name !== "toolSearch").every((name) => search.get(name) !== undefined)).toBe(true);
      expect(session.tools()).toHaveLength(session.names().length);
      search.removeServer(i % 2 ? "other" : "tracker");
    }
  });
});

describe("callbacks in between", () => {
  /** What a callback does to engines and sessions, its own among them. */
  const deeds: Record<string, (search: ToolSearch, session: ToolSearchSession | undefined, other: ToolSearch) => unknown> = {
    "frees the engine": (search) => search.free(),
    "frees the session": (_, session) => session?.free(),
    "frees another": (_search, _session, other) => other.free(),
    "adds": (search) => search.add([{ name: `n${Math.floor(Math.random() * 1e9)}` }], { server: "more" }),
    "removes": (search) => search.removeServer("tracker"),
    "searches": (search) => search.search("issue"),
    "uses the session": (_, session) => [session?.handle({ query: "issue" }), session?.tools(), session?.state()],
    "uses another": (_search, _session, other) => [other.search("issue"), other.session().tools()],
    "throws": () => { throw new Error("no"); },
  }; // prettier-ignore

  it.each(Object.entries(deeds).flatMap(([what, deed]) => (["countTokens", "onEvent", "toJSON"] as const).map((where) => [where, what, deed] as const)))("%s that %s spoils nothing", (where, _, deed) => {
    const other = small();
    let session: ToolSearchSession | undefined;
    let within = false;
    const act = () => {
      if (within) return;
      within = true;
      try {
        deed(search, session, other);
      } catch (error) {
        if (!(error instanceof ToolSearchError)) throw error;
        expect(error.code).not.toBe("internal");
      } finally {
        within = false;
      }
    };
    let armed = false;
    const search = small({
      countTokens: (text) => (armed && where === "countTokens" && act(), text.length),
      onEvent: () => void (armed && where === "onEvent" && act()),
    });
    session = search.session();
    armed = true;
    const late = { name: "late", description: "Late", toJSON() { if (where === "toJSON") act(); return { name: "late", description: "Late" }; } }; // prettier-ignore
    const steps = [
      () => search.add([late], { server: "late" }),
      () => session.handle({ query: "select:late,create_issue" }),
      () => session.tools(),
      () => session.resolve("list_issues"),
      () => session.activate(["list_issues"]),
      () => search.plan(),
      () => search.session().tools("anthropic"),
      () => search.search("issue"),
      () => search.setServerStatus("tracker", "failed"),
      () => search.removeServer("tracker"),
      () => session.tools(),
    ];
    for (const step of steps) {
      try {
        step();
      } catch (error) {
        if (error instanceof ToolSearchError) expect(["freed", "invalid_option", "invalid_tool", "reentrant"]).toContain(error.code);
        else expect((error as Error).message).toBe("no");
      }
    }
    // The module lives, and answers rightly.
    expect(small().search("issue").matches.map(({ name }) => name)).toEqual(["mcp__tracker__create_issue", "mcp__tracker__list_issues"]);
  });

  it("any order of uses and ends leaves the module alive and every answer right", () => {
    const step = fc.tuple(fc.nat(2), fc.nat(2), fc.constantFrom("add", "remove", "session", "handle", "tools", "search", "announce", "state", "free", "freeSession", "dispose", "snapshot"));
    holds(100, fc.array(step, { maxLength: 40 }), (steps) => {
      const engines = [small(), small(), small()];
      const sessions = engines.map((engine) => engine.session());
      const gone = new Set<unknown>();
      for (const [which, whose, what] of steps) {
        const [engine, session] = [engines[which]!, sessions[whose]!];
        const isDead = gone.has(engine) && !["handle", "tools", "announce", "state", "freeSession"].includes(what);
        const dead = ["handle", "tools", "announce", "state"].includes(what) ? gone.has(session) || gone.has(engines[whose]) : isDead;
        const does: Record<string, () => unknown> = {
          add: () => engine.add([...issueTools(), { name: `t${which}` }], { server: "tracker" }),
          remove: () => engine.removeServer("tracker"),
          session: () => engine.session(),
          handle: () => session.handle({ query: "select:create_issue" }),
          tools: () => session.tools("gemini"),
          search: () => engine.search("issue"),
          announce: () => session.announce(),
          state: () => session.state(),
          free: () => (engine.free(), gone.add(engine)),
          freeSession: () => (session.free(), gone.add(session)),
          dispose: () => (engine[Symbol.dispose](), gone.add(engine)),
          snapshot: () => ToolSearch.restore(engine.snapshot()).free(),
        };
        const error = caught(does[what]!);
        expect(error?.code).toBe(dead && !["free", "dispose", "freeSession"].includes(what) ? "freed" : undefined);
      }
      for (const each of [...sessions, ...engines]) each.free();
    });
    expect(small().search("issue").matches).toHaveLength(2);
  });
});

describe("the package twice", () => {
  const kinds: [string, () => Promise<{ pkg: Package; entry: <T>(name: string) => Promise<T> }>][] = [
    ["as ES module and as CommonJS", async () => {
      const { createRequire } = await import("node:module");
      const require = createRequire(import.meta.url);
      return { pkg: require("tool-search") as Package, entry: async <T>(name: string) => require(name === "index" ? "tool-search" : `tool-search/${name}`) as T };
    }],
    ["in two folders", async () => {
      const copy = await copyOfPackage();
      onTestFinished(() => copy[Symbol.asyncDispose]());
      return { pkg: await copy.entry<Package>("index"), entry: copy.entry };
    }],
  ]; // prettier-ignore

  it.each(kinds)("%s: errors are of one kind, and of no other", async (_, load) => {
    const { pkg } = await load();
    expect(pkg.ToolSearch).not.toBe(ToolSearch);
    const theirs = caught(() => new pkg.ToolSearch().search(""));
    expect(theirs?.constructor).not.toBe(ToolSearchError);
    expect(theirs).toBeInstanceOf(ToolSearchError);
    expect(caught(() => new ToolSearch().search(""))).toBeInstanceOf(pkg.ToolSearchError);
    class Own extends ToolSearchError {}
    expect(theirs).not.toBeInstanceOf(Own);
    expect(new Own("own", "own")).toBeInstanceOf(Own);
    expect(new Own("own", "own")).toBeInstanceOf(pkg.ToolSearchError);
    for (const other of [new Error("x"), null, undefined, "ToolSearchError", { name: "ToolSearchError" }, Object.assign(new Error("x"), { name: "ToolSearchError" })]) expect(other instanceof ToolSearchError).toBe(false);
    expect(ToolSearchError.name).toBe("ToolSearchError");
  });

  it.each(kinds)("%s: engines and sessions of one serve the entries of the other", async (_, load) => {
    const { pkg, entry } = await load();
    const search = new pkg.ToolSearch({ defer: "always" }) as ToolSearch;
    search.add(issueTools(), { server: "tracker" });
    const same = small();
    const session = search.session();
    expect(withToolSearch(session).system).toBe(session.prompt());
    for (const make of [anthropicTools, openaiChatTools, openaiResponsesTools, geminiTools]) expect(make(search.session()).tools()).toHaveLength(1);
    const { anthropicTools: theirs } = await entry<typeof import("tool-search/anthropic")>("anthropic");
    expect(theirs(same.session()).tools()).toHaveLength(2);
    const messages = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "toolSearch", input: {} }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "toolSearch", output: { type: "text", value: session.handle({ query: "issue" }).text } }] },
    ];
    const { stateFromMessages: theirState } = await entry<typeof import("tool-search/ai-sdk")>("ai-sdk");
    expect(stateFromMessages(search, messages)).toEqual(session.state());
    expect(theirState(same, messages)).toEqual(session.state());
    expect(same.session({ state: session.state() }).activated).toEqual(session.activated);
    const restored = ToolSearch.restore(search.snapshot(), { defer: "always" });
    expect(restored.search("issue")).toEqual(search.search("issue"));
    // Only by the errors' index does an MCP server's list go on without what cannot be used.
    const { client } = await inMemory({ tools: [tool("fine"), { description: "nameless" }, tool("also")] });
    await using servers = new McpServers(search);
    expect(await servers.add("odd", client)).toMatchObject({ status: "ready", tools: 2, leftOut: [{ error: { code: "invalid_tool" } }] });
    search.free();
    await servers.close(); // the other copy's `freed` is known for what it is
    expect(same.size).toBe(3);
    restored.free();
  });

  it("the end of one copy's memory is not the other's", async () => {
    await using pkg = await packageOf(2);
    const search = new pkg.ToolSearch();
    for (let n = 0; n < 1_000; n++) if (caught(() => search.add([{ name: `t${n}`, description: "x".repeat(5_000) }]))?.code === "internal") break;
    expect(code(() => search.size)).toBe("internal");
    expect(small().search("issue").matches).toHaveLength(2);
  });
});
