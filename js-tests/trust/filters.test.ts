// What `allow` and `deny` hide is in nothing that any method says, whatever is asked (rule C9). Beside hidden.test.ts, which goes through
// one life of a session: any catalog, any filter, every method, and the same bytes as from an engine that never had the hidden tools.
import fc from "fast-check";
import { ToolSearch, type Format, type SearchOptions, type ToolDefinition, type ToolSearchEvent, type ToolSearchSession } from "tool-search";
import { withToolSearch } from "tool-search/ai-sdk";
import { anthropicTools } from "tool-search/anthropic";
import { geminiTools } from "tool-search/gemini";
import { McpServers } from "tool-search/mcp";
import { openaiChatTools, openaiResponsesTools } from "tool-search/openai";
import { describe, expect, it } from "vitest";
import { holds } from "./property.js";

const FORMATS: Format[] = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];
const VERBS = ["create", "list", "delete", "send"] as const;
const THINGS = ["issue", "issues", "message", "file"] as const;

/** A tool, with a word that no other has, in its name or only in what is beside it. */
interface Made {
  server: string | undefined;
  raw: string;
  callable: string;
  word: string;
  direct: boolean;
}

interface Filter {
  allow?: string[];
  deny?: string[];
}

/** Words that no text of ours has, far from one another. */
const word = (i: number) => `qx${"bcdfghjk"[i % 8]}${"lmnprstv"[(i >> 3) % 8]}wz${"bcdfghjk"[(i * 5) % 8]}q`;

const tools: fc.Arbitrary<Made[]> = fc
  .array(fc.record({ server: fc.constantFrom(undefined, "alpha", "beta", "gamma"), verb: fc.constantFrom(...VERBS), thing: fc.constantFrom(...THINGS), named: fc.boolean(), direct: fc.nat(5) }), { minLength: 4, maxLength: 24 })
  .map((list) => {
    const made = list.map(({ server, verb, thing, named, direct }, i): Made => {
      // A built-in tool is told by its word alone.
      const raw = named || server === undefined ? `${verb}_${thing}_${word(i)}` : `${verb}_${thing}`;
      return { server, raw, callable: server === undefined ? raw : `mcp__${server}__${raw}`, word: word(i), direct: direct === 0 };
    });
    return [...new Map(made.map((tool) => [tool.callable, tool])).values()];
  });

const filterOf = (made: Made[]): fc.Arbitrary<Filter> => {
  const pattern = fc.oneof(
    fc.constantFrom(...made).chain(({ callable, raw, word }) => fc.constantFrom(callable, raw, `*${word}*`, `${raw.slice(0, 6)}*`, callable.replace(/_i/g, "?i"))),
    fc.constantFrom("mcp__alpha__*", "mcp__beta__*", "mcp__*", "create_*", "*_issue", "*"),
  );
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 5 });
  return fc.oneof(fc.record({ deny: patterns }), fc.record({ allow: patterns }), fc.record({ allow: patterns, deny: patterns }));
};

/** Whether a pattern matches, in another way than the core does it. */
const matches = (pattern: string, name: string) => new RegExp(`^${[...pattern].map((char) => (char === "*" ? ".*" : char === "?" ? "." : char.replace(/\W/, "\\$&"))).join("")}$`, "s").test(name);
const passes = ({ allow, deny = [] }: Filter, { callable, raw }: Made) => {
  const among = (patterns: string[]) => patterns.some((pattern) => matches(pattern, callable) || matches(pattern, raw));
  return (allow === undefined || among(allow)) && !among(deny);
};

/** A tool whose word is everywhere in it. */
const definition = ({ raw, word }: Made): ToolDefinition => ({
  name: raw,
  title: `${word} title`,
  description: `Can ${raw.replaceAll("_", " ")} ${word}`,
  inputSchema: { type: "object", properties: { [word]: { description: word, enum: [word] }, title: {} } },
  outputSchema: { properties: { [`${word}out`]: {} } },
  annotations: { searchHint: `${word}hint issue` },
});

/** The engine of these tools; servers speak of themselves by a word of their own, and are said to be down. */
function engine(made: Made[], onEvent?: (event: ToolSearchEvent) => void, known = made): ToolSearch {
  const keywords = Object.fromEntries(known.map(({ callable, word }) => [callable, [`${word}key`, "deploy"]]));
  const usage = { version: 1 as const, tools: Object.fromEntries(known.slice(0, 2).map(({ callable }) => [callable, { loaded: 1, called: 9 }])) };
  const search = new ToolSearch({ defer: "always", keywords, preload: { usage, maxTokens: 200 }, ...(onEvent && { onEvent }) });
  for (const server of [undefined, "alpha", "beta", "gamma"]) {
    const own = made.filter((tool) => tool.server === server);
    if (own.length === 0) continue;
    search.add(own.map(definition), { ...(server !== undefined && { server, instructions: `Says ${server}saying.` }), load: { direct: own.filter(({ direct }) => direct).map(({ callable }) => callable) } });
  }
  if (made.some(({ server }) => server === "gamma")) search.setServerStatus("gamma", "disconnected", "gammareason");
  return search;
}

/** What may not be said: what only hidden tools, and servers of hidden tools alone, have. */
function secretsOf(made: Made[], hidden: Made[]): RegExp {
  const visible = made.filter((tool) => !hidden.includes(tool));
  const servers = ["alpha", "beta", "gamma"].filter((server) => made.some((tool) => tool.server === server) && !visible.some((tool) => tool.server === server));
  const names = hidden.filter(({ server }) => server !== undefined).map(({ callable }) => `${callable.replaceAll(".", "\\.")}(?![\\w.-])`);
  return new RegExp([...hidden.map(({ word }) => word), ...names, ...servers.flatMap((server) => [`${server}saying`, `${server}reason`, `mcp__${server}`, `\\b${server}\\b`])].join("|"));
}

const cases = tools.chain((made) => fc.record({ made: fc.constant(made), filter: filterOf(made), asked: fc.array(fc.tuple(fc.nat(made.length - 1), fc.nat(20)), { minLength: 8, maxLength: 8 }) }));

/** Questions that come near what is hidden, and do not say it. */
function near(made: Made[], [at, kind]: [number, number]): string {
  const { raw, word } = made[at]!;
  const short = word.slice(0, -1); // one letter from the word: repair of misspelt words would find it
  const plain = raw.replace(`_${word}`, "").replaceAll("_", " ");
  return [
    plain, short, `${plain} ${short}`, `select:${raw.slice(0, -1)}`, `select:${short}_issue`, `+${short} ${plain}`, `mcp__`, "issue", "message file", "deploy", `${short}key`, "+deploy issue", "server:alph", "gamm", "mcp__gam",
    `${word.slice(0, 4)}`, `deploy the ${plain} now please, and ${short}`, "says", "hint", "title", `${short}z${short}`,
  ][kind]!; // prettier-ignore
}

/** Everything that a session says to a question. */
function answers(session: ToolSearchSession, query: string): unknown[] {
  const name = query.replace("select:", "");
  return [session.handle({ query, max_results: 3 }), session.handle(query), session.resolve(name), session.activate([name]), session.names(), session.activated, session.announce(), session.state(), session.prompt(), session.plan, FORMATS.map((format) => session.tools(format)), session.searchToolName];
}

describe("c9 nothing says what is hidden", () => {
  it("in searches, with whatever options", () => {
    const options: SearchOptions[] = [{}, { explain: true }, { limit: 1, offset: 1 }, { server: "alpha" }, { server: "gamma", explain: true }, { loaded: ["mcp__alpha__create_issue"], limit: 50, explain: true }, { mode: "regex" }];
    holds(50, cases, ({ made, filter, asked }) => {
      const hidden = made.filter((tool) => !passes(filter, tool));
      if (hidden.length === 0) return;
      const search = engine(made);
      const secret = secretsOf(made, hidden);
      for (const each of asked) {
        const query = near(made, each);
        for (const more of options) {
          let said: object;
          try {
            const { query: _, ...result } = search.search(query, { ...filter, ...more });
            said = result;
          } catch (error) {
            said = { message: (error as Error).message };
          }
          const leak = secret.exec(withoutAsked(said, query));
          expect(leak?.[0], `${query} ${JSON.stringify(more)}: ${JSON.stringify(said)}`).toBeUndefined();
        }
      }
    });
  });

  it("in sessions, by every method, and in what they tell", () => {
    holds(30, cases, ({ made, filter, asked }) => {
      const hidden = made.filter((tool) => !passes(filter, tool));
      if (hidden.length === 0) return;
      const events: ToolSearchEvent[] = [];
      const search = engine(made, (event) => void events.push(event));
      const secret = secretsOf(made, hidden);
      const session = search.session({ ...filter, id: "sub" });
      const entries = [anthropicTools(session), openaiChatTools(session), openaiResponsesTools(session), geminiTools(session)];
      for (const [i, each] of asked.entries()) {
        const query = near(made, each);
        events.length = 0;
        const said = answers(session, query);
        if (i === 2) search.removeServer("beta");
        if (i === 3) search.add(made.filter(({ server }) => server === "beta").map(definition), { server: "beta" });
        if (i === 4) session.compacted("reset");
        if (i === 5 && made.some(({ server }) => server === "beta")) search.setServerStatus("beta", "failed", "betareason");
        const settings = withToolSearch(session, {});
        said.push(session.announce(), Object.keys(settings.tools), settings.system, entries.map((entry) => entry.tools()), entries[1]!.answer({ id: "1", type: "function", function: { name: query, arguments: "{}" } } as never).results());
        said.push(events.filter((event) => "session" in event));
        const leak = secret.exec(withoutAsked(said, query));
        expect(leak?.[0], `${query}: ${withoutAsked(said, query).slice(Math.max(0, (leak?.index ?? 0) - 200), (leak?.index ?? 0) + 60)}`).toBeUndefined();
      }
    });
  });

  it("in what the entry for MCP answers", async () => {
    const made = fc.sample(tools, { numRuns: 12, seed: 3 });
    for (const [i, all] of made.entries()) {
      const [filter] = fc.sample(filterOf(all), { numRuns: 1, seed: i });
      const hidden = all.filter((tool) => !passes(filter!, tool));
      const search = engine(all);
      await using servers = new McpServers(search);
      const session = search.session(filter);
      for (const { callable, raw } of hidden) {
        if (all.some((tool) => tool.raw === raw && !hidden.includes(tool))) continue;
        const { content } = await servers.call(callable, {}, { session });
        expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^There is no tool ".*"\./) }]);
        expect(secretsOf(all, hidden).exec(JSON.stringify(content).replace(callable, ""))).toBeNull();
      }
    }
  });
});

it("c9 names and servers are answered as if the hidden tools had never been there, byte for byte", () => {
  holds(25, cases, ({ made, filter, asked }) => {
    const visible = made.filter((tool) => passes(filter, tool));
    if (visible.length === made.length) return;
    const names = asked.flatMap(([at]) => [made[at]!.callable, made[at]!.raw, made[at]!.raw.toUpperCase(), made[at]!.callable.slice(0, -2), `${made[at]!.raw}s`]);
    const queries = [...names.map((name) => `select:${name}`), `select:${names}`, "server:alpha", "alpha", "mcp__beta", "mcp__gamma__", "gamma", "mcp__", "mcp__b"];
    const all = (tools: Made[]) => {
      const search = engine(tools, undefined, made);
      const session = search.session(filter);
      const searched = queries.flatMap((query) => [search.search(query, { ...filter, limit: 2 }), search.search(query, filter)]);
      const patterns = [".", "issue", "q", "^mcp__", "Can"].map((query) => search.search(query, { ...filter, mode: "regex", limit: 50 }));
      const said = [...queries.map((query) => search.session(filter).handle({ query })), ...names.flatMap((name) => [search.session(filter).resolve(name), search.session(filter).activate([name])])];
      const { plan } = session;
      return { searched, patterns, said, plan, prompt: session.prompt(), tools: FORMATS.map((format) => session.tools(format)) };
    };
    // Suggestions that are close by words, not by spelling, hang on how rare words are, which is counted with hidden tools.
    const [full, pruned] = [all(made), all(visible)].map((said) => JSON.stringify(said, (key, value) => (key === "suggestions" ? undefined : typeof value === "string" ? value.replace(/[ \n]?Close names: .*?\.(?= Find tools|\n|$)/g, "") : value)));
    const parting = [...full!].findIndex((char, at) => char !== pruned![at]);
    expect(full === pruned ? "" : full!.slice(Math.max(0, parting - 300), parting + 100)).toBe(full === pruned ? "" : pruned!.slice(Math.max(0, parting - 300), parting + 100));
  });
});

/** What is said but for what was asked, which is quoted. Words of one's own that stand in it are no news. */
function withoutAsked(said: unknown, query: string): string {
  const text = JSON.stringify(said);
  return query.split(/[\s,]+/).reduce((rest, part) => (part.length > 3 ? rest.replaceAll(`\\"${part.replace(/^(select:|server:|\+)/, "")}\\"`, "") : rest), text);
}
