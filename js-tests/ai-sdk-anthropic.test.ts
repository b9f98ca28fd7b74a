// The strategy "anthropic": references, breakpoints and a catalog that changes, over the wire.
import { tool, type ModelMessage, type ToolSet } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet, stateFromMessages, withToolSearch } from "tool-search/ai-sdk";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { agent } from "./support/agent.js";
import { majors, runTurn } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { providerServer, type ProviderServer, type Script, type WireRequest } from "./support/provider-server.js";

let server: ProviderServer;
afterEach(() => server?.close());
const user = (content: string): ModelMessage => ({ role: "user", content });
const search = (query: string) => ({ call: "toolSearch", input: { query } });
const strategy = "anthropic" as const;
const deferredIn = ({ body }: WireRequest) => body["tools"].filter((tool: any) => tool.defer_loading).map((tool: any) => tool.name);

it.each(["streamText", "generateText"] as const)("is refused by ai 5, %s", async (how) => {
  const { search, tools } = await agent();
  server = await providerServer("anthropic", []);
  const errors: unknown[] = [];
  const settings = {
    model: modelOn(5, "anthropic", server.url),
    messages: [user("go")],
    onError: ({ error }: { error: unknown }) => errors.push(error),
  };
  await runTurn(majors[0] as never, how, { ...settings, ...withToolSearch(search.session(), { strategy, tools }) }).catch(
    (error: unknown) => errors.push(error),
  );
  expect(errors[0]).toMatchObject({ name: "ToolSearchError", code: "unsupported", message: expect.stringContaining("ai 6 or 7") });
  expect(server.requests).toEqual([]);
});

describe.each(majors.slice(1))("$name", (major) => {
  const run = async (script: Script, messages: ModelMessage[], settings: object) => {
    server = await providerServer("anthropic", script);
    return runTurn(major, "generateText", { model: modelOn(major.major, "anthropic", server.url), messages, ...settings });
  };

  it("sends everything from the start, and marks what is deferred", async () => {
    const { search: engine, tools } = await agent();
    await run(["hi"], [user("go")], withToolSearch(engine.session({ deny: ["mcp__post__*"] }), { strategy, tools }));
    expect(server.requests[0]?.names).toEqual([
      "clock",
      "toolSearch",
      "notepad",
      "mcp__forge__create_issue",
      "mcp__forge__list_branches",
      "mcp__forge__merge",
    ]);
    expect(deferredIn(server.requests[0] as WireRequest)).toEqual([
      "notepad",
      "mcp__forge__create_issue",
      "mcp__forge__list_branches",
      "mcp__forge__merge",
    ]);
  });

  it("L26: answers in text where there is nothing to refer to", async () => {
    const { search: engine, tools } = await agent();
    const script: Script = [[search("photosynthesis"), search("select:clock"), search(""), search("select:merge")], "done"];
    await run(script, [user("go")], withToolSearch(engine.session(), { strategy, tools }));
    const [none, direct, empty, found] = server.requests[1]?.results.map(({ text }) => text) ?? [];
    expect(none).toContain("No tool matches");
    expect(direct).toContain("clock is already loaded");
    expect(empty).toContain("query is empty");
    expect(JSON.parse(found ?? "")).toEqual([{ type: "tool_reference", tool_name: "mcp__forge__merge" }]);
  });

  it("L23: drops references to tools that are gone, and says so where none is left", async () => {
    const first = await agent();
    const session = first.search.session();
    const asked = [user("one")];
    const turn = await run(
      [[search("select:merge,notepad")], [search("select:create_issue")], "done"],
      asked,
      withToolSearch(session, { strategy, tools: first.tools }),
    );
    await server.close();

    const second = await agent();
    second.search.removeServer("forge");
    const history = [...asked, ...turn.messages, user("two")];
    const next = second.search.session({ state: stateFromMessages(second.search, history) });
    await run(["hi"], history, withToolSearch(next, { strategy, tools: second.tools }));
    const results = server.requests[0]?.body["messages"]
      .flatMap(({ content }: any) => content)
      .filter(({ type }: any) => type === "tool_result");
    expect(results.map(({ content }: any) => content)).toEqual([
      [{ type: "tool_reference", tool_name: "notepad" }],
      expect.stringContaining("None of the tools"),
    ]);
    expect(deferredIn(server.requests[0] as WireRequest)).toEqual(["notepad", "mcp__post__send_mail"]);
  });

  it("follows a server that changes its tools while the model works", async () => {
    const { search: engine, tools } = await agent();
    const settings = withToolSearch(engine.session(), { strategy, tools, call: () => "called" });
    const script: Script = [
      [search("select:send_mail")],
      () => {
        engine.add([{ name: "post_letter", description: "Post a letter", inputSchema: { type: "object" } }], { server: "post" });
        return [search("letter")];
      },
      [{ call: "mcp__post__post_letter" }],
      "done",
    ];
    await run(script, [user("go")], settings);
    const texts = server.requests[2]?.body["messages"]
      .flatMap(({ content }: any) => content)
      .filter(({ type }: any) => type === "tool_result");
    expect(texts.map(({ content }: any) => content)).toEqual([
      expect.stringContaining("None of the tools"),
      [{ type: "tool_reference", tool_name: "mcp__post__post_letter" }],
    ]);
    expect(server.requests[3]?.results).toEqual([{ name: "mcp__post__post_letter", text: "called" }]);
  });

  it("L25: moves a breakpoint from deferred tools to the last that is not", async () => {
    const engine = new ToolSearch({ defer: "always" });
    const make = (cached: boolean) =>
      tool({
        inputSchema: z.object({}),
        execute: async () => "",
        ...(cached && { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }),
      });
    const tools: ToolSet = await addToolSet(
      engine,
      { one: make(false), two: make(false), three: make(true) },
      { load: { direct: ["one"] } },
    );
    await run(["hi"], [user("go")], withToolSearch(engine.session(), { strategy, tools }));
    const sent = server.requests[0]?.body["tools"].map(({ name, cache_control, defer_loading }: any) => [
      name,
      !!cache_control,
      !!defer_loading,
    ]);
    expect(sent).toEqual([
      ["one", false, false],
      ["toolSearch", true, false],
      ["two", false, true],
      ["three", false, true],
    ]);
  });

  it("L53: takes over a history of another strategy, and gives it back", async () => {
    const { search: engine, tools } = await agent();
    const session = engine.session();
    const asked = [user("one")];
    const turn = await run([[search("select:merge")], "done"], asked, withToolSearch(session, { tools }));
    await server.close();
    const history = [...asked, ...turn.messages, user("two")];
    const back = await run([[{ call: "mcp__forge__merge" }], "done"], history, withToolSearch(session, { strategy, tools }));
    expect(JSON.stringify(server.requests[0]?.body["messages"])).toContain('"tool_reference","tool_name":"mcp__forge__merge"');
    await server.close();
    await run(["done"], [...history, ...back.messages, user("three")], withToolSearch(session, { tools }));
    expect(JSON.stringify(server.requests[0]?.body["messages"])).not.toContain("tool_reference");
  });

  it("takes over a history of references where nothing is deferred any more", async () => {
    const { search: engine, tools } = await agent();
    const asked = [user("one")];
    const turn = await run([[search("select:merge")], "done"], asked, withToolSearch(engine.session(), { strategy, tools }));
    await server.close();
    await run(["done"], [...asked, ...turn.messages, user("two")], withToolSearch(engine.session({ defer: "never" }), { strategy, tools }));
    expect(JSON.stringify(server.requests[0]?.body["messages"])).not.toContain("tool_reference");
    expect(server.requests[0]?.body["tools"].some((tool: any) => tool.defer_loading)).toBe(false);
  });

  it("L30: answers a call of a tool that was not found, and lets the caller's schema judge afterwards", async () => {
    const engine = new ToolSearch({ defer: "always" });
    const ran: unknown[] = [];
    const tools = await addToolSet(engine, {
      merge: tool({ inputSchema: z.object({ id: z.number() }), execute: async (input) => ran.push(input) }),
    });
    const script: Script = [
      [{ call: "merge", input: { id: 1 } }],
      [{ call: "merge", input: { id: "one" } }],
      [{ call: "merge", input: { id: 2 } }],
      "done",
    ];
    await run(script, [user("go")], withToolSearch(engine.session(), { strategy, tools }));
    expect(server.requests[1]?.results).toEqual([{ name: "toolSearch", text: '[{"type":"tool_reference","tool_name":"merge"}]' }]);
    expect(server.requests[2]?.results[0]?.text).toContain("expected number");
    expect(ran).toEqual([{ id: 2 }]);
  });

  it("L51: loads the tool of a toolChoice, and keeps to activeTools", async () => {
    const { search: engine, tools, ran } = await agent();
    const prepareStep = ({ stepNumber }: { stepNumber: number }) =>
      stepNumber === 0 ? {} : { toolChoice: "auto" as const, activeTools: ["notepad"] };
    const settings = withToolSearch(engine.session(), { strategy, tools, prepareStep, toolChoice: { type: "tool", toolName: "notepad" } });
    await run([[{ call: "notepad" }, search("select:merge")], [{ call: "clock" }], "done"], [user("go")], settings);
    expect(server.requests[0]?.body["tool_choice"]).toMatchObject({ type: "tool", name: "notepad" });
    expect(server.requests[1]?.names).toEqual(["toolSearch", "notepad"]);
    expect(JSON.stringify(server.requests[1]?.body["messages"])).not.toContain("tool_reference"); // to what is not sent
    expect(server.requests[2]?.results[0]?.text).toContain("clock cannot be used in this step");
    expect(ran).toEqual(["notepad"]);
  });
});
