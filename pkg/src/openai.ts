/**
 * Tool search for loops over the `openai` SDK: Chat Completions and Responses.
 *
 * ```ts
 * const agent = openaiResponsesTools(session); // one for each conversation; openaiChatTools(session) for Chat Completions
 * const response = await client.responses.create({ model, instructions, tools: agent.tools(), input });
 * input.push(...response.output);
 * input.push(...(await agent.respond(response, ({ server, rawName, input }) => servers[server].callTool({ name: rawName, arguments: input }))));
 * ```
 *
 * Nothing of the SDK is imported but types.
 *
 * @module
 */
export { openaiChatTools, type OpenAiChatCall, type OpenAiChatTools, type OpenAiChatToolsOptions, type OpenAiChatTurn } from "./providers/openai-chat.js";
export {
  openaiResponsesTools,
  type OpenAiResponsesCall,
  type OpenAiResponsesTools,
  type OpenAiResponsesToolsOptions,
  type OpenAiResponsesTurn,
} from "./providers/openai-responses.js";
export type { Answer, ProviderOptions, ProviderTools, RunTool, ToolCallRequest } from "./providers/provider.js";
