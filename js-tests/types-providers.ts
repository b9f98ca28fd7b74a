// Compiled and never run: what the entries of the providers take and give is what the providers' SDKs have.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Content } from "@google/genai";
import { GoogleGenAI as GoogleGenAI3, type Content as Content3 } from "genai3";
import OpenAI from "openai";
import OpenAI7 from "openai-sdk7";
import type { ToolSearchSession } from "tool-search";
import { anthropicTools, type AnthropicTools, type AnthropicToolsOptions, type AnthropicToolUse, type AnthropicTurn } from "tool-search/anthropic";
import { geminiTools, type GeminiTools, type GeminiToolsOptions, type GeminiTurn } from "tool-search/gemini";
import {
  openaiChatTools,
  openaiResponsesTools,
  type Answer,
  type OpenAiChatCall,
  type OpenAiChatTools,
  type OpenAiChatToolsOptions,
  type OpenAiChatTurn,
  type OpenAiResponsesCall,
  type OpenAiResponsesTools,
  type OpenAiResponsesToolsOptions,
  type OpenAiResponsesTurn,
  type ProviderOptions,
  type ProviderTools,
  type RunTool,
  type ToolCallRequest,
} from "tool-search/openai";

const run: RunTool = ({ name, rawName, server, input }: ToolCallRequest) => [name, rawName, server?.trim(), Object.keys(input)];

export async function anthropic(session: ToolSearchSession) {
  const options: AnthropicToolsOptions = {
    strategy: "native",
    cacheControl: { type: "ephemeral", ttl: "1h" },
    tools: [{ type: "web_search_20250305", name: "web_search" }],
  };
  const agent: AnthropicTools = anthropicTools(session, options);
  const client = new Anthropic();
  const messages: Anthropic.MessageParam[] = agent.restore([{ role: "user", content: "go" }]);
  const request = { model: "m", max_tokens: 1, tools: agent.tools(), messages };
  const message: AnthropicTurn = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();
  messages.push(...(await agent.respond(message, run)), ...(await agent.respond(streamed, run)));
  for (const block of streamed.content) {
    if (block.type !== "tool_use") continue;
    const call: AnthropicToolUse = block;
    const answer: Answer<Anthropic.ToolResultBlockParam> = agent.answer(call);
    messages.push({ role: "user", content: answer.results(answer.run && (await run(answer.run))) });
  }
  const beta = await client.beta.messages.create({ ...request, betas: ["token-efficient-tools-2025-02-19"] });
  messages.push(...(await agent.respond(beta, run)));
}

export async function openaiChat(session: ToolSearchSession) {
  const options: OpenAiChatToolsOptions = { tools: [{ type: "custom", custom: { name: "mine" } }] };
  const agent: OpenAiChatTools = openaiChatTools(session, options);
  for (const client of [new OpenAI(), new OpenAI7() as unknown as OpenAI]) {
    const messages: OpenAI.ChatCompletionMessageParam[] = agent.restore([{ role: "user", content: "go" }]);
    const completion = await client.chat.completions.create({ model: "m", tools: agent.tools(), messages });
    const message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const turn: OpenAiChatTurn = message;
    messages.push(message, ...(await agent.respond(turn, run)));
    const call: OpenAiChatCall | undefined = message.tool_calls?.[0];
    if (call) messages.push(...agent.answer(call).results());
  }
  const messages: OpenAI7.ChatCompletionMessageParam[] = agent.restore([{ role: "user", content: "go" }]);
  await new OpenAI7().chat.completions.create({ model: "m", tools: agent.tools(), messages });
}

export async function openaiResponses(session: ToolSearchSession) {
  const options: OpenAiResponsesToolsOptions = { strategy: "native", tools: [{ type: "web_search" }] };
  const agent: OpenAiResponsesTools = openaiResponsesTools(session, options);
  const input: OpenAI.Responses.ResponseInput = agent.restore([{ role: "user", content: "go" }]);
  const response = await new OpenAI().responses.create({ model: "m", tools: agent.tools(), input });
  const turn: OpenAiResponsesTurn = response;
  input.push(...(response.output as OpenAI.Responses.ResponseInput), ...(await agent.respond(turn, run)));
  for (const item of response.output) {
    if (item.type !== "function_call" && item.type !== "tool_search_call") continue;
    const call: OpenAiResponsesCall = item;
    input.push(...agent.answer(call).results("text"));
  }
  const input7: OpenAI7.Responses.ResponseInput = [];
  const response7 = await new OpenAI7().responses.create({ model: "m", tools: agent.tools(), input: input7 });
  input7.push(...((await agent.respond(response7, run)) as OpenAI7.Responses.ResponseInput));
}

export async function gemini(session: ToolSearchSession) {
  const options: GeminiToolsOptions = { tools: [{ googleSearch: {} }] };
  const agent: GeminiTools = geminiTools(session, options);
  const contents: Content[] = agent.restore([{ role: "user", parts: [{ text: "go" }] }]);
  const response = await new GoogleGenAI({}).models.generateContent({ model: "m", contents, config: { tools: agent.tools() } });
  const turn: GeminiTurn | undefined = response.candidates?.[0]?.content;
  if (turn) contents.push(...(await agent.respond(turn, run)));
  const [call] = response.functionCalls ?? [];
  if (call) contents.push({ role: "user", parts: agent.answer(call).results() });
  const contents3: Content3[] = [];
  const response3 = await new GoogleGenAI3({}).models.generateContent({ model: "m", contents: contents3, config: { tools: agent.tools() } });
  contents3.push(...(await agent.respond(response3.candidates?.[0]?.content as GeminiTurn, run)));
}

/** One shape for all of them. */
export function any<Tool, Turn, Call, Result, Message>(agent: ProviderTools<Tool, Turn, Call, Result, Message>, _: ProviderOptions<Tool>) {
  return (turn: Turn) => agent.respond(turn, run);
}
