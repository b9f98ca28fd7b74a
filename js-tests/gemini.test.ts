// What only the Gemini API has. What all providers have in common: providers.test.ts.
import type { Content } from "@google/genai";
import { geminiTools } from "tool-search/gemini";
import { expect, it } from "vitest";
import { catalog, schema, SEARCH } from "./support/catalog.js";

const session = (search = catalog()) => search.session();

it("has all functions in one element, behind other tools of the caller's", () => {
  const mine = { name: "mine", parametersJsonSchema: { type: "object" } };
  const agent = geminiTools(session(), { tools: [{ googleSearch: {}, functionDeclarations: [mine] }, { functionDeclarations: [] }] });
  const [search, { functionDeclarations = [] } = {}, ...more] = agent.tools();
  expect(search).toEqual({ googleSearch: {} });
  expect(functionDeclarations.map(({ name }) => name)).toEqual(["mine", "clock", SEARCH]);
  expect(more).toEqual([]);
});

it("sends no `$schema`, and schemas otherwise as they are", () => {
  const search = catalog();
  const inputSchema = { $schema: "http://json-schema.org/draft-07/schema#", ...schema("$schema"), additionalProperties: false };
  search.add([{ name: "open", inputSchema }], { load: "direct" });
  const [{ functionDeclarations = [] } = {}] = geminiTools(session(search)).tools();
  const { $schema: _, ...rest } = inputSchema;
  expect(functionDeclarations.find(({ name }) => name === "open")?.parametersJsonSchema).toEqual(rest);
});

it("answers with the id of the call, where it has one", () => {
  const agent = geminiTools(session());
  expect(agent.answer({ id: "fc_1", name: "clock", args: {} }).results("noon")).toEqual([
    { functionResponse: { id: "fc_1", name: "clock", response: { output: "noon" } } },
  ]);
  expect(agent.answer({ name: "brew" }).results()).toEqual([
    { functionResponse: { name: "brew", response: { error: expect.stringContaining("no tool") } } },
  ]);
});

it("sends media of an MCP result beside its text", () => {
  const { results } = geminiTools(session()).answer({ name: "clock" });
  const content = [{ type: "text", text: "a dot" }, { type: "image", data: "AA==", mimeType: "image/png" }];
  expect(results({ content })).toEqual([
    {
      functionResponse: {
        name: "clock",
        response: { output: "a dot" },
        parts: [{ inlineData: { data: "AA==", mimeType: "image/png" } }],
      },
    },
  ]);
});

it("takes dots in names, but no digit in front", () => {
  const named = (name: string) => {
    const search = catalog();
    search.add([{ name, inputSchema: schema() }]);
    return () => geminiTools(session(search));
  };
  expect(named("files.read")).not.toThrow();
  expect(named("3d_print")).toThrow(/"3d_print".*the first a letter/);
});

it("tells the results of parallel calls without ids apart", () => {
  const over = session();
  const search = (query: string) => ({ functionCall: { name: SEARCH, args: { query } } });
  const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
  const loaded = (name: string) => `Loaded 1 tool, callable from your next step on:\n- ${name}: what it does`;
  const history: Content[] = [
    { role: "model", parts: [search("a"), { functionCall: { name: "clock" } }, search("b")] },
    { role: "user", parts: [result("clock", loaded("mcp__forge__create_issue")), result(SEARCH, loaded("notepad")), result(SEARCH, loaded("mcp__forge__merge"))] },
    // The user broke in: this one was never answered.
    { role: "model", parts: [search("c")] },
    { role: "user", parts: [{ text: "stop" }] },
    { role: "model", parts: [search("d")] },
    { role: "user", parts: [result(SEARCH, loaded("mcp__post__send_mail"))] },
  ];
  geminiTools(over).restore(history);
  expect(over.activated).toEqual(["notepad", "mcp__forge__merge", "mcp__post__send_mail"]);
});
