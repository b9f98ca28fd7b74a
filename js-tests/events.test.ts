// What `onEvent` is told, and that telling harms nothing.
import { ToolSearch, ToolSearchError, type ToolSearchEvent, type ToolSearchOptions } from "tool-search";
import { describe, expect, it } from "vitest";
import { code, issueTools, small } from "./small.js";

function observed(options: ToolSearchOptions = {}) {
  const events: ToolSearchEvent[] = [];
  const search = small({ ...options, onEvent: (event) => void events.push(event) });
  events.length = 0;
  const types = () => events.splice(0).map(({ type }) => type);
  const only = <T extends ToolSearchEvent["type"]>(type: T) => {
    const found = events.splice(0).filter((event): event is Extract<ToolSearchEvent, { type: T }> => event.type === type);
    expect(found).toHaveLength(1);
    return found[0] as Extract<ToolSearchEvent, { type: T }>;
  };
  return { search, events, types, only };
}

describe("events", () => {
  it("tell of a search with its result", () => {
    const { search, only } = observed();
    const result = search.search("open issue");
    const event = only("search");
    expect(event.result).toBe(result);
    expect(event).toMatchObject({ type: "search", query: "open issue" });
    expect(event.milliseconds).toBeGreaterThanOrEqual(0);
    for (const key of ["session", "reply", "tokens", "error"]) expect(key in event).toBe(false);
    expect(code(() => search.search("???"))).toBe("no_tokens");
    expect(only("search")).toMatchObject({ query: "???", result: null, error: { code: "no_tokens" } });
  });

  it("tell of the model's searches and what they loaded", () => {
    const { search, events, only } = observed();
    const session = search.session({ id: "conversation-7" });
    expect(session.id).toBe("conversation-7");
    const reply = session.handle({ query: "select:list_issues" });
    const [activation, searched] = events.splice(0);
    const { full } = session.plan.tokens;
    expect(activation).toMatchObject({ type: "activation", session: "conversation-7", names: ["mcp__tracker__list_issues"], by: "search" });
    expect(searched).toMatchObject({ type: "search", session: "conversation-7", query: "select:list_issues" });
    if (activation?.type !== "activation" || searched?.type !== "search") throw new Error("other events");
    expect(searched.reply).toBe(reply);
    expect(searched.result).toBe(reply.result);
    expect(searched.tokens?.loaded).toBe(activation.tokens.loaded);
    expect(searched.tokens?.reply).toBeGreaterThan(5);
    const { loaded, array, saved } = activation.tokens;
    expect(array).toBe(session.plan.tokens.direct + session.plan.tokens.searchTool + loaded);
    expect(saved).toBe(full - array - session.plan.tokens.listing);
    expect(session.handle({ query: 5 })).toMatchObject({ error: { code: "invalid_input" } });
    expect(only("search")).toMatchObject({ query: "", result: null, error: { code: "invalid_input" }, tokens: { loaded: 0 } });
    session.handle({ query: "select:list_issues" });
    expect(only("search").reply?.alreadyLoaded).toHaveLength(1);
  });

  it("tell of rescues and of what is loaded by name", () => {
    const { search, events, types } = observed();
    const session = search.session();
    session.resolve("create_issue");
    expect(events.map((event) => [event.type, "session" in event])).toEqual([["activation", false], ["rescue", false]]); // prettier-ignore
    expect(events[0]).toMatchObject({ by: "call" });
    expect(events[1]).toMatchObject({ called: "create_issue", name: "mcp__tracker__create_issue" });
    expect((events[1] as { tokens: { reply: number } }).tokens.reply).toBeGreaterThan(5);
    events.length = 0;
    session.resolve("create_issue");
    session.resolve("nothing_of_that_name");
    session.activate(["create_issue"]);
    expect(types()).toEqual([]);
    session.activate(["list_issues"]);
    expect(events).toMatchObject([{ type: "activation", by: "activate", names: ["mcp__tracker__list_issues"] }]);
    events.length = 0;
    search.session({ state: session.state() });
    expect(types()).toEqual([]);
  });

  it("tell when an array does not extend the one before", () => {
    const { search, events, only } = observed();
    const session = search.session({ id: "a" });
    session.tools();
    session.activate(["list_issues", "create_issue"]);
    session.tools();
    session.tools("anthropic");
    expect(events.some(({ type }) => type === "cache-break")).toBe(false);
    events.length = 0;
    const [create, list] = issueTools();
    search.add([{ ...list!, description: "Now with colours" }, create!], { server: "tracker" });
    session.names();
    events.length = 0;
    session.tools();
    const changed = only("cache-break");
    expect(changed).toMatchObject({ session: "a", removed: [], changed: ["mcp__tracker__list_issues"] });
    const { direct, searchTool } = session.plan.tokens;
    expect(changed.tokens.kept).toBe(direct + searchTool);
    expect(changed.tokens.array).toBeGreaterThan(changed.tokens.kept);
    session.tools();
    expect(events).toEqual([]);
    search.removeServer("tracker");
    events.length = 0;
    session.tools();
    expect(only("cache-break")).toMatchObject({ removed: ["mcp__tracker__list_issues", "mcp__tracker__create_issue"], changed: [] });
    // Another server's tool may have the place that the removed one had inside.
    session.activate(["nothing"]);
    search.add(issueTools().slice(0, 1), { server: "tracker" });
    session.activate(["create_issue"]);
    session.tools();
    search.removeServer("tracker");
    search.add([{ name: "ping" }], { server: "other" });
    session.activate(["ping"]);
    events.length = 0;
    session.tools();
    expect(only("cache-break")).toMatchObject({ removed: ["mcp__tracker__create_issue"], changed: [] });
    session.compacted("reset");
    session.tools();
    events.length = 0;
    session.tools();
    expect(events).toEqual([]);
  });

  it("tell of servers, when something is other than before", () => {
    const { search, events, only, types } = observed();
    const delta = search.add([...issueTools(), { name: "ping" }], { server: "tracker" });
    const added = only("server");
    expect(added).toMatchObject({ server: "tracker", status: "ready", delta: { added: ["mcp__tracker__ping"], removed: [], changed: [] } });
    expect(added.delta).toEqual(delta);
    expect(added.tokens.catalog).toBe(search.plan().tokens.full);
    search.addJson(JSON.stringify([...issueTools(), { name: "ping" }]), { server: "tracker" });
    expect(types()).toEqual([]);
    search.setServerStatus("tracker", "disconnected", "it hung up");
    expect(only("server")).toMatchObject({ status: "disconnected", reason: "it hung up", delta: { added: [] } });
    search.setServerStatus("tracker", "disconnected");
    expect(types()).toEqual([]);
    search.addJson(JSON.stringify([...issueTools(), { name: "ping" }]), { server: "tracker" });
    expect(only("server")).toMatchObject({ status: "ready", delta: { added: [], changed: [] } });
    search.add([{ name: "own" }]);
    const own = only("server");
    expect("server" in own || "status" in own).toBe(false);
    search.removeServer("nobody");
    expect(events).toEqual([]);
    search.removeServer("tracker");
    const removed = only("server");
    expect(removed.delta.removed).toHaveLength(3);
    expect("status" in removed).toBe(false);
    expect(code(() => search.add([{ name: "own" }]))).toBe("duplicate_name");
    expect(types()).toEqual([]);
  });

  it("count tokens by the user's counter", () => {
    const { search, events } = observed({ countTokens: (text) => text.length });
    const session = search.session();
    const reply = session.handle({ query: "select:create_issue" });
    const [, searched] = events;
    expect(searched).toMatchObject({ tokens: { reply: reply.text.length } });
    expect(searched).toMatchObject({ tokens: { loaded: JSON.stringify({ name: "mcp__tracker__create_issue", description: "Opens an issue", input_schema: issueTools()[0]!.inputSchema }).length } });
  });

  it("cost nothing and change nothing where nobody listens", () => {
    const counted: string[] = [];
    const countTokens = (text: string) => counted.push(text) && text.length;
    const run = (options: ToolSearchOptions) => {
      const search = small({ countTokens, ...options });
      const session = search.session();
      const capped = search.session({ maxTools: 3, overflow: "evict" });
      counted.length = 0;
      const calls = ["create_issue", "list_issues", "create_issue", "list_issues"].map((name) => capped.resolve(name));
      const told = [search.search("issue"), session.handle({ query: "issue" }), session.resolve("create_issue"), session.tools("openai-chat"), calls, capped.tools()];
      search.add([{ name: "x" }], { server: "y" });
      return { told: JSON.stringify([told, session.tools(), session.announce(), session.state()]), counted: counted.length };
    };
    const alone = run({});
    const watched = run({ onEvent: () => undefined });
    expect(watched.told).toBe(alone.told);
    expect(alone.counted).toBe(0);
    expect(watched.counted).toBeGreaterThan(0);
  });

  it("survive a listener that throws, rejects, frees, or searches itself", async () => {
    const bad = () => {
      throw new Error("not my day");
    };
    for (const onEvent of [bad, async () => bad(), () => Promise.reject(new Error("no"))]) {
      const search = small({ onEvent: onEvent as () => void });
      const session = search.session();
      expect(session.handle({ query: "open issue" }).loaded).toHaveLength(2);
      expect(session.tools()).toHaveLength(4);
      search.removeServer("tracker");
      expect(session.tools()).toHaveLength(2);
    }
    await new Promise((resolve) => setTimeout(resolve, 0)); // an unhandled rejection would fail the run

    let calls = 0;
    const recursive: ToolSearch = small({ onEvent: () => (calls++, void recursive?.search("issue")) });
    calls = 0;
    recursive.search("issue");
    expect(calls).toBe(1);

    const freed: ToolSearch = small({ onEvent: ({ type }) => type === "activation" && freed.free() });
    const session = freed.session();
    expect(session.handle({ query: "select:create_issue" }).loaded).toHaveLength(1);
    expect(code(() => session.names())).toBe("freed");
  });

  it("are refused to what is no function", () => {
    expect(code(() => new ToolSearch({ onEvent: "log" as never }))).toBe("invalid_option");
    expect(new ToolSearchError("x", "y").code).toBe("x");
  });
});
