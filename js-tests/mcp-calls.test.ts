// Calls of the tools of real MCP servers: where they go, what goes with them, and what the model is told instead.
import { Client as Client2 } from "@modelcontextprotocol/client";
import type { McpServersOptions } from "tool-search/mcp";
import { describe, expect, it } from "vitest";
import { deferred, inMemory, text, tool, type Script } from "./mcp-servers.js";
import { fails, never, said, set, stdio } from "./mcp-set.js";

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
