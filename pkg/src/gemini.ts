/**
 * Tool search for loops over `@google/genai`.
 *
 * ```ts
 * const agent = geminiTools(session); // one for each conversation
 * const response = await client.models.generateContent({ model, contents, config: { systemInstruction, tools: agent.tools() } });
 * const content = response.candidates[0].content;
 * contents.push(content);
 * contents.push(...(await agent.respond(content, ({ server, rawName, input }) => servers[server].callTool({ name: rawName, arguments: input }))));
 * ```
 *
 * Nothing of the SDK is imported but types.
 *
 * @module
 */
import type { Content, FunctionCall, FunctionDeclaration, FunctionResponsePart, Part, Tool } from "@google/genai";
import type { ToolOutput } from "./output.js";
import { providerTools, type ProviderOptions, type ProviderTools } from "./providers/provider.js";
import { rootObject } from "./root-schema.js";
import type { ToolSearchSession } from "./session.js";
import type { JsonSchema } from "./types.js";

export type { Answer, ProviderOptions, ProviderTools, RunTool, ToolCallRequest } from "./providers/provider.js";

/** What {@link geminiTools} takes. */
export type GeminiToolsOptions = ProviderOptions<Tool>;

/** A content of the model: `response.candidates[0].content`, or `{ parts }` of all chunks of a stream. */
export interface GeminiTurn {
  parts?: readonly Part[];
}

/** See {@link ProviderTools}; a result is a part with a `functionResponse`. */
export type GeminiTools = ProviderTools<Tool, GeminiTurn, FunctionCall, Part, Content>;

/** What all of Google's endpoints take; newer ones take 128 characters and colons too. */
const NAMES = { pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, rule: "1 to 64 letters, digits, `_`, `.` or `-`, the first a letter or `_`" };

/**
 * A conversation's tools for the Gemini API. All functions stand in one element of the array, which grows at its end.
 *
 * @throws ToolSearchError `name_not_portable`; `duplicate_name` or `reserved_name` for a tool of the options that the session has
 */
export function geminiTools(session: ToolSearchSession, options: GeminiToolsOptions = {}): GeminiTools {
  const own = (options.tools ?? []).map(({ functionDeclarations = [], ...rest }) => ({ functionDeclarations, rest }));
  const ownFunctions = own.flatMap(({ functionDeclarations }) => functionDeclarations);
  const ownTools: Tool[] = own.flatMap(({ rest }) => (Object.keys(rest).length > 0 ? [rest] : []));
  return providerTools(session, {
    provider: "The Gemini API",
    names: NAMES,
    own: ownFunctions.flatMap(({ name }) => (name === undefined ? [] : [name])),
    tools: () => {
      const functionDeclarations = [...ownFunctions, ...(session.tools("gemini") as FunctionDeclaration[]).map(sound)];
      return functionDeclarations.length > 0 ? [...ownTools, { functionDeclarations }] : ownTools;
    },
    calls: ({ parts = [] }) => parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : [])),
    read: ({ name = "", args }) => ({ name, input: args }),
    reply: (call, { text, isError }) => [response(call, { parts: [{ text }], isError })],
    output: (call, output) => [response(call, output)],
    messages: (parts) => (parts.length > 0 ? [{ role: "user", parts }] : []),
  });
}

/** `$schema` is none of the keywords that the API knows. */
function sound(tool: FunctionDeclaration): FunctionDeclaration {
  const { $schema: _, ...schema } = rootObject(tool.parametersJsonSchema as JsonSchema);
  return { ...tool, parametersJsonSchema: schema };
}

/** The API looks for what came out under `output` and `error`, and for the call by its id, or by name and order. */
function response({ id, name }: FunctionCall, { parts, isError }: ToolOutput): Part {
  const text = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  const media: FunctionResponsePart[] = parts.flatMap((part) => ("text" in part ? [] : [{ inlineData: part }]));
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      response: isError ? { error: text } : { output: text },
      ...(media.length > 0 && { parts: media }),
    },
  };
}
