// The adapter with the real packages `ai` 5, 6 and 7 and a scripted model: what is asserted is what a provider would be sent.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { dynamicTool, jsonSchema, tool, type ToolSet } from "ai";
import { ToolSearch, ToolSearchError } from "tool-search";
import { addToolSet, toolDefinitions, withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { majors, oldest, runTurn, scriptedModel, type Major, type MockScript, type SentRequest } from "./support/ai-sdk-majors.js";
import { agent, SEARCH } from "./support/agent.js";
import { brokenPrefixes } from "./support/provider-server.js";

const names = (request: SentRequest | undefined) => request?.names;
const toolsOf = (request: SentRequest | undefined) => request?.tools.map((tool) => JSON.parse(tool)) ?? [];
const user = (content: string) => [{ role: "user" as const, content }];

describe.each([...majors, ...oldest])("$name", (major) => {
  describe.each(["streamText", "generateText"] as const)("%s", (how) => {
    it("sends arrays that only grow at the end, and runs what was loaded", async () => {
      const { search, tools, ran } = await agent();
      const session = search.session();
      const { model, requests } = scriptedModel(major, [
        [{ call: SEARCH, input: { query: "select:merge" } }],
        [{ call: "mcp__forge__merge", input: { text: "#1" } }],
        [{ call: SEARCH, input: { query: "select:notepad,create_issue" } }],
        [{ call: "notepad" }, { call: "mcp__forge__create_issue" }, { call: "clock" }],
        "done",
      ]);
      const { text } = await runTurn(major, how, {
        model,
        messages: user("go"),
        ...withToolSearch(session, { tools, system: "Be brief." }),
      });

      expect(text).toBe("done");
      expect(ran.sort()).toEqual(["clock", "create_issue", "merge", "notepad"]);
      expect(requests.map(names)).toEqual([
        ["clock", SEARCH],
        ["clock", SEARCH, "mcp__forge__merge"],
        ["clock", SEARCH, "mcp__forge__merge"],
        ["clock", SEARCH, "mcp__forge__merge", "notepad", "mcp__forge__create_issue"],
        ["clock", SEARCH, "mcp__forge__merge", "notepad", "mcp__forge__create_issue"],
      ]);
      expect(brokenPrefixes(requests)).toEqual([]);
      expect(requests[0]?.system).toBe(`Be brief.\n\n${session.prompt()}`);
      expect(requests[2]?.results).toEqual([{ toolName: "mcp__forge__merge", text: "merge ran with #1" }]);
    });

    it("rescues a call of a tool that is not loaded", async () => {
      const { search, tools, ran } = await agent();
      const { model, requests } = scriptedModel(major, [
        [{ call: "mcp__forge__merge", input: { guessed: true } }],
        [{ call: "mcp__forge__merge", input: { text: "#2" } }],
        "done",
      ]);
      await runTurn(major, how, { model, messages: user("go"), ...withToolSearch(search.session(), { tools }) });

      expect(requests[1]?.results[0]?.toolName).toBe(SEARCH);
      expect(requests[1]?.results[0]?.text).toContain("mcp__forge__merge");
      expect(names(requests[1])).toEqual(["clock", SEARCH, "mcp__forge__merge"]);
      expect(ran).toEqual(["merge"]);
      expect(brokenPrefixes(requests)).toEqual([]);
    });

    it("answers a name that no tool has", async () => {
      const { search, tools } = await agent();
      const session = search.session();
      const { model, requests } = scriptedModel(major, [[{ call: "mcp__forge__brew" }, { call: "constructor" }], "done"]);
      await runTurn(major, how, { model, messages: user("go"), ...withToolSearch(session, { tools }) });

      expect(requests[1]?.results.map(({ toolName }) => toolName)).toEqual([SEARCH, SEARCH]);
      expect(requests[1]?.results[0]?.text).toContain("mcp__forge__brew");
      expect(session.activated).toEqual([]);
    });

    it("lets a tool be used a step after it was found, however the step was ordered", async () => {
      const { search, tools, ran } = await agent();
      const { model, requests } = scriptedModel(major, [
        [
          { call: SEARCH, input: { query: "select:merge" } },
          { call: "mcp__forge__merge", input: { text: "early" } },
        ],
        [{ call: "mcp__forge__merge", input: { text: "late" } }],
        "done",
      ]);
      await runTurn(major, how, { model, messages: user("go"), ...withToolSearch(search.session(), { tools }) });

      expect(requests[1]?.results.map(({ toolName }) => toolName)).toEqual([SEARCH, SEARCH]);
      expect(requests[1]?.results[1]?.text).toContain("mcp__forge__merge");
      expect(ran).toEqual(["merge"]);
      expect(requests[2]?.results[0]?.text).toBe("merge ran with late");
    });

    it("keeps what was loaded for the next user turn", async () => {
      const { search, tools, ran } = await agent();
      const session = search.session();
      const first = scriptedModel(major, [[{ call: SEARCH, input: { query: "select:merge" } }], "done"]);
      const asked = user("one");
      const { messages } = await runTurn(major, how, { model: first.model, messages: asked, ...withToolSearch(session, { tools }) });

      const second = scriptedModel(major, [[{ call: "mcp__forge__merge" }], "done"]);
      const history = [...asked, ...messages, ...user("two")];
      await runTurn(major, how, { model: second.model, messages: history, ...withToolSearch(session, { tools }) });
      expect(ran).toEqual(["merge"]);
      expect(brokenPrefixes([...first.requests, ...second.requests])).toEqual([]);
    });

    it("keeps the order with names that JavaScript takes for indices", async () => {
      const search = new ToolSearch({ defer: "always" });
      const make = () => tool({ inputSchema: z.object({}), execute: async () => "ran" });
      const tools = await addToolSet(search, { beta: make(), "10": make(), "2": make() }, { load: { direct: ["beta"] } });
      const { model, requests } = scriptedModel(major, [
        [{ call: SEARCH, input: { query: "select:10" } }],
        [{ call: SEARCH, input: { query: "select:2" } }],
        [{ call: "10" }, { call: "2" }],
        "done",
      ]);
      await runTurn(major, how, { model, messages: user("go"), ...withToolSearch(search.session(), { tools }) });

      expect(names(requests[2])).toEqual(["beta", SEARCH, "10", "2"]);
      expect(requests[3]?.results.map(({ text }) => text)).toEqual(["ran", "ran"]);
      expect(brokenPrefixes(requests)).toEqual([]);
    });

    it("takes any input for a search", async () => {
      const { search, tools } = await agent();
      const inputs = ["not json", 7, null, [], {}, { query: 3 }, { query: "" }, { query: "merge", max_results: "many", extra: {} }];
      const { model, requests } = scriptedModel(major, [inputs.map((input) => ({ call: SEARCH, input })), "done"]);
      const { steps } = await runTurn(major, how, { model, messages: user("go"), ...withToolSearch(search.session(), { tools }) });

      const parts = steps.flatMap(({ content }) => content.map(({ type }) => type));
      expect(parts.filter((type) => type === "tool-error")).toEqual([]);
      expect(requests[1]?.results).toHaveLength(inputs.length);
      for (const { text } of requests[1]?.results ?? []) expect(text.length).toBeGreaterThan(10);
    });
  });

  it("sends every tool and no search tool without deferral", async () => {
    const { search, tools, ran } = await agent({ defer: "never" });
    const session = search.session();
    const { model, requests } = scriptedModel(major, [[{ call: "mcp__forge__merge" }, { call: "createIssue" }, { call: "brew" }], "done"]);
    const settings = withToolSearch(session, { tools, system: "Be brief." });
    await runTurn(major, "streamText", { model, messages: user("go"), ...settings });

    expect(names(requests[0])).toEqual(session.names());
    expect(names(requests[0])).not.toContain(SEARCH);
    expect(requests[0]?.system).toBe("Be brief.");
    expect(ran.sort()).toEqual(["create_issue", "merge"]);
  });

  it("runs a loaded tool that the model calls by another spelling", async () => {
    const { search, tools, ran } = await agent();
    const session = search.session();
    session.activate(["mcp__forge__create_issue"]);
    const { model, requests } = scriptedModel(major, [[{ call: "createIssue", input: { text: "x" } }], "done"]);
    await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(session, { tools }) });
    expect(ran).toEqual(["create_issue"]);
    expect(requests[1]?.results[0]).toEqual({ toolName: "mcp__forge__create_issue", text: "create_issue ran with x" });
  });

  it("composes with the user's prepareStep and activeTools", async () => {
    const { search, tools } = await agent();
    const session = search.session();
    session.activate(["mcp__forge__merge", "notepad"]);
    const prepareStep = vi.fn(({ stepNumber }: { stepNumber: number }) => {
      if (stepNumber === 0) return { toolChoice: { type: "tool" as const, toolName: "mcp__post__send_mail" } };
      if (stepNumber === 1) return { activeTools: ["clock", "notepad"] };
      return undefined;
    });
    const { model, requests } = scriptedModel(major, [[{ call: "mcp__post__send_mail" }], [{ call: "mcp__forge__merge" }], "done"]);
    const activeTools = ["notepad", "mcp__post__send_mail"];
    const settings = withToolSearch(session, { tools, prepareStep, activeTools });
    await runTurn(major, "streamText", { model, messages: user("go"), ...settings });

    expect(prepareStep).toHaveBeenCalledTimes(3);
    expect(requests.map(names)).toEqual([
      [SEARCH, "notepad", "mcp__post__send_mail"],
      ["clock", SEARCH, "notepad"],
      [SEARCH, "notepad", "mcp__post__send_mail"],
    ]);
    expect(requests[2]?.results).toEqual([{ toolName: SEARCH, text: "mcp__forge__merge cannot be used in this step." }]);
  });

  it("asks the user's repair hook about unusable arguments and unknown names, and no other", async () => {
    const { search, tools, ran } = await agent();
    const repair = vi.fn(async ({ toolCall }: { toolCall: { toolName: string } }) => {
      if (toolCall.toolName === "clock") return { ...toolCall, input: "{}" };
      return toolCall.toolName === "brew" ? { ...toolCall, toolName: "clock" } : null;
    });
    const { model, requests } = scriptedModel(major, [
      [{ call: "clock", input: "{" }, { call: "brew" }, { call: "mcp__forge__merge" }, { call: "stew" }],
      "done",
    ]);
    const settings = withToolSearch(search.session(), { tools, experimental_repairToolCall: repair as never });
    await runTurn(major, "streamText", { model, messages: user("go"), ...settings });

    expect(repair.mock.calls.map(([{ toolCall }]) => toolCall.toolName)).toEqual(["clock", "brew", "stew"]);
    expect(ran).toEqual(["clock", "clock"]);
    expect(requests[1]?.results.map(({ toolName }) => toolName)).toEqual(["clock", "clock", SEARCH, SEARCH]);
  });

  it("calls the tools of a catalog that has nothing but definitions", async () => {
    const search = new ToolSearch({ defer: "always" });
    search.add([{ name: "merge", description: "Merge a pull request", inputSchema: { type: "object" } }], { server: "forge" });
    const call = vi.fn(async (request: object, _options: { toolCallId: string }) => `did ${JSON.stringify(request)}`);
    const { model, requests } = scriptedModel(major, [
      [{ call: SEARCH, input: { query: "merge" } }],
      [{ call: "mcp__forge__merge", input: { id: 1 } }],
      "done",
    ]);
    const session = search.session();
    await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(session, { call }) });

    expect(call).toHaveBeenCalledTimes(1);
    expect(call.mock.calls[0]?.[0]).toEqual({ name: "mcp__forge__merge", rawName: "merge", server: "forge", input: { id: 1 } });
    expect(call.mock.calls[0]?.[1].toolCallId).toBe("call-2");
    expect(toolsOf(requests[1])[1]).toMatchObject({ description: "Merge a pull request", inputSchema: { type: "object" } });
    expect(requests[2]?.results[0]?.text).toContain("did {");
  });

  it("follows a server that changes its tools", async () => {
    const search = new ToolSearch({ defer: "always" });
    const offer = (...tools: [name: string, description: string][]) =>
      search.add(
        tools.map(([name, description]) => ({ name, description, inputSchema: { type: "object" } })),
        { server: "forge" },
      );
    offer(["merge", "Merge a pull request"], ["close", "Close a pull request"]);
    const session = search.session();
    const { model, requests } = scriptedModel(major, [
      [{ call: SEARCH, input: { query: "select:close,merge" } }],
      () => {
        offer(["merge", "Merge one pull request or several"]);
        return [{ call: SEARCH, input: { query: "merge" } }];
      },
      "done",
    ]);
    await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(session, { call: () => "" }) });

    expect(names(requests[1])).toEqual([SEARCH, "mcp__forge__close", "mcp__forge__merge"]);
    expect(names(requests[2])).toEqual([SEARCH, "mcp__forge__merge"]);
    expect(toolsOf(requests[2])[1]?.description).toBe("Merge one pull request or several");
  });

  it("answers for a server that went down", async () => {
    const search = new ToolSearch({ defer: "always" });
    search.add([{ name: "merge", inputSchema: { type: "object" } }], { server: "forge" });
    const call = vi.fn();
    const session = search.session();
    session.activate(["mcp__forge__merge"]);
    search.setServerStatus("forge", "disconnected", "it hung up");
    const { model, requests } = scriptedModel(major, [[{ call: "mcp__forge__merge" }], "done"]);
    await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(session, { call }) });

    expect(call).not.toHaveBeenCalled();
    expect(requests[1]?.results[0]?.text).toContain("forge");
  });

  it("never sends or loads a tool that the session may not see", async () => {
    const { search, tools, ran } = await agent();
    const session = search.session({ deny: ["mcp__forge__merge", "clock"] });
    const { model, requests } = scriptedModel(major, [
      [{ call: "mcp__forge__merge" }, { call: "clock" }, { call: SEARCH, input: { query: "select:merge,clock" } }],
      "done",
    ]);
    await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(session, { tools }) });

    expect(requests.map(names)).toEqual([[SEARCH], [SEARCH]]);
    expect(ran).toEqual([]);
  });

  it("serves fifty conversations at once", async () => {
    const { search, tools } = await agent();
    const run = async (i: number) => {
      const wanted = ["mcp__forge__merge", "notepad", "mcp__post__send_mail"][i % 3] as string;
      const { model, requests } = scriptedModel(major, [
        [{ call: SEARCH, input: { query: `select:${wanted}` } }],
        [{ call: wanted, input: { text: String(i) } }],
        "done",
      ]);
      await runTurn(major, "streamText", { model, messages: user("go"), ...withToolSearch(search.session(), { tools }) });
      expect(names(requests[2])).toEqual(["clock", SEARCH, wanted]);
      expect(requests[2]?.results[0]?.text).toContain(`ran with ${i}`);
    };
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(i)));
  });
});

describe.each([...majors, ...oldest])("an agent of $name", (major) => {
  const Agent = major.ai.ToolLoopAgent ?? major.ai.Experimental_Agent; // 5 has the latter alone

  it("takes the settings", async () => {
    const { search, tools, ran } = await agent();
    const { model, requests } = scriptedModel(major, [
      [{ call: SEARCH, input: { query: "select:merge" } }],
      [{ call: "mcp__forge__merge" }],
      "done",
    ]);
    const session = search.session();
    const helper = new Agent({ model, stopWhen: major.ai.stepCountIs(5), ...withToolSearch(session, { tools, system: "Be brief." }) });
    await helper.generate({ prompt: "go" });
    expect(ran).toEqual(["merge"]);
    expect(requests[0]?.system).toContain(session.prompt());
    expect(brokenPrefixes(requests)).toEqual([]);
  });

  it.skipIf(major.major === 5)("begins a session for each call", async () => {
    const { search, tools } = await agent();
    const script: MockScript = [[{ call: SEARCH, input: { query: "select:merge" } }], "one"];
    const { model, requests } = scriptedModel(major, [...script, ...script]);
    const helper = new Agent({
      model,
      tools,
      prepareCall: (call: object) => ({ ...call, ...withToolSearch(search.session(), { tools }) }),
    } as never);
    await helper.generate({ prompt: "go" });
    await helper.generate({ prompt: "go" });
    const alone = [
      ["clock", SEARCH],
      ["clock", SEARCH, "mcp__forge__merge"],
    ];
    expect(requests.map(names)).toEqual([...alone, ...alone]);
  });
});

describe.each(majors)("$name", (major) => {
  it("keeps to the user's stopWhen", async () => {
    const { search, tools, ran } = await agent();
    const { model, requests } = scriptedModel(major, [
      [{ call: SEARCH, input: { query: "select:merge" } }],
      [{ call: "mcp__forge__merge" }],
      "late",
    ]);
    const stopWhen = major.ai.hasToolCall("mcp__forge__merge");
    await runTurn(major, "streamText", { model, messages: user("go"), stopWhen, ...withToolSearch(search.session(), { tools }) });
    expect(ran).toEqual(["merge"]);
    expect(requests).toHaveLength(2);
  });

  it("L51: loads the tool of a toolChoice before the first request", async () => {
    const { search, tools, ran } = await agent();
    const { model, requests } = scriptedModel(major, [[{ call: "mcp__forge__merge" }], "done"]);
    const settings = withToolSearch(search.session(), { tools, toolChoice: { type: "tool", toolName: "mcp__forge__merge" } });
    await runTurn(major, "streamText", { model, messages: user("go"), ...settings, stopWhen: major.ai.stepCountIs(1) });
    expect(names(requests[0])).toEqual(["clock", SEARCH, "mcp__forge__merge"]);
    expect(ran).toEqual(["merge"]);
  });
});

it("runs tools of a server over @ai-sdk/mcp", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tool-search-mcp-"));
  await writeFile(join(folder, "notes.md"), "Buy oats.");
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const transport = new Experimental_StdioMCPTransport({ command: process.execPath, args: [server, folder], stderr: "ignore" });
  const client = await createMCPClient({ transport });
  try {
    const search = new ToolSearch({ defer: "always" });
    const tools = await addToolSet(search, await client.tools(), { server: "files" });
    const read = (strategy: StrategyName) => {
      const input = { path: join(folder, "notes.md") };
      return strategy === "bridge"
        ? { call: "callTool", input: { name: "read_text_file", arguments: input } }
        : { call: "mcp__files__read_text_file", input };
    };
    for (const strategy of ["append", "bridge"] as const) {
      const { model, requests } = scriptedModel(majors[2] as Major, [
        [{ call: SEARCH, input: { query: "read a text file" } }],
        [read(strategy)],
        "done",
      ]);
      await runTurn(majors[2] as Major, "streamText", {
        model,
        messages: user("go"),
        ...withToolSearch(search.session(), { strategy, tools }),
      });
      expect(requests[2]?.results[0]?.text).toContain("Buy oats.");
    }
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
});

describe("addToolSet", () => {
  const parameters = async (tools: ToolSet) => (await toolDefinitions(tools)).map(({ inputSchema }) => inputSchema);
  const object = (properties: Record<string, unknown>) => expect.objectContaining({ type: "object", properties });

  it("reads the schemas that the SDK takes", async () => {
    const schema = { type: "object" as const, properties: { a: { type: "string" as const } } };
    const read = await parameters({
      zod: tool({ inputSchema: z.object({ a: z.string() }) }),
      json: tool({ inputSchema: jsonSchema(schema) }),
      promised: tool({ inputSchema: jsonSchema(() => Promise.resolve(schema)) }),
      lazy: tool({ inputSchema: (() => jsonSchema(schema)) as never }),
      dynamic: dynamicTool({ inputSchema: jsonSchema(schema), execute: async () => "" }),
      standard: { inputSchema: { "~standard": { version: 1, vendor: "x", jsonSchema: { input: () => schema } } } } as never,
      none: {} as never,
    });
    for (const schema of read.slice(0, -1)) expect(schema).toEqual(object({ a: { type: "string" } }));
    expect(read.at(-1)).toEqual(object({}));
  });

  it("says which schema cannot be read", async () => {
    const unreadable = { inputSchema: { "~standard": { version: 1, vendor: "x" } } } as never;
    const error = await toolDefinitions({ odd: unreadable }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ToolSearchError);
    expect(error).toMatchObject({ code: "invalid_tool", message: expect.stringContaining('"odd"') });
  });

  it("takes over titles, annotations and tools of the provider", async () => {
    const definitions = await toolDefinitions({
      mcp: {
        ...dynamicTool({ description: "d", inputSchema: jsonSchema({ type: "object" }), execute: async () => "" }),
        metadata: { title: "Shown", annotations: { readOnlyHint: true } },
      } as never,
      web: { type: "provider", id: "x.web", args: {} } as never,
    });
    expect(definitions[0]).toMatchObject({ name: "mcp", title: "Shown", description: "d", annotations: { readOnlyHint: true } });
    const search = new ToolSearch({ defer: "always" });
    search.add(definitions);
    expect(search.session().names()).toEqual(["web", SEARCH]);
  });

  it("hands tools back under the names that the model calls", async () => {
    const search = new ToolSearch();
    const make = () => tool({ inputSchema: z.object({}), execute: async () => "" });
    const [one, two] = [make(), make()];
    expect(await addToolSet(search, { "a b": one, mcp__s__c: two }, { server: "s" })).toEqual({ mcp__s__a_b: one, mcp__s__c: two });
    expect(Object.keys(await addToolSet(search, { plain: one }, { server: "t", prefix: false }))).toEqual(["plain"]);
    const own = { built_in: one };
    expect(await addToolSet(search, own)).toBe(own);
  });
});

it("keeps the types of the caller's tools", async () => {
  const search = new ToolSearch();
  const tools = await addToolSet(search, {
    clock: tool({ inputSchema: z.object({ zone: z.string() }), execute: async ({ zone }) => ({ zone, hour: 12 }) }),
  });
  const major = majors[2] as (typeof majors)[number];
  const { model } = scriptedModel(major, [[{ call: "clock", input: { zone: "UTC" } }], "done"]);
  const result = await major.ai.generateText({
    model,
    prompt: "go",
    stopWhen: major.ai.stepCountIs(3),
    ...withToolSearch(search.session(), {
      tools,
      prepareStep: ({ stepNumber }) => (stepNumber === 0 ? { toolChoice: { type: "tool", toolName: "clock" } } : undefined),
      experimental_repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: "{}" }),
    }),
  });
  const hours = result.steps.flatMap(({ toolResults }) =>
    toolResults.flatMap((result) => (!result.dynamic && result.toolName === "clock" ? [result.output.hour satisfies number] : [])),
  );
  expect(hours).toEqual([12]);
  // @ts-expect-error there is no such tool
  withToolSearch(search.session(), { tools, activeTools: ["clok"] });
});
