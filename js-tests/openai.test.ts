// What only OpenAI's APIs have. What all providers have in common: providers.test.ts.
import type OpenAI from "openai";
import { openaiChatTools, openaiResponsesTools, type OpenAiResponsesToolsOptions } from "tool-search/openai";
import { describe, expect, it } from "vitest";
import { catalog, schema, SEARCH } from "./support/catalog.js";

const session = (search = catalog()) => search.session();
const native = (over = session(), options: OpenAiResponsesToolsOptions = {}) => openaiResponsesTools(over, { strategy: "native", ...options });
const chatCall = (name: string, text: string) => ({ id: "call_1", type: "function" as const, function: { name, arguments: text } });
const call = (name: string, text: string, more: object = {}) => ({ type: "function_call" as const, call_id: "call_1", name, arguments: text, ...more });
const searchCall = (input: unknown) => ({ type: "tool_search_call" as const, call_id: "call_1", execution: "client" as const, arguments: input });

describe.each([
  ["chat", (text: string) => openaiChatTools(session()).answer(chatCall("clock", text))],
  ["responses", (text: string) => openaiResponsesTools(session()).answer(call("clock", text))],
])("%s", (_, answer) => {
  it.each(['{"zone": "UT', "[1]", "null", '"text"'])("answers the arguments %s", (text) => {
    const { run, results } = answer(text);
    expect(run).toBeUndefined();
    expect(JSON.stringify(results())).toContain("The arguments are not one JSON object, so clock did not run.");
  });

  it.each(["", "{}", " "])("runs a tool for the arguments %j", (text) => {
    expect(answer(text).run).toEqual({ name: "clock", rawName: "clock", input: {} });
  });
});

it("chat: leaves custom tools to the caller, with their text", () => {
  const agent = openaiChatTools(session(), { tools: [{ type: "custom", custom: { name: "shell" } }] });
  expect(agent.tools()[0]).toEqual({ type: "custom", custom: { name: "shell" } });
  const { run, results } = agent.answer({ id: "call_1", type: "custom", custom: { name: "shell", input: "ls -l" } });
  expect(run).toEqual({ name: "shell", rawName: "shell", input: { input: "ls -l" } });
  expect(results("a b")).toEqual([{ role: "tool", tool_call_id: "call_1", content: "a b" }]);
});

it("L21: of two results of one call believes the later", () => {
  const over = session();
  const loaded = (name: string) => `Loaded 1 tool, callable from your next step on:\n- ${name}: what it does`;
  openaiChatTools(over).restore([
    { role: "assistant", tool_calls: [chatCall(SEARCH, '{"query":"x"}')] },
    { role: "tool", tool_call_id: "call_1", content: loaded("mcp__forge__merge") },
    { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: loaded("notepad") }] },
  ]);
  expect(over.activated).toEqual(["notepad"]);
});

it("L45: takes its time with no schema that leads back into itself", () => {
  const inputSchema = { anyOf: Array.from({ length: 50 }, () => ({ $ref: "#" })), properties: { a: {} }, required: ["a"] };
  const search = catalog();
  search.add([{ name: "maze", inputSchema }], { load: "direct" });
  const maze = openaiChatTools(session(search)).tools().find((tool) => tool.type === "function" && tool.function.name === "maze");
  expect(maze).toMatchObject({ function: { parameters: { type: "object", properties: { a: {} }, required: ["a"] } } });
});

it("L27: finds what was loaded in a conversation that lost its beginning", () => {
  const over = session();
  openaiChatTools(over).restore([
    { role: "assistant", tool_calls: [chatCall(SEARCH, '{"query":"select:merge,notepad,clock"}')] },
    {
      role: "tool",
      tool_call_id: "call_1",
      content: "Loaded 1 tool, callable from your next step on:\n- notepad: Jot\nclock, mcp__forge__merge are already loaded: call directly, without searching again.",
    },
  ]);
  expect(over.activated).toEqual(["notepad", "mcp__forge__merge"]);
});

it("runs calls that another process left unanswered", async () => {
  const over = session();
  const agent = openaiChatTools(over);
  const left = { role: "assistant" as const, tool_calls: [{ ...chatCall("mcp__forge__merge", '{"number":"1"}'), id: "call_2" }] };
  agent.restore([
    { role: "assistant", tool_calls: [chatCall(SEARCH, "{}")] },
    { role: "tool", tool_call_id: "call_1", content: "Loaded 1 tool, callable from your next step on:\n- mcp__forge__merge: Merge" },
    left,
  ]);
  expect(await agent.respond(left, ({ rawName }) => `${rawName} ran`)).toEqual([{ role: "tool", tool_call_id: "call_2", content: "merge ran" }]);
});

describe("responses, native", () => {
  it("has the API's tool search, executed here, in an array that stays", () => {
    const over = session();
    const agent = native(over, { tools: [{ type: "web_search" }] });
    const before = agent.tools();
    expect(before).toEqual([
      { type: "web_search" },
      { type: "function", name: "clock", description: "The time of day", parameters: schema(), strict: false },
      {
        type: "tool_search",
        execution: "client",
        description: expect.stringContaining("Deferred Tools"),
        parameters: expect.objectContaining({ required: ["query"] }),
      },
    ]);
    agent.answer(searchCall({ query: "select:merge" }));
    expect(agent.tools()).toEqual(before);
  });

  it("L14: limits before it merges, L15: in a namespace for each server, without doubles", () => {
    const search = catalog({ maxResults: 3 });
    search.add([{ name: "send_letter", description: "Send a letter", inputSchema: schema() }], { server: "letters" });
    const agent = native(session(search));
    const [output, ...more] = agent.answer(searchCall({ query: "select:merge,send_mail,mcp__forge__merge,notepad,create_issue,brew" })).results();
    expect(more).toEqual([{ role: "developer", content: expect.stringMatching(/^Not found: brew\./) }]);
    const shape = (tool: OpenAI.Responses.Tool): unknown =>
      tool.type === "namespace" ? [tool.name, tool.tools.map(({ name }) => name)] : tool.type === "function" && tool.name;
    const tools = (output as OpenAI.Responses.ResponseToolSearchOutputItemParam).tools;
    expect(tools.map(shape)).toEqual([
      ["mcp__forge", ["mcp__forge__merge", "mcp__forge__create_issue"]],
      ["mcp__post", ["mcp__post__send_mail"]],
      "notepad",
    ]);
    expect(tools[0]).toMatchObject({
      type: "namespace",
      description: expect.stringMatching(/./),
      tools: [{ type: "function", name: "mcp__forge__merge", strict: false, defer_loading: true, parameters: schema("number") }, {}],
    });

    const [limited] = native(session(search)).answer(searchCall({ query: "send mail letter branches issue" })).results();
    const found = (limited as OpenAI.Responses.ResponseToolSearchOutputItemParam).tools;
    expect(found.map((tool) => (tool.type === "namespace" ? tool.tools.length : 1)).reduce((a, b) => a + b)).toBe(3);
  });

  it("says in words what an empty output cannot", () => {
    expect(native().answer(searchCall({ query: "weather on the moon" })).results()).toEqual([
      { type: "tool_search_output", execution: "client", call_id: "call_1", status: "completed", tools: [] },
      { role: "developer", content: expect.stringContaining("No tool matches.") },
    ]);
  });

  it("L54: goes on without tool search where a conversation leaves it", () => {
    const user = { role: "user" as const, content: "go" };
    const before = native();
    const history = [
      user,
      searchCall({ query: "select:merge" }),
      ...before.answer(searchCall({ query: "select:merge" })).results(),
      call("mcp__forge__merge", "{}", { namespace: "mcp__forge", call_id: "call_2" }),
      { type: "function_call_output" as const, call_id: "call_2", output: "merged" },
      call("create_issue", "{}", { namespace: "mcp__forge", call_id: "call_3" }),
      ...before.answer(call("create_issue", "{}", { namespace: "mcp__forge", call_id: "call_3" })).results(),
    ];
    const over = session();
    const restored = openaiResponsesTools(over).restore(history);
    expect(restored).toEqual([
      user,
      call(SEARCH, '{"query":"select:merge"}'),
      { type: "function_call_output", call_id: "call_1", output: "Loaded 1 tool, callable from your next step on:\n- mcp__forge__merge" },
      call("mcp__forge__merge", "{}", { call_id: "call_2" }),
      { type: "function_call_output", call_id: "call_2", output: "merged" },
      call("mcp__forge__create_issue", "{}", { call_id: "call_3" }),
      { type: "function_call_output", call_id: "call_3", output: expect.stringContaining("mcp__forge__create_issue was not loaded") },
    ]);
    expect(over.activated).toEqual(["mcp__forge__merge", "mcp__forge__create_issue"]);
    const again = session();
    expect(openaiResponsesTools(again).restore(restored)).toEqual(restored);
    expect(again.activated).toEqual(over.activated);
  });

  it("F3: gives the definition of a tool that was called too early", () => {
    const agent = native();
    agent.tools();
    expect(agent.answer(call("mcp__forge__merge", "{}")).results()).toEqual([
      { type: "function_call_output", call_id: "call_1", output: expect.stringContaining("was not loaded") },
      { type: "additional_tools", role: "developer", tools: [expect.objectContaining({ type: "namespace", name: "mcp__forge" })] },
    ]);
  });

  it("puts outputs together, before what follows them", async () => {
    const output = [call("mcp__forge__merge", "{}"), { ...call("clock", "{}"), call_id: "call_2" }];
    const items = await native().respond({ output }, () => "noon");
    expect(items.map((item) => "type" in item && item.type)).toEqual(["function_call_output", "function_call_output", "additional_tools"]);
  });

  it("finds a tool by its namespace and either of its names", () => {
    const over = session();
    over.activate(["merge"]);
    const agent = native(over);
    for (const name of ["merge", "mcp__forge__merge"]) {
      const { run } = agent.answer(call(name, '{"number":"1"}', { namespace: "mcp__forge" }));
      expect(run).toEqual({ name: "mcp__forge__merge", rawName: "merge", server: "forge", input: { number: "1" } });
    }
  });

  it("L22: leaves the provider's own searches alone", async () => {
    const over = session();
    const agent = native(over);
    const theirs = { ...searchCall({ paths: ["merge"] }), execution: "server" as const, call_id: null };
    expect(await agent.respond({ output: [theirs] }, () => "")).toEqual([]);
    const tools = [{ type: "function" as const, name: "mcp__forge__merge", parameters: {}, strict: false }];
    agent.restore([theirs, { type: "tool_search_output", execution: "server", call_id: null, tools }]);
    expect(over.activated).toEqual([]);
  });
});

it("responses: leaves other kinds of calls to the caller", async () => {
  const output = [
    { type: "custom_tool_call", call_id: "c", name: "x", input: "" },
    { type: "message", role: "assistant" },
  ];
  expect(await openaiResponsesTools(session()).respond({ output }, () => "")).toEqual([]);
});

it("responses: sends images of an MCP result as images", () => {
  const { results } = openaiResponsesTools(session()).answer(call("clock", "{}"));
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  expect(results({ content: [{ type: "text", text: "a dot" }, image, { type: "audio", data: "AA==", mimeType: "audio/wav" }] })).toEqual([
    {
      type: "function_call_output",
      call_id: "call_1",
      output: [
        { type: "input_text", text: "a dot" },
        { type: "input_image", image_url: "data:image/png;base64,AA==" },
        { type: "input_text", text: "[audio/wav that cannot be shown here]" },
      ],
    },
  ]);
});
