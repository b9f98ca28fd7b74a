// The strategy "openai": the Responses API's own tool_search, executed by the client, over the wire.
import { jsonSchema, tool, type ModelMessage, type ToolSet } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet, withToolSearch } from "tool-search/ai-sdk";
import { afterEach, describe, expect, it } from "vitest";
import { agent } from "./support/agent.js";
import { majors, runTurn } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { providerServer, type ProviderServer, type Script } from "./support/provider-server.js";

let server: ProviderServer;
afterEach(() => server?.close());
const user = (content: string): ModelMessage => ({ role: "user", content });
const search = (query: string, more = {}) => ({ call: "tool_search", input: { query, ...more } });
const strategy = "openai" as const;

it("is refused by ai 5", async () => {
  const { search, tools } = await agent();
  server = await providerServer("openai-responses", []);
  const model = modelOn(5, "openai-responses", server.url);
  const run = runTurn(majors[0] as never, "generateText", {
    model,
    messages: [user("go")],
    ...withToolSearch(search.session(), { strategy, tools }),
  });
  await expect(run).rejects.toMatchObject({ code: "unsupported" });
});

describe.each(majors.slice(1))("$name", (major) => {
  const run = async (script: Script, messages: ModelMessage[], settings: object) => {
    server = await providerServer("openai-responses", script);
    return runTurn(major, "generateText", { model: modelOn(major.major, "openai-responses", server.url), messages, ...settings });
  };
  const issues = async () => {
    const engine = new ToolSearch({ defer: "always", searchToolName: "tool_search" });
    const make = (description: string) =>
      tool({
        description,
        inputSchema: jsonSchema({ type: "object", properties: { id: { type: "string" } } }),
        execute: async () => description,
      });
    const tools: ToolSet = {
      ...(await addToolSet(engine, { issue_list: make("List every issue") })),
      ...(await addToolSet(
        engine,
        { create_issue: make("Create an issue"), close_issue: make("Close an issue"), read_issue: make("Read an issue") },
        { server: "forge" },
      )),
      ...(await addToolSet(engine, { add_issue: make("Create an issue") }, { server: "tracker.io" })),
    };
    return { engine, tools };
  };

  it("sends its own search tool with our parameters, and no deferred tool", async () => {
    const { engine, tools } = await issues();
    await run(["hi"], [user("go")], withToolSearch(engine.session(), { strategy, tools }));
    expect(server.requests[0]?.body["tools"]).toEqual([
      {
        type: "tool_search",
        execution: "client",
        description: expect.any(String),
        parameters: expect.objectContaining({ required: ["query"] }),
      },
    ]);
  });

  it("L14, L15: brings each found tool once, by namespace, and not more than the limit", async () => {
    const { engine, tools } = await issues();
    const script: Script = [
      [search("issues", { max_results: 3 })],
      [search("select:add_issue,issue_list,create_issue,add_issue,close_issue")],
      "done",
    ];
    const session = engine.session();
    await run(script, [user("go")], withToolSearch(session, { strategy, tools }));
    const first = JSON.parse(server.requests[1]?.results[0]?.text ?? "");
    const count = first.reduce((sum: number, { tools = [0] }: any) => sum + tools.length, 0);
    expect(count).toBe(3);
    const second = JSON.parse(server.requests[2]?.results[0]?.text ?? "");
    const shape = second.map(({ type, name, tools }: any) =>
      type === "namespace" ? [name, tools.map((member: any) => member.name)] : name,
    );
    expect(shape.flat(2).filter((name: string) => name === "mcp__tracker.io__add_issue")).toHaveLength(1);
    expect(new Set(shape.flat(2))).toEqual(
      new Set(["tracker_io", "mcp__tracker.io__add_issue", "issue_list", "forge", "mcp__forge__create_issue", "mcp__forge__close_issue"]),
    );
    for (const { tools, ...tool } of second)
      for (const one of tools ?? [tool]) expect(one).toMatchObject({ type: "function", defer_loading: true });
  });

  it("gives the namespace of a call back to the API", async () => {
    const { engine, tools } = await issues();
    const settings = { ...withToolSearch(engine.session(), { strategy, tools }), providerOptions: { openai: { store: false } } };
    await run(
      [[search("select:create_issue")], [{ call: "mcp__forge__create_issue", input: { id: "1" } }], "done"],
      [user("go")],
      settings,
    );
    const items = server.requests[2]?.body["input"].filter(({ type }: any) => type !== undefined);
    expect(items).toMatchObject([
      { type: "tool_search_call", execution: "client", call_id: "call_1", arguments: { query: "select:create_issue" } },
      { type: "tool_search_output", execution: "client", call_id: "call_1", tools: [{ type: "namespace", name: "forge" }] },
      { type: "function_call", call_id: "call_2", name: "mcp__forge__create_issue", namespace: "forge" },
      { type: "function_call_output", call_id: "call_2", output: "Create an issue" },
    ]);
  });

  it("says nothing where nothing matches", async () => {
    const { engine, tools } = await issues();
    await run([[search("photosynthesis")], "done"], [user("go")], withToolSearch(engine.session(), { strategy, tools }));
    expect(server.requests[1]?.results).toEqual([{ name: "tool_search", text: "[]" }]);
  });

  it("is refused with a model of another API", async () => {
    const { engine, tools } = await issues();
    server = await providerServer("openai-chat", []);
    for (const strategy of ["openai", "anthropic"] as const) {
      const model = modelOn(major.major, "openai-chat", server.url);
      const going = runTurn(major, "generateText", {
        model,
        messages: [user("go")],
        ...withToolSearch(engine.session(), { strategy, tools }),
      });
      await expect(going).rejects.toMatchObject({ code: "unsupported", message: expect.stringContaining("openai.chat") });
    }
    expect(server.requests).toEqual([]);
  });

  it("L51: cannot force a deferred tool, and says so", async () => {
    const { engine, tools } = await issues();
    expect(() => withToolSearch(engine.session(), { strategy, tools, toolChoice: { type: "tool", toolName: "issue_list" } })).toThrow(
      expect.objectContaining({ code: "unsupported", message: expect.stringContaining("issue_list") }),
    );
  });

  it("L53: takes over a history of another strategy, and gives it back", async () => {
    const { engine, tools } = await issues();
    const session = engine.session();
    const asked = [user("one")];
    const turn = await run([[search("select:create_issue")], "done"], asked, withToolSearch(session, { tools }));
    await server.close();
    const history = [...asked, ...turn.messages, user("two")];
    const back = await run([[search("select:close_issue")], "done"], history, withToolSearch(session, { strategy, tools }));
    const kinds = (i: number) => server.requests[i]?.body["input"].map(({ type, role }: any) => type ?? role);
    expect(kinds(0)).toEqual(expect.arrayContaining(["tool_search_call", "tool_search_output"]));
    expect(kinds(0)).not.toContain("function_call");
    await server.close();

    server = await providerServer("openai-chat", ["done"]);
    const model = modelOn(major.major, "openai-chat", server.url);
    await runTurn(major, "generateText", {
      model,
      messages: [...history, ...back.messages, user("three")],
      ...withToolSearch(session, { tools }),
    });
    const results = server.requests[0]?.body["messages"].filter(({ role }: any) => role === "tool").map(({ content }: any) => content);
    expect(results).toEqual([expect.stringContaining("- mcp__forge__create_issue"), expect.stringContaining("- mcp__forge__close_issue")]);
    expect(server.requests[0]?.names).toEqual(["tool_search", "mcp__forge__create_issue", "mcp__forge__close_issue"]);
  });
});
