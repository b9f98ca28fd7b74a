// The strategy "bridge": two fixed tools, of which one checks arguments and runs the real tool as the SDK would.
import { dynamicTool, jsonSchema, tool, type ModelMessage, type ToolSet } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet, stateFromMessages, withToolSearch, type WithToolSearchOptions } from "tool-search/ai-sdk";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { majors, oldest, runTurn, runUiTurn, scriptedModel, type MockScript } from "./support/ai-sdk-majors.js";

const user = (content: string): ModelMessage => ({ role: "user", content });
const call = (name: string, input?: unknown) => ({ call: "callTool", input: { name, arguments: input } });

/** A session that has loaded all of its tools. */
async function loaded(tools: ToolSet) {
  const search = new ToolSearch({ defer: "always" });
  const added = await addToolSet(search, tools);
  const session = search.session();
  session.activate(search.names());
  return { search, session, tools: added };
}

describe.each([...majors, ...oldest])("$name", (major) => {
  const run = async (tools: ToolSet, script: MockScript, more: object = {}, options: WithToolSearchOptions<ToolSet> = {}) => {
    const { session, tools: added } = await loaded(tools);
    const { model, requests } = scriptedModel(major, script);
    const settings = withToolSearch(session, { strategy: "bridge", tools: added, ...options });
    const turn = await runTurn(major, "streamText", { model, messages: [user("go")], ...settings, ...more });
    return { ...turn, requests, said: requests.map(({ results }) => results.map(({ text }) => text)) };
  };

  it("checks arguments by the tool's JSON Schema, and says what is wrong", async () => {
    const ran: unknown[] = [];
    const schema = {
      type: "object" as const,
      properties: { id: { type: "integer" as const }, labels: { type: "array" as const, items: { enum: ["a", "b"] } } },
      required: ["id"],
      additionalProperties: false,
    };
    const { said } = await run({ merge: tool({ inputSchema: jsonSchema(schema), execute: async (input) => ran.push(input) }) }, [
      [call("merge", { labels: ["a", "c"], extra: 1 })],
      [call("merge", { id: 7, labels: ["b"] })],
      "done",
    ]);
    const wrong = said[1]?.[0] ?? "";
    expect(wrong).toContain("did not run");
    for (const problem of ['"id"', "labels/1", "extra", JSON.stringify(schema)]) expect(wrong).toContain(problem);
    expect(ran).toEqual([{ id: 7, labels: ["b"] }]);
  });

  it("leaves the judgement to a schema that can judge, and hands on what it makes of the input", async () => {
    const ran: unknown[] = [];
    const standard = {
      "~standard": {
        version: 1,
        vendor: "mine",
        validate: async ({ at }: { at?: string }) =>
          at ? { value: { at: new Date(at) } } : { issues: [{ message: "when?", path: ["at", { key: "day" }] }] },
        jsonSchema: { input: () => ({ type: "object", properties: { at: { type: "string" } } }) },
      },
    };
    const tools = {
      zod: tool({ inputSchema: z.object({ n: z.coerce.number().max(5) }), execute: async ({ n }) => ran.push(n) }),
      standard: { inputSchema: standard, execute: async ({ at }: { at: Date }) => ran.push(at.getUTCFullYear()) } as never,
      own: tool({
        inputSchema: jsonSchema(
          { type: "string" },
          { validate: (value) => (value === 1 ? { success: true, value: 2 } : { success: false, error: new Error("not one") }) },
        ),
        execute: async (input) => ran.push(input),
      }),
    };
    const { said } = await run(tools, [
      [call("zod", { n: "9" }), call("standard", {}), call("own", 3)],
      [call("zod", { n: "4" }), call("standard", { at: "2020-01-01" }), call("own", 1)],
      "done",
    ]);
    const text = said[1]?.join("\n");
    for (const problem of ["<=5", "at.day: when?", "not one"]) expect(text).toContain(problem);
    expect(ran.map(String).sort()).toEqual(["2", "2020", "4"]);
  });

  it("lets pass what no validator can work with", async () => {
    const schemas = [
      { $ref: "#/$defs/nowhere" },
      { $ref: "#" },
      { properties: { a: { pattern: "(" } } },
      { $schema: "https://json-schema.org/draft/2019-09/schema" },
    ];
    const tools = Object.fromEntries(
      schemas.map((schema, i) => [`odd${i}`, tool({ inputSchema: jsonSchema(schema as never), execute: async () => "ran" })]),
    );
    const { said } = await run(tools, [Object.keys(tools).map((name) => call(name, { a: "x" })), "done"]);
    expect(said[1]).toEqual(schemas.map(() => "ran"));
  });

  it("takes arguments as text, or beside the name", async () => {
    const ran: unknown[] = [];
    const { said } = await run({ merge: tool({ inputSchema: z.object({ id: z.number() }), execute: async (input) => ran.push(input) }) }, [
      [
        call("merge", '{"id":1}'),
        { call: "callTool", input: { name: "merge", id: 2 } },
        { call: "callTool", input: {} },
        call("merge", "{"),
        { call: "callTool", input: { name: 7 } },
      ],
      "done",
    ]);
    expect(ran).toEqual([{ id: 1 }, { id: 2 }]);
    expect(said[1]?.filter((text) => text.includes("no tool"))).toHaveLength(2);
  });

  it("runs the real tool with the live options", async () => {
    const execute = vi.fn(async (_input: unknown, _options: object) => "ran");
    const controller = new AbortController();
    const contexts = major.major === 7 ? { toolsContext: { merge: { tenant: "acme" } } } : { experimental_context: { tenant: "acme" } };
    const merge = tool({
      inputSchema: z.object({}),
      ...(major.major === 7 && { contextSchema: z.object({ tenant: z.string() }) }),
      execute: execute as never,
    });
    await run({ merge }, [[call("merge", {})], "done"], { abortSignal: controller.signal, ...contexts });
    const options = execute.mock.calls[0]?.[1] as Record<string, unknown>;
    expect(options["toolCallId"]).toBe("call-1");
    expect(options["abortSignal"]).toBeInstanceOf(AbortSignal);
    expect(options["messages"]).toEqual([expect.objectContaining({ role: "user" })]);
    // 5.0.0 knows of no context.
    if (major.name !== "ai 5, oldest") expect(options[major.major === 7 ? "context" : "experimental_context"]).toEqual({ tenant: "acme" });
  });

  it("hands on what the tool makes of its output for the model", async () => {
    const secret = {
      ...dynamicTool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => ({ shown: "yes", hidden: "no" }) }),
      toModelOutput: (given: any) => ({ type: "text", value: `only ${(given.output ?? given).shown}` }),
    } as never;
    const plain = dynamicTool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => ({ as: "it is" }) });
    const { said } = await run({ secret, plain }, [[call("secret", {}), call("plain", {})], "done"]);
    expect(said[1]).toEqual(["only yes", '{"as":"it is"}']);
  });

  it("hands on an error of the tool", async () => {
    const failing = tool({ inputSchema: z.object({}), execute: async (): Promise<string> => Promise.reject(new Error("no disk")) });
    const { said } = await run({ failing }, [[call("failing", {})], "done"]);
    expect(said[1]?.[0]).toContain("no disk");
  });

  it("runs what the catalog has only as a definition", async () => {
    const search = new ToolSearch({ defer: "always" });
    search.add([{ name: "merge", inputSchema: { type: "object", required: ["id"] } }], { server: "forge" });
    const session = search.session();
    const ran = vi.fn((request: object) => JSON.stringify(request));
    const { model, requests } = scriptedModel(major, [
      [{ call: "toolSearch", input: { query: "merge" } }],
      [call("merge", {}), call("merge", { id: 1 })],
      "done",
    ]);
    await runTurn(major, "streamText", { model, messages: [user("go")], ...withToolSearch(session, { strategy: "bridge", call: ran }) });
    expect(requests[1]?.results[0]?.text).toContain('mcp__forge__merge: {"type":"object","required":["id"]}');
    expect(ran.mock.calls).toEqual([
      [{ name: "mcp__forge__merge", rawName: "merge", server: "forge", input: { id: 1 } }, expect.anything()],
    ]);
    expect(requests[2]?.results.map(({ text }) => text).join()).toContain("did not run");
  });

  it("runs no regular expression that a server wrote", async () => {
    const search = new ToolSearch({ defer: "always" });
    const evil = { type: "string", pattern: "^(a+)+$" };
    const inputSchema = {
      type: "object",
      properties: { pattern: evil, n: { type: "number" } },
      patternProperties: { "^(x+)+$": evil },
      additionalProperties: false,
    };
    search.add([{ name: "merge", inputSchema }], { server: "forge" });
    const session = search.session();
    session.activate(search.names());
    const input = { pattern: `${"a".repeat(50)}!`, [`${"x".repeat(50)}!`]: "1" };
    const { model, requests } = scriptedModel(major, [[call("merge", input), call("merge", { n: "1" })], "done"]);
    await runTurn(major, "streamText", {
      model,
      messages: [user("go")],
      ...withToolSearch(session, { strategy: "bridge", call: () => "ran" }),
    });
    expect(requests[1]?.results.map(({ text }) => text).toSorted()).toEqual(["ran", expect.stringContaining("did not run")].reverse());
  });

  it("refuses what cannot be used", async () => {
    const make = () => tool({ inputSchema: z.object({}), execute: async () => "ran" });
    const tools = { one: make(), two: make(), client: { inputSchema: z.object({}) } as never };
    const { said } = await run(
      tools,
      [[call("one", {}), call("two", {}), call("client", {})], "done"],
      {},
      { activeTools: ["one", "client"] },
    );
    expect(said[1]?.toSorted()).toEqual(
      ["client cannot be called this way. Call it directly, if it is among your tools.", "ran", "two cannot be used in this step."].sort(),
    );
  });
});

describe.each(majors)("$name", (major) => {
  it("keeps what did not run in UI messages, for the next turn", async () => {
    const { session, tools } = await loaded({ merge: tool({ inputSchema: z.object({ id: z.number() }), execute: async () => "ran" }) });
    const { model, requests } = scriptedModel(major, [[call("merge", {})], "one", "two"]);
    const settings = withToolSearch(session, { strategy: "bridge", tools });
    const asked = (text: string) => ({ id: text, role: "user" as const, parts: [{ type: "text" as const, text }] });
    const history = await runUiTurn(major, [asked("one")], { model, ...settings } as never);
    await runUiTurn(major, [...history, asked("two")], { model, ...settings } as never);
    expect(JSON.stringify(history)).toContain("did not run");
    expect(requests[2]?.prompt).toContain("did not run");
    expect(requests[2]?.prompt).not.toContain("notCalled");
  });

  it("passes on what a generator reports on its way", async () => {
    async function* execute() {
      yield "half";
      yield "whole";
    }
    const { session, tools } = await loaded({ slow: tool({ inputSchema: z.object({}), execute: execute as never }) });
    const { model, requests } = scriptedModel(major, [[call("slow", {})], "done"]);
    const seen: unknown[] = [];
    const result = major.ai.streamText({
      model,
      prompt: "go",
      stopWhen: major.ai.stepCountIs(3),
      ...withToolSearch(session, { strategy: "bridge", tools }),
    });
    for await (const part of result.fullStream) if (part.type === "tool-result") seen.push([part.output, part.preliminary ?? false]);
    expect(seen).toEqual([
      ["half", true],
      ["whole", true],
      ["whole", false],
    ]);
    expect(requests[1]?.results[0]?.text).toBe("whole");
  });
});

describe.each(majors.slice(1))("approval, $name", (major) => {
  it("is asked for as the tool needs it, and the call runs when it is given", async () => {
    const ran = vi.fn(async () => "ran");
    const needsApproval = vi.fn(({ id }: { id: number }) => id > 5);
    const { search, session, tools } = await loaded({ merge: tool({ inputSchema: z.object({ id: z.number() }), needsApproval, execute: ran } as never) });
    const find = [{ call: "toolSearch", input: { query: "select:merge" } }];
    const { model, requests } = scriptedModel(major, [find, [call("merge", { id: 3 })], [call("merge", { id: 9 })], "done"]);
    const asked = [user("go")];
    const first = await runTurn(major, "generateText", { model, messages: asked, ...withToolSearch(session, { strategy: "bridge", tools }) });
    expect(ran).toHaveBeenCalledTimes(1);
    expect(needsApproval.mock.calls.map(([input]) => input)).toEqual([{ id: 3 }, { id: 9 }]);
    const request = first.steps.at(-1)?.content.find(({ type }) => type === "tool-approval-request") as { approvalId: string };

    const approved = { type: "tool-approval-response", approvalId: request.approvalId, approved: true };
    const history = [...asked, ...first.messages, { role: "tool", content: [approved] }] as ModelMessage[];
    const later = search.session({ state: stateFromMessages(search, history) });
    await runTurn(major, "generateText", { model, messages: history, ...withToolSearch(later, { strategy: "bridge", tools }) });
    expect(ran).toHaveBeenCalledTimes(2);
    expect(requests.at(-1)?.results.map(({ text }) => text)).toContain("ran");
  });
});

it("refuses a name that a tool has, and takes another", async () => {
  const { session, tools } = await loaded({ callTool: tool({ inputSchema: z.object({}), execute: async () => "" }) });
  expect(() => withToolSearch(session, { strategy: "bridge", tools })).toThrow(expect.objectContaining({ code: "reserved_name" }));
  expect(Object.keys(withToolSearch(session, { strategy: "bridge", tools, callToolName: "invoke" }).tools)).toEqual([
    "toolSearch",
    "invoke",
  ]);
  expect(() => withToolSearch(session, { strategy: "other" as never })).toThrow(expect.objectContaining({ code: "invalid_option" }));
});
