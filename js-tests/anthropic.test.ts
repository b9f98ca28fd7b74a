// What only Anthropic's API has. What all providers have in common: providers.test.ts.
import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools, type AnthropicToolsOptions } from "tool-search/anthropic";
import { describe, expect, it } from "vitest";
import { catalog, schema, SEARCH } from "./support/catalog.js";

const session = (search = catalog()) => search.session();
const native = (over = session(), options: AnthropicToolsOptions = {}) => anthropicTools(over, { strategy: "native", ...options });
const toolUse = (name: string, input: unknown, id = "toolu_1") => ({ type: "tool_use" as const, id, name, input });
const searched = (query: string, content: Anthropic.ToolResultBlockParam["content"], id = "toolu_1"): Anthropic.MessageParam[] => [
  { role: "assistant", content: [toolUse(SEARCH, { query }, id)] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: id, ...(content !== undefined && { content }) }] },
];
const reference = (tool_name: string) => ({ type: "tool_reference" as const, tool_name });

describe("native", () => {
  it("L24: defers all but direct tools and the search tool", () => {
    const deferred = (tool: Anthropic.ToolUnion) => ("defer_loading" in tool ? tool.defer_loading : undefined);
    expect(native().tools().map((tool) => ["name" in tool && tool.name, deferred(tool)])).toEqual([
      ["clock", undefined],
      [SEARCH, undefined],
      ["notepad", true],
      ["mcp__forge__create_issue", true],
      ["mcp__forge__list_branches", true],
      ["mcp__forge__merge", true],
      ["mcp__post__send_mail", true],
    ]);
  });

  it("L26: answers a search with references, and with text where there are none", () => {
    const agent = native();
    const answer = (input: unknown) => agent.answer(toolUse(SEARCH, input)).results()[0];
    expect(answer({ query: "select:merge,notepad,brew" })).toEqual({
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: [reference("mcp__forge__merge"), reference("notepad")],
    });
    expect(answer({ query: "select:merge" })?.content).toEqual([reference("mcp__forge__merge")]);
    expect(answer({ query: "select:clock" })?.content).toMatch(/clock is already loaded/);
    expect(answer({ query: "weather on the moon" })?.content).toMatch(/No tool matches/);
    expect(answer({})).toMatchObject({ is_error: true, content: expect.stringContaining("query") });
  });

  it("L25: puts the breakpoint on the search tool, never on a deferred one", () => {
    const cacheControl = { type: "ephemeral" } as const;
    for (const strategy of ["append", "native"] as const) {
      const over = session();
      const agent = anthropicTools(over, { strategy, cacheControl, tools: [{ type: "web_search_20250305", name: "web_search" }] });
      over.activate(["merge"]);
      const marked = agent.tools().filter((tool) => "cache_control" in tool);
      expect(marked).toMatchObject([{ name: SEARCH, cache_control: cacheControl }]);
    }
    const all = anthropicTools(catalog({ defer: "never" }).session(), { strategy: "native", cacheControl }).tools();
    expect(all.map((tool) => "cache_control" in tool)).toEqual([false, false, false, false, false, true]);
  });

  it("keeps what the catalog lost, appends what it got, and takes over what changed", () => {
    const search = catalog();
    const agent = native(session(search));
    const before = agent.tools();
    search.removeServer("post");
    search.add([{ name: "fax", inputSchema: schema() }], { server: "fax" });
    search.add([{ name: "alarm", inputSchema: schema() }], { load: "direct" });
    const after = agent.tools();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ name: "alarm" }, { name: "mcp__fax__fax", defer_loading: true }]);
    expect(agent.answer(toolUse("mcp__post__send_mail", {})).results()[0]).toMatchObject({ is_error: true });

    search.add([{ name: "fax", description: "Fax", inputSchema: schema() }], { server: "fax" });
    expect(agent.tools().at(-1)).toMatchObject({ name: "mcp__fax__fax", description: "Fax" });
  });

  it("holds its array to `maxTools`", () => {
    const search = catalog();
    const agent = (maxTools: number) => native(search.session({ maxTools }));
    const all = search.names().length + 1;
    expect(agent(all).tools()).toHaveLength(all);
    expect(() => agent(all - 1).tools()).toThrow(expect.objectContaining({ code: "too_many_tools" }));
  });

  it("L23: sends no reference to a tool that is not there", () => {
    const history = [
      ...searched("select:merge,send_mail", [reference("mcp__forge__merge"), reference("mcp__post__send_mail")], "a"),
      ...searched("select:send_mail", [reference("mcp__post__send_mail")], "b"),
    ];
    const search = catalog();
    search.removeServer("post");
    const over = session(search);
    const restored = native(over).restore(history);
    expect(restored).toEqual([
      ...searched("select:merge,send_mail", [reference("mcp__forge__merge")], "a"),
      ...searched("select:send_mail", "None of the tools that were found here exists any more.", "b"),
    ]);
    expect(over.activated).toEqual(["mcp__forge__merge"]);
  });

  it("L54: goes on without references where a conversation leaves them", () => {
    const history = searched("select:merge", [reference("mcp__forge__merge")]);
    const over = session();
    const restored = anthropicTools(over).restore(history);
    expect(restored).toEqual(searched("select:merge", "Loaded 1 tool, callable from your next step on:\n- mcp__forge__merge"));
    expect(over.activated).toEqual(["mcp__forge__merge"]);
    const again = session();
    expect(anthropicTools(again).restore(restored)).toEqual(restored);
    expect(again.activated).toEqual(["mcp__forge__merge"]);
  });
});

it("takes no search of the provider's for its own", () => {
  const over = session();
  native(over).restore([
    {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "tool_search_tool_bm25", input: { query: "merge" } },
        {
          type: "tool_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: { type: "tool_search_tool_search_result", tool_references: [reference("mcp__forge__merge")] },
        },
      ],
    },
  ]);
  expect(over.activated).toEqual([]);
});

it("answers arguments that are no object", () => {
  const answer = anthropicTools(session()).answer(toolUse("clock", '{"zone": "UT'));
  expect(answer.run).toBeUndefined();
  expect(answer.results()).toMatchObject([{ is_error: true, content: expect.stringContaining("not one JSON object") }]);
});

it("leaves members of toolsets to the caller", () => {
  const answer = anthropicTools(session()).answer({ ...toolUse("left_click", { x: 1 }), toolset_name: "computer" });
  expect(answer.run).toEqual({ name: "left_click", rawName: "left_click", input: { x: 1 } });
  expect(answer.results("done")).toEqual([{ type: "tool_result", tool_use_id: "toolu_1", toolset_name: "computer", content: "done" }]);
});

it("sends images of an MCP result as images, and says what it cannot send", () => {
  const output = {
    content: [
      { type: "text", text: "a dot" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
    ],
    isError: true,
  };
  expect(anthropicTools(session()).answer(toolUse("clock", {})).results(output)).toEqual([
    {
      type: "tool_result",
      tool_use_id: "toolu_1",
      is_error: true,
      content: [
        { type: "text", text: "a dot" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
        { type: "text", text: "[audio/wav that cannot be shown here]" },
      ],
    },
  ]);
});
