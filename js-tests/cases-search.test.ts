// Cases L11, L13, L16, L35, L37, L38, L48, L49, L56, L59: searches.
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";
import { issueTools, small } from "./small.js";

const parcels = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `parcel_${n}`, description: `Sends parcel ${n}` }));

it("L11 pending servers: named when nothing matches, and not with matches", () => {
  const search = small();
  search.setServerStatus("mail", "pending");
  search.setServerStatus("maps", "pending");
  const session = search.session();
  const none = session.handle({ query: "teleport" }).text;
  expect(none).toMatch(/Server mail is still connecting[^]*Server maps is still connecting/);
  expect(session.handle({ query: "issues" }).text).not.toMatch(/mail|maps/);
});

it("L13 odd numbers of results: clamped to 1..50, never refused", () => {
  const search = new ToolSearch({ defer: "always" });
  search.add(parcels(60));
  const loaded = (max_results: unknown) => search.session().handle({ query: "parcel", max_results }).loaded.length;
  for (const [given, count] of [[0, 1], [-5, 1], [2.9, 2], [1e9, 50], [Infinity, 50], [-Infinity, 1], ["7", 7], [7n, 7], [Number.NaN, 5], ["many", 5], ["", 5], [null, 5], [{}, 5], [true, 5]] as const) { // prettier-ignore
    expect([given, loaded(given)]).toEqual([given, count]);
  }
});

it("L35 registered 50 times: one entry, scores as in a fresh catalog", () => {
  const search = small();
  search.search("issue");
  for (let n = 0; n < 50; n++) search.add([...issueTools(), { name: `t${n}`, description: `issue ${n}` }], { server: "tracker" });
  search.add(issueTools(), { server: "tracker" });
  for (const query of ["open issue", "list issues project", "select:create_issue", "isues"]) {
    expect(search.search(query, { explain: true })).toEqual(small().search(query, { explain: true }));
  }
  expect(search.size).toBe(3);
});

it("L37 a hidden tool is invisible to select, words, listing and no-match text; filters act before the limit", () => {
  const search = small();
  const session = search.session({ deny: ["create_*"] });
  const hidden = /create_issue/;
  expect(session.prompt()).not.toMatch(hidden);
  const select = session.handle({ query: "select:mcp__tracker__create_issue" });
  expect(select).toMatchObject({ loaded: [], result: { missing: ["mcp__tracker__create_issue"], suggestions: ["mcp__tracker__list_issues"] } });
  const words = session.handle({ query: "open issue", max_results: 1 });
  expect(words).toMatchObject({ loaded: ["mcp__tracker__list_issues"], result: { more: 0 } });
  expect(session.handle({ query: "teleport" }).text).not.toMatch(hidden);
  expect(search.search("open issue", { deny: ["create_*"], limit: 1 }).matches.map(({ rawName }) => rawName)).toEqual(["list_issues"]);
});

it("L38 a sub-agent's view: its own catalog, and nothing shared", () => {
  const search = small();
  search.add(parcels(20), { server: "post" });
  const allowed = ["mcp__post__parcel_3", "mcp__post__parcel_4", "mcp__tracker__list_issues"];
  const sub = search.session({ allow: allowed });
  const main = search.session();
  expect(sub.names()).toEqual(["toolSearch"]);
  for (const query of ["parcel", "issue", "server:post", "read file", `select:${search.names().join(",")}`]) {
    const { loaded, result } = sub.handle({ query, max_results: 50 });
    expect([...loaded, ...(result?.matches.map(({ name }) => name) ?? []), ...(result?.direct ?? [])].filter((name) => !allowed.includes(name))).toEqual([]);
  }
  expect([...sub.activated].sort()).toEqual(allowed);
  expect(main.activated).toEqual([]);
  expect(sub.plan.tokens.full).toBeLessThan(main.plan.tokens.full);
});

it("L48 lone surrogates, emoji, right-to-left text: answered, the same each time", () => {
  const search = small();
  search.add([{ name: "שלח_הודעה", description: "שולח הודעה 🦀" }, { name: "🦀" }]);
  for (const query of ["\ud83e", "\udd80 issue", "🦀", "שלח הודעה", "\u202eeussi", "issue\u0000", "👩‍👩‍👧‍👦 issue", "ı İ ß issue", "select:🦀,\ud83e"]) {
    const ask = () => JSON.stringify(search.session().handle({ query }));
    expect(ask()).toBe(ask());
  }
  expect(search.session().handle({ query: "הודעה" }).loaded).toEqual(["שלח_הודעה"]);
});

it("L49 the same question in many processes: the same answer", async () => {
  const script = `
    import { ToolSearch } from "tool-search";
    const search = new ToolSearch({ defer: "always" });
    const words = ["create", "list", "issue", "file", "page", "send"];
    search.add(words.flatMap((a) => words.map((b) => ({ name: a + "_" + b, description: b + " " + a }))));
    const session = search.session();
    console.log(JSON.stringify(["create", "list page", "isue", "send the file to a page"].map((q) => [search.search(q, { limit: 50 }), session.handle({ query: q })])));
  `;
  const cwd = dirname(fileURLToPath(import.meta.url));
  const ask = async () => (await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd })).stdout;
  const answers: string[] = [];
  for (let n = 0; n < 6; n++) answers.push(await ask());
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain("create_issue");
});

// Elsewhere one call carries up to 16 queries. Here each is a call of its own, which models make in parallel.
it("L56 16 searches of one step: each answered by itself, in the order asked, repeated ones too", () => {
  const search = small();
  search.add(parcels(20));
  const session = search.session();
  const queries = Array.from({ length: 16 }, (_, n) => (n % 4 === 3 ? "select:list_issues" : `select:parcel_${n}`));
  const replies = queries.map((query) => session.handle({ query }));
  expect(replies.map(({ result }) => result?.query)).toEqual(queries);
  expect(replies.map(({ loaded }) => loaded.length)).toEqual(queries.map((query, n) => (queries.indexOf(query) === n ? 1 : 0)));
  expect(replies[7]).toMatchObject({ loaded: [], alreadyLoaded: ["mcp__tracker__list_issues"] });
});

it("L59 a selection beyond a cap: the first are loaded, the reply names the rest; without a cap all are", () => {
  const search = small();
  search.add(parcels(70), { server: "post" });
  const query = `select:${parcels(60).map(({ name }) => name).join(",")}`; // prettier-ignore
  const capped = search.session({ maxTools: 52, overflow: "evict" });
  const reply = capped.handle({ query });
  expect(reply.loaded).toEqual(Array.from({ length: 50 }, (_, n) => `mcp__post__parcel_${n}`));
  expect(reply.text).toContain("not loaded: mcp__post__parcel_50, mcp__post__parcel_51");
  expect(capped.tools()).toHaveLength(52);
  expect(search.session().handle({ query }).loaded).toHaveLength(60);
});

it("L16 a name that is a tool's and a server's means the tool (C2, C3); server:NAME means the server (C4)", () => {
  const search = new ToolSearch({ defer: "always" });
  search.add([{ name: "crm", description: "Opens the address book" }]);
  search.add([{ name: "lookup_account" }, { name: "list_tickets" }], { server: "crm" });
  for (const query of ["select:crm", "crm"]) {
    const { matches, ambiguous } = search.search(query);
    expect([matches.map(({ name }) => name), ambiguous]).toEqual([["crm"], []]);
  }
  expect(search.search("server:crm").matches.map(({ rawName }) => rawName)).toEqual(["lookup_account", "list_tickets"]);
});
