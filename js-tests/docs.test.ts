// Every example of docs/ai-sdk.md as it stands there, with a scripted model and providers on loopback.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tool } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet } from "tool-search/ai-sdk";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { majors, scriptedModel, type Major, type MockScript } from "./support/ai-sdk-majors.js";
import { providerServer, type ProviderServer, type Script } from "./support/provider-server.js";

const here = dirname(fileURLToPath(import.meta.url));
let examples: string[] = [];
let folder = "";
beforeAll(async () => {
  const page = await readFile(join(here, "..", "docs", "ai-sdk.md"), "utf8");
  examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code as string);
  folder = await mkdtemp(join(tmpdir(), "tool-search-docs-"));
  await writeFile(join(folder, "notes.md"), "Buy oats.");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const servers: ProviderServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));
async function serve(wire: "anthropic" | "openai-responses", script: Script) {
  const server = await providerServer(wire, script);
  servers.push(server);
  const name = wire === "anthropic" ? "ANTHROPIC" : "OPENAI";
  vi.stubEnv(`${name}_BASE_URL`, server.url);
  vi.stubEnv(`${name}_API_KEY`, "none");
  return server;
}

const weather = () => ({
  weather: tool({
    description: "The weather at a place",
    inputSchema: z.object({ place: z.string() }),
    execute: async ({ place }) => `Rain in ${place}`,
  }),
});

/** Runs the example that has a piece of text, and gives what it printed or exported. Small catalogs defer too. */
async function run(piece: string, given: Record<string, unknown> = {}) {
  const found = examples.filter((code) => code.includes(piece));
  expect(found).toHaveLength(1);
  const search = new ToolSearch({ defer: "always" });
  const printed: unknown[] = [];
  const scope = {
    search,
    tools: await addToolSet(search, weather()),
    myTools: weather(),
    messages: [{ role: "user", content: "hi" }],
    print: (value: unknown) => printed.push(value),
    ...given,
  };
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const code = (found[0] as string)
    .replace("console.log(", "print(")
    .replace("new ToolSearch()", 'new ToolSearch({ defer: "always" })')
    .replace("new ToolSearch({ search", 'new ToolSearch({ defer: "always", search')
    .replace(
      'command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."]',
      `stderr: "ignore", command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}, ${JSON.stringify(folder)}]`,
    );
  const names = Object.keys(scope).filter((name) => !new RegExp(`const ${name} =`).test(code));
  const file = join(here, `docs-example-${process.pid}-${examples.indexOf(found[0] as string)}.mjs`);
  Object.assign(globalThis, { docsScope: scope });
  try {
    await writeFile(file, `const { ${names.join(", ")} } = globalThis.docsScope;\n${code}`);
    return { printed, exported: await import(/* @vite-ignore */ file) };
  } finally {
    await rm(file, { force: true });
  }
}

const find = (query: string, searchTool = "toolSearch") => [{ call: searchTool, input: { query } }];
const use = (name: string, input: object = { place: "Bergen" }) => [{ call: name, input }];
const scripted = (script: MockScript) => scriptedModel(majors[2] as Major, [...script, (request) => request.results[0]?.text ?? "nothing"]);

it.each([["const search = new ToolSearch(); // one for all"], ["prepareCall:"], ["experimental_repairToolCall"]])(
  "runs the example with %s",
  async (piece) => {
    const { model, requests } = scripted([find("weather"), use("weather")]);
    expect((await run(piece, { model })).printed).toEqual(["Rain in Bergen"]);
    expect(requests[0]?.names).toEqual(["toolSearch"]);
  },
);

it("runs the example with an MCP server", async () => {
  const { model } = scripted([find("read a text file"), use("mcp__files__read_text_file", { path: join(folder, "notes.md") })]);
  expect(String((await run("createMCPClient(", { model })).printed)).toContain("Buy oats.");
});

it("runs the example of the next user turn", async () => {
  const { model, requests } = scripted([find("weather"), "It rains.", use("weather")]);
  const { exported } = await run("export async function POST", { model });
  const ask = (messages: object[]) =>
    exported.POST(new Request("http://127.0.0.1/", { method: "POST", body: JSON.stringify({ messages }) }));
  const asked = { id: "1", role: "user", parts: [{ type: "text", text: "Rain?" }] };
  expect(await (await ask([asked])).text()).toContain("It rains.");
  const part = {
    type: "dynamic-tool",
    toolName: "toolSearch",
    toolCallId: "call-1",
    state: "output-available",
    input: { query: "weather" },
    output: requests[1]?.results[0]?.text,
  };
  const answer = await ask([
    asked,
    { id: "2", role: "assistant", parts: [part, { type: "text", text: "It rains." }] },
    { ...asked, id: "3" },
  ]);
  expect(await answer.text()).toContain("Rain in Bergen");
  expect(requests[2]?.names).toEqual(["toolSearch", "weather"]);
});

it('runs the example of the strategy "anthropic"', async () => {
  const server = await serve("anthropic", [find("weather"), use("weather"), "It rains."]);
  expect((await run('strategy: "anthropic"')).printed).toEqual(["It rains."]);
  expect(server.requests[1]?.results[0]?.text).toContain("tool_reference");
});

it('runs the example of the strategy "openai"', async () => {
  const server = await serve("openai-responses", [find("weather", "tool_search"), use("mcp__weather__weather"), "It rains."]);
  expect((await run('strategy: "openai"')).printed).toEqual(["It rains."]);
  expect(server.requests[0]?.names).toEqual(["tool_search"]);
});

it('runs the example of the strategy "bridge"', async () => {
  const { model, requests } = scripted([find("weather"), use("callTool", { name: "weather", arguments: { place: "Bergen" } })]);
  expect((await run('strategy: "bridge"', { model })).printed).toEqual(["Rain in Bergen"]);
  expect(requests[2]?.names).toEqual(["toolSearch", "callTool"]);
});

it("runs the example with the SDK's own search", async () => {
  const { model, requests } = scripted([find("weather"), use("weather")]);
  expect((await run("searchWith(session)", { model })).printed).toEqual(["Rain in Bergen"]);
  expect(requests[1]?.names).toEqual(["toolSearch", "weather"]);
});

it("has nine examples, each of which one of these tests runs", () => {
  expect(examples).toHaveLength(9);
});
