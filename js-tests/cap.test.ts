// How many tools one request may carry.
import { ToolSearch, type ToolSearchEvent } from "tool-search";
import { expect, it } from "vitest";
import { code, small } from "./small.js";

it("is an error before the request, with the numbers and what to do", () => {
  const search = small();
  const session = search.session({ maxTools: 3 });
  session.handle({ query: "select:create_issue" });
  expect(session.tools()).toHaveLength(3);
  session.handle({ query: "select:list_issues" });
  expect(code(() => session.tools("openai-chat"))).toBe("too_many_tools");
  expect(() => session.tools()).toThrow(/4 tools.*`maxTools` allows 3.*overflow/);
  expect(session.names()).toHaveLength(4);
  session.compacted("reset");
  expect(session.tools()).toHaveLength(2);
});

it("is an error at the start when what every request carries is too much", () => {
  const search = new ToolSearch();
  search.add(Array.from({ length: 129 }, (_, n) => ({ name: `t${n}` })));
  expect(code(() => search.session({ maxTools: 128 }))).toBe("too_many_tools");
  expect(() => search.session({ maxTools: 128, overflow: "evict" })).toThrow(/129 tools.*allows 128.*defer: "always"/);
  expect(search.session({ maxTools: 128, defer: "always" }).tools()).toHaveLength(1);
  expect(search.session({ maxTools: 128, deny: ["t7"] }).tools()).toHaveLength(128);
  expect(search.session().tools()).toHaveLength(129);
  const direct = new ToolSearch({ defer: "always" });
  direct.add([{ name: "a" }, { name: "b" }], { load: "direct" });
  direct.add([{ name: "c" }]);
  expect(code(() => direct.session({ maxTools: 3 }))).toBe("too_many_tools");
  for (const maxTools of [0, -1, 1.5, "128"]) expect(code(() => direct.session({ maxTools: maxTools as never }))).toBe("invalid_option");
  expect(code(() => direct.session({ maxTools: 9, overflow: "drop" as never }))).toBe("invalid_option");
});

it("lets the least recently used leave, and tells of the break", () => {
  const events: ToolSearchEvent[] = [];
  const search = small({ onEvent: (event) => void events.push(event) });
  search.add([{ name: "ping" }, { name: "trace" }], { server: "net" });
  const session = search.session({ maxTools: 4, overflow: "evict", id: "c" });
  session.activate(["create_issue", "list_issues"]);
  expect(session.tools()).toHaveLength(4);
  session.resolve("create_issue");
  events.length = 0;
  expect(session.handle({ query: "select:ping" })).toMatchObject({ loaded: ["mcp__net__ping"], changed: true });
  session.tools();
  expect(session.names()).toEqual(["readFile", "toolSearch", "mcp__tracker__create_issue", "mcp__net__ping"]);
  expect(session.activated).toEqual(["mcp__tracker__create_issue", "mcp__net__ping"]);
  const broken = events.find(({ type }) => type === "cache-break");
  // Everything behind the one that left is new to the provider's cache.
  expect(broken).toMatchObject({ session: "c", removed: ["mcp__tracker__list_issues"], changed: [] });
  expect((broken as { tokens: { kept: number; array: number } }).tokens.kept).toBeLessThan((broken as { tokens: { array: number } }).tokens.array);
  const reply = session.handle({ query: "select:trace,list_issues,create_issue" });
  expect(reply.loaded).toEqual(["mcp__net__trace", "mcp__tracker__list_issues"]);
  expect(reply.text).toContain("not loaded: mcp__tracker__create_issue");
  expect(session.tools()).toHaveLength(4);
  expect(search.session({ state: session.state(), maxTools: 4, overflow: "evict" }).names()).toEqual(session.names());
});
