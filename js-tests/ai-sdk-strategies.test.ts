// Every strategy with the real `ai` and provider packages over HTTP: what is asserted is what went over the wire.
import type { ModelMessage, UIMessage } from "ai";
import { stateFromMessages, withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { agent, callsCounted } from "./support/agent.js";
import { majors, oldest, runTurn, runUiTurn, type Major } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { brokenPrefixes, providerServer, type ProviderServer, type Script, type WireRequest } from "./support/provider-server.js";
import type { WireName } from "./support/wires.js";

const servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const serve = async (wire: WireName, script: Script) => {
  const server = await providerServer(wire, script);
  servers.push(server);
  return server;
};

interface Case {
  strategy: StrategyName;
  wire: WireName;
  major: Major;
}
const pairs: [StrategyName, WireName][] = [
  ["append", "openai-chat"],
  ["append", "openai-responses"],
  ["append", "anthropic"],
  ["anthropic", "anthropic"],
  ["openai", "openai-responses"],
  ["bridge", "openai-chat"],
  ["bridge", "anthropic"],
];
const works = (strategy: StrategyName, major: Major) => major.major > 5 || strategy === "append" || strategy === "bridge";
const casesOf = (majors: Major[]): (Case & { name: string })[] =>
  majors.flatMap((major) =>
    pairs
      .filter(([strategy]) => works(strategy, major))
      .map(([strategy, wire]) => ({ name: `${major.name}, ${strategy} over ${wire}`, strategy, wire, major })),
  );
const cases = casesOf(majors);
const oneWire = cases.filter(
  ({ strategy, major }, i) => cases.findIndex((other) => other.strategy === strategy && other.major === major) === i,
);
const user = (content: string): ModelMessage => ({ role: "user", content });

/** Makes a script's calls as the strategy has the model make them. */
function speaker(strategy: StrategyName) {
  const searchTool = strategy === "openai" ? "tool_search" : "toolSearch";
  const search = (query: string) => ({ call: searchTool, input: { query } });
  const call = (name: string, input: object = {}) =>
    strategy === "bridge" && name !== "clock" ? { call: "callTool", input: { name, arguments: input } } : { call: name, input };
  return { searchTool, search, call };
}

/** Everything a strategy promises of the arrays and prompts of a conversation. */
function expectStable(strategy: StrategyName, requests: WireRequest[]) {
  expect(brokenPrefixes(requests)).toEqual([]);
  expect(new Set(requests.map(({ system }) => system)).size).toBe(1);
  if (strategy !== "append") expect(new Set(requests.map(({ body }) => JSON.stringify(body["tools"]))).size).toBe(1);
  if (strategy !== "anthropic") return;
  for (const { body } of requests) {
    const deferred = body["tools"].filter((tool: any) => tool.defer_loading);
    expect(deferred.length).toBeLessThan(body["tools"].length);
    for (const tool of deferred) expect(tool).not.toHaveProperty("cache_control");
    for (const references of referencesOf(body)) {
      expect(references.length).toBeGreaterThan(0);
      for (const name of references) expect(deferred.map((tool: any) => tool.name)).toContain(name);
    }
  }
}

/** The references of each tool result that is no text. */
function referencesOf(body: Record<string, any>): string[][] {
  const blocks = body["messages"].flatMap(({ content }: any) => (Array.isArray(content) ? content : []));
  return blocks
    .filter(
      ({ type, content }: any) => type === "tool_result" && Array.isArray(content) && content.every(({ type }: any) => type !== "text"),
    )
    .map(({ content }: any) => content.map(({ tool_name }: any) => tool_name));
}

/** A conversation in which the model finds, loads and calls tools, some too early, and one that is not there. */
async function converse({ strategy, wire, major }: Case, how: "streamText" | "generateText", age?: "oldest") {
  const say = speaker(strategy);
  const { search, tools, ran } = await agent({ searchToolName: say.searchTool });
  const session = search.session();
  const server = await serve(wire, [
    [say.search("merge")],
    [say.call("mcp__forge__merge", { text: "#1" }), say.call("clock")],
    [say.search("select:notepad"), say.call("notepad", { text: "early" }), say.search("open an issue")],
    [say.call("notepad", { text: "late" }), say.call("mcp__forge__create_issue")],
    [say.call("mcp__post__send_mail", { guessed: true })],
    [say.call("mcp__post__send_mail", { text: "hi" }), say.call("mcp__forge__brew")],
    "finished",
  ]);
  const model = modelOn(major.major, wire, server.url, age);
  const settings = withToolSearch(session, { strategy, tools, system: "Be brief." });
  const { text } = await runTurn(major, how, { model, messages: [user("go")], ...settings });

  expect(text).toBe("finished");
  expect(ran.sort()).toEqual(["clock", "create_issue", "merge", "notepad", "send_mail"]);
  expect(callsCounted(search)).toEqual(["clock", "mcp__forge__create_issue", "mcp__forge__merge", "mcp__post__send_mail", "notepad"]);
  expect(session.activated.slice(0, 2)).toEqual(["mcp__forge__merge", "notepad"]);
  expectStable(strategy, server.requests);
  const results = server.requests.map(({ results }) => results.map(({ text }) => text));
  expect(results[2]?.toSorted()).toEqual(["clock ran", "merge ran with #1"]);
  expect(results[3]?.filter((text) => text.includes("notepad"))).toHaveLength(2);
  expect(results[4]).toContain("notepad ran with late");
  expect(results[5]?.[0]).toContain("mcp__post__send_mail");
  expect(results[6]).toContain("send_mail ran with hi");
  expect(results[6]?.join()).toContain('no tool "mcp__forge__brew"');
  expect(server.requests[0]?.system).toContain(`Be brief.\n\n${session.prompt()}`);
}

describe.each(cases)("$name", ({ strategy, wire, major }) => {
  const say = speaker(strategy);
  const openAgent = () => agent({ searchToolName: say.searchTool });

  describe.each(["streamText", "generateText"] as const)("%s", (how) => {
    it("finds, loads and runs tools, and answers what cannot run", () => converse({ strategy, wire, major }, how));

    it("goes on from the history alone, in a new process at each user turn", async () => {
      const script: Script = [
        [say.search("select:merge"), say.search("select:notepad")],
        [say.call("mcp__forge__merge")],
        "one",
        [say.call("mcp__post__send_mail"), say.search("select:list_branches")],
        "two",
        [say.call("notepad"), say.call("mcp__post__send_mail"), say.call("mcp__forge__list_branches")],
        "three",
      ];
      const server = await serve(wire, script);
      const model = modelOn(major.major, wire, server.url);
      let history: ModelMessage[] = [];
      const ranIn: string[][] = [];
      for (const text of ["first", "second", "third"]) {
        const { search, tools, ran } = await openAgent();
        const session = search.session({ state: stateFromMessages(search, history) });
        history = JSON.parse(JSON.stringify([...history, user(text)])) as ModelMessage[];
        const turn = await runTurn(major, how, { model, messages: history, ...withToolSearch(session, { strategy, tools }) });
        history.push(...turn.messages);
        expect(stateFromMessages(search, history)).toEqual(session.state());
        ranIn.push(ran);
      }
      expect(ranIn).toEqual([["merge"], [], ["notepad", "send_mail", "list_branches"]]);
      expectStable(strategy, server.requests);
    });
  });
});

it.each(casesOf(oldest))("works with the oldest releases: $name", (each) => converse(each, "streamText", "oldest"));

describe.each(oneWire)("$name", ({ strategy, wire, major }) => {
  const say = speaker(strategy);
  const openAgent = () => agent({ searchToolName: say.searchTool });

  describe.each(["streamText", "generateText"] as const)("%s", (how) => {
    it("hands on what a tool throws", async () => {
      const { search, tools } = await openAgent();
      const failing = {
        ...tools,
        mcp__forge__merge: { ...tools["mcp__forge__merge"], execute: () => Promise.reject(new Error("conflict in a.txt")) },
      };
      const server = await serve(wire, [[say.search("merge")], [say.call("mcp__forge__merge"), say.call("clock")], "sorry"]);
      const settings = withToolSearch(search.session(), { strategy, tools: failing as never });
      const { text } = await runTurn(major, how, { model: modelOn(major.major, wire, server.url), messages: [user("go")], ...settings });
      expect(text).toBe("sorry");
      expect(server.requests[2]?.results.map(({ text }) => text.replace(/.*conflict.*/, "conflict")).toSorted()).toEqual([
        "clock ran",
        "conflict",
      ]);
    });

    it("stops when it is told to", async () => {
      const { search, tools } = await openAgent();
      const controller = new AbortController();
      let signal: AbortSignal | undefined;
      const slow = (_: unknown, options: { abortSignal?: AbortSignal }) => {
        signal = options.abortSignal;
        controller.abort(new Error("enough"));
        return new Promise((_, reject) => setTimeout(() => reject(signal?.reason), 0));
      };
      const slowed = { ...tools, mcp__forge__merge: { ...tools["mcp__forge__merge"], execute: slow } };
      const server = await serve(wire, [[say.search("merge")], [say.call("mcp__forge__merge")], "late"]);
      const settings = withToolSearch(search.session(), { strategy, tools: slowed as never });
      const model = modelOn(major.major, wire, server.url);
      // What an aborted stream's promises do is another matter in each major.
      void runTurn(major, how, { model, messages: [user("go")], abortSignal: controller.signal, onError: () => {}, ...settings }).catch(
        () => {},
      );
      await vi.waitFor(() => expect(signal?.aborted).toBe(true));
      expect(server.requests).toHaveLength(2);
    });
  });

  it("works in an agent", async () => {
    const { search, tools, ran } = await openAgent();
    const server = await serve(wire, [[say.search("merge")], [say.call("mcp__forge__merge"), say.call("brew")], "finished"]);
    const Agent = major.ai.ToolLoopAgent ?? major.ai.Experimental_Agent;
    const settings = withToolSearch(search.session(), { strategy, tools, system: "Be brief." });
    const { text } = await new Agent({
      model: modelOn(major.major, wire, server.url),
      stopWhen: major.ai.stepCountIs(5),
      ...settings,
    } as never).generate({ prompt: "go" });
    expect(text).toBe("finished");
    expect(ran).toEqual(["merge"]);
    expect(server.requests[2]?.results.map(({ text }) => text).join()).toContain('no tool "brew"');
    expectStable(strategy, server.requests);
  });

  it("goes on from UI messages alone", async () => {
    const script: Script = [
      [say.search("select:merge,notepad")],
      [say.call("mcp__forge__merge")],
      "one",
      [say.call("clock")],
      "two",
      [say.call("notepad")],
      "three",
    ];
    const server = await serve(wire, script);
    let history: UIMessage[] = [];
    for (const text of ["first", "second", "third"]) {
      const { search, tools } = await openAgent();
      const session = search.session({ state: stateFromMessages(search, history) });
      history = JSON.parse(JSON.stringify([...history, { id: text, role: "user", parts: [{ type: "text", text }] }])) as UIMessage[];
      history = await runUiTurn(major, history, {
        model: modelOn(major.major, wire, server.url),
        ...withToolSearch(session, { strategy, tools }),
      } as never);
      expect(stateFromMessages(search, history)).toEqual({ version: 1, activated: ["mcp__forge__merge", "notepad"] });
    }
    expect(server.requests.at(-1)?.results.map(({ text }) => text)).toEqual(["notepad ran"]);
    expectStable(strategy, server.requests);
  });
});

it.each(oneWire.filter(({ major }) => major.major === 7))(
  "serves fifty conversations of one catalog at once: $name",
  async ({ strategy, wire, major }) => {
    const say = speaker(strategy);
    const { search, tools } = await agent({ searchToolName: say.searchTool });
    const run = async (i: number) => {
      const wanted = ["mcp__forge__merge", "notepad", "mcp__post__send_mail"][i % 3] as string;
      const server = await serve(wire, [[say.search(`select:${wanted}`)], [say.call(wanted, { text: String(i) })], "done"]);
      const settings = withToolSearch(search.session(), { strategy, tools });
      await runTurn(major, "streamText", { model: modelOn(major.major, wire, server.url), messages: [user("go")], ...settings });
      expect(server.requests[2]?.results.map(({ text }) => text)).toEqual([expect.stringContaining(`ran with ${i}`)]);
      expectStable(strategy, server.requests);
    };
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(i)));
  },
  30_000,
);
