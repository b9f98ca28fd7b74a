// What a session may not see (sub-agents, permissions) is nowhere in what it says, whatever is asked: rules C9 and F3.
import { ToolSearch, type SessionOptions, type ToolDefinition, type ToolSearchEvent, type ToolUsage } from "tool-search";
import { describe, expect, it } from "vitest";

/** A small generator of its own, so that a failure is the same in every run. */
function generator(seed: number) {
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  return <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
}

const VERBS = ["create", "list", "delete", "send", "read", "update"] as const;
const THINGS = ["issue", "issues", "message", "file", "channel", "page"] as const;
/** Written into everything of a hidden tool, and nowhere else. */
const MARK = "zyzzyva";

/** What an answer says of its own accord: a word that was asked for is quoted just so, whether there is a tool of it or not. */
function ownWords(answer: unknown, asked: string): string {
  const words = asked.split(/\s+/).map((word) => word.replace(/^select:|^server:|^\+/, ""));
  const own = words.filter((word) => word.includes(MARK)).reduce((text, word) => text.replaceAll(word, ""), JSON.stringify(answer));
  return own.replace(/(?<=No tool knows [^.]*)\\"zyzzyv\w*\\"/g, "");
}

/** Where the mark is, for a message that can be read. */
function leak(text: string): string {
  const at = text.indexOf(MARK);
  return at < 0 ? "" : text.slice(Math.max(0, at - 120), at + 60);
}

/** Two servers with tools of both kinds, one server of hidden tools only, hidden built-in tools. */
function catalog(pick: ReturnType<typeof generator>, hidden: boolean, onEvent?: (event: ToolSearchEvent) => void) {
  const names = [...new Set(Array.from({ length: 12 }, () => `${pick(VERBS)}_${pick(THINGS)}`))];
  const seen = (name: string) => ({ name, description: `Can ${name.replace("_", " ")}`, inputSchema: { type: "object", properties: { title: {} } } });
  const secret = (name: string) => ({
    name: `${MARK}_${name}`,
    title: `${MARK} title`,
    description: `Can ${name.replace("_", " ")} ${MARK}`,
    inputSchema: { type: "object", properties: { [MARK]: { description: MARK, enum: [MARK] } } },
    annotations: { searchHint: `issue ${MARK}` },
  });
  const uses = { loaded: 5, called: 50 };
  const usage: ToolUsage = { version: 1, tools: { [`mcp__alpha__${MARK}_list_file`]: uses, [`mcp__beta__${names[0]}`]: { loaded: 1, called: 1 } } };
  const search = new ToolSearch({ defer: "always", preload: { usage }, ...(onEvent && { onEvent }) });
  const add = (server?: string) => {
    const tools: ToolDefinition[] = names.map(seen);
    if (hidden) tools.push(...["list_file", "create_issue", pick(VERBS)].map(secret));
    search.add(tools, server === undefined ? {} : { server });
  };
  add();
  add("alpha");
  add("beta");
  if (hidden) {
    search.add([secret("send_message"), secret("deploy")], { server: `${MARK}server`, instructions: `Speak of ${MARK}.` });
    search.add([{ ...secret("direct"), annotations: { alwaysLoad: true } as never }], { server: `${MARK}direct` });
    search.setServerStatus(`${MARK}down`, "pending", MARK);
  }
  return { search, names };
}

/** Everything that a session says over a life of odd questions. */
function life(search: ToolSearch, names: string[], options: SessionOptions, pick: ReturnType<typeof generator>): string {
  const session = search.session(options);
  const said: unknown[] = [session.prompt(), session.plan, session.names(), session.tools()];
  const ask = [
    "issue", "select:create_issue", "mcp__", "server:alpha", "alpha", "+list file", "mcp__beta", "teleport", "send the message by mail",
    `select:${MARK}_list_file`, `mcp__alpha__${MARK}_list_file`, `${MARK}server`, `server:${MARK}server`, `+${MARK} issue`, MARK, "zyzzyvas", "zyzzyv list",
    `mcp__${MARK}server`, `mcp__${MARK}server__x`, `${MARK}_list_fle`, "list_fil", "deploy", "direct", `${MARK}direct`, `${MARK}down`, names[0]!,
  ]; // prettier-ignore
  for (let step = 0; step < 40; step++) {
    const query = pick(ask);
    for (const answer of [session.handle({ query, max_results: pick([1, 5, 50]) }), session.resolve(query), session.activate([query])]) {
      said.push(ownWords(answer, query));
      if (query.includes(MARK) && "status" in answer) expect(answer.status).toBe("unknown");
    }
    if (step === 20) {
      search.add([{ name: "late" }], { server: "late" });
      said.push(session.announce());
      session.compacted("reset");
    }
    said.push(session.names(), session.tools("anthropic"), session.activated);
  }
  said.push(session.state(), session.announce());
  return JSON.stringify(said);
}

describe.each([1, 2, 3, 4, 5, 6])("seed %i", (seed) => {
  const filters: [string, SessionOptions][] = [
    ["deny", { deny: [`*${MARK}*`] }],
    ["allow", { allow: [...VERBS.map((verb) => `${verb}_*`), "late"] }],
  ];
  it.each(filters)("c9 %s hides tools in prompt, plan, arrays, replies, suggestions, news, state and events", (_, filter) => {
    const events: ToolSearchEvent[] = [];
    const { search, names } = catalog(generator(seed), true, (event) => void events.push(event));
    events.length = 0;
    const said = life(search, names, { ...filter, id: "sub" }, generator(seed));
    expect(leak(said)).toBe("");
    const own = events.filter((event) => "session" in event);
    expect(own.length).toBeGreaterThan(40);
    for (const event of own) {
      const { query, called, ...rest } = event as { query?: string; called?: string };
      expect(leak(ownWords(rest, query ?? called ?? ""))).toBe("");
    }
    expect(leak(JSON.stringify(search.usage()))).toBe("");
  });

  it.each(filters)("c9 %s counts, plans and composes as if they were not there", (_, filter) => {
    const shown = (hidden: boolean) => {
      const { search } = catalog(generator(seed), hidden);
      const session = search.session(filter);
      const { reason, tokens } = session.plan;
      session.activate(["mcp__alpha__create_issue", "mcp__alpha__list_file"]);
      const select = session.handle({ query: "server:beta", max_results: 1 });
      return { reason, tokens, prompt: session.prompt(), tools: session.tools("openai-chat"), text: select.text, more: select.result?.more };
    };
    expect(shown(true)).toEqual(shown(false));
  });
});

it("sub-agents share neither what they may see nor what they have loaded", () => {
  const { search } = catalog(generator(9), true);
  const main = search.session();
  const sub = search.session({ allow: ["mcp__alpha__*"], deny: [`*${MARK}*`] });
  const reply = sub.handle({ query: "issue file message", max_results: 50 });
  expect(reply.loaded.length).toBeGreaterThan(2);
  expect(reply.loaded.every((name) => name.startsWith("mcp__alpha__") && !name.includes(MARK))).toBe(true);
  expect(main.activated).toEqual([]);
  expect(search.session({ allow: [] }).plan).toMatchObject({ deferring: false, reason: "nothing-to-defer" });
  expect(search.session({ allow: [] }).tools()).toEqual([]);
});
