// The three majors of the AI SDK behind one face, and a model that answers by a script and keeps what it was sent.
import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as ai5 from "ai5";
import { MockLanguageModelV2 } from "ai5/test";
import * as ai6 from "ai6";
import { MockLanguageModelV3 } from "ai6/test";

/** What one request held, as the provider gets it. */
export interface SentRequest {
  system: string;
  tools: { name: string; description?: string; inputSchema?: unknown }[];
  /** Text of the results of the step before, by tool. */
  results: { toolName: string; text: string }[];
}

/** One answer of the model: text, or calls of tools. Input that is a string is sent as it is, JSON or not. */
export type Answer = string | { call: string; input?: unknown }[];
export type Script = (Answer | ((request: SentRequest) => Answer))[];

interface Major {
  name: string;
  ai: typeof ai7;
  Model: new (options: object) => { doGenerate: unknown };
  finish: (reason: string) => object;
}

const nested = (unified: string) => ({
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
});

export const majors: Major[] = [
  {
    name: "ai 5",
    ai: ai5 as unknown as typeof ai7,
    Model: MockLanguageModelV2 as never,
    finish: (finishReason) => ({ finishReason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
  },
  { name: "ai 6", ai: ai6 as unknown as typeof ai7, Model: MockLanguageModelV3 as never, finish: nested },
  { name: "ai 7", ai: ai7, Model: MockLanguageModelV4 as never, finish: nested },
];

export function scriptedModel({ Model, finish }: Major, script: Script) {
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
      const text = [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: said }, { type: "text-end", id: "t" }];
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
  tools?: SentRequest["tools"];
}

function read({ prompt, tools = [] }: Options): SentRequest {
  const system = prompt.filter(({ role }) => role === "system").map(({ content }) => String(content)).join("\n");
  const last = prompt.at(-1);
  const parts = last?.role === "tool" ? (last.content as { toolName: string; output: { value: unknown } }[]) : [];
  const results = parts.map(({ toolName, output }) => ({
    toolName,
    text: typeof output.value === "string" ? output.value : JSON.stringify(output.value),
  }));
  return { system, tools, results };
}

/** Runs one user turn, streaming or not, and hands back all that later turns and tests need. */
export async function runTurn(major: Major, how: "streamText" | "generateText", settings: object) {
  const options = { stopWhen: major.ai.stepCountIs(12), maxRetries: 0, ...settings } as never;
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

/** That each request's tools begin with those of the one before, byte for byte, and the system prompt stays. */
export function brokenPrefixes(requests: SentRequest[]): string[] {
  return requests.slice(1).flatMap(({ system, tools }, i) => {
    const before = requests[i] as SentRequest;
    const broken = before.tools.findIndex((tool, at) => JSON.stringify(tool) !== JSON.stringify(tools[at]));
    return [
      ...(system === before.system ? [] : [`request ${i + 2}: another system prompt`]),
      ...(broken < 0 ? [] : [`request ${i + 2}: tool ${broken} is ${tools[broken]?.name}`]),
    ];
  });
}
