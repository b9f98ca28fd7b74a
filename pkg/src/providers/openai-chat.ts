import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolMessageParam,
} from "openai/resources/chat/completions";
import { textOfOutput } from "../output.js";
import { providerTools, type ProviderOptions, type ProviderTools } from "./provider.js";
import { rootObject } from "../root-schema.js";
import type { ToolSearchSession } from "../session.js";
import type { JsonSchema } from "../types.js";

/** What {@link openaiChatTools} takes. */
export type OpenAiChatToolsOptions = ProviderOptions<ChatCompletionTool>;

/** An element of a message's `tool_calls`. */
export interface OpenAiChatCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
  custom?: { name: string; input: string };
}

/** A message of the model: `completion.choices[0].message`, from a stream too. */
export interface OpenAiChatTurn {
  tool_calls?: readonly OpenAiChatCall[] | null;
}

/** See {@link ProviderTools}; a result is a message of the role `tool`. */
export type OpenAiChatTools = ProviderTools<
  ChatCompletionTool,
  OpenAiChatTurn,
  OpenAiChatCall,
  ChatCompletionToolMessageParam,
  ChatCompletionMessageParam
>;

/** Of both APIs, as the SDK documents it. @internal */
export const NAMES = { pattern: /^[A-Za-z0-9_-]{1,64}$/, rule: "1 to 64 letters, digits, `_` or `-`" };

/**
 * A conversation's tools for the Chat Completions API, and for the many endpoints that are compatible with it.
 *
 * @throws ToolSearchError `name_not_portable`; `duplicate_name` or `reserved_name` for a tool of the options that the session has
 */
export function openaiChatTools(session: ToolSearchSession, options: OpenAiChatToolsOptions = {}): OpenAiChatTools {
  const own = options.tools ?? [];
  const message = ({ id }: OpenAiChatCall, content: string): ChatCompletionToolMessageParam => ({ role: "tool", tool_call_id: id, content });
  return providerTools(session, {
    provider: "OpenAI's API",
    names: NAMES,
    own: own.map((tool) => (tool.type === "function" ? tool.function.name : tool.custom.name)),
    tools: () => [...own, ...(session.tools("openai-chat") as ChatCompletionFunctionTool[]).map(sound)],
    calls: ({ tool_calls }) => [...(tool_calls ?? [])],
    read: ({ function: called, custom }) => ({
      name: called?.name ?? custom?.name ?? "",
      // The text of a custom tool is no JSON.
      input: called ? called.arguments : { input: custom?.input },
    }),
    reply: (call, { text }) => [message(call, text)],
    output: (call, output) => [message(call, textOfOutput(output))],
    messages: (results) => results,
  });
}

function sound(tool: ChatCompletionFunctionTool): ChatCompletionFunctionTool {
  return { ...tool, function: { ...tool.function, parameters: rootObject(tool.function.parameters as JsonSchema) } };
}
