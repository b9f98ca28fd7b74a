// Tools of the AI SDK entry that come from servers: what goes to the model of their results and schemas, and how calls are counted.
import type { ModelMessage } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet, withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { afterEach, describe, expect, it } from "vitest";
import { code } from "./small.js";
import { callsCounted } from "./support/agent.js";
import { majors, oldest, runTurn, scriptedModel, type Major } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { providerServer, type ProviderServer, type Script } from "./support/provider-server.js";
import type { WireName } from "./support/wires.js";

const servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const messages: ModelMessage[] = [{ role: "user", content: "go" }];
const FIND = { call: "toolSearch", input: { query: "select:look" } };
const calling = (strategy: StrategyName, name: string) =>
  strategy === "bridge" ? { call: "callTool", input: { name, arguments: {} } } : { call: name };

function looking(more: object = {}) {
  const search = new ToolSearch({ defer: "always" });
  search.add([{ name: "look", inputSchema: { type: "object" }, ...more }], { server: "eye" });
  return search;
}

async function over(wire: WireName, major: Major, script: Script, settings: object) {
  const server = await providerServer(wire, script);
  servers.push(server);
  await runTurn(major, "streamText", { model: modelOn(major.major, wire, server.url), messages, ...settings });
  return server.requests;
}

const cases = [...majors, ...oldest].flatMap((major) =>
  (["append", "bridge"] as const).map((strategy) => ({ major, strategy, name: `${major.name}, ${strategy}` })),
);

describe.each(cases)("$name: what `call` gives", ({ major, strategy }) => {
  const given = async (result: unknown) => {
    const search = looking();
    const settings = withToolSearch(search.session(), { strategy, call: () => result });
    const requests = await over("anthropic", major, [[FIND], [calling(strategy, "mcp__eye__look")], "done"], settings);
    expect(callsCounted(search)).toEqual(["mcp__eye__look"]);
    return requests[2]?.body["messages"].at(-1).content[0];
  };

  it("goes on with its images, where it is a result of an MCP server", async () => {
    const content = [
      { type: "text", text: "a dot" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ];
    expect((await given({ content })).content).toMatchObject([
      { type: "text", text: "a dot" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "text", text: "[audio/wav that cannot be shown here]" },
    ]);
  });

  it("goes on as text where it is no more, and as an error where it is one", async () => {
    const said = async (result: unknown) => {
      const { content, is_error = false } = await given(result);
      return [typeof content === "string" ? content : content[0].text, is_error];
    };
    expect(await said({ content: [{ type: "text", text: "dark" }] })).toEqual(["dark", false]);
    expect(await said({ content: [{ type: "text", text: "blind" }], isError: true })).toEqual(["blind", true]);
    expect(await said("light")).toEqual(["light", false]);
    expect(await said({ content: [{ type: "paragraph" }], page: 1 })).toEqual(['{"content":[{"type":"paragraph"}],"page":1}', false]);
    expect(await said({ content: [], structuredContent: { lux: 3 } })).toEqual(['{"lux":3}', false]);
  });
});

describe.each(majors)("$name", (major) => {
  const { dynamicTool, jsonSchema } = major.ai;

  it.each<[StrategyName, WireName]>([
    ["append", "openai-chat"],
    ["anthropic", "anthropic"],
    ["openai", "openai-responses"],
  ])("L42: %s sends nothing composed at a schema's root, and checks by the whole schema", async (strategy, wire) => {
    if (major.major === 5 && strategy !== "append") return;
    const anyOf = [{ properties: { a: { type: "number" as const } }, required: ["a"] }, { properties: { b: {} } }];
    const inputSchema = { type: "object" as const, anyOf };
    const search = new ToolSearch({ defer: "always", ...(strategy === "openai" && { searchToolName: "tool_search" }) });
    const checked: unknown[] = [];
    const validate = (value: unknown) => (checked.push(value), { success: true as const, value });
    const look = dynamicTool({ inputSchema: jsonSchema(inputSchema, { validate }), execute: async () => "seen" });
    const tools = await addToolSet(search, { look }, { server: "eye" });
    search.add([{ name: "peer", inputSchema }], { server: "eye2" });
    const find = { call: search.searchToolName, input: { query: "select:look,peer" } };
    const requests = await over(
      wire,
      major,
      [[find], [{ call: "mcp__eye__look", input: { a: 1 } }], "done"],
      withToolSearch(search.session(), { strategy, tools: tools as never, call: () => "seen" }),
    );
    const flat = '{"type":"object","properties":{"a":{"type":"number"},"b":{}}}';
    const { text } = requests.at(-1) as { text: string };
    expect(text).not.toContain("anyOf");
    expect(text.split(flat)).toHaveLength(3);
    expect(checked).toEqual([{ a: 1 }]);
  });

  it("counts parts of a generator as one call", async () => {
    const search = new ToolSearch({ defer: "always" });
    const look = dynamicTool({
      inputSchema: jsonSchema({ type: "object" }),
      execute: async function* () {
        yield "first";
        yield "last";
      },
    });
    const tools = await addToolSet(search, { look }, { server: "eye" });
    const { model, requests } = scriptedModel(major, [[FIND], [{ call: "mcp__eye__look" }], "done"]);
    await runTurn(major, "streamText", { model, messages, ...withToolSearch(search.session(), { tools }) });
    expect(requests[2]?.results.map(({ text }) => text)).toEqual(["last"]);
    expect(callsCounted(search)).toEqual(["mcp__eye__look"]);
  });

  it("counts no call that did not run", async () => {
    for (const strategy of ["append", "bridge"] as const) {
      const search = looking({ inputSchema: { type: "object", required: ["a"] } });
      const { model } = scriptedModel(major, [[calling(strategy, "look"), calling(strategy, "look")], [calling(strategy, "brew")], "done"]);
      await runTurn(major, "generateText", { model, messages, ...withToolSearch(search.session(), { strategy, call: () => "seen" }) });
      expect(callsCounted(search)).toEqual([]);
      expect(search.usage().tools).toEqual({ mcp__eye__look: { loaded: 1, called: 0 } });
    }
  });
});

it("holds requests that carry every tool to `maxTools`", () => {
  const search = looking();
  search.add([{ name: "hear" }], { server: "ear" });
  const settings = (strategy: StrategyName, maxTools: number) => () =>
    withToolSearch(search.session({ maxTools, overflow: "evict" }), { strategy });
  expect(code(settings("anthropic", 2))).toBe("too_many_tools");
  expect(settings("anthropic", 2)).toThrow(/3 tools, loaded or not, and `maxTools` allows 2/);
  for (const strategy of ["append", "openai", "bridge"] as const) expect(settings(strategy, 2)).not.toThrow();
  expect(settings("anthropic", 3)).not.toThrow();
});
