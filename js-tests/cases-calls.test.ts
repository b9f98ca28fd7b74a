// Cases L23, L28, L30 to L32, L51, L60: calls that models make, and what they are answered.
import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";
import { issueTools, small } from "./small.js";

const LIST = "mcp__tracker__list_issues";
const booking = {
  name: "book_room",
  description: "Books a room",
  inputSchema: { type: "object", properties: { day: { type: "string" }, seats: { type: "integer" }, note: { type: ["string", "null"] } }, required: ["seats", "day"] },
};

it("L23 history that names a tool now gone: dropped, the array stays valid", () => {
  const search = small();
  const first = search.session();
  first.activate(["create_issue", "list_issues"]);
  const state = first.state();
  search.add(issueTools().slice(1), { server: "tracker" });
  for (const session of [first, search.session({ state })]) {
    expect(session.names()).toEqual(["readFile", "toolSearch", LIST]);
    expect(session.activated).toEqual([LIST]);
  }
  expect(first.state()).toEqual({ version: 1, activated: [LIST] });
});

// Elsewhere such a call is refused with "search for it first". By F3 it loads the tool and is answered with the parameters: one step less.
it("L28 compaction, reset: a call of an earlier tool loads it anew, as a search does", () => {
  const search = small();
  for (const again of ["call", "search"]) {
    const session = search.session();
    session.activate(["list_issues"]);
    session.compacted("reset");
    expect(session.names()).toEqual(["readFile", "toolSearch"]);
    if (again === "call") expect(session.resolve(LIST)).toMatchObject({ status: "activated", name: LIST });
    else expect(session.handle({ query: "select:list_issues" })).toMatchObject({ loaded: [LIST], changed: true });
    expect(session.names().at(-1)).toBe(LIST);
    expect(session.resolve(LIST).status).toBe("ready");
  }
});

it("L30 a deferred tool called directly: answered before its arguments matter, with types from the schema", () => {
  const search = small();
  search.add([booking], { server: "rooms" });
  const session = search.session();
  const resolution = session.resolve("mcp__rooms__book_room");
  expect(resolution).toMatchObject({ status: "activated", name: "mcp__rooms__book_room" });
  const { text } = resolution as { text: string };
  expect(text).toContain("did not run");
  expect(text).toContain("day (string, required), seats (integer, required), note (string,null)");
  expect(session.tools().at(-1)).toEqual({ ...booking, name: "mcp__rooms__book_room" });
});

it("L31 loaded, its server disconnected: said to be disconnected, and not unknown", () => {
  const search = small();
  const session = search.session();
  session.activate(["list_issues"]);
  search.setServerStatus("tracker", "disconnected", "it hung up");
  const resolution = session.resolve(LIST);
  expect(resolution).toMatchObject({ status: "unavailable", name: LIST, server: "tracker" });
  expect((resolution as { text: string }).text).toMatch(/tracker is disconnected \(it hung up\)/);
  expect(session.names()).toContain(LIST);
  search.setServerStatus("tracker", "ready");
  expect(session.resolve(LIST).status).toBe("ready");
});

it("L32 an unknown name: close names, and never a keyword", () => {
  const search = small({ keywords: { create_issue: ["kryptonite"] } });
  const session = search.session();
  expect(session.resolve("creat_isue")).toMatchObject({ status: "unknown", suggestions: ["mcp__tracker__create_issue"] });
  for (const name of ["kryptonit", "kriptonite", "kryptonites"]) {
    const answer = JSON.stringify(session.resolve(name)).replaceAll(name, "");
    expect(answer).not.toContain("kryptonite");
  }
});

// Elsewhere a result of a search carries schemas or an example call. By F8 replies are short: the next request has the definitions
// whole. A call that came too early is answered with the signature (F3).
it("L60 replies name tools; definitions come with the next request", () => {
  const search = new ToolSearch({ defer: "always" });
  search.add([booking, ...issueTools()], { server: "rooms" });
  const session = search.session();
  const reply = session.handle({ query: "book a room", max_results: 1 });
  expect(reply.text).toContain("- mcp__rooms__book_room: Books a room");
  expect(reply.text).not.toContain("seats");
  expect(JSON.stringify(session.tools("anthropic").at(-1))).toContain('"seats":{"type":"integer"}');
});
