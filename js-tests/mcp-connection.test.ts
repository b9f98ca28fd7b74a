// Connections to real MCP servers: side by side, slow, failing, lost and made again, and all that ends with them.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolSearch } from "tool-search";
import { McpServers } from "tool-search/mcp";
import { describe, expect, it } from "vitest";
import { deferred, inMemory, tool, type Script } from "./mcp-servers.js";
import { atEnd, fails, http, never, said, set, stdio } from "./mcp-set.js";

describe("connecting", () => {
  it("is pending at once, and replies say so (L11)", async () => {
    const slow = deferred<Client>();
    const { search, servers } = set();
    const ready = servers.add("slow", () => slow.promise);
    const session = search.session();
    expect(servers.get("slow")).toEqual({ name: "slow", status: "pending", tools: 0, leftOut: [] });
    expect(session.handle({ query: "open a ticket" }).text).toContain("slow");
    expect(session.resolve("mcp__slow__t")).toMatchObject({ status: "unavailable", server: "slow" });
    slow.resolve((await inMemory({ tools: [tool("t")] })).client);
    await ready;
    expect(session.announce()).toContain("mcp__slow__t");
  });

  it("goes on side by side, each server with its own time", async () => {
    const { client } = await inMemory({ tools: [tool("t")] });
    const { client: mute } = await inMemory({ tools: [], list: never });
    const gone = (await inMemory({ tools: [] })).client;
    await gone.close();
    const { search, servers, news } = set({ timeout: 500 });
    const aborted = deferred<AbortSignal>();
    servers.add("deaf", (signal) => { signal.addEventListener("abort", () => aborted.resolve(signal)); return never(); }); // prettier-ignore
    servers.add("mute", mute);
    servers.add("gone", gone);
    servers.add("broken", () => Promise.reject(new Error("wrong password")));
    servers.add("odd", () => { throw "text"; }); // prettier-ignore
    servers.add("fine", client);
    const states = await servers.ready();
    expect(states.map(({ name, status, reason }) => [name, status, reason])).toEqual([
      ["deaf", "failed", "not ready after 0.5 s"],
      ["mute", "failed", "not ready after 0.5 s"],
      ["gone", "failed", "Not connected"],
      ["broken", "failed", "wrong password"],
      ["odd", "failed", "text"],
      ["fine", "ready", undefined],
    ]);
    expect((await aborted.promise).aborted).toBe(true);
    expect(search.names()).toEqual(["mcp__fine__t"]);
    expect(news.failures.map(({ server }) => server).sort()).toEqual(["broken", "deaf", "gone", "mute", "odd"]);
    expect(said(await servers.call("mcp__broken__t"))).toContain("wrong password");
  });

  it("closes a client that comes too late", async () => {
    const late = deferred<Client>();
    const { servers } = set({ timeout: Infinity });
    expect(await servers.add("late", () => late.promise, { timeout: 20 })).toMatchObject({ status: "failed" });
    const { client } = await inMemory({ tools: [tool("t")] });
    const closed = new Promise<void>((resolve) => (client.onclose = resolve));
    late.resolve(client);
    await closed;
    expect(servers.get("late")).toMatchObject({ status: "failed", tools: 0 });
    expect(await servers.add("patient", (await inMemory({ tools: [tool("t")] })).client)).toMatchObject({ status: "ready" });
  });

  it("connects so many at a time, the others in turn", async () => {
    const { servers, search } = set({ concurrency: 2 });
    let now = 0;
    let most = 0;
    for (let n = 0; n < 6; n++) {
      servers.add(`s${n}`, async () => {
        most = Math.max(most, ++now);
        const { client } = await inMemory({ tools: [tool("t")], list: async () => ({ tools: (now--, [tool("t")]) }) });
        if (n === 3) throw new Error((now--, "no"));
        return client;
      });
    }
    await servers.ready();
    expect(most).toBe(2);
    expect(search.size).toBe(5);
  });

  it("lets go of a server of the same name, whatever it is still doing", async () => {
    const first = deferred<Client>();
    const { search, servers } = set();
    const before = servers.add("s", () => first.promise);
    await servers.add("s", (await inMemory({ tools: [tool("second")] })).client);
    await before;
    const { client } = await inMemory({ tools: [tool("first")] });
    const closed = new Promise<void>((resolve) => (client.onclose = resolve));
    first.resolve(client);
    await closed;
    expect(search.names()).toEqual(["mcp__s__second"]);
    expect(servers.list()).toHaveLength(1);
  });
});

describe("a connection that ends", () => {
  it("in mid-call fails the call and says that the server is down; a reconnect with the same tools says nothing (F4, L31, L34)", async () => {
    const { search, servers, news } = set();
    await servers.add("s", stdio);
    const session = search.session();
    session.activate(["mcp__s__echo", "mcp__s__crash"]);
    const [section, tools] = [session.prompt(), JSON.stringify(session.tools())];
    const down = news.change(({ server }) => server.status === "disconnected");
    expect(await fails(servers.call("mcp__s__crash", {}, { session }))).toContain("Connection closed");
    expect((await down).server).toMatchObject({ reason: "its connection was closed", tools: 4 });
    expect(session.resolve("mcp__s__echo")).toMatchObject({ status: "unavailable", server: "s" });
    const answered = await servers.call("mcp__s__echo", {}, { session });
    expect(answered.isError).toBe(true);
    expect(said(answered)).toContain("its connection was closed");
    expect(search.size).toBe(4);

    expect(await servers.reconnect("s")).toMatchObject({ status: "ready", tools: 4 });
    expect([session.announce(), session.prompt(), JSON.stringify(session.tools())]).toEqual(["", section, tools]);
    expect(said(await servers.call("mcp__s__echo", { a: 1 }, { session }))).toBe('{"a":1}');
    expect(news.statuses()).toEqual(["s pending", "s ready", "s disconnected", "s pending", "s ready"]);
    expect(news.changes.slice(2).flatMap(({ delta }) => Object.values(delta).flat())).toEqual([]);
  });

  it("over HTTP shows in calls, and is mended by a reconnect (F4)", async () => {
    const script: Script = { tools: [tool("t")] };
    let server = await http(script);
    const { url } = server;
    const { search, servers } = set();
    await servers.add("s", () => server.client());
    const session = search.session();
    session.activate(["mcp__s__t"]);
    await server.close();
    expect(await fails(servers.call("mcp__s__t", {}, { session }))).not.toBe("it did not fail");
    expect(await servers.reconnect("s")).toMatchObject({ status: "failed", tools: 1 });
    expect(session.resolve("mcp__s__t")).toMatchObject({ status: "unavailable" });
    server = await http(script, Number(url.port));
    expect(await servers.reconnect("s")).toMatchObject({ status: "ready", tools: 1 });
    expect([session.announce(), session.activated]).toEqual(["", ["mcp__s__t"]]);
    expect(said(await servers.call("mcp__s__t", {}, { session }))).toBe("t {}");
  });

  it("comes back by `refresh` for a client that was connected again, and follows it there", async () => {
    const script: Script = { tools: [tool("t")] };
    const { client } = await inMemory(script);
    const { search, servers, news } = set();
    await servers.add("s", client);
    const session = search.session();
    await client.close();
    expect(servers.get("s")).toMatchObject({ status: "disconnected" });
    expect(await servers.refresh("s")).toMatchObject({ status: "disconnected" });
    const { server } = await inMemory(script, client);
    expect(await servers.refresh("s")).toMatchObject({ status: "ready" });
    expect(session.announce()).toBe("");
    script.tools.push(tool("u"));
    const changed = news.change();
    await server.sendToolListChanged();
    expect((await changed).delta.added).toEqual(["mcp__s__u"]);
  });

  it("while it connects is a failure, and so is a reconnect that does not work", async () => {
    const { client } = await inMemory({ tools: [tool("t")], list: () => void client.close() });
    let works = true;
    const { search, servers } = set();
    const source = async () => {
      if (!works) throw new Error("nobody there");
      return (await inMemory({ tools: [tool("t")] })).client;
    };
    await Promise.all([servers.add("early", client), servers.add("s", source)]);
    expect(servers.get("early")).toMatchObject({ status: "failed", reason: expect.stringContaining("closed") });
    works = false;
    expect(await servers.reconnect("s")).toMatchObject({ status: "failed", reason: "nobody there", tools: 1 });
    expect(search.session().resolve("mcp__s__t")).toMatchObject({ status: "unavailable", text: expect.stringContaining("nobody there") });
    works = true;
    expect(await servers.refresh("s")).toMatchObject({ status: "ready" });
  });

  it("breaks off a reading that hangs when it is connected anew", async () => {
    const script: Script = { tools: [tool("t")] };
    const { servers, news } = set();
    await servers.add("s", async () => (await inMemory(script)).client);
    script.list = never;
    const hanging = servers.refresh("s");
    await Promise.resolve();
    delete script.list;
    expect(await servers.reconnect("s")).toMatchObject({ status: "ready" });
    await hanging;
    expect(news.failures).toEqual([]);
  });
});

it("needs nothing of Node and no package, in either module system", async () => {
  const require = createRequire(import.meta.url);
  const cjs = require.resolve("tool-search/mcp");
  const files = [cjs, cjs.replace(/\.cjs$/, ".js")];
  for (const file of files) {
    const imports = [...(await readFile(file, "utf8")).matchAll(/(?:from |require\(|import\()"([^"]+)"/g)].map(([, from]) => from);
    expect(imports.filter((from) => !from?.startsWith("./"))).toEqual([]);
  }
  const { McpServers: Common } = require("tool-search/mcp") as typeof import("tool-search/mcp");
  const { ToolSearch: CommonSearch } = require("tool-search") as typeof import("tool-search");
  const { client } = await inMemory({ tools: [{}, tool("t")] });
  const servers = new Common(new CommonSearch());
  atEnd(() => servers.close());
  expect(await servers.add("s", client)).toMatchObject({ status: "ready", tools: 1, leftOut: [{ tool: {} }] });
});

describe("the end", () => {
  it("leaves nothing behind: neither servers nor handlers, and a given client as it was", async () => {
    const { client } = await inMemory({ tools: [tool("t")] });
    const { client: own } = await inMemory({ tools: [tool("t")] });
    const { transport } = client;
    const before = { ...transport };
    const { search, servers, news } = set();
    search.add([{ name: "mine" }]);
    await Promise.all([servers.add("given", client), servers.add("own", () => own)]);
    expect(transport!.onmessage).not.toBe(before.onmessage);
    await servers.remove("own");
    expect([own.transport, search.names()]).toEqual([undefined, ["mine", "mcp__given__t"]]);
    await servers.close();
    await servers[Symbol.asyncDispose]();
    expect([transport!.onmessage, transport!.onclose]).toEqual([before.onmessage, before.onclose]);
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(search.names()).toEqual(["mine"]);
    expect(search.session().resolve("mcp__given__t")).toMatchObject({ status: "unknown" });
    expect(servers.list()).toEqual([]);
    expect(() => servers.add("more", client)).toThrow(/closed/);
    await expect(servers.call("mine")).rejects.toMatchObject({ code: "freed" });
    expect(news.failures).toEqual([]);
  });

  it("comes at once when servers are still connecting or reading", async () => {
    const { client } = await inMemory({ tools: [], list: never });
    const { search, servers, news } = set({ concurrency: 2 });
    const adding = [servers.add("deaf", never), servers.add("mute", client), servers.add("waiting", never)];
    await servers.close();
    await Promise.all(adding);
    expect(search.session().resolve("mcp__mute__t")).toMatchObject({ status: "unknown" });
    expect(news.failures).toEqual([]);
  });

  it("of the catalog may come first", async () => {
    const { client, server } = await inMemory({ tools: [tool("t")] });
    const { search, servers, news } = set();
    await servers.add("s", client);
    search.free();
    const failure = news.failure();
    await server.sendToolListChanged();
    expect((await failure).error).toMatchObject({ code: "freed" });
    await client.close();
    await servers.close();
  });

  it("of the process is not held up", async () => {
    const script = fileURLToPath(new URL("./mcp-ends.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout).toBe("ready, read again pending\n");
  });

  it("is not that of a callback that throws", async () => {
    const thrown: unknown[] = [];
    const others = process.rawListeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => thrown.push(error));
    const servers = new McpServers(new ToolSearch(), { onChange: ({ server }) => { if (server.status === "ready") throw new Error("mine"); } }); // prettier-ignore
    expect(await servers.add("s", (await inMemory({ tools: [tool("t")] })).client)).toMatchObject({ status: "ready", tools: 1 });
    await new Promise(setImmediate);
    for (const other of others) process.on("uncaughtException", other as never);
    expect(thrown).toEqual([expect.objectContaining({ message: "mine" })]);
    await servers.close();
  });

  it.each([{ timeout: 0 }, { timeout: NaN }, { concurrency: 0 }, { debounce: -1 }, { debounce: "soon" }])("refuses %j", (options) => {
    expect(() => new McpServers(new ToolSearch(), options as never)).toThrow(/must be a number/);
  });
});
