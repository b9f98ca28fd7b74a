// Where the command `tool-search` has its tools from, and what it does when servers misbehave: all with real servers.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterAll, describe, expect, it } from "vitest";
import { serverOf, tool } from "./mcp-servers.js";
import { alive, config, file, odd, ODD_SERVER, run, scratch, start } from "./support/command.mjs";

const report = async (args, options) => {
  const outcome = await run(["report", "--json", "-q", ...args], options);
  return { ...outcome, report: outcome.stdout && JSON.parse(outcome.stdout) };
};
const listed = ({ report }) => report.servers.map(({ name, tools }) => [name, tools]);
const flat = (text) => text.replace(/\s+/g, " ");

describe("servers of a configuration", () => {
  it("come up side by side; those that fail are told of with the reason, and the others are reported all the same", async () => {
    const servers = {
      fine: odd("fine"),
      garbage: odd("garbage"),
      "bad-tool": odd("bad-tool"),
      hang: odd("hang"),
      crash: odd("crash"),
      "crash-later": odd("crash-later"),
      "garbage-only": odd("garbage-only"),
      "needs-env": odd("needs-env"),
      absent: { command: "no-such-command" },
      nothing: {},
      off: { ...odd("crash"), disabled: true },
    };
    const { code, stdout, stderr } = await run(["report", "--json", "--timeout", "4", "-c", config(servers)]);
    const { servers: up, failed } = JSON.parse(stdout);
    expect(code).toBe(2);
    expect(up.map(({ name, tools, leftOut }) => [name, tools, leftOut])).toEqual([["fine", 2, 0], ["garbage", 2, 0], ["bad-tool", 2, 1]]);
    const reasons = Object.fromEntries(failed.map(({ name, reason }) => [name, reason]));
    expect(reasons).toEqual({
      hang: expect.stringContaining("not ready after 4 s"),
      crash: expect.stringMatching(/exited with status 1.*no database/),
      "crash-later": expect.stringMatching(/exited with status 7.*out of notes/),
      "garbage-only": expect.stringMatching(/no message of the protocol \(3 lines, the first: .*log line 0/),
      "needs-env": expect.stringMatching(/exited with status 3.*API_TOKEN is not set/),
      absent: "there is no command no-such-command",
      nothing: expect.stringContaining("command"),
    });
    expect(stderr).toContain("7 of 10 failed:");
    expect(stderr).toContain("up  fine");
    expect(flat(stderr)).toContain("garbage: it writes on stdout what is no message of the protocol (2 lines");
    expect(stderr + stdout).not.toContain("\u001b");
  });

  it("may fail with --allow-failed, but not all of them", async () => {
    const servers = config({ fine: odd("fine"), crash: odd("crash") });
    expect(await report(["-c", servers, "--allow-failed"])).toMatchObject({ code: 0, report: { tools: 2, failed: [{ name: "crash" }] } });
    const none = await run(["report", "--allow-failed", "-c", config({ crash: odd("crash") })]);
    expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("no tools to go on with") });
  });

  it("get variables expanded, with defaults, in command, arguments, environment and folder", async () => {
    const entry = (more) => ({ command: "${NODE}", args: ["${env:SERVER}", "${MODE:-fine}"], ...more });
    const text = `{
      // as editors write it
      "servers": { "a": ${JSON.stringify(entry({ env: { API_TOKEN: "${TOKEN}" } }))}, "b": ${JSON.stringify(entry({ args: ["${SERVER}", "needs-env"], env: { API_TOKEN: "${NONE:-x}" } }))},
        "c": ${JSON.stringify(entry({ env: { API_TOKEN: "${NONE}", B: "${input:key}" } }))}, },
    }`;
    const { report: found } = await report(["-c", file("vscode.json", text)], { env: { NODE: process.execPath, SERVER: ODD_SERVER, TOKEN: "t", NONE: undefined } });
    expect(found.servers.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(found.failed).toEqual([{ name: "c", reason: expect.stringMatching(/no NONE, input:key/) }]);
  });

  it("are given nothing of the environment but what a program needs and what is named", async () => {
    const { report: found } = await report(["-c", config({ s: odd("needs-env"), f: odd("fine") })], { env: { API_TOKEN: "there" } });
    expect(found.failed.map(({ name }) => name)).toEqual(["s"]);
  });

  it("keep their secrets, whatever they write", async () => {
    const API_TOKEN = "s3cr3t+value/42";
    const outputs = await Promise.all([
      run(["report", "-c", config({ l: odd("leaks", { API_TOKEN: "${T}" }), f: odd("garbage", { API_TOKEN }) })], { env: { T: API_TOKEN } }),
      run(["report", "-s", `API_TOKEN=${API_TOKEN} ${process.execPath} ${ODD_SERVER} leaks`]),
      run(["report", "-c", config({ h: { url: `http://127.0.0.1:1/mcp?key=${encodeURIComponent(API_TOKEN)}`, headers: { Authorization: `Bearer ${API_TOKEN}` } } })]),
    ]);
    for (const { stdout, stderr } of outputs) {
      expect(stderr).toContain("failed:");
      expect(stdout + stderr).not.toMatch(/s3cr3t|value\/42|value%2F42/);
    }
    expect(flat(outputs[0].stderr)).toContain("the token *** was refused");
    expect(flat(outputs[0].stderr)).toContain("the first: Server is starting ***)");
  });
});

describe("servers over HTTP", () => {
  const closing = [];
  afterAll(() => closing.forEach((close) => close()));

  /** @param {(request, response) => unknown} answer */
  const listen = async (answer) => {
    const http = createServer(answer);
    await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
    closing.push(() => http.close() && http.closeAllConnections());
    return `http://127.0.0.1:${http.address().port}`;
  };
  const streamable = (headers) =>
    listen(async (request, response) => {
      headers.push(request.headers);
      if (request.headers.authorization !== "Bearer abcdef") return response.writeHead(401).end();
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      await serverOf({ tools: [tool("find_page")], instructions: "Pages." }).connect(transport);
      await transport.handleRequest(request, response);
    });
  const sse = () => {
    const transports = new Map();
    return listen(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url, "http://localhost");
      if (pathname === "/messages") return transports.get(searchParams.get("sessionId")).handlePostMessage(request, response);
      if (request.method !== "GET") return response.writeHead(405).end();
      const transport = new SSEServerTransport("/messages", response);
      transports.set(transport.sessionId, transport);
      await serverOf({ tools: [tool("old_page"), tool("older_page")] }).connect(transport);
    });
  };

  it("are reached by streamable HTTP with their headers, by SSE where that is said or all there is, and may refuse", async () => {
    const headers = [];
    const [url, old] = await Promise.all([streamable(headers), sse()]);
    const servers = {
      new: { type: "http", url: `${url}/mcp`, headers: { Authorization: "Bearer ${TOKEN}" } },
      refused: { url: `${url}/mcp` },
      said: { type: "sse", url: `${old}/sse` },
      found: { url: `${old}/sse` },
      down: { url: "http://127.0.0.1:1/mcp" },
      wrong: { url: "file:///etc/passwd" },
    };
    const outcome = await report(["-c", config(servers)], { env: { TOKEN: "abcdef" } });
    expect(listed(outcome)).toEqual([["new", 1], ["said", 2], ["found", 2]]);
    expect(outcome.report.failed).toEqual([
      { name: "refused", reason: expect.stringContaining("401") },
      { name: "down", reason: expect.stringContaining("cannot be reached") },
      { name: "wrong", reason: expect.stringContaining("no http(s) URL") },
    ]);
    expect((await report(["-s", `${old}/sse`])).report).toMatchObject({ tools: 2 });
  });
});

describe("a server from the command line", () => {
  it("is named after what it runs, and may have arguments with spaces and variables before it", async () => {
    const node = JSON.stringify(process.execPath);
    const server = JSON.stringify(ODD_SERVER);
    const args = ["-s", `${node} ${server} fine 'a tool'`, "-s", `API_TOKEN=abc ${node} ${server} needs-env`];
    expect(listed(await report(args))).toEqual([["odd", 1], ["odd-2", 2]]);
  });
});

describe("files", () => {
  const mcp = { tools: [tool("read_note"), tool("write_note")] };
  const openai = [{ type: "function", function: { name: "mcp__x__read", description: "Reads", parameters: { type: "object" } } }, { type: "function", name: "flat", parameters: { type: "object" } }];
  const anthropic = { model: "m", tools: [{ name: "write", input_schema: { type: "object" } }, { type: "web_search_20250305", name: 5 }] };

  it("may be results of tools/list, JSON-RPC answers, and arrays of OpenAI's or Anthropic's", async () => {
    const args = [["notes", mcp], ["rpc", { jsonrpc: "2.0", id: 1, result: mcp }], ["openai", openai], ["anthropic", anthropic]].flatMap(([name, content]) => ["-t", file(`${name}.json`, content)]);
    const { code, report: found } = await report(args);
    expect(code).toBe(0);
    expect(found.servers.map(({ name, tools, leftOut }) => [name, tools, leftOut])).toEqual([["notes", 2, 0], ["rpc", 2, 0], ["openai", 2, 0], ["anthropic", 1, 1]]);
    expect(found.biggest.map(({ name }) => name).sort()).toEqual(["flat", "mcp__notes__read_note", "mcp__notes__write_note", "mcp__rpc__read_note", "mcp__rpc__write_note", "mcp__x__read", "write"]);
  });

  it("may be standard input, said or not", async () => {
    for (const args of [[], ["-t", "-"]]) expect(listed(await report(args, { stdin: JSON.stringify(mcp) }))).toEqual([["stdin", 2]]);
  });

  it.each([
    ["no such file", ["-t", "absent.json"], "", /Cannot read absent\.json: there is no such file/],
    ["no JSON", [], "nonsense", /standard input is no JSON/],
    ["nothing", [], "", /standard input is empty/],
    ["no tools", [], "{}", /has no array of tools/],
    ["a configuration without servers", ["-c", "CONFIG"], "", /has no "mcpServers" object/],
    ["broken JSON", ["-c", "BROKEN"], "", /broken\.json:2: this is no JSON/],
  ])("that are %s end with status 2 and say why", async (_, args, stdin, message) => {
    const files = { CONFIG: file("empty.json", {}), BROKEN: file("broken.json", '{\n"mcpServers": [') };
    const outcome = await run(["report", ...args.map((arg) => files[arg] ?? arg)], { stdin });
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(flat(outcome.stderr)).toMatch(message);
  });
});

describe("its end", () => {
  const pids = (path) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : []);
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  it.each(["SIGINT", "SIGTERM"])("by %s ends the servers, and what they started", async (signal) => {
    const PID_FILE = join(scratch, `pids-${signal}`);
    const { child, done } = start(["report", "-c", config({ hang: odd("hang", { PID_FILE }), stubborn: odd("stubborn", { PID_FILE }), parent: odd("parent", { PID_FILE }) })]);
    await until(() => pids(PID_FILE).length === 4);
    child.kill(signal);
    expect(await done).toMatchObject({ code: 130, stdout: "" });
    await until(() => pids(PID_FILE).every((pid) => !alive(pid)));
  });

  it("leaves no server behind when all went well or time ran out", async () => {
    const PID_FILE = join(scratch, "pids");
    const { code } = await run(["report", "--timeout", "2", "-c", config({ fine: odd("fine", { PID_FILE }), parent: odd("parent", { PID_FILE }) })]);
    expect(code).toBe(2);
    expect(pids(PID_FILE)).toHaveLength(3);
    await until(() => pids(PID_FILE).every((pid) => !alive(pid)));
  });
});
