// Lists of real MCP servers: what gets into the catalog, and what becomes of it when a list changes.
import { describe, expect, it } from "vitest";
import { deferred, inMemory, LIST_CHANGED, text, tool, type Script } from "./mcp-servers.js";
import { atEnd, http, never, said, set, stdio } from "./mcp-set.js";

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
    atEnd(() => void process.off("warning", warned));
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
