// What a stranger writes stays a name, a description or a quotation, in everything that a model is sent (rules E3, F7, F8).
import fc from "fast-check";
import { ToolSearch, type AddOptions, type Format, type ToolDefinition, type ToolSearchError, type ToolSearchOptions } from "tool-search";
import { stateFromMessages, withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { anthropicTools } from "tool-search/anthropic";
import { geminiTools } from "tool-search/gemini";
import { McpServers } from "tool-search/mcp";
import { openaiChatTools, openaiResponsesTools } from "tool-search/openai";
import { describe, expect, it } from "vitest";
import { majors, runTurn, scriptedModel } from "../support/ai-sdk-majors.js";
import { attacks, lookAlikes } from "./attacks.js";
import { holds } from "./property.js";
import { HIDDEN, IS_NAME, readName, readNames, readSection } from "./section.js";

const FORMATS: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];
/** In texts that are never to be shown; letters that no other text has. */
const MARK = "QZXJV";

/** A tool that has the text in every field that there is. */
const tool = (name: string, text: string): ToolDefinition => ({
  name,
  title: text,
  description: text,
  inputSchema: { type: text, properties: { [text]: { type: text, description: text, enum: [text] }, plain: { type: [text, "null"] } }, required: [text] },
  outputSchema: { properties: { [text]: {} } },
  annotations: { title: text, searchHint: `${MARK} ${text}` },
  _meta: { "anthropic/searchHint": `${MARK} ${text}` },
});

/** A text in every place that a stranger can write in, beside a bank that nobody asked for. */
function attacked(text: string, options: ToolSearchOptions = {}): ToolSearch {
  const search = new ToolSearch({ defer: "always", keywords: { "*": [`${MARK} ${text}`] }, ...options });
  const add = (tools: ToolDefinition[], more: object) => {
    try {
      search.add(tools, more);
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(duplicate_name|invalid_tool)$/) });
    }
  };
  add([tool(text, text)], {});
  add([tool(`${text} too`, text)], { server: text, instructions: text, prefix: false });
  add([tool(`third ${text}`, text), tool("plain", text)], { server: `${text}2`, instructions: `${text}${text}` });
  add([tool("pay", "Pays"), tool("owe", "Owes")], { server: "bank" });
  for (const status of ["pending", "failed", "disconnected"] as const) search.setServerStatus(`${text} ${status}`, status, text);
  return search;
}

const NOT_OURS = /[<>`]/;

/** The lines of a reply, each as the core would write it. Whatever a stranger wrote stands behind a word of ours or in a name. */
const LINES = [
  /^Loaded (?<count>\d+) tools?, callable from your next step on:$/,
  /^- (?<one>"[^"]*"|[^\s",]+)(?:: .+)?$/,
  /^- and \d+ more$/,
  /^(?<names>.+) (?:is|are) already loaded: call directly, without searching again\.$/,
  /^No room to load more at once; not loaded: (?<names>.+)\.$/,
  /^No tool knows "[^\n]*", so these may not be what you need\.$/,
  /^"[^\n]*" is several tools; (?:select|call) one by its full name: (?<names>.+)\.$/,
  /^Not found: .+\.$/,
  /^Close names: (?<names>.+)\.$/,
  /^\d+ more match(?:, most of .+| of .+)?: other words, or more of them, show others\.$/,
  /^No tool matches\.$/,
  /^There are: (?<names>.+)\.$/,
  /^Servers with tools: .+\. Try other words, or server:NAME\.$/,
  /^Try other words, or names from the Deferred Tools section\.$/,
  /^If none of these is it, there is no such tool: go on without it\.$/,
  /^Server .+ is still connecting(?: \(.+\))?; its tools may be there later\.$/,
  /^Server .+ failed to start(?: \(.+\))?; its tools cannot be used\.$/,
  /^Server .+ is disconnected(?: \(.+\))?; its tools cannot be used now\.$/,
  /^(?<one>"[^"]*"|[^\s",]+) was not loaded, so this call did not run\. It is loaded now: call it again on your next step\.(?: It takes no parameters\.| Parameters: .+\.)?$/,
  /^There is no tool "[^\n]*"\.(?: Close names: (?<names>.+)\.)? Find tools with toolSearch\.$/,
  /^There is no tool "[^\n]*"\.(?: Close names: (?<names>.+)\.)?$/,
  /^New deferred tools, to be loaded with toolSearch: (?<names>.+)\.$/,
  /^Tools that are gone: (?<names>.+)\.$/,
  /^(?<one>"[^"]*"|[^\s",]+) (?:cannot be used in this step\.|is loaded only now, so this call did not run: call it again on your next step\.|cannot be called this way\. Call it directly, if it is among your tools\.)$/,
];
/** Those that quote nobody. */
const FIXED = [
  "The query is empty; write what the tool should do, or select:<name>.",
  "The query has no words; write in words what the tool should do.",
  "`select:` names no tool; write select:<name>,<name>.",
  "A `+` alone requires nothing; write +word.",
  'The call has no `query` that is text. Call toolSearch with {"query": "select:NAME,NAME"} or {"query": "words for what you need"}.',
];

/** Reads a reply, and gives all the names that it names. */
function expectOurs(text: string, known?: (name: string) => boolean): string[] {
  const named: string[] = [];
  let listed = 0;
  for (const line of text.split("\n")) {
    if (FIXED.includes(line)) continue;
    expect(line).not.toMatch(HIDDEN);
    expect(line).not.toMatch(NOT_OURS);
    const found = LINES.map((pattern) => pattern.exec(line)).find(Boolean);
    if (!found) throw new Error(`not a line of ours: ${JSON.stringify(line)}\nin ${JSON.stringify(text)}`);
    const { count, one, names } = found.groups ?? {};
    if (count) listed = Math.min(Number(count), 30);
    else if (one && line.startsWith("- ")) expect(listed--).toBeGreaterThan(0);
    if (one) named.push(readName(one));
    if (names) named.push(...readNames(names.replace(/ and \d+ more$/, "")));
  }
  if (known) for (const name of named) expect(known(name), `${JSON.stringify(name)} in ${JSON.stringify(text)}`).toBe(true);
  return named;
}

/** Everything that a model can write with a text in it. */
const queriesWith = (text: string) => [text, `select:${text}`, `select:${text}, plain, ${text}x`, `server:${text}`, `+${text} pay`, `server:${text} pay`, `mcp__${text}`, `${text} plain pay zzz`, `"${text}"`, "plain", "nothing", "+", "select:", " "];

describe.each(Object.entries(attacks))("%s", (_, text) => {
  it.each<[string, ToolSearchOptions]>([
    ["full", {}],
    ["short", { listing: { names: "short" } }],
    ["portable", { callableNames: "portable" }],
  ])("stays in its place in the section: %s names", (_, options) => {
    const search = attacked(text, options);
    const section = search.session().prompt();
    expect(section.replaceAll("\n", "")).not.toMatch(HIDDEN);
    expect(section).not.toMatch(NOT_OURS);
    const { builtin, servers } = readSection(section);
    expect([...builtin.names, ...servers.flatMap(({ names }) => names)]).toEqual(search.names());
    expect(new Set(servers.map(({ heading }) => heading)).size).toBe(servers.length);
    expect(section).not.toContain(MARK);
  });

  it("stays in its place in replies, answers to calls and news", () => {
    const search = attacked(text);
    const session = search.session();
    search.add([tool("late", text), tool(`late ${text}`, text)], { prefix: false, server: "late" });
    const gone = [...search.names(), ...search.names()];
    const known = (name: string) => gone.includes(name) || search.get(name) !== undefined;
    expectOurs(session.announce(), known);
    for (const query of queriesWith(text)) {
      const { text: said, error } = session.handle({ query, max_results: 50, [text]: text });
      expectOurs(said, known);
      expect(said).not.toContain(MARK);
      if (error) expect(error.message).not.toMatch(HIDDEN);
      const fresh = search.session();
      expectOurs(fresh.handle({ query, max_results: 1 }).text, known);
      const called = fresh.resolve(query);
      if ("text" in called) expectOurs(called.text, known);
    }
    for (const name of [text, `${text} pending`, `mcp__${text}__x`, ...search.names()]) {
      const called = search.session().resolve(name);
      if ("text" in called) expectOurs(called.text, known);
      if ("text" in called) expect(called.text).not.toContain(MARK);
    }
    for (const input of [text, { query: { toString: () => text } }, JSON.stringify({ [text]: text })]) expectOurs(session.handle(input).text);
    search.removeServer("late");
    search.removeServer(text);
    expectOurs(session.announce(), known);
  });

  it("brings nothing back with a saved conversation but what was loaded", () => {
    const search = attacked(text);
    for (const query of [`select:${search.names().map(shown).join(",")}`, `select:plain,${text}`, "plain", text]) {
      const session = search.session();
      const messages = [query, query].flatMap((asked) => exchange(asked, session.handle({ query: asked, max_results: 50 }).text));
      expect(stateFromMessages(search, messages).activated).toEqual(session.activated);
      expect(stateFromMessages(search, messages.slice(2)).activated).toEqual(session.activated);
    }
  });

  it("stays out of the search tool's definition", () => {
    const plain = new ToolSearch({ defer: "always" });
    plain.add([{ name: "x" }]);
    const tools = (search: ToolSearch) => FORMATS.map((format) => search.session().tools(format)[0]);
    expect(tools(attacked(text))).toEqual(tools(plain));
  });

  it("stays in its place in what the entries for providers and for MCP answer", async () => {
    const search = attacked(text, { callableNames: "portable" });
    const calls = [text, ...search.names().slice(0, 3)];
    const input = JSON.stringify({ query: text });
    const said = (results: unknown[]): string[] => results.flatMap((result: any) => result.content ?? result.output ?? result.functionResponse?.response?.output ?? result.functionResponse?.response?.error ?? []);
    const texts: string[] = [];
    for (const name of calls) {
      const answers = [
        anthropicTools(search.session()).answer({ id: "1", name, input: {} }),
        openaiChatTools(search.session()).answer({ id: "1", type: "function", function: { name, arguments: "{}" } }),
        openaiResponsesTools(search.session()).answer({ type: "function_call", call_id: "1", name, arguments: "{}" }),
        geminiTools(search.session()).answer({ name, args: {} }),
        anthropicTools(search.session()).answer({ id: "1", name: "toolSearch", input: { query: name } }),
        openaiChatTools(search.session()).answer({ id: "1", type: "function", function: { name: "toolSearch", arguments: input } }),
        openaiResponsesTools(search.session()).answer({ type: "function_call", call_id: "1", name: "toolSearch", arguments: input }),
        geminiTools(search.session()).answer({ name: "toolSearch", args: { query: text } }),
      ];
      texts.push(...answers.flatMap((answer) => said(answer.results())));
    }
    // With OpenAI's own search, a namespace speaks of a server.
    const native = new ToolSearch({ defer: "always", callableNames: "portable", searchToolName: "tool_search" });
    native.add([{ name: "pay" }], { server: text });
    const [output] = openaiResponsesTools(native.session(), { strategy: "native" }).answer({ type: "tool_search_call", call_id: "1", execution: "client", arguments: { query: "pay" } }).results() as any[];
    expect(output.tools).toHaveLength(1);
    expect(JSON.stringify(output.tools[0].description)).not.toMatch(/\\|[^\x20-\x7e]/);

    await using servers = new McpServers(search);
    for (const [name, args] of [...calls.map((name) => [name, {}] as const), ["toolSearch", { query: text }] as const]) {
      const { content } = await servers.call(name, args, { session: search.session() });
      texts.push(...content.flatMap((part) => ("text" in part ? [part.text] : [])));
    }
    expect(texts.length).toBeGreaterThan(30);
    for (const each of texts) expectOurs(each);
  });

  it.each<StrategyName>(["append", "anthropic", "openai", "bridge"])("stays in its place in what the AI SDK entry sends and answers: %s", async (strategy) => {
    const search = attacked(text);
    const session = search.session();
    const known = search.names();
    const bridged = (name: string, args: object = {}) => [{ call: "callTool", input: { name, arguments: args } }];
    const { model, requests } = scriptedModel(majors[2]!, [
      [{ call: "toolSearch", input: { query: text } }],
      [{ call: known[0]! }],
      [{ call: text }, { call: `mcp__${text}__x` }],
      ...(strategy === "bridge" ? [bridged(known.at(-3)!), bridged(known.at(-3)!, { [text]: text }), bridged(text, { [text]: text }), bridged(`${text} ${text}`)] : []),
      "done",
    ]);
    const settings = withToolSearch(session, { strategy, system: "Be brief.", call: () => "ran" });
    await runTurn(majors[2]!, "generateText", { model, prompt: "go", ...settings });
    expect(requests.length).toBeGreaterThan(3);
    const added = strategy === "bridge" ? "\n\nLoaded tools are called through callTool: {\"name\": NAME, \"arguments\": {…}}. The search result has their parameters." : "";
    for (const { system } of requests) expect(system).toBe(`Be brief.\n\n${session.prompt()}${added}`);
    for (const { toolName, text: said } of requests.flatMap(({ results }) => results)) {
      if ((toolName !== "toolSearch" && toolName !== "callTool") || said === "ran") continue;
      if (strategy === "openai" && said.startsWith('{"tools"')) {
        for (const { type, description } of JSON.parse(said).tools) if (type === "namespace") expect(description).not.toMatch(HIDDEN);
        continue;
      }
      if (said.startsWith("[{\"type\":\"custom\"")) continue; // references alone
      // What the bridge adds: parameters as JSON, behind a name.
      const lines = said.split("\n").filter((line) => !/^(?:Call with callTool\. Parameters:|(?:"[^"]*"|[^\s",:]+): \{.*\}|The arguments of (?:"[^"]*"|[^\s",]+) are wrong, so it did not run:|- .+: .+)$/.test(line) || line.startsWith("Loaded"));
      for (const line of said.split("\n")) expect(line.replace(/^The call has no.*$/, "")).not.toMatch(/[<\u0000-\u001f]/);
      expect(said.replaceAll("\n", "")).not.toMatch(HIDDEN);
      if (lines.length > 0) expectOurs(lines.join("\n"));
    }
  });
});

/** A search as the AI SDK keeps it. Some models use their ids again. */
const exchange = (query: string, value: string) => [
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "toolSearch", input: { query } }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "toolSearch", output: { type: "text", value } }] },
];

/** A name as the section of a catalog of it alone shows it. */
function shown(name: string): string {
  const search = new ToolSearch({ defer: "always" });
  if ([...name].length > 128) return name; // with its server's before it, and so one word
  search.add([{ name }]);
  return search.session().prompt().split("\n").at(-2)!;
}

describe("look-alikes", () => {
  it("of a server's name each stand under a heading of their own", () => {
    const search = new ToolSearch({ defer: "always" });
    const servers = ["github", ...lookAlikes];
    const taken = servers.filter((server, i) => {
      try {
        return search.add([{ name: `run_${i}`, description: "Runs" }], { server, prefix: i % 2 === 0 }).added.length > 0;
      } catch {
        return false;
      }
    });
    expect(taken).toEqual(servers);
    const { servers: read } = readSection(search.session().prompt());
    expect(new Set(read.map(({ heading }) => heading)).size).toBe(servers.length);
    expect(read.flatMap(({ names }) => names)).toEqual(search.names());
    // What answers to the name is the one that has it.
    expect(search.search("server:github").matches.map(({ server }) => server)).toEqual(["github"]);
    expect(search.search("github").matches[0]?.server).toBe("github");
  });

  it("of a tool's name are each shown as no other, and loaded by what is shown", () => {
    const search = new ToolSearch({ defer: "always" });
    search.add(["github", ...lookAlikes].map((name) => ({ name })));
    const { builtin } = readSection(search.session().prompt());
    expect(builtin.names).toEqual(search.names());
    for (const name of search.names()) expect(search.session().handle({ query: `select:${shown(name)}` }).loaded).toEqual([name]);
  });
});

/** Names of any kind: of pieces that mean something somewhere, and of any characters. */
const piece = fc.oneof(fc.constantFrom(...Object.values(attacks), ...lookAlikes, ...', :"\\#-_./<>`\n\u200b\u202e… '), fc.string({ unit: "binary", maxLength: 6 }), fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("issue", "list_", "mcp__", "a", "5"));
const anyText = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
const anyName = anyText.filter((name) => name.trim() !== "" && [...name].length <= 128);

const catalogs: fc.Arbitrary<Catalog> = fc.record({
  builtin: fc.uniqueArray(anyName, { maxLength: 6 }),
  servers: fc.uniqueArray(fc.record({ name: anyName, instructions: anyText, names: fc.uniqueArray(anyName, { minLength: 1, maxLength: 14 }), prefix: fc.boolean() }), { maxLength: 4, selector: ({ name }) => name }),
  short: fc.boolean(),
});

interface Catalog {
  builtin: string[];
  servers: { name: string; instructions: string; names: string[]; prefix: boolean }[];
  short: boolean;
}

/** An engine of such a catalog, without the names that it refuses. */
function catalogOf({ builtin, servers, short }: Catalog, maxTokens = 100_000): ToolSearch {
  const search = new ToolSearch({ defer: "always", listing: { maxTokens, names: short ? "short" : "full" } });
  const add = (tools: ToolDefinition[], options: AddOptions): void => {
    try {
      search.add(tools, options);
    } catch (error) {
      const { code, index } = error as ToolSearchError;
      expect(code).toMatch(/^(duplicate_name|reserved_name)$/);
      add(tools.toSpliced(index!, 1), options);
    }
  };
  const described = (names: string[]) => names.map((name) => ({ name, description: `${MARK} ${name}` }));
  add(described(builtin), {});
  for (const { name: server, names, ...options } of servers) add(described(names), { server, ...options });
  return search;
}

describe("any catalog", () => {
  it("e3 the section reads back as exactly its names, and each name as its tool", () => {
    holds(80, catalogs, (catalog) => {
      const search = catalogOf(catalog);
      if (search.size === 0) return;
      const section = search.session().prompt();
      const { builtin, servers } = readSection(section);
      expect([...builtin.names, ...servers.flatMap(({ names }) => names)]).toEqual(search.names());
      expect(section).not.toContain(MARK);
      expect(section.replaceAll("\n", "")).not.toMatch(HIDDEN);
      const listed = section.split("\n").filter((line) => IS_NAME.test(line));
      for (const name of search.names()) {
        const line = listed.find((line) => readName(line) === name);
        if (line) expect(search.session().handle({ query: `select:${line}` }).loaded).toEqual([name]);
        else expect(catalog.short).toBe(true);
      }
      expectOurs(search.session().handle({ query: `select:${listed}` }).text, (name) => search.get(name) !== undefined);
    });
  });

  it("e2 within any budget it reads back as some of its names, whole and in order, and counts the others", () => {
    holds(80, fc.tuple(catalogs, fc.integer({ min: 1, max: 1_200 })), ([catalog, budget]) => {
      const search = catalogOf(catalog, budget);
      if (search.size === 0) return;
      const section = search.session().prompt();
      const { builtin, servers } = readSection(section);
      const names = [...builtin.names, ...servers.flatMap(({ names }) => names)];
      const all = search.names();
      expect(names).toEqual(all.filter((name) => names.includes(name)));
      expect(names.length + [builtin, ...servers].reduce((sum, { more }) => sum + more, 0)).toBe(all.length);
      expect(section).not.toContain(MARK);
    });
  });

  it("f8 replies are lines of ours, name no tool that is not there, and bring back what was loaded", () => {
    holds(30, fc.tuple(catalogs, fc.array(anyText, { minLength: 1, maxLength: 5 })), ([catalog, texts]) => {
      const search = catalogOf(catalog);
      search.add([{ name: "q" }]);
      const session = search.session();
      const messages: object[] = [];
      for (const query of texts.flatMap(queriesWith)) {
        const { text } = session.handle({ query, max_results: 3 });
        expectOurs(text, (name) => search.get(name) !== undefined);
        messages.push(...exchange(query, text));
        expect(stateFromMessages(search, messages).activated).toEqual(session.activated);
      }
      for (const name of texts) {
        const called = session.resolve(name);
        if ("text" in called) expectOurs(called.text, (name) => search.get(name) !== undefined);
      }
    });
  });
});
