// The commands `report`, `search` and `snapshot` as a user starts them.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ToolSearch, estimateTokens } from "tool-search";
import { withToolSearch } from "tool-search/ai-sdk";
import { describe, expect, it } from "vitest";
import { COMMAND, config, file, odd, run, scratch, start } from "./support/command.mjs";

const tools = (names) => names.map((name) => ({ name, description: `Does ${name.replaceAll("_", " ")}`, inputSchema: { type: "object" } }));
const notes = file("notes.json", { tools: tools(["read_note", "write_note", "delete_note"]) });
const tickets = file("tickets.json", { tools: tools(["create_issue", "close_issue", "read_note"]) });

describe("report", () => {
  it("counts what each server's tools cost, as the engine does", async () => {
    const { code, stdout } = await run(["report", "--json", "-t", notes, "-t", tickets]);
    const report = JSON.parse(stdout);
    const search = new ToolSearch();
    for (const [server, path] of [["notes", notes], ["tickets", tickets]]) search.add(JSON.parse(readFileSync(path, "utf8")).tools, { server });
    expect(code).toBe(0);
    expect(report.plan).toMatchObject(search.plan());
    expect(report.plan.why).toContain("deferral begins only at 20,000");
    expect(report.deferredRequest).toBe(search.plan({ defer: "always" }).tokens.firstRequest);
    expect(report.servers.reduce((sum, { full }) => sum + full, 0)).toBe(report.plan.tokens.full);
    expect(report.biggest[0].tokens).toBe(Math.max(...search.names().map((name) => estimateTokens({ ...search.get(name), name }))));
  });

  it("decides for the context window and threshold that are given", async () => {
    const deferring = async (...args) => JSON.parse((await run(["report", "--json", "-t", notes, ...args])).stdout).plan;
    expect(await deferring("--context-window", "400")).toMatchObject({ deferring: true, reason: "above-threshold" });
    expect(await deferring("--threshold", "0.01")).toMatchObject({ deferring: true, tokens: { threshold: 20 } });
  });

  it("tells what a conversation reads and costs by strategy", async () => {
    const many = file("many.json", { tools: tools(Array.from({ length: 400 }, (_, i) => `handle_${"abcdefgh"[i % 8]}_thing_${i}`)) });
    const args = ["report", "--json", "-t", many, "--steps", "8", "--searches", "2", "--step-tokens", "100", "--price", "10", "--cached-price", "0.5"];
    const { conversation, plan, deferredRequest } = JSON.parse((await run(args)).stdout);
    const [all, append, fixed, bridge] = conversation.strategies;
    expect(conversation.strategies.map(({ strategy }) => strategy)).toEqual(["every tool in every request", "append", "anthropic, openai", "bridge"]);
    expect(all).toMatchObject({ first: plan.tokens.full + 100, all: 8 * plan.tokens.full + 3600, cached: 7 * plan.tokens.full + 2800 });
    expect(all.cost).toBeCloseTo(((all.all - all.cached) * 10 + all.cached * 0.5) / 1e6, 10);
    expect(append.first).toBe(deferredRequest + 100);
    expect(fixed.all).toBe(append.all);
    expect(fixed.cached).toBeGreaterThan(append.cached);
    expect(bridge.first).toBeGreaterThan(fixed.first);
    expect(append.cost).toBeLessThan(all.cost);
    expect(conversation.loaded).toBeGreaterThan(0);
  });

  it("reckons the second tool of the bridge as the AI SDK sends it", async () => {
    const search = new ToolSearch({ defer: "always" });
    search.add(JSON.parse(readFileSync(notes, "utf8")).tools, { server: "notes" });
    const { callTool } = withToolSearch(search.session(), { strategy: "bridge", call: () => "" }).tools;
    const real = estimateTokens({ name: "callTool", description: callTool.description, inputSchema: await callTool.inputSchema.jsonSchema });
    const [, , fixed, bridge] = JSON.parse((await run(["report", "--json", "-t", notes])).stdout).conversation.strategies;
    expect(bridge.first - fixed.first).toBe(real);
  });

  it("is a table of at most 100 columns, and Markdown that names cannot break", async () => {
    const nasty = file("nasty.json", { tools: [{ name: "a|b`<img src=x>[x](y)\u001b[31m", inputSchema: { type: "object" } }, ...tools(["fine"])] });
    const long = file(`${"l".repeat(60)}.json`, { tools: tools(["t".repeat(64)]) });
    const { stdout } = await run(["report", "-t", nasty, "-t", notes, "-t", long]);
    expect(stdout.split("\n").filter((line) => [...line].length > 100)).toEqual([]);
    expect(stdout).not.toContain("\u001b");
    for (const text of ["Server", "together", "Deferral stays off", "Biggest definitions", "append", "Tokens are estimates."]) expect(stdout).toContain(text);
    const markdown = (await run(["report", "--markdown", "-t", nasty])).stdout;
    expect(markdown).toContain("| Strategy | First request | All requests | Cached | Cost |\n| --- | --: | --: | --- | --- |");
    expect(markdown).not.toMatch(/<img|[^\\]\[x\]|\u001b/);
  });

  it("is a page that loads nothing and shows what names say, not what they mean", async () => {
    const nasty = file("nasty-page.json", { tools: [{ name: "<img src=x onerror=alert(1)>", inputSchema: { type: "object" } }, ...tools(["fine"])] });
    const { code, stdout } = await run(["report", "--html", "-t", nasty, "-c", config({ "<b>": { command: "no-such" } }), "--allow-failed"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>[^]*<svg [^]*<\/html>\n$/);
    expect(stdout).not.toMatch(/<img|<b>&|<script|<link|https?:|url\(/);
    expect(stdout).toContain("default-src 'none'");
    expect(stdout).toContain("prefers-color-scheme: dark");
    expect(stdout).toContain("&#60;b&#62;</code> there is no command no-such");
  });

  it("writes into a file", async () => {
    const path = join(scratch, "report.md");
    expect(await run(["report", "--markdown", "-t", notes, "-o", path])).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(path, "utf8")).toContain("# Tools and what they cost");
    expect(await run(["report", "-t", notes, "-o", join(scratch, "no", "such", "folder")])).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
  });
});

describe("search", () => {
  const search = (args, options) => run(["search", "-q", "-t", notes, "-t", tickets, ...args], options);

  it("ranks, and gives the reason for each match", async () => {
    const { code, stdout } = await search(["open", "an", "issue"]);
    expect(code).toBe(0);
    const [head, first] = stdout.split("\n");
    expect(head).toMatch(/Tool \(by words\) +Score +Why/);
    expect(first).toMatch(/1 +mcp__tickets__create_issue +\d+\.\d\d +issu\w* in \w+ \d+\.\d/);
  });

  it("takes what a model writes: names, required words, servers", async () => {
    expect((await search(["select:create_issue,nothing_such"])).stdout).toMatch(/create_issue.*its name[^]*No tool is called nothing_such/);
    expect((await search(["select:read_note"])).stdout).toContain('"read_note" may be any of mcp__notes__read_note, mcp__tickets__read_note.');
    expect((await search(["--json", "+tickets note"])).stdout).toContain('"mcp__tickets__read_note"');
    expect(JSON.parse((await search(["--json", "server:notes"])).stdout)).toMatchObject({ kind: "server", matches: [{ rawName: "read_note" }, {}, {}] });
    expect(JSON.parse((await search(["--json", "-n", "1", "server:notes"])).stdout)).toMatchObject({ matches: [{}], more: 2 });
  });

  it("shows what the model would be answered", async () => {
    const { stdout } = await search(["--reply", "close an issue"]);
    expect(stdout).toContain("mcp__tickets__close_issue");
  });

  it("ends with status 1 when nothing is found, 2 for a query that is none", async () => {
    expect(await search(["zebra"])).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing matches.") });
    expect(await search(["select:"])).toMatchObject({ code: 2, stdout: "" });
  });

  it("answers queries line by line when none is given", async () => {
    const { code, stdout } = await search([], { stdin: "open an issue\n\nselect:\nzebra\ndelete note\n" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/create_issue[^]*Nothing matches\.[^]*delete_note/);
    const lines = (await search(["--json"], { stdin: "open an issue\ndelete note\n" })).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).query)).toEqual(["open an issue", "delete note"]);
  });

  it("searches the tools of a server that has ended by then", async () => {
    expect(await run(["search", "-c", config({ odd: odd("fine") }), "write a note"])).toMatchObject({ code: 0, stdout: expect.stringContaining("mcp__odd__write_note") });
  });
});

describe("snapshot", () => {
  it("is restored to a catalog that answers the same", async () => {
    const path = join(scratch, "catalog.snapshot");
    const { code, stderr } = await run(["snapshot", "-t", notes, "-t", tickets, "-o", path]);
    expect(code).toBe(0);
    const bytes = readFileSync(path);
    expect(stderr).toContain(`6 tools, ${bytes.length.toLocaleString("en-US")} bytes.`);
    const search = ToolSearch.restore(bytes);
    expect(search.search("open an issue").matches[0].name).toBe("mcp__tickets__create_issue");
  });

  it("is not written without a server that failed, unless that is allowed", async () => {
    const servers = config({ fine: odd("fine"), crash: odd("crash") });
    const path = join(scratch, "partial.snapshot");
    expect(await run(["snapshot", "-c", servers, "-o", path])).toMatchObject({ code: 2, stderr: expect.stringContaining("No snapshot was written") });
    expect(() => readFileSync(path)).toThrow("ENOENT");
    expect((await run(["snapshot", "--allow-failed", "-c", servers, "-o", path])).code).toBe(0);
    expect(ToolSearch.restore(readFileSync(path)).size).toBe(2);
  });
});

describe("usage", () => {
  it.each([["report"], ["search"], ["lint"], ["snapshot"]])("of %s is explained by --help", async (command) => {
    expect(await run([command, "--help"])).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(`Usage: tool-search ${command}`) });
  });

  it.each([
    [[], /Usage: tool-search/],
    [["reprot"], /unknown command 'reprot'[^]*Did you mean report/],
    [["report", "--markdwon"], /unknown option '--markdwon'[^]*Did you mean --markdown[^]*See tool-search report --help/],
    [["report", "--timeout", "soon"], /'--timeout <seconds>'[^]*must be a number above 0/],
    [["report", "--steps", "1.5"], /whole number/],
    [["report", "--json", "--markdown"], /cannot be used with/],
    [["report", "-s", "''"], /names no command/],
    [["report", "surplus"], /too many arguments/],
    [["snapshot", "-t", notes], /required option '-o, --output <file>'/],
    [["search"], /Standard input has the tools/],
  ])("that is wrong ends with status 2 and says what: %j", async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it.skipIf(!existsSync("/usr/bin/script"))("has colours on a terminal, unless NO_COLOR is set", async () => {
    const onTerminal = (env) => promisify(execFile)("script", ["-qec", `"${process.execPath}" "${COMMAND}" report -q -t "${notes}"`, "/dev/null"], { env: { ...process.env, TERM: "xterm", ...env } });
    expect((await onTerminal({ NO_COLOR: "" })).stdout).toContain("\u001b[1mServer\u001b[22m");
    expect((await onTerminal({ NO_COLOR: "1" })).stdout).toMatch(/^Server[^\u001b]*$/);
  });

  it("ends quietly when its reader does", async () => {
    const { child, done } = start(["report", "-t", notes]);
    child.stdout.destroy();
    expect(await done).toMatchObject({ code: 0, stderr: expect.not.stringContaining("fault") });
  });
});
