// The examples of the pages about engine and sessions, as they stand there.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const cleanups = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Runs the only JavaScript example of a page with values for the names that it leaves open, and gives its `search`. */
async function run(page, open = {}) {
  const text = await readFile(join(here, "..", "docs", page), "utf8");
  const [example, another] = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(another).toBeUndefined();
  const path = join(here, `docs-example-${process.pid}-${page}.mjs`);
  cleanups.push(() => rm(path, { force: true }));
  globalThis.docsOpen = open;
  await writeFile(path, `const { ${Object.keys(open).join(", ")} } = globalThis.docsOpen;\n${example}\nexport { search };\n`);
  return import(/* @vite-ignore */ `${path}?${Math.random()}`);
}

const tools = [{ name: "create_issue", description: "Opens an issue" }, { name: "list_issues", description: "Lists issues" }];

it("maps events to OpenTelemetry spans", async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  cleanups.push(() => provider.shutdown(), () => trace.disable());
  const { search } = await run("observability.md");
  search.add(tools, { server: "tracker" });
  const session = search.session({ id: "c-1", defer: "always" });
  session.handle({ query: "open an issue", max_results: 1 });
  session.handle({ query: "?!" });
  session.resolve("list_issues");
  session.tools();
  search.removeServer("tracker");
  session.tools();
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(
    ["server", "activation", "search", "search", "activation", "rescue", "server", "cache-break"].map((type) => `tool_search ${type}`),
  );
  const [added, activation, found, failed, , rescue, removed, broken] = spans.map(({ attributes }) => attributes);
  expect(added).toMatchObject({ "tool_search.server": "tracker", "tool_search.status": "ready" });
  expect(activation).toMatchObject({ "gen_ai.conversation.id": "c-1", "tool_search.by": "search", "tool_search.loaded": ["mcp__tracker__create_issue"] });
  expect(activation["tool_search.tokens.array"]).toBeGreaterThan(activation["tool_search.tokens.loaded"]);
  expect(found).toMatchObject({ "tool_search.query": "open an issue", "tool_search.kind": "keywords", "tool_search.matches": ["mcp__tracker__create_issue"] });
  expect(failed).toMatchObject({ "error.type": "no_tokens", "tool_search.tokens.loaded": 0 });
  expect(spans[3].status.message).toContain("query");
  expect(rescue).toMatchObject({ "gen_ai.tool.name": "mcp__tracker__list_issues", "tool_search.called": "list_issues" });
  expect(removed).toMatchObject({ "tool_search.status": "removed", "tool_search.tokens.catalog": 0 });
  expect(broken["tool_search.removed"]).toHaveLength(2);
  for (const { startTime, endTime } of spans) expect(endTime[0] * 1e9 + endTime[1]).toBeGreaterThanOrEqual(startTime[0] * 1e9 + startTime[1]);
});

it("preloads what an earlier run called", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tool-search-docs-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "usage.json");
  const used = { version: 1, tools: { mcp__tracker__create_issue: { loaded: 1, called: 2 } } };
  const names = (search) => {
    search.add(tools, { server: "tracker" });
    return search.session({ defer: "always" }).names();
  };
  expect(names((await run("preloading.md", { file })).search)).toEqual(["toolSearch"]);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ version: 1, tools: {} });
  await writeFile(file, JSON.stringify(used));
  expect(names((await run("preloading.md", { file })).search)).toEqual(["mcp__tracker__create_issue", "toolSearch"]);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(used);
});

it("caps a session", async () => {
  const many = Array.from({ length: 130 }, (_, n) => ({ name: `t${n}`, description: "Does it" }));
  await expect(run("caps.md", { tools: many })).rejects.toMatchObject({ code: "too_many_tools" });
  await expect(run("caps.md", { tools })).resolves.toBeDefined();
});
