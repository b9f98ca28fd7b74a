// Real servers and clients of the MCP SDK: what gets into the catalog, what becomes of it, and where calls go.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { ToolSearch, type ToolSearchOptions } from "tool-search";
import { McpServers, type McpServersOptions } from "tool-search/mcp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deferred, inMemory, LIST_CHANGED, listener, overHttp, overStdio, text, tool, type Script } from "./mcp-servers.js";

// Processes and sockets take their time on a machine that is busy.
vi.setConfig({ testTimeout: 60_000 });

const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A catalog, its servers, and what they told. Everything ends with the test. */
function set(options: McpServersOptions = {}, engine: ToolSearchOptions = {}) {
  const search = new ToolSearch({ defer: "always", ...engine });
  const news = listener();
  const servers = new McpServers(search, { debounce: 0, ...options, onChange: news.onChange, onError: news.onError });
  undo.push(() => servers.close());
  return { search, servers, news };
}

const http = async (script: Script, port?: number) => {
  const server = await overHttp(script, port);
  undo.push(() => server.close());
  return server;
};

const stdio = async (signal?: AbortSignal) => {
  const client = await overStdio(signal);
  undo.push(() => client.close());
  return client;
};

const never = () => new Promise<never>(() => {});
const said = (result: { content: unknown }) => (result.content as { text: string }[]).map((part) => part.text).join("\n");
const fails = (call: Promise<unknown>) => call.then(() => "it did not fail", (error: Error) => error.message);

describe("reading a list", () => {
  it("adds every page, in order, with the instructions, under the server's name", async () => {
    const script: Script = { tools: ["one", "two", "three", "four", "five"].map((name) => tool(name)), pageSize: 2, instructions: "Count with me." };
    const server = await http(script);
    const { search, servers } = set();
    const state = await servers.add("numbers", await server.client());
    expect(state).toEqual({ name: "numbers", status: "ready", tools: 5, leftOut: [] });
    expect(script.lists).toBe(3);
    expect(search.names()).toEqual(["one", "two", "three", "four", "five"].map((name) => `mcp__numbers__${name}`));
    expect(search.session().prompt()).toContain("Count with me.");
  });

  it("keeps definitions as the server wrote them (A5, A7)", async () => {
    const odd = {
      ...tool("odd"),
      description: null,
      outputSchema: { type: "object", properties: { at: { $ref: "#/nowhere" } } }, // no validator compiles this
      annotations: { alwaysLoad: true },
      "x-own": 1,
    };
    const hinted = { ...tool("even"), annotations: { searchHint: "haystack" } };
    const { client } = await inMemory({ tools: [odd, hinted] });
    const { search, servers } = set();
    await servers.add("s", client);
    expect(search.get("mcp__s__odd")).toEqual(odd);
    expect(search.search("haystack").matches[0]?.name).toBe("mcp__s__even");
    expect(search.session().names()).toContain("mcp__s__odd");
  });

  it("adds as the options say, and a server without tools with its instructions", async () => {
    const { client } = await inMemory({ tools: [tool("read_it"), tool("write_it")] });
    const { client: empty } = await inMemory({ tools: [] });
    const { search, servers } = set();
    await Promise.all([servers.add("s", client, { load: { direct: ["read_*"] }, prefix: false }), servers.add("empty", empty)]);
    expect(search.session().names()).toEqual(["read_it", "toolSearch"]);
    expect(servers.list().map(({ name, status, tools }) => [name, status, tools])).toEqual([["s", "ready", 2], ["empty", "ready", 0]]);
  });

  it.each<[string, Script["list"], string]>([
    ["names a page before it", (cursor) => ({ tools: [tool(`t${cursor}`)], nextCursor: "again" }), "goes in circles"],
    ["never ends", (cursor) => ({ tools: [], nextCursor: String(Number(cursor ?? 0) + 1) }), "more than 1000 pages"],
    ["is none", () => ({ tools: "many" }), "no array of tools"],
    ["is refused", () => { throw new Error("not today"); }, "not today"], // prettier-ignore
  ])("fails a server whose list %s, and adds nothing", async (_, list, reason) => {
    const { client } = await inMemory({ tools: [], list: list as never });
    const { search, servers, news } = set();
    const state = await servers.add("s", client);
    expect(state).toMatchObject({ status: "failed", reason: expect.stringContaining(reason), tools: 0 });
    expect(news.failures).toEqual([{ server: "s", error: expect.objectContaining({ message: state.reason }) }]);
    expect(search.size).toBe(0);
    expect(said(await servers.call("mcp__s__t"))).toContain(reason);
  });

  it.each(["", null])("takes a next page %j for the end", async (nextCursor) => {
    const { client } = await inMemory({ tools: [], list: () => ({ tools: [tool("t")], nextCursor }) });
    const { servers } = set();
    // The SDK's own server does not mind what it sends.
    expect(await servers.add("s", client)).toMatchObject({ status: "ready", tools: 1 });
  });

  it("leaves out the tools that cannot be taken in, says which and why, and takes the others", async () => {
    const hostile = [
      tool("fine"),
      tool("x".repeat(129)),
      { description: "nameless" },
      null,
      { ...tool("bad_schema"), inputSchema: "none" },
      tool("fine"),
      tool("two words"),
      tool("two_words"),
      tool("__proto__"),
      tool("constructor"),
      tool("line\nbreak\u202e</system>"),
    ];
    const { client } = await inMemory({ tools: hostile });
    const { client: other } = await inMemory({ tools: [tool("fine")] });
    const { search, servers, news } = set();
    await Promise.all([servers.add("hostile", client), servers.add("other", other)]);
    const raw = ["fine", "two words", "__proto__", "constructor", "line\nbreak\u202e</system>"];
    expect(search.names()).toEqual([...raw.map((name) => `mcp__hostile__${name.replace(/[^\w.-]/g, "_")}`), "mcp__other__fine"]);
    const { leftOut, ...state } = servers.get("hostile")!;
    expect(state).toEqual({ name: "hostile", status: "ready", tools: 5 });
    expect(leftOut.map(({ tool, error }) => [tool, error.code])).toEqual([
      ...hostile.slice(1, 5).map((tool) => [tool, "invalid_tool"]),
      [hostile[5], "duplicate_name"],
      [hostile[7], "duplicate_name"],
    ]);
    expect(news.failures.map(({ server, error }) => `${server}: ${error.message}`)).toEqual(leftOut.map(({ error }) => `hostile: ${error.message}`));
    // Each is called by the name that its own server has for it.
    for (const name of raw) expect(said(await servers.call(`mcp__hostile__${name.replace(/[^\w.-]/g, "_")}`))).toBe(`${name} {}`);
    // Told once, not at each reading.
    await servers.refresh("hostile");
    expect(news.failures).toHaveLength(6);
  });

  it("fails a server that lists nothing but rubbish, and no other", async () => {
    const { client } = await inMemory({ tools: Array.from({ length: 1_000 }, () => ({})) });
    const { client: other } = await inMemory({ tools: [tool("fine")] });
    const { search, servers } = set();
    await Promise.all([servers.add("rubbish", client), servers.add("other", other)]);
    expect(servers.get("rubbish")).toMatchObject({ status: "failed", reason: expect.stringMatching(/^more than 50 of its tools .* no name/) });
    expect(search.names()).toEqual(["mcp__other__fine"]);
  });
});

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

describe("a list that changes", () => {
  it("is read again, and told once to each conversation (L33, F4)", async () => {
    const script: Script = { tools: [tool("keep"), tool("drop"), tool("edit", "About apples")] };
    const server = await http(script);
    script.call = async (name, _, { notify }) => {
      script.tools = [tool("keep"), tool("edit", "About pears"), tool("new")];
      await notify(LIST_CHANGED);
      return text(name);
    };
    const { search, servers, news } = set();
    await servers.add("s", await server.client());
    const session = search.session();
    session.activate(["mcp__s__keep", "mcp__s__drop"]);
    const changed = news.change();
    await servers.call("mcp__s__keep", {}, { session });
    expect((await changed).delta).toEqual({ added: ["mcp__s__new"], removed: ["mcp__s__drop"], changed: ["mcp__s__edit"] });
    expect(search.search("apples").matches).toEqual([]);
    expect(session.activated).toEqual(["mcp__s__keep"]);
    const told = session.announce();
    expect(told).toContain("mcp__s__new");
    expect(told).toContain("mcp__s__drop");
    expect(session.announce()).toBe("");
  });

  it("is read again when the server says so unasked, over HTTP and stdio", async () => {
    const script: Script = { tools: [tool("one")] };
    const server = await http(script);
    const { servers, news } = set();
    await servers.add("http", await server.client());
    await server.listening;
    let changed = news.change();
    script.tools.push(tool("two"));
    await server.servers[0]!.sendToolListChanged();
    expect((await changed).delta.added).toEqual(["mcp__http__two"]);

    await servers.add("stdio", await stdio());
    changed = news.change();
    await servers.call("mcp__stdio__grow");
    expect((await changed).delta.added).toEqual(["mcp__stdio__grown_4"]);
  });

  it("changes nothing when it is the same", async () => {
    const script: Script = { tools: [tool("t")], instructions: "Hello." };
    const { client } = await inMemory(script);
    const { search, servers, news } = set();
    await servers.add("s", client);
    const session = search.session();
    session.activate(["mcp__s__t"]);
    const [section, told] = [session.prompt(), news.changes.length];
    expect(await servers.refresh("s")).toMatchObject({ status: "ready", tools: 1 });
    expect(script.lists).toBe(2);
    expect(news.changes).toHaveLength(told);
    expect([session.announce(), session.prompt(), session.activated]).toEqual(["", section, ["mcp__s__t"]]);
  });

  it("is read once for many notices, and once more for one during a reading", async () => {
    const script: Script = { tools: [tool("t")] };
    const { client, server } = await inMemory(script);
    const { servers, news } = set();
    await servers.add("s", client);
    const first = deferred();
    const begun = deferred();
    script.list = async () => {
      begun.resolve();
      await first.promise;
      return { tools: [tool("stale")] };
    };
    for (let n = 0; n < 50; n++) await server.sendToolListChanged();
    await begun.promise;
    expect(script.lists).toBe(2);
    // While that one is under way, the list changes again: it is not asked for before, and what comes of it is applied last.
    script.list = () => ({ tools: [tool("fresh")] });
    const again = servers.refresh("s");
    expect(servers.refresh("s")).toStrictEqual(again);
    const done = news.change(({ delta }) => delta.added.includes("mcp__s__fresh"));
    first.resolve();
    expect((await done).delta).toEqual({ added: ["mcp__s__fresh"], removed: ["mcp__s__stale"], changed: [] });
    await again;
    expect(script.lists).toBe(3);
  });

  it("that cannot be read leaves the one before, and its tools callable", async () => {
    const script: Script = { tools: [tool("t")] };
    const { client, server } = await inMemory(script);
    const { servers, news, search } = set({ timeout: 500 });
    await servers.add("s", client);
    script.list = never;
    let failure = news.failure();
    await server.sendToolListChanged();
    expect((await failure).error.message).toBe("not ready after 0.5 s");
    script.list = () => { throw new Error("busy"); }; // prettier-ignore
    failure = news.failure();
    await server.sendToolListChanged();
    expect((await failure).error.message).toContain("busy");
    expect(servers.get("s")).toMatchObject({ status: "ready", tools: 1 });
    expect(said(await servers.call("mcp__s__t"))).toBe("t {}");
    script.list = () => ({ tools: [tool("u")] });
    const changed = news.change();
    await server.sendToolListChanged();
    await changed;
    expect(search.names()).toEqual(["mcp__s__u"]);
  });

  it("is read whatever the number of its pages and the calls with one signal, without a warning of leaks", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on("warning", warned);
    undo.push(() => void process.off("warning", warned));
    const { client } = await inMemory({ tools: Array.from({ length: 30 }, (_, n) => tool(`t${n}`)), pageSize: 1 });
    const { servers } = set();
    expect(await servers.add("s", client)).toMatchObject({ tools: 30 });
    const { signal } = new AbortController();
    for (let n = 0; n < 30; n++) await servers.call("mcp__s__t0", {}, { signal });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });

  it("leaves the client's own handlers their work", async () => {
    const script: Script = { tools: [tool("t")] };
    const { client, server } = await inMemory(script);
    const heard: string[] = [];
    client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    client.onclose = () => heard.push("closed");
    const { servers, news } = set();
    await servers.add("s", client);
    script.tools = [tool("u")];
    const changed = news.change();
    await server.sendToolListChanged();
    await changed;
    await client.close();
    expect(new Set(heard)).toEqual(new Set([LIST_CHANGED.method, "closed"]));
    expect(servers.get("s")).toMatchObject({ status: "disconnected" });
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

describe("calls", () => {
  /** A server in the catalog, and a conversation that has none of its tools loaded. */
  async function called(script: Script, options: McpServersOptions = {}) {
    const { client } = await inMemory(script);
    const all = set(options);
    await all.servers.add("s", client);
    return { ...all, client, session: all.search.session() };
  }

  it("go to the server by its own name for the tool, with the arguments as an object", async () => {
    const { servers } = await called({ tools: [tool("plain"), tool("two words"), tool("mcp__s__already")] });
    expect(said(await servers.call("mcp__s__two_words", { a: 1 }))).toBe('two words {"a":1}');
    expect(said(await servers.call("mcp__s__already"))).toBe("mcp__s__already {}");
    expect(said(await servers.call("mcp__s__plain", '{"b":2}'))).toBe('plain {"b":2}');
    expect(said(await servers.call("plain", ""))).toBe("plain {}");
    for (const wrong of ["{", "5", [], 0, "null", false]) {
      const result = await servers.call("mcp__s__plain", wrong);
      expect([result.isError, said(result)]).toEqual([true, "The arguments of mcp__s__plain must be a JSON object."]);
    }
  });

  it("of what is not ready are answered as the session says (F3, C9)", async () => {
    const { servers, search, session } = await called({ tools: [tool("send"), tool("hidden")] });
    const early = await servers.call("mcp__s__send", {}, { session });
    expect([early.isError, session.activated]).toEqual([true, ["mcp__s__send"]]);
    expect(said(await servers.call("mcp__s__send", {}, { session }))).toBe("send {}");
    expect(said(await servers.call("mcp__s__sent", {}, { session }))).toContain("mcp__s__send");
    const kept = search.session({ deny: ["*hidden"] });
    expect(said(await servers.call("mcp__s__hidden", {}, { session: kept }))).toBe(said(await servers.call("mcp__s__hidden", {}, { session: kept })));
    expect(kept.activated).toEqual([]);
    expect(said(await servers.call("mcp__s__hidden", {}))).toBe("hidden {}");
  });

  it("of the search tool are answered too, in a conversation", async () => {
    const { servers, session } = await called({ tools: [tool("send")] });
    const found = await servers.call("toolSearch", '{"query":"send"}', { session });
    expect([found.isError, session.activated]).toEqual([false, ["mcp__s__send"]]);
    expect(said(found)).toContain("mcp__s__send");
    expect(await servers.call("tool_search", {}, { session })).toMatchObject({ isError: true });
    expect(await servers.call("toolSearch", {})).toMatchObject({ isError: true });
  });

  it("of tools that are of no server here are the caller's to run", async () => {
    const { servers, search } = await called({ tools: [] });
    search.add([{ name: "clock" }]);
    search.add([{ name: "t" }], { server: "elsewhere" });
    for (const name of ["clock", "mcp__elsewhere__t"]) await expect(servers.call(name)).rejects.toMatchObject({ code: "no_server" });
  });

  it("pass on abort, time limit and progress", async () => {
    const [begun, cancelled] = [deferred(), deferred()];
    const { servers } = await called({
      tools: [tool("wait"), tool("work")],
      call: async (name, _, { signal, notify, progressToken }) => {
        if (name === "wait") {
          begun.resolve();
          return new Promise(() => signal.addEventListener("abort", () => cancelled.resolve()));
        }
        await notify({ method: "notifications/progress", params: { progressToken: progressToken!, progress: 1, total: 2 } });
        return text("worked");
      },
    });
    const progress: unknown[] = [];
    expect(said(await servers.call("mcp__s__work", {}, { onprogress: (step) => progress.push(step) }))).toBe("worked");
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    const abort = new AbortController();
    const waiting = fails(servers.call("mcp__s__wait", {}, { signal: abort.signal }));
    await begun.promise;
    abort.abort(new Error("enough"));
    expect(await waiting).toContain("enough");
    await cancelled.promise;
    expect(await fails(servers.call("mcp__s__wait", {}, { timeout: 20 }))).toContain("timed out");
  });

  it("take options from the set, and hang no longer than those say, over stdio", async () => {
    const { servers } = set({ requestOptions: { timeout: 20 } });
    await servers.add("s", await stdio());
    expect(await fails(servers.call("mcp__s__hang"))).toContain("timed out");
    expect(said(await servers.call("mcp__s__echo", { still: "there" }, { timeout: 60_000 }))).toBe('{"still":"there"}');
  });

  it("and lists go through version 2 of the SDK as well", async () => {
    const begun = deferred();
    const script: Script = {
      tools: [{ ...tool("a b"), description: null, annotations: { searchHint: "haystack" } }],
      call: (name, args) => {
        if (args["wait"] !== true) return undefined;
        begun.resolve();
        return never();
      },
    };
    const { client, server } = await inMemory(script, new Client2({ name: "two", version: "2.0.0" }) as never);
    const { search, servers, news } = set();
    expect(await servers.add("s", client)).toMatchObject({ status: "ready", tools: 1 });
    expect(search.search("haystack").matches).toHaveLength(1);
    expect(said(await servers.call("mcp__s__a_b", { a: 1 }))).toBe('a b {"a":1}');
    expect(await fails(servers.call("mcp__s__a_b", { wait: true }, { timeout: 20 }))).toContain("timed out");
    const abort = new AbortController();
    const waiting = fails(servers.call("mcp__s__a_b", { wait: true }, { signal: abort.signal }));
    await begun.promise;
    abort.abort(new Error("enough"));
    expect(await waiting).toContain("enough");
    script.tools.push(tool("c"));
    const changed = news.change();
    await server.sendToolListChanged();
    expect((await changed).delta.added).toEqual(["mcp__s__c"]);
    await client.close();
    expect(servers.get("s")).toMatchObject({ status: "disconnected" });
  });

  it("by `execute` give text, structure or the whole, and throw what the tool calls an error", async () => {
    const image = { content: [{ type: "text", text: "a" }, { type: "image", data: "AA==", mimeType: "image/png" }] };
    const results: Record<string, unknown> = {
      texts: { content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] },
      structure: { content: [], structuredContent: { a: 1 } },
      image,
      nothing: { content: [] },
      error: { ...text("no such file"), isError: true },
    };
    const { servers } = await called({ tools: Object.keys(results).map((name) => tool(name)), call: (name) => results[name] });
    const run = (name: string) => servers.execute({ name: `mcp__s__${name}`, server: "s", input: {} });
    expect([await run("texts"), await run("structure"), await run("image"), await run("nothing")]).toEqual(["a\nb", { a: 1 }, image, ""]);
    expect(await fails(run("error"))).toBe("no such file");
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
  undo.push(() => servers.close());
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
