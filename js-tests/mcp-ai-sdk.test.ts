// MCP servers and the AI SDK: clients of `@ai-sdk/mcp`, and agents whose calls go to servers by `execute`.
import { createMCPClient } from "@ai-sdk/mcp";
import { withToolSearch } from "tool-search/ai-sdk";
import { describe, expect, it } from "vitest";
import { majors, runTurn, scriptedModel } from "./support/ai-sdk-majors.js";
import { deferred, inMemory, text, tool, type Script } from "./mcp-servers.js";
import { atEnd, http, set } from "./mcp-set.js";

describe("clients of @ai-sdk/mcp", () => {
  async function connected(script: Script) {
    const server = await http(script);
    const all = set();
    const connect = () => createMCPClient({ transport: { type: "http", url: server.url.href } });
    return { ...all, server, connect };
  }

  it("give their whole list and instructions, are read again, and reconnect", async () => {
    const script: Script = { tools: ["a", "b", "c"].map((name) => tool(name)), pageSize: 2, instructions: "Letters." };
    const { search, servers, news, connect } = await connected(script);
    expect(await servers.add("s", connect)).toMatchObject({ status: "ready", tools: 3 });
    const session = search.session();
    expect(session.prompt()).toContain("Letters.");
    session.activate(["mcp__s__a"]);
    script.tools = ["a", "c", "d"].map((name) => tool(name));
    await servers.refresh("s");
    expect(news.changes.at(-1)?.delta).toEqual({ added: ["mcp__s__d"], removed: ["mcp__s__b"], changed: [] });
    expect(session.announce()).not.toBe("");
    expect(await servers.reconnect("s")).toMatchObject({ status: "ready", tools: 3 });
    expect([session.announce(), session.activated]).toEqual(["", ["mcp__s__a"]]);
  });

  it("call tools by raw name, with abort and time limit", async () => {
    const begun = deferred();
    const { servers, connect } = await connected({
      tools: [tool("two words"), tool("wait"), tool("fail")],
      call: (name, args) => {
        if (name === "fail") return { ...text("no such thing"), isError: true };
        if (name !== "wait") return text(`${name} ${JSON.stringify(args)}`);
        begun.resolve();
        return new Promise(() => {});
      },
    });
    const client = await connect();
    atEnd(() => client.close());
    await servers.add("s", client);
    expect(await servers.call("mcp__s__two_words", { a: 1 })).toMatchObject(text('two words {"a":1}'));
    expect(await servers.call("mcp__s__fail")).toMatchObject({ isError: true });
    const abort = new AbortController();
    const waiting = servers.call("mcp__s__wait", {}, { signal: abort.signal });
    await begun.promise;
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(servers.call("mcp__s__wait", {}, { timeout: 20 })).rejects.toThrow("no result after 0.02 s");
    // A client that was given is the caller's to close.
    await servers.close();
    expect((await client.listTools()).tools).toHaveLength(3);
  });

  it("that cannot connect are failures", async () => {
    const { server, servers, connect } = await connected({ tools: [] });
    await server.close();
    expect(await servers.add("s", connect)).toMatchObject({ status: "failed", tools: 0 });
  });
});

describe.each(majors)("$name", (major) => {
  it("runs the tools of servers, and tells the model what they say is wrong and which are down", async () => {
    const script: Script = {
      tools: [tool("read file", "Read a file"), tool("fail", "Fails")],
      call: (name, args) => (name === "fail" ? { ...text("disk full"), isError: true } : text(`${name} ${JSON.stringify(args)}`)),
    };
    const { client } = await inMemory(script);
    const { search, servers } = set();
    await servers.add("files", client);
    const { model, requests } = scriptedModel(major, [
      [{ call: "toolSearch", input: { query: "select:read_file,fail" } }],
      [{ call: "mcp__files__read_file", input: { path: "a" } }, { call: "mcp__files__fail" }],
      () => (void client.close(), [{ call: "mcp__files__read_file" }]),
      "done",
    ]);
    await runTurn(major, "streamText", { model, prompt: "go", ...withToolSearch(search.session(), { call: servers.execute }) });
    const results = requests.map(({ results }) => results.map((result) => result.text));
    expect(results[2]?.sort()).toEqual([expect.stringContaining("disk full"), 'read file {"path":"a"}']);
    expect(results[3]).toEqual([expect.stringContaining("its connection was closed")]);
  });
});
