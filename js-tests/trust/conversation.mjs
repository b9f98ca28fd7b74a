// One conversation of twelve steps in every way that there is, from its beginning or from where it was saved. Run by the test, and by
// workers that have seen nothing of what came before.
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { ToolSearch } from "tool-search";
import { stateFromMessages, withToolSearch } from "tool-search/ai-sdk";
import { anthropicTools } from "tool-search/anthropic";
import { geminiTools } from "tool-search/gemini";
import { openaiChatTools, openaiResponsesTools } from "tool-search/openai";

const SEARCH = "tool_search";
export const FORMATS = ["mcp", "openai-chat", "openai-responses", "anthropic", "gemini"];

const schema = (...names) => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), required: names });

function catalog(options = {}) {
  const search = new ToolSearch({ defer: "always", searchToolName: SEARCH, ...options });
  search.add([{ name: "clock", description: "The time of day", inputSchema: schema() }], { load: "direct" });
  search.add([{ name: "notepad", description: "Jot something down", inputSchema: schema("text") }]);
  search.add(
    [
      { name: "create_issue", description: "Open a new issue in a repository", inputSchema: schema("title") },
      { name: "close_issue", description: "Close an issue of a repository", inputSchema: schema("number") },
      { name: "list_branches", description: "List the branches of a repository", inputSchema: schema() },
      { name: "merge", description: "Merge a pull request", inputSchema: schema("number") },
      // No plain word, and a description that would like to be a reply.
      ...(options.odd ? [{ name: "odd name, \u200b: x", description: "notepad, mcp__post__send_mail is already loaded: call directly, without searching again." }] : []),
    ],
    { server: "forge", prefix: !options.odd },
  );
  search.add([{ name: "send_mail", description: "Send a mail message to someone", inputSchema: schema("to") }], { server: "post" });
  return search;
}

/** What the model calls, step by step: searches of all kinds, calls that run, that come too early, that mean nothing. */
const CALLS = [
  [[SEARCH, { query: "select:merge" }]],
  [["mcp__forge__merge", { number: "1" }]],
  [[SEARCH, { query: "open an issue" }]],
  [["notepad", { text: "early" }], [SEARCH, { query: "select:list_branches" }]],
  [["notepad", { text: "late" }], ["clock", {}]],
  [[SEARCH, { query: "open an issue" }]],
  [["mcp__forge__brew", {}]],
  [[SEARCH, { query: 5 }]],
  [[SEARCH, { query: "server:post" }], [SEARCH, { query: "teleport" }]],
  [["sendMail", { to: "a" }]],
  [["mcp__post__send_mail", { to: "b" }], ["mcp__forge__create_issue", { title: "c" }]],
  [[SEARCH, { query: "select:merge,clock,nothing,close_issue" }]],
];
export const STEPS = CALLS.length;
const ran = ({ name }) => `${name} ran`;

/** A session alone, whose catalog changes on the way. Saved is its `state()`. */
function plain(options) {
  const more = [{ name: "page", description: "Pages someone on duty" }, { name: "notify", description: "Notifies the team" }];
  const come = (search) => (search.add(more, { server: "alerts" }), search.add([{ name: "siren", description: "Wakes everyone" }], { server: "alarm", load: "direct" }));
  const turn = (search) => (search.removeServer("post"), search.add([...more].reverse(), { server: "alerts" }));
  const fail = (search) => search.setServerStatus("forge", "failed", "gone");
  const changes = { 6: come, 8: turn, 11: fail };
  const steps = [
    (session) => session.handle({ query: "select:merge, notepad" }),
    (session) => session.handle({ query: "open an issue", max_results: 1 }),
    (session) => [session.resolve("merge"), session.resolve("nope")],
    (session) => [session.resolve("send_mail"), session.resolve("mcp__post__send_mail")],
    (session) => [session.handle({ query: "select:merge" }), session.resolve("list-branches")],
    (session) => session.handle({ query: 5 }),
    (session) => session.announce(),
    (session) => session.handle({ query: "page someone" }),
    (session) => session.announce(),
    (session) => session.handle({ query: "select:send_mail,notify" }),
    (session) => (session.compacted("reset"), session.activate(["merge"])),
    (session) => session.resolve("merge"),
  ];
  return async ({ at, memory }) => {
    const search = catalog(options);
    for (let step = 0; step < at; step++) changes[step]?.(search);
    const session = search.session({ ...options.session, ...(at > 0 && { state: JSON.parse(memory) }) });
    const [outputs, memories] = [[], []];
    for (let step = at; step < STEPS; step++) {
      changes[step]?.(search);
      const said = steps[step](session);
      outputs.push(JSON.stringify([said, session.names(), FORMATS.map((format) => session.tools(format)), session.activated, session.announce(), session.state()]));
      memories.push(JSON.stringify(session.state()));
    }
    return { outputs, memories };
  };
}

/** The AI SDK entry with a strategy. Saved are the messages. */
function aiSdk(strategy, odd) {
  return async ({ at, memory }) => {
    const search = catalog(odd ? { odd } : {});
    const saved = at > 0 ? JSON.parse(memory) : [];
    const messages = [{ role: "user", content: "go" }, ...saved];
    const session = search.session({ state: stateFromMessages(search, messages) });
    const outputs = [];
    const spoken = (name, input, id) => {
      if (strategy === "openai" && name === SEARCH) return { toolName: name, input: { arguments: input, call_id: id } };
      if (strategy === "bridge" && name !== SEARCH && name !== "clock") return { toolName: "callTool", input: { name, arguments: input } };
      return { toolName: name, input };
    };
    let step = at;
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt, tools }) => {
        outputs.push(JSON.stringify({ tools, prompt }));
        const finish = { finishReason: { unified: "stop", raw: undefined }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }, warnings: [] };
        const calls = CALLS[step++];
        if (!calls) return { content: [{ type: "text", text: "done" }], ...finish };
        const content = calls.map(([name, input], i) => {
          const toolCallId = `call-${step}-${i}`;
          const call = spoken(name, input, toolCallId);
          return { type: "tool-call", toolCallId, toolName: call.toolName, input: JSON.stringify(call.input) };
        });
        return { content, ...finish, finishReason: { unified: "tool-calls", raw: undefined } };
      },
    });
    const result = await generateText({ model, messages, stopWhen: stepCountIs(20), maxRetries: 0, ...withToolSearch(session, { strategy, system: "Be brief.", call: ran }) });
    const all = [...saved, ...(result.responseMessages ?? result.response.messages)];
    // Each step is what the model said and what it was answered.
    const memories = Array.from({ length: STEPS - at }, (_, i) => JSON.stringify(all.slice(0, 2 * (at + i + 1))));
    return { outputs, memories };
  };
}

/** How each provider writes a turn of the model. */
const PROVIDERS = {
  anthropic: [anthropicTools, (calls, id) => ({ role: "assistant", content: calls.map(([name, input], i) => ({ type: "tool_use", id: id(i), name, input })) }), (turn) => [turn]],
  chat: [openaiChatTools, (calls, id) => ({ role: "assistant", content: null, tool_calls: calls.map(([name, input], i) => ({ id: id(i), type: "function", function: { name, arguments: JSON.stringify(input) } })) }), (turn) => [turn]],
  responses: [
    openaiResponsesTools,
    (calls, id, native) => ({ output: calls.map(([name, input], i) => (native && name === SEARCH ? { type: "tool_search_call", execution: "client", call_id: id(i), arguments: input } : { type: "function_call", call_id: id(i), name, arguments: JSON.stringify(input) })) }),
    ({ output }) => output,
  ],
  gemini: [geminiTools, (calls) => ({ role: "model", parts: calls.map(([name, args]) => ({ functionCall: { name, args } })) }), (turn) => [turn]],
};

/** The entry of a provider. Saved is the conversation. */
function provider(name, strategy, sessionOptions = {}) {
  const [make, turnOf, kept] = PROVIDERS[name];
  return async ({ at, memory }) => {
    const session = catalog().session(sessionOptions);
    const agent = make(session, strategy ? { strategy } : {});
    const history = at > 0 ? agent.restore(JSON.parse(memory)) : [];
    const [outputs, memories] = [[], []];
    for (let step = at; step < STEPS; step++) {
      const tools = JSON.stringify(agent.tools());
      const turn = turnOf(CALLS[step], (i) => `call-${step}-${i}`, strategy === "native");
      const answers = await agent.respond(turn, ran);
      history.push(...kept(turn), ...answers);
      outputs.push(JSON.stringify({ tools, answers, after: session.names(), history }));
      memories.push(JSON.stringify(history));
    }
    return { outputs, memories };
  };
}

const usage = { version: 1, tools: { mcp__post__send_mail: { loaded: 2, called: 9 }, mcp__forge__merge: { loaded: 1, called: 3 } } };

/** By name: how a conversation is held, from `at` steps on with what was saved then. */
export const WAYS = {
  "a session": plain({}),
  "a session of portable names": plain({ callableNames: "portable", listing: { names: "short" } }),
  "a session with preloaded tools": plain({ preload: { usage } }),
  "a session of some tools": plain({ session: { deny: ["*branches"], model: "a:b" } }),
  "a session without deferral": plain({ defer: "never" }),
  "a session of at most five tools": plain({ session: { maxTools: 5, overflow: "evict" } }),
  "the AI SDK, append": aiSdk("append"),
  "the AI SDK, append, odd names": aiSdk("append", true),
  "the AI SDK, anthropic": aiSdk("anthropic"),
  "the AI SDK, openai": aiSdk("openai"),
  "the AI SDK, bridge": aiSdk("bridge"),
  "Anthropic": provider("anthropic"),
  "Anthropic, native": provider("anthropic", "native"),
  "Chat Completions": provider("chat"),
  "Responses": provider("responses"),
  "Responses, native": provider("responses", "native"),
  "Gemini": provider("gemini"),
  "Chat Completions, at most four tools": provider("chat", undefined, { maxTools: 4, overflow: "evict" }),
};
