// What a conversation has loaded, read from its messages in every shape they come in.
import { ToolSearch, type ToolDefinition } from "tool-search";
import { stateFromMessages } from "tool-search/ai-sdk";
import { describe, expect, it } from "vitest";

function catalog(...builtIn: string[]) {
  const search = new ToolSearch({ defer: "always" });
  const named = (names: string[]): ToolDefinition[] =>
    names.map((name) => ({ name, description: `Does ${name}`, inputSchema: { type: "object" } }));
  search.add(named(["notepad", "note: later", "2", ...builtIn]));
  search.add(named(["clock"]), { load: "direct" });
  search.add(named(["merge", "close"]), { server: "forge" });
  return search;
}
const loadedFrom = (messages: unknown[], search = catalog(), options = {}) => stateFromMessages(search, messages, options).activated;

/** A search and its answer, as model messages have them. */
const searched = (output: object, more: object = {}, toolName = "toolSearch") => [
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName, input: { query: "q" }, ...more }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName, output, ...more }] },
];
const text = (value: string) => ({ type: "text", value });
const TWO = "Loaded 2 tools, callable from your next step on:\n- mcp__forge__merge: Does merge\n- notepad";
const FOUND = ["mcp__forge__merge", "notepad"];

describe("an answer of the search tool", () => {
  const reference = (toolName: string) => ({ type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName } } });
  const space = { type: "namespace", name: "forge", tools: [{ type: "function", name: "mcp__forge__merge", parameters: {} }] };
  it.each<[string, object]>([
    ["text", text(TWO)],
    ["text in content", { type: "content", value: [{ type: "text", text: TWO }] }],
    ["JSON text", { type: "json", value: TWO }],
    ["references", { type: "content", value: [reference("mcp__forge__merge"), reference("notepad")] }],
    ["definitions", { type: "json", value: { tools: [space, { type: "function", name: "notepad" }] } }],
    ["the SDK's own search", { type: "json", value: { tools: [{ name: "mcp__forge__merge" }, { name: "notepad" }] } }],
  ])("counts as %s", (_, output) => {
    expect(loadedFrom(searched(output))).toEqual(FOUND);
  });

  it("counts where it answers a call of a tool that was not loaded", () => {
    const search = catalog();
    const reply = search.session().resolve("merge");
    expect(loadedFrom(searched(text("text" in reply ? reply.text : "")))).toEqual(["mcp__forge__merge"]);
  });

  it("counts where it says that tools are loaded already", () => {
    const session = catalog().session();
    session.activate(["notepad", "mcp__forge__merge"]);
    const { text: said } = session.handle({ query: "select:merge,notepad,clock" });
    expect(loadedFrom(searched(text(said)))).toEqual(["mcp__forge__merge", "notepad"]);
  });

  it("does not count what the provider executed", () => {
    expect(loadedFrom(searched(text(TWO), { providerExecuted: true }))).toEqual([]);
  });

  it("does not count without its call, nor another tool's of the same text", () => {
    expect(loadedFrom(searched(text(TWO)).slice(1))).toEqual([]);
    expect(loadedFrom(searched(text(TWO), {}, "askAgent"))).toEqual([]);
  });

  it("takes names that have colons or look like numbers", () => {
    expect(loadedFrom(searched(text("Loaded 2 tools, callable from your next step on:\n- \"note: later\": Does: it\n- 2: Does 2")))).toEqual([
      "note: later",
      "2",
    ]);
  });

  it("does not take lines behind its list, or a list without its head", () => {
    expect(
      loadedFrom(searched(text("Loaded 1 tool, callable from your next step on:\n- notepad: x\nNot found: y\n- mcp__forge__merge"))),
    ).toEqual(["notepad"]);
    expect(loadedFrom(searched(text("- notepad")))).toEqual([]);
  });

  it("takes the search tool's name from the engine or the options", () => {
    const search = new ToolSearch({ defer: "always", searchToolName: "find" });
    search.add([{ name: "notepad" }]);
    expect(loadedFrom(searched(text(TWO), {}, "find"), search)).toEqual(["notepad"]);
    expect(loadedFrom(searched(text(TWO), {}, "seek"), search, { searchToolName: "seek" })).toEqual(["notepad"]);
  });

  it("L21: counts as the later of two", () => {
    const [call, result] = searched(text(TWO)) as [object, object];
    const [, later] = searched(text("Loaded 1 tool, callable from your next step on:\n- mcp__forge__close")) as [object, object];
    expect(loadedFrom([call, result, later])).toEqual(["mcp__forge__close"]);
  });
});

it("counts calls that succeeded, in their order", () => {
  const call = (id: string, toolName: string, input: object = {}) => ({ type: "tool-call", toolCallId: id, toolName, input });
  const result = (id: string, toolName: string, output: object) => ({ type: "tool-result", toolCallId: id, toolName, output });
  const messages = [
    {
      role: "assistant",
      content: [call("a", "notepad"), call("b", "mcp__forge__merge"), call("c", "mcp__forge__close"), call("d", "clock")],
    },
    {
      role: "tool",
      content: [
        result("b", "mcp__forge__merge", text("ok")),
        result("a", "notepad", text("ok")),
        result("c", "mcp__forge__close", { type: "error-text", value: "no" }),
        result("d", "clock", text("12")),
      ],
    },
    { role: "assistant", content: [call("e", "callTool", { name: "2", arguments: {} })] },
    { role: "tool", content: [result("e", "callTool", text("ok"))] },
  ];
  expect(loadedFrom(messages)).toEqual(["notepad", "mcp__forge__merge", "2"]);
});

it("takes ids that begin anew at each turn", () => {
  const later = searched(text("Loaded 1 tool, callable from your next step on:\n- 2"));
  expect(loadedFrom([...searched(text(TWO)), ...later])).toEqual([...FOUND, "2"]);
});

it("passes over requests for approval", () => {
  const [call, result] = searched(text(TWO)) as [{ content: object[] }, object];
  const request = { type: "tool-approval-request", approvalId: "a", toolCallId: "1" };
  expect(loadedFrom([{ ...call, content: [...call.content, request] }, result])).toEqual(FOUND);
});

it("L23: drops names that the catalog lost, and direct tools", () => {
  const search = catalog();
  search.removeServer("forge");
  expect(loadedFrom(searched(text(`${TWO}\n- clock`)), search)).toEqual(["notepad"]);
});

it("reads UI messages", () => {
  const part = (more: object) => ({ toolCallId: "1", input: { query: "q" }, output: TWO, state: "output-available", ...more });
  const of = (...parts: object[]) => loadedFrom([{ id: "m", role: "assistant", parts: [{ type: "step-start" }, ...parts] }]);
  expect(of(part({ type: "dynamic-tool", toolName: "toolSearch" }))).toEqual(FOUND);
  expect(of(part({ type: "tool-toolSearch" }))).toEqual(FOUND);
  expect(of(part({ type: "tool-toolSearch", state: "input-available" }))).toEqual([]);
  expect(of(part({ type: "tool-toolSearch", providerExecuted: true }))).toEqual([]);
  expect(of(part({ type: "tool-toolSearch", output: { tools: [{ name: "notepad" }] } }))).toEqual(["notepad"]);
  expect(of(part({ type: "tool-notepad", output: "done" }))).toEqual(["notepad"]);
  expect(of(part({ type: "tool-notepad", state: "output-error", errorText: "An error occurred." }))).toEqual([]);
});

it("reads Anthropic's messages", () => {
  const asked = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "toolSearch", input: { query: "q" } }] };
  const answered = (content: unknown, more = {}) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "1", content, ...more }],
  });
  expect(loadedFrom([asked, answered(TWO)])).toEqual(FOUND);
  expect(loadedFrom([asked, answered([{ type: "text", text: TWO }])])).toEqual(FOUND);
  expect(loadedFrom([asked, answered([{ type: "tool_reference", tool_name: "notepad" }])])).toEqual(["notepad"]);
  const hosted = [
    { type: "server_tool_use", id: "1", name: "tool_search_tool_bm25", input: {} },
    { type: "tool_search_tool_result", tool_use_id: "1", content: {} },
  ];
  expect(loadedFrom([{ role: "assistant", content: hosted }])).toEqual([]);
});

it("reads messages of Chat Completions", () => {
  const asked = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "1", type: "function", function: { name: "toolSearch", arguments: "{}" } }],
  };
  expect(loadedFrom([asked, { role: "tool", tool_call_id: "1", content: TWO }])).toEqual(FOUND);
  expect(loadedFrom([{ role: "tool", tool_call_id: "1", content: TWO }])).toEqual([]);
});

it("reads items of the Responses API", () => {
  const tools = [{ type: "namespace", name: "forge", tools: [{ type: "function", name: "mcp__forge__merge" }] }];
  const search = (call_id: string | null, execution = "client") => ({
    type: "tool_search_call",
    execution,
    call_id,
    arguments: { query: "q" },
  });
  const found = (call_id: string | null, execution = "client") => ({ type: "tool_search_output", execution, call_id, tools });
  expect(loadedFrom([search("1"), found("1")])).toEqual(["mcp__forge__merge"]);
  expect(loadedFrom([search("1"), found(null, "server"), found(null)])).toEqual(["mcp__forge__merge"]); // L22
  expect(loadedFrom([search(null, "server"), found(null, "server")])).toEqual([]);
  const inSpace = [
    { type: "function_call", call_id: "1", name: "merge", namespace: "mcp__forge", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: "merged" },
  ];
  expect(loadedFrom(inSpace)).toEqual(["mcp__forge__merge"]);
  const functions = [
    { type: "function_call", call_id: "1", name: "toolSearch", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: TWO },
  ];
  expect(loadedFrom(functions)).toEqual(FOUND);
});

it("reads contents of Gemini's, whose calls may have no ids", () => {
  const call = (name: string, args: object = {}) => ({ functionCall: { name, args } });
  const result = (name: string, response: object) => ({ functionResponse: { name, response } });
  const contents = [
    { role: "model", parts: [call("toolSearch", { query: "q" }), call("2"), call("merge")] },
    { role: "user", parts: [result("2", { output: "ok" }), result("toolSearch", { output: TWO }), result("merge", { error: "no" })] },
  ];
  expect(loadedFrom(contents)).toEqual([...FOUND, "2"]);
});

it("counts a call that came too early as the loading it was, whatever name it was called by", () => {
  const search = catalog();
  const session = search.session();
  const answered = (name: string, more = {}) => {
    const reply = session.resolve(name);
    return [
      { role: "assistant", content: [{ type: "tool_use", id: name, name, input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: name, content: "text" in reply ? reply.text : "", ...more }] },
    ];
  };
  search.setServerStatus("down", "failed");
  const down = [...answered("mcp__down__x"), ...answered("brew")];
  search.setServerStatus("forge", "disconnected");
  down.push(...answered("mcp__forge__close"));
  search.setServerStatus("forge", "ready");
  expect(loadedFrom([...down, ...answered("merge", { is_error: true })], search)).toEqual(["mcp__forge__merge"]);
  expect(session.activated).toEqual(["mcp__forge__merge"]);
});

it("counts by the search tool's name as models misspell it", () => {
  expect(loadedFrom(searched(text(TWO), {}, "tool_search"))).toEqual(FOUND);
  expect(loadedFrom(searched(text(TWO), {}, "tool_search"), catalog("tool_search"))).toEqual(["tool_search"]);
});

it("neither counts nor tells again of what was loaded", async () => {
  const events: string[] = [];
  const search = new ToolSearch({ defer: "always", onEvent: ({ type }) => void events.push(type) });
  search.add([{ name: "notepad" }]);
  events.length = 0;
  expect(loadedFrom(searched(text(TWO)), search)).toEqual(["notepad"]);
  const session = search.session();
  const { anthropicTools } = await import("tool-search/anthropic");
  anthropicTools(session).restore([
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "toolSearch", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: TWO }] },
  ]);
  expect(session.activated).toEqual(["notepad"]);
  expect([events, search.usage().tools]).toEqual([[], {}]);
});

it("names every tool of a selection, however many", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `tool_${i}`);
  const search = catalog(...names);
  const { withToolSearch } = await import("tool-search/ai-sdk");
  const settings = withToolSearch(search.session());
  const said = await (settings.tools["toolSearch"] as any).execute({ query: `select:${names.join()}` }, { toolCallId: "1", messages: [] });
  expect(loadedFrom(searched(text(said)), search)).toEqual(names);
});

it.each([
  [null],
  ["text"],
  [7],
  [[]],
  [{}],
  [{ role: "tool" }],
  [{ content: [null, 1, { type: 3 }] }],
  [{ parts: "x" }],
  [{ tool_calls: [{ id: "1" }] }],
])("passes over what is no message: %j", (message) => {
  expect(loadedFrom([message])).toEqual([]);
});
