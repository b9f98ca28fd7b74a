// What is counted, merged, and sent whole at the next start.
import { mergeUsage, ToolSearch, type SessionState, type ToolUsage } from "tool-search";
import { describe, expect, it } from "vitest";
import { code, small } from "./small.js";

const CREATE = "mcp__tracker__create_issue";
const LIST = "mcp__tracker__list_issues";

describe("usage", () => {
  it("counts what was loaded and called, and nothing else", () => {
    const search = small();
    expect(search.usage()).toEqual({ version: 1, tools: {} });
    const session = search.session();
    search.search("issue"); // loads nothing
    session.handle({ query: "select:list_issues" });
    session.handle({ query: "select:list_issues" }); // loaded already
    session.resolve("list_issues");
    session.resolve("create_issue"); // loads it, and is no call
    session.resolve("create_issue");
    session.resolve("createIssue");
    for (const name of ["readFile", "toolSearch", "nobody"]) session.resolve(name);
    search.session({ state: session.state() }); // restored, not loaded
    const other = search.session();
    other.activate(["create_issue"]);
    const usage = search.usage();
    expect(usage).toEqual({
      version: 1,
      tools: { [CREATE]: { loaded: 2, called: 2 }, [LIST]: { loaded: 1, called: 1 }, readFile: { loaded: 0, called: 1 } },
    });
    expect(Object.keys(usage.tools)).toEqual([CREATE, LIST, "readFile"]);
    usage.tools[CREATE]!.called = 99;
    expect(search.usage().tools[CREATE]?.called).toBe(2);
  });

  it("is merged across processes in any order, with names that no catalog has", () => {
    const a: ToolUsage = { version: 1, tools: { x: { loaded: 1, called: 2 }, gone: { loaded: 5, called: 0 } } };
    const b: ToolUsage = { version: 1, tools: { x: { loaded: 10, called: 20 }, a: { loaded: 0, called: 1 } } };
    const merged = mergeUsage(a, b);
    expect(JSON.stringify(merged)).toBe('{"version":1,"tools":{"a":{"loaded":0,"called":1},"gone":{"loaded":5,"called":0},"x":{"loaded":11,"called":22}}}');
    expect(JSON.stringify(mergeUsage(b, a))).toBe(JSON.stringify(merged));
    expect(JSON.stringify(mergeUsage(mergeUsage(b), mergeUsage(), a))).toBe(JSON.stringify(merged));
    expect(a.tools["x"]).toEqual({ loaded: 1, called: 2 });
    const full: ToolUsage = { version: 1, tools: { x: { loaded: Number.MAX_SAFE_INTEGER, called: 1 } } };
    expect(mergeUsage(full, full).tools["x"]).toEqual({ loaded: Number.MAX_SAFE_INTEGER, called: 2 });
    const odd = JSON.parse('{"version":1,"tools":{"__proto__":{"loaded":1,"called":1}}}') as ToolUsage;
    expect(JSON.parse(JSON.stringify(mergeUsage(odd, odd)))).toEqual(JSON.parse('{"version":1,"tools":{"__proto__":{"loaded":2,"called":2}}}'));
  });

  it("is refused when it is malformed", () => {
    const bad: unknown[] = [
      null, undefined, 5, "{}", [], {}, { version: 2, tools: {} }, { version: 1 }, { version: 1, tools: [] }, { version: 1, tools: null },
      ...[null, 5, {}, { loaded: 1 }, { loaded: -1, called: 0 }, { loaded: 1.5, called: 0 }, { loaded: "1", called: 0 }, { loaded: 1, called: 1e300 }].map(
        (uses) => ({ version: 1, tools: { x: uses } }),
      ),
    ]; // prettier-ignore
    for (const usage of bad) {
      expect(code(() => mergeUsage(usage as never))).toBe("invalid_option");
      expect(code(() => new ToolSearch({ preload: { usage: usage as never } }))).toBe("invalid_option");
    }
    expect(() => mergeUsage({ version: 1, tools: { my_tool: {} } } as never)).toThrow(/"my_tool"/);
    for (const maxTokens of [-1, 0.5, "many", Number.NaN]) {
      expect(code(() => new ToolSearch({ preload: { usage: mergeUsage(), maxTokens: maxTokens as never } }))).toBe("invalid_option");
    }
  });
});

describe("preload", () => {
  /** A process in which `list_issues` was called, and `create_issue` only loaded. */
  const before = () => {
    const search = small();
    const session = search.session();
    session.handle({ query: "issue" });
    session.resolve(LIST);
    return search.usage();
  };

  it("makes the most called tools direct for new sessions", () => {
    const usage = JSON.parse(JSON.stringify(before())) as ToolUsage;
    const search = small({ preload: { usage } });
    const session = search.session();
    expect(session.names()).toEqual(["readFile", LIST, "toolSearch"]);
    expect(session.prompt()).not.toContain("list_issues");
    expect(session.resolve("list_issues")).toMatchObject({ status: "ready" });
    expect(session.handle({ query: "select:list_issues" })).toMatchObject({ loaded: [], alreadyLoaded: [LIST], changed: false });
    expect(session.plan.tokens.full).toBe(session.plan.tokens.direct + session.plan.tokens.deferrable);
    expect(small({ preload: { usage, maxTokens: 5 } }).session().names()).toEqual(["readFile", "toolSearch"]);
    expect(search.usage().tools).toEqual({ [LIST]: { loaded: 0, called: 1 } });
  });

  it("sends the same bytes in every process with the same counts and tools", () => {
    const usage = mergeUsage(before(), { version: 1, tools: { gone: { loaded: 9, called: 9 }, [CREATE]: { loaded: 0, called: 1 } } });
    const bytes = (search: ToolSearch) => JSON.stringify([search.session().tools("anthropic"), search.session().prompt(), search.plan()]);
    const one = new ToolSearch({ defer: "always", preload: { usage } });
    const two = new ToolSearch({ defer: "always", preload: { usage: { version: 1, tools: Object.fromEntries(Object.entries(usage.tools).reverse()) } } });
    const tools = (server: string) => ["create_issue", "list_issues"].map((name) => ({ name, description: `${name} in ${server}` }));
    for (const server of ["tracker", "other"]) one.add(tools(server), { server });
    for (const server of ["other", "tracker"]) two.add(tools(server), { server });
    expect(bytes(one)).toBe(bytes(two));
    expect(one.session().names()).toEqual([CREATE, LIST, "toolSearch"]);
  });

  it("never changes a conversation that goes on", () => {
    const first = small({ preload: { usage: before() } });
    const session = first.session();
    session.activate(["create_issue"]);
    const sent = JSON.stringify([session.tools("openai-chat"), session.prompt()]);
    const state = JSON.parse(JSON.stringify(session.state())) as SessionState;
    expect(state).toEqual({ version: 1, activated: [CREATE], preloaded: [LIST] });
    const later = { version: 1, tools: { [CREATE]: { loaded: 9, called: 9 } } } as const;
    for (const options of [{ preload: { usage: later } }, { preload: { usage: mergeUsage() } }, {}]) {
      const again = small(options).session({ state });
      expect(JSON.stringify([again.tools("openai-chat"), again.prompt()])).toBe(sent);
      expect(again.state()).toEqual(state);
    }
    expect(small().session().state()).toEqual({ version: 1, activated: [] });
    expect(small({ preload: { usage: mergeUsage() } }).session().state()).toEqual({ version: 1, activated: [], preloaded: [] });
    for (const list of ["preloaded", "array", "used"]) {
      expect(code(() => small().session({ state: { version: 1, activated: [], [list]: "x" as never } }))).toBe("invalid_option");
    }
  });
});
