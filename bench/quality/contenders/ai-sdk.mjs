import { generateText, jsonSchema, stepCountIs, tool, toolSearch } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { DEPTH } from "../measure.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "AI SDK 7 toolSearch", answer }];

const SEARCH = "toolSearch";

/** Its search only works inside a generation: a model that is none calls it with the query, and the SDK answers. */
async function answer(tools, queries) {
  const deferred = tools.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema ?? { type: "object" }), deferLoading: true }),
  ]);
  const offered = { ...Object.fromEntries(deferred), [SEARCH]: toolSearch({ maxResults: DEPTH }) };
  const answers = [];
  for (const query of queries) {
    let microseconds = 0;
    const { toolResults } = await generateText({
      model: new MockLanguageModelV4({ doGenerate: callOfSearch(query) }),
      prompt: query,
      tools: offered,
      stopWhen: stepCountIs(1),
      onToolExecutionEnd: ({ toolExecutionMs }) => {
        microseconds = toolExecutionMs * 1000;
      },
    });
    answers.push({ names: toolResults[0].output.tools.map(({ name }) => name), microseconds });
  }
  return answers;
}

function callOfSearch(query) {
  const count = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    content: [{ type: "tool-call", toolCallId: "call", toolName: SEARCH, input: JSON.stringify({ query }) }],
    finishReason: { unified: "tool-calls", raw: "tool-calls" },
    usage: { inputTokens: count, outputTokens: { total: 0, text: 0, reasoning: 0 } },
    warnings: [],
  };
}
