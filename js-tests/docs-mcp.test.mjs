// docs/mcp.md is one program told in parts. It runs as it stands there, with a scripted model and servers of this machine.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { majors, scriptedModel } from "./support/ai-sdk-majors.js";
import { inMemory, overHttp, tool } from "./mcp-servers.js";

const here = dirname(fileURLToPath(import.meta.url));

it("runs the examples of docs/mcp.md", { timeout: 60_000 }, async () => {
  const page = await readFile(join(here, "..", "docs", "mcp.md"), "utf8");
  const parts = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, part]) => part);
  const filesystem = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const folder = await mkdtemp(join(tmpdir(), "tool-search-docs-"));
  const file = join(here, `docs-example-${process.pid}.mjs`);
  const http = await Promise.all([overHttp({ tools: [tool("find_page")] }), overHttp({ tools: [tool("write_note")] })]);
  const changes = [
    ['command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."]', `command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([filesystem, folder])}`],
    ["https://wiki.example.com/mcp", http[0].url.href],
    ["https://notes.example.com/mcp", http[1].url.href],
    // Three small servers are below every threshold.
    ["new ToolSearch()", 'new ToolSearch({ defer: "always" })'],
    ["console.log(await result.text);", "globalThis.docs.text = await result.text;"],
    ["await servers.remove(", "await globalThis.docs.tryOut({ search, servers, steady, states, runCalls, beforeEachRequest });\nawait servers.remove("],
  ];
  const code = changes.reduce((code, [stands, runs]) => {
    expect(code.split(stands)).toHaveLength(2);
    return code.replace(stands, () => runs);
  }, parts.join("\n"));

  const tryOut = async ({ search, servers, steady, states, runCalls, beforeEachRequest }) => {
    expect(states.map(({ name, status, tools }) => [name, status, tools > 0])).toEqual([["files", "ready", true], ["wiki", "ready", true]]);
    await servers.ready();
    expect(servers.get("notes")).toMatchObject({ status: "ready", tools: 1 });

    const session = search.session();
    const call = (name, args) => ({ id: "1", name, arguments: JSON.stringify(args) });
    const [found] = await runCalls([call("toolSearch", { query: "find page" })], session);
    expect(found.content).toContain("mcp__wiki__find_page");
    const results = await runCalls([call("mcp__wiki__find_page", { a: 1 }), call("mcp__notes__write_note", {})], session);
    expect(results.map(({ content }) => content)).toEqual(['find_page {"a":1}', expect.stringContaining("mcp__notes__write_note")]);

    const messages = [];
    await beforeEachRequest(session, messages);
    expect(messages).toEqual([]);
    search.add([{ name: "late" }]);
    await beforeEachRequest(session, messages);
    expect(messages).toEqual([{ role: "user", content: expect.stringContaining("late") }]);

    // What goes down comes up again.
    const clients = [];
    await steady.add("s", async () => clients[clients.push((await inMemory({ tools: [tool("t")] })).client) - 1]);
    await clients[0].close();
    await steady.ready();
    expect([clients.length, steady.get("s").status]).toEqual([2, "ready"]);
    await steady.close();
  };

  try {
    await writeFile(join(folder, "notes.md"), "Buy oats.");
    const { model } = scriptedModel(majors[2], [
      [{ call: "toolSearch", input: { query: "read a text file" } }],
      [{ call: "mcp__files__read_text_file", input: { path: join(folder, "notes.md") } }],
      (request) => request.results[0].text,
    ]);
    globalThis.docs = { model, tryOut };
    await writeFile(file, `const { model } = globalThis.docs;\n${code}`);
    await import(/* @vite-ignore */ file);
    expect(globalThis.docs.text).toBe("Buy oats.");
  } finally {
    delete globalThis.docs;
    await rm(file, { force: true });
    await rm(folder, { recursive: true, force: true });
    await Promise.all(http.map((server) => server.close()));
  }
});
