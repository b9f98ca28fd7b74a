// The three majors of the AI SDK behind one face, and a model that answers by a script and keeps what it was sent.
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as ai5 from "ai5";
import { MockLanguageModelV2 } from "ai5/test";
import * as ai5Oldest from "ai5-oldest";
import { MockLanguageModelV2 as OldestV2 } from "ai5-oldest/test";
import * as ai6 from "ai6";
import { MockLanguageModelV3 } from "ai6/test";
import * as ai6Oldest from "ai6-oldest";
import { MockLanguageModelV3 as OldestV3 } from "ai6-oldest/test";
import * as ai7Oldest from "ai7-oldest";
import { MockLanguageModelV4 as OldestV4 } from "ai7-oldest/test";
import type { Answer } from "./provider-server.js";

/** What one request held, as the provider package gets it. */
export interface SentRequest {
  /** All of the messages as JSON. */
  prompt: string;
  system: string;
  /** Each tool as JSON. */
  tools: string[];
  names: string[];
  /** Text of the results of the step before, by tool. */
  results: { toolName: string; text: string }[];
}

export type MockScript = (Answer | ((request: SentRequest) => Answer))[];

export interface Major {
  name: string;
  major: 5 | 6 | 7;
  ai: typeof ai7;
  Model: new (options: object) => { doGenerate: unknown };
  finish: (reason: string) => object;
}

const nested = (unified: string) => ({
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
});

const flat = (finishReason: string) => ({ finishReason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } });

export const majors: Major[] = [
  { name: "ai 5", major: 5, ai: ai5 as never, Model: MockLanguageModelV2 as never, finish: flat },
  { name: "ai 6", major: 6, ai: ai6 as never, Model: MockLanguageModelV3 as never, finish: nested },
  { name: "ai 7", major: 7, ai: ai7, Model: MockLanguageModelV4 as never, finish: nested },
];

/** The oldest releases that the package declares. */
export const oldest: Major[] = [
  { name: "ai 5, oldest", major: 5, ai: ai5Oldest as never, Model: OldestV2 as never, finish: flat },
  { name: "ai 6, oldest", major: 6, ai: ai6Oldest as never, Model: OldestV3 as never, finish: nested },
  { name: "ai 7, oldest", major: 7, ai: ai7Oldest as never, Model: OldestV4 as never, finish: nested },
];

export function scriptedModel({ Model, finish }: Major, script: MockScript) {
  const requests: SentRequest[] = [];
  let calls = 0;

  const answer = (options: Options) => {
    const request = read(options);
    const next = script[requests.length] ?? "done";
    requests.push(request);
    const said = typeof next === "function" ? next(request) : next;
    const reason = finish(typeof said === "string" ? "stop" : "tool-calls");
    if (typeof said === "string") return { said, calls: [], reason };
    return {
      said: "",
      calls: said.map(({ call, input = {} }) => ({
        type: "tool-call",
        toolCallId: `call-${++calls}`,
        toolName: call,
        input: typeof input === "string" ? input : JSON.stringify(input),
      })),
      reason,
    };
  };

  const model = new Model({
    doGenerate: async (options: Options) => {
      const { said, calls, reason } = answer(options);
      return { content: said ? [{ type: "text", text: said }] : calls, warnings: [], ...reason };
    },
    doStream: async (options: Options) => {
      const { said, calls, reason } = answer(options);
      const text = [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: said },
        { type: "text-end", id: "t" },
      ];
      const parts = [{ type: "stream-start", warnings: [] }, ...(said ? text : calls), { type: "finish", ...reason }];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  });
  return { model: model as unknown as ai7.LanguageModel, requests };
}

interface Options {
  prompt: { role: string; content: unknown }[];
  tools?: { name: string }[];
}

function read({ prompt, tools = [] }: Options): SentRequest {
  const system = prompt
    .filter(({ role }) => role === "system")
    .map(({ content }) => String(content))
    .join("\n");
  const last = prompt.at(-1);
  const parts = last?.role === "tool" ? (last.content as { toolName: string; output: { value: unknown } }[]) : [];
  const results = parts.map(({ toolName, output }) => ({
    toolName,
    text: typeof output.value === "string" ? output.value : JSON.stringify(output.value),
  }));
  return {
    prompt: JSON.stringify(prompt),
    system,
    tools: tools.map((tool) => JSON.stringify(tool)),
    names: tools.map(({ name }) => name),
    results,
  };
}

/** Runs one user turn, streaming or not, and hands back all that later turns and tests need. */
export async function runTurn(major: Major, how: "streamText" | "generateText", settings: object) {
  const options = { stopWhen: major.ai.stepCountIs(12), maxRetries: 0, onError: () => {}, ...settings } as never;
  if (how === "generateText") {
    const result = await major.ai.generateText(options);
    return { text: result.text, steps: result.steps, messages: result.responseMessages ?? result.response.messages };
  }
  const result = major.ai.streamText(options);
  await result.consumeStream();
  // In 7, `response.messages` are those of the last step.
  const messages = (await result.responseMessages) ?? (await result.response).messages;
  return { text: await result.text, steps: await result.steps, messages };
}

/** One user turn of a chat application: UI messages in, streamed, UI messages out. */
export async function runUiTurn(
  { ai }: Major,
  history: ai7.UIMessage[],
  settings: object & { tools: ai7.ToolSet },
): Promise<ai7.UIMessage[]> {
  const messages = await ai.convertToModelMessages(history, { tools: settings.tools });
  const result = ai.streamText({ stopWhen: ai.stepCountIs(12), maxRetries: 0, ...settings, messages } as never);
  let answer: ai7.UIMessage | undefined;
  for await (const message of ai.readUIMessageStream({ stream: result.toUIMessageStream() })) answer = message;
  return [...history, answer as ai7.UIMessage];
}
