// The AI SDK 7's own `toolSearch`, finding by this package and remembering what was loaded.
import { isStepCount, streamText, toolSearch, type ModelMessage } from "ai";
import { deferTools, searchWith, stateFromMessages } from "tool-search/ai-sdk";
import { expect, it } from "vitest";
import { agent, SEARCH } from "./support/agent.js";
import { majors, scriptedModel, type Major } from "./support/ai-sdk-majors.js";
import { brokenPrefixes } from "./support/provider-server.js";

const user = (content: string): ModelMessage => ({ role: "user", content });

async function turn(script: Parameters<typeof scriptedModel>[1], history: ModelMessage[]) {
  const { search, tools, ran } = await agent();
  const session = search.session({ state: stateFromMessages(search, history), deny: ["mcp__post__*"] });
  const { model, requests } = scriptedModel(majors[2] as Major, script);
  const result = streamText({
    model,
    messages: history,
    stopWhen: isStepCount(5),
    tools: { ...deferTools(session, tools), [SEARCH]: toolSearch({ search: searchWith(session) }) },
    prepareStep: () => ({ toolOrder: session.names() as never }),
  });
  await result.consumeStream();
  return { requests, ran, session, messages: [...history, ...(await result.responseMessages)] };
}

it("loads what is found, in order, and keeps it for the next turn", async () => {
  const first = await turn(
    [
      [{ call: SEARCH, input: { query: "open an issue" } }],
      [{ call: SEARCH, input: { query: "select:notepad,send_mail" } }],
      [{ call: "notepad" }],
      "done",
    ],
    [user("one")],
  );
  expect(first.requests.at(-1)?.names).toEqual(first.session.names());
  expect(first.session.activated).toContain("notepad");
  expect(first.session.activated).not.toContain("mcp__post__send_mail");
  expect(first.ran).toEqual(["notepad"]);

  const second = await turn([[{ call: "mcp__forge__create_issue" }], "done"], [...first.messages, user("two")]);
  expect(second.ran).toEqual(["create_issue"]);
  expect(brokenPrefixes([...first.requests, ...second.requests])).toEqual([]);
});

it("finds what is loaded already where the SDK has forgotten it", async () => {
  const { search, tools } = await agent();
  const session = search.session();
  session.activate(["notepad"]);
  const found = searchWith(session)({ query: "select:notepad,merge", tools: Object.keys(tools).map((name) => ({ name })) });
  expect(found).toEqual(["mcp__forge__merge", "notepad"]);
});
