// Definitions from strangers and from odd code: an answer or a ToolSearchError, and no other tool is any the worse for it (A5, A8, H1).
import { jsonSchema, type ToolSet } from "ai";
import { ToolSearch, ToolSearchError, estimateTokens, type Format, type ToolDefinition } from "tool-search";
import { addToolSet, withToolSearch } from "tool-search/ai-sdk";
import { anthropicTools } from "tool-search/anthropic";
import { geminiTools } from "tool-search/gemini";
import { McpServers } from "tool-search/mcp";
import { openaiChatTools, openaiResponsesTools } from "tool-search/openai";
import { describe, expect, it, vi } from "vitest";
import { inMemory } from "../mcp-servers.js";
import { deepMixedText, deepText, objectDefinitions, wireDefinitions } from "./hostile-definitions.js";

// What is large takes its time on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const FORMATS: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];
const QUERIES = ["open an issue", "issues", "send a message", "select:list_issues,send_message", "server:tracker", "+chat message", "nothing of the kind"];
const schema = (...names: string[]) => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });

function good(options = {}): ToolSearch {
  const search = new ToolSearch({ defer: "always", ...options });
  search.add([{ name: "clock", description: "The time of day", inputSchema: schema() }], { load: "direct" });
  search.add([{ name: "create_issue", description: "Opens an issue", inputSchema: schema("title") }, { name: "list_issues", description: "Lists the issues" }], { server: "tracker" }); // prettier-ignore
  search.add([{ name: "send_message", description: "Sends a message", inputSchema: schema("to", "text") }], { server: "chat" });
  return search;
}
const GOOD = good().names();

/** What there is to see of the good tools, whichever others there are. */
function seen(search: ToolSearch) {
  const only = (names: readonly string[]) => names.filter((name) => GOOD.includes(name));
  const session = search.session();
  session.activate(GOOD);
  const arrays = FORMATS.map((format) =>
    (session.tools(format) as Record<string, any>[]).filter((tool) => GOOD.includes(tool["function"]?.name ?? tool["name"])).map((tool) => JSON.stringify(tool)),
  );
  const found = QUERIES.map((query) => only(search.search(query, { limit: 50 }).matches.map(({ name }) => name)));
  const calls = GOOD.map((name) => session.resolve(name));
  const listed = only(session.prompt().split("\n"));
  session.free();
  return { names: only(search.names()), arrays, found, calls, listed };
}
const SEEN = seen(good());

/** A few questions to an engine that has taken something odd in. None of them may fail, but with a ToolSearchError. */
function use(search: ToolSearch) {
  for (const name of search.names().filter((name) => !GOOD.includes(name))) {
    expect(search.get(name)).toBeDefined();
    const session = search.session();
    expect(session.handle({ query: `select:${name}` }).text).not.toBe("");
    expect(["activated", "ready"]).toContain(session.resolve(name).status);
    expect(session.names()).toContain(name);
    for (const format of FORMATS) expect(session.tools(format)).toHaveLength(session.names().length);
    for (const format of FORMATS) expect(JSON.stringify(session.tools(format))).toContain(JSON.stringify(name));
    expect(search.session({ state: session.state() }).names()).toEqual(session.names());
    expect(search.search("abyss w0rd half", { explain: true }).query).not.toBe("");
  }
  const copy = ToolSearch.restore(search.snapshot(), { defer: "always" });
  expect(copy.names()).toEqual(search.names());
  copy.free();
}

/** What the addition threw, which must be a ToolSearchError. */
async function refusal(add: () => unknown): Promise<ToolSearchError | undefined> {
  try {
    await add();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolSearchError);
    expect((error as Error).message).toMatch(/\w{3}/);
    return error as ToolSearchError;
  }
}

/** Adds what is odd, and holds the engine against one that has never seen it. */
async function expectUnaffected(search: ToolSearch, add: () => unknown, remove?: () => unknown) {
  const before = search.names();
  const error = await refusal(add);
  if (error) expect(search.names()).toEqual(before);
  else use(search);
  expect(seen(search)).toEqual(SEEN);
  remove?.();
  if (remove) expect(search.search("issue message")).toEqual(good().search("issue message"));
  return error;
}

const cases = (definitions: Record<string, () => unknown>) => Object.entries(definitions);
const all = cases({ ...wireDefinitions, ...objectDefinitions });
/** Every way in takes the same text in the end: the large ones are brought in by two ways only. */
const isLarge = (name: string) => /000 (values|required|ideographs)|more than the limit|in one word/.test(name);
const small = all.filter(([name]) => !isLarge(name));
const smallOnWire = cases(wireDefinitions).filter(([name]) => !isLarge(name));

describe("add", () => {
  it.each(all)("%s, alone and among others", async (name, make) => {
    const search = good();
    await expectUnaffected(search, () => search.add([make() as ToolDefinition], { server: "odd" }), () => search.removeServer("odd"));
    if (isLarge(name)) return;
    const among = good();
    const error = await expectUnaffected(among, () => among.add([{ name: "before" }, make() as ToolDefinition, { name: "after" }]));
    expect(error?.index ?? 1).toBe(1);
    const direct = good();
    await expectUnaffected(direct, () => direct.add([make() as ToolDefinition], { load: "direct", prefix: false, server: "odd" }));
    await refusal(() => estimateTokens(make() as ToolDefinition));
  });

  it.each<[string, () => unknown]>([
    ["a Proxy that throws when it is read again", () => {
      let reads = 0;
      return new Proxy([{ name: "a" }, { name: "b" }], { get: (list, key) => { if (key === "1" && reads++ > 0) throw new Error("again"); return Reflect.get(list, key); } });
    }],
    ["a Proxy that throws", () => new Proxy([], { get: () => { throw new Error("no"); } })],
    ["a Proxy that was revoked", () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; }],
    ["an array with a getter", () => Object.defineProperty([{ name: "a" }], 0, { get: () => { throw new Error("no"); } })],
    ["a length that lies", () => new Proxy([{ name: "a" }], { get: (list, key) => (key === "length" ? 3 : Reflect.get(list, key)) })],
    ["an iterator of its own", () => Object.assign([{ name: "a" }], { [Symbol.iterator]: () => { throw new Error("no"); } })],
    ["no array", () => ({ length: 1, 0: { name: "a" } })],
  ])("%s for a list", async (_, make) => { // prettier-ignore
    const search = good();
    await expectUnaffected(search, () => search.add(make() as ToolDefinition[], { server: "odd" }), () => search.removeServer("odd"));
  });

  it("keeps the very objects that it read, whatever the list says when it is read again", () => {
    const first = { name: "same", run: 1 };
    const list = new Proxy([first], { get: (target, key) => (key === "0" && reads++ > 0 ? { name: "same", run: 2 } : Reflect.get(target, key)) });
    let reads = 0;
    const search = good();
    search.add(list);
    expect(search.get("same")).toBe(first);
  });
});

describe("addJson", () => {
  it.each(cases(wireDefinitions))("%s", async (name, make) => {
    const text = /10,000/.test(name)
      ? `{"name":"deep","inputSchema":${deepText(10_000)},"outputSchema":${deepText(10_000)},"annotations":${deepText(10_000)}}`
      : name.includes("9,999")
        ? `{"name":"deep","inputSchema":${deepMixedText(9_999)}}`
        : JSON.stringify(make());
    for (const json of isLarge(name) ? [`[${text}]`] : [`[${text}]`, new TextEncoder().encode(`{"tools":[{"name":"fine"},${text}]}`)]) {
      const search = good();
      await expectUnaffected(search, () => search.addJson(json, { server: "odd" }), () => search.removeServer("odd"));
    }
  });

  it("a8 takes what requests can be written with, and names what is deeper", async () => {
    const listOf = (levels: number) => `[{"name":"fine"},{"name":"deep","inputSchema":${deepText(levels)}}]`;
    const search = good();
    search.addJson(listOf(2_000));
    use(search);
    for (const levels of [2_100, 100_000]) {
      const error = await refusal(() => good().addJson(listOf(levels)));
      expect(error).toMatchObject({ code: "invalid_tool", index: 1, message: expect.stringContaining("deep") });
    }
  });

  it.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["half", '[{"name":"a"'],
    ["two texts", "[][]"],
    ["names twice", '[{"name":"a","name":"b"}]'],
    ["100,000 open brackets", "[".repeat(100_000)],
    ["100,000 lists in one another", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["control characters in a text", '[{"name":"a\u0001"}]'],
    ["a byte order mark", '\ufeff[{"name":"a"}]'],
    ["bytes that are no text", new Uint8Array([0x5b, 0x7b, 0xff, 0xfe, 0x80, 0x7d, 0x5d])],
    ["a name of bytes that are no text", new Uint8Array([...new TextEncoder().encode('[{"name":"'), 0xff, 0xc0, ...new TextEncoder().encode('"}]')])],
    ["half an escape", '[{"name":"\\ud83e\\u00"}]'],
    ["escapes of surrogates in disorder", '[{"name":"\\udd80\\ud83e"}]'],
    ["a number that is none", '[{"name":"a","inputSchema":{"maximum":01}}]'],
    ["NaN", '[{"name":"a","inputSchema":{"maximum":NaN}}]'],
    ["a comment", '[{"name":"a"/*,"b":1*/}]'],
    ["a comma too many", '[{"name":"a"},]'],
    ["an error of JSON-RPC", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'],
    ["tools that are no list", '{"tools":{"name":"a"}}'],
    ["escaped keys", '[{"\\u006eame":"a","inputSchem\\u0061":"none"}]'],
    ["numbers without an end", `[{"name":"a","inputSchema":{"maximum":1${"0".repeat(10_000)}e-999999999}}]`],
  ])("%s", async (_, json) => {
    const search = good();
    await expectUnaffected(search, () => search.addJson(json, { server: "odd" }), () => search.removeServer("odd"));
  });
});

it.each(smallOnWire)("the MCP entry: %s", async (_, make) => {
  const search = good();
  await using servers = new McpServers(search);
  const { client, server } = await inMemory({ tools: [{ name: "before" }, make(), { name: "after" }], instructions: "Use them." });
  const { status, leftOut, tools } = await servers.add("odd", client);
  expect({ status, tools: tools + leftOut.length }).toEqual({ status: "ready", tools: 3 });
  for (const { error } of leftOut) expect(error).toBeInstanceOf(ToolSearchError);
  expect(search.names()).toEqual(expect.arrayContaining(["mcp__odd__before", "mcp__odd__after"]));
  expect(seen(search)).toEqual(SEEN);
  use(search);
  await servers.remove("odd");
  expect(search.search("issue message")).toEqual(good().search("issue message"));
  await server.close();
});

describe("the AI SDK entry", () => {
  const sets = (make: () => any): (() => ToolSet)[] => [
    () => ({ odd: make() as ToolSet[string] }),
    () => {
      const { name, inputSchema, outputSchema, description, annotations } = make();
      return { [String(name)]: { description, inputSchema: jsonSchema(inputSchema), ...(outputSchema && { outputSchema: jsonSchema(outputSchema) }), metadata: { annotations } } as unknown as ToolSet[string] };
    },
  ]; // prettier-ignore

  it.each(small)("%s", async (_, make) => {
    for (const set of sets(make)) {
      let tools: ToolSet;
      try {
        tools = set();
      } catch {
        continue; // it cannot even be made a set
      }
      const search = good();
      const error = await refusal(() => addToolSet(search, tools, { server: "odd" }));
      if (error) expect(search.names()).toEqual(GOOD);
      expect(seen(search)).toEqual(SEEN);
      const session = search.session();
      session.activate(search.names());
      const settings = withToolSearch(session, { tools });
      expect(Object.keys(settings.tools)).toEqual(session.names());
    }
  });

  it("says which tool cannot be read", async () => {
    const hostile = { get broken(): never { throw new Error("no entry"); } }; // prettier-ignore
    await expect(addToolSet(good(), hostile as never)).rejects.toThrow(/"broken" cannot be read: no entry/);
    await expect(addToolSet(good(), { nothing: null } as never)).rejects.toMatchObject({ code: "invalid_tool" });
  });
});

it.each(smallOnWire)("the entries for providers: %s", async (_, make) => {
  const entries = [anthropicTools, openaiChatTools, openaiResponsesTools, geminiTools];
  const arrays = (search: ToolSearch) =>
    entries.map((entry) => {
      const session = search.session();
      session.activate(search.names());
      const tools = (entry(session).tools() as any[]).flatMap((tool) => tool.functionDeclarations ?? [tool]);
      return tools.filter((tool) => GOOD.includes(tool.function?.name ?? tool.name)).map((tool) => JSON.stringify(tool));
    });
  const search = good({ callableNames: "portable" });
  if (await refusal(() => search.add([make() as ToolDefinition]))) return;
  expect(arrays(search)).toEqual(arrays(good({ callableNames: "portable" })));
  // A name that the provider does not take is said at once.
  const plain = good();
  plain.add([make() as ToolDefinition]);
  for (const entry of entries) {
    const error = await refusal(() => entry(plain.session()).tools());
    expect(error?.code ?? "name_not_portable").toBe("name_not_portable");
  }
});
