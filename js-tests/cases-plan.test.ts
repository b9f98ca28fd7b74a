// Cases L1 to L10, L24, L27, L50, L51, L53, L54: what is sent, and when anything is deferred.
import { ToolSearch, type Format, type ToolDefinition, type ToolSearchOptions } from "tool-search";
import { describe, expect, it } from "vitest";
import { issueTools, small } from "./small.js";

const FORMATS: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];
const CREATE = "mcp__tracker__create_issue";
const LIST = "mcp__tracker__list_issues";

describe("arrays", () => {
  it("L1 nothing loaded: the same array, byte for byte", () => {
    const session = small().session();
    for (const format of FORMATS) expect(JSON.stringify(session.tools(format))).toBe(JSON.stringify(session.tools(format)));
    session.tools().forEach((tool, i) => expect(session.tools()[i]).toBe(tool));
  });

  it("L2 base, then loaded tools in activation order; what was there stays", () => {
    const session = small().session();
    const [base, ...later] = [[], ["list_issues"], ["create_issue"]].map((names) => {
      session.activate(names);
      return session.tools("anthropic");
    }) as [unknown[], unknown[], unknown[]];
    for (const array of later) expect(array.slice(0, base.length)).toEqual(base);
    expect(later[1]!.slice(0, -1)).toEqual(later[0]);
    expect(session.names()).toEqual(["readFile", "toolSearch", LIST, CREATE]);
  });

  it("L3 a name that no tool has is passed over", () => {
    const search = small();
    const session = search.session({ state: { version: 1, activated: ["gone", LIST] } });
    expect(session.activate(["nope", "__proto__"])).toEqual([]);
    expect(session.names()).toEqual(["readFile", "toolSearch", LIST]);
  });

  it("L10 found again: to be called directly, and no byte changes", () => {
    const session = small().session();
    session.handle({ query: "select:list_issues" });
    const [before, activated] = [JSON.stringify(session.tools()), session.activated];
    const reply = session.handle({ query: "+list issues" });
    expect(reply).toMatchObject({ loaded: [], alreadyLoaded: [LIST], changed: false });
    expect(reply.text).toContain("already loaded: call directly");
    expect(session.activated).toEqual(activated);
    expect(JSON.stringify(session.tools())).toBe(before);
  });

  it("L24 with every tool deferred, the search tool stays", () => {
    const search = new ToolSearch({ defer: "always" });
    search.add(issueTools(), { server: "tracker" });
    expect(search.session().names()).toEqual(["toolSearch"]);
  });

  it("L27 compaction, keep: what is loaded stays, in its order", () => {
    const session = small().session();
    session.activate(["list_issues", "create_issue"]);
    const before = JSON.stringify(session.tools());
    session.compacted("keep");
    session.compacted();
    expect(JSON.stringify(session.tools())).toBe(before);
  });

  it("L50 snapshot, restore: the same names, order, scores and announcements", () => {
    const search = small();
    search.setServerStatus("late", "pending", "slow");
    const copy = ToolSearch.restore(search.snapshot(), { defer: "always" });
    const [one, two] = [search.session(), copy.session()];
    for (const query of ["open an issue", "select:list_issues,nope", "tracker", "isues", "nothing of it"]) {
      expect(copy.search(query, { explain: true })).toEqual(search.search(query, { explain: true }));
      expect(two.handle({ query })).toEqual(one.handle({ query }));
    }
    for (const engine of [search, copy]) engine.add([{ name: "ping" }, ...issueTools().slice(1)], { server: "tracker" });
    expect(two.announce()).toBe(one.announce());
    expect(two.tools()).toEqual(one.tools());
  });

  it("L51 a tool that a forced choice names is loaded first", () => {
    const session = small().session();
    expect(session.activate([LIST])).toEqual([LIST]);
    expect(session.names().at(-1)).toBe(LIST);
    expect(session.resolve(LIST).status).toBe("ready");
  });

  it("L53 one conversation in another provider's form, the same bytes on repeat", () => {
    const session = small().session();
    session.handle({ query: "select:list_issues" });
    const sent = FORMATS.map((format) => JSON.stringify(session.tools(format)));
    expect(new Set(sent).size).toBe(FORMATS.length);
    expect(sent.every((json) => json.includes(LIST))).toBe(true);
    expect(FORMATS.map((format) => JSON.stringify(session.tools(format)))).toEqual(sent);
  });

  it("L54 nothing in any form that a proxy may not know", () => {
    const session = small().session();
    session.handle({ query: "select:list_issues" });
    for (const format of FORMATS) expect(JSON.stringify(session.tools(format))).not.toMatch(/tool_reference|defer_loading|deferLoading|cache_control/);
  });
});

describe("plan", () => {
  /** A catalog of 40 tools, some 1,500 tokens, that decides by itself. */
  const catalog = (options: ToolSearchOptions = {}) => {
    const search = new ToolSearch(options);
    const tools: ToolDefinition[] = Array.from({ length: 40 }, (_, n) => ({ name: `tool_${n}`, description: `Does the thing of number ${n}` }));
    search.add(tools, { server: "many" });
    return search;
  };

  it("L4 far below 10% of the context: everything direct, no search tool", () => {
    const session = catalog().session({ contextWindow: 10_000_000 });
    expect(session.plan).toMatchObject({ deferring: false, reason: "below-threshold" });
    expect([session.names().length, session.prompt(), session.searchToolName]).toEqual([40, "", undefined]);
  });

  it("L5 a context of 100 tokens: deferred", () => {
    expect(catalog().session({ contextWindow: 100 }).names()).toEqual(["toolSearch"]);
  });

  it("L6 exactly the threshold: deferred", () => {
    const { deferrable } = catalog().plan().tokens;
    expect(catalog({ threshold: { tokens: deferrable } }).plan().reason).toBe("above-threshold");
    expect(catalog({ threshold: { tokens: deferrable + 1 } }).plan().reason).toBe("below-threshold");
    expect(catalog().plan({ contextWindow: deferrable * 10 }).deferring).toBe(true);
    expect(catalog().plan({ contextWindow: deferrable * 10 + 10 }).deferring).toBe(false);
  });

  it("L7 small models get everything where the list says so; by default no model does", () => {
    const listed = catalog({ defer: "always", directModels: ["*haiku*", "*nano*", "*glm-4v*"] });
    for (const model of ["anthropic:claude-3-5-haiku", "openai:gpt-5-nano", "glm-4v-plus"]) {
      expect(listed.session({ model }).plan).toMatchObject({ deferring: false, reason: "direct-model" });
      expect(catalog({ defer: "always" }).session({ model }).plan.deferring).toBe(true);
    }
    expect(listed.session({ model: "anthropic:claude-sonnet-4-5" }).plan.deferring).toBe(true);
  });

  it("L8 alwaysLoad: direct, not listed, never loaded by words, to be called directly by name", () => {
    for (const mark of [{ annotations: { alwaysLoad: true } }, { _meta: { "anthropic/alwaysLoad": true } }]) {
      const search = small();
      search.add([{ name: "pinned_issue", description: "Pins an issue", ...mark }], { server: "pins" });
      const session = search.session();
      expect(session.names()).toEqual(["readFile", "mcp__pins__pinned_issue", "toolSearch"]);
      expect(session.prompt()).not.toContain("pinned_issue");
      expect(session.handle({ query: "pins an issue", max_results: 50 }).loaded).not.toContain("mcp__pins__pinned_issue");
      const reply = session.handle({ query: "select:pinned_issue" });
      expect(reply).toMatchObject({ loaded: [], changed: false, result: { direct: ["mcp__pins__pinned_issue"] } });
      expect(reply.text).toContain("call directly");
    }
  });

  it("L9 alwaysLoad as text: still deferred", () => {
    const search = small();
    const mark = { annotations: { alwaysLoad: "true" }, _meta: { "anthropic/alwaysLoad": 1 } };
    search.add([{ name: "pinned", ...mark }]);
    expect(search.session().names()).toEqual(["readFile", "toolSearch"]);
  });
});
