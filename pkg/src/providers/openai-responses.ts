import type {
  FunctionTool,
  NamespaceTool,
  ResponseFunctionCallOutputItem,
  ResponseInputItem,
  Tool,
} from "openai/resources/responses/responses";
import { namesText, remarksIn } from "../replies.js";
import { NAMES } from "./openai-chat.js";
import { notShown, textOfOutput, type OutputPart } from "../output.js";
import { providerTools, type ProviderOptions, type ProviderTools, type Reply } from "./provider.js";
import { rootObject } from "../root-schema.js";
import type { ToolSearchSession } from "../session.js";
import type { JsonSchema } from "../types.js";

/** What {@link openaiResponsesTools} takes, all of it optional. */
export interface OpenAiResponsesToolsOptions extends ProviderOptions<Tool> {
  /**
   * - "append", the default, for every model and compatible endpoint: the array holds what is loaded, and grows at its end.
   * - "native", for GPT-5.4 and later at OpenAI's own API: the array is the same for the whole conversation and has the API's
   *   `tool_search`, executed here. What a search loads stands in its `tool_search_output`, a namespace for each server.
   *
   * With "native" the model knows the search tool as `tool_search`: make the engine with `searchToolName: "tool_search"`, so that the
   * system prompt calls it so too.
   */
  strategy?: "append" | "native" | undefined;
}

/** A `function_call` or `tool_search_call` item. */
export interface OpenAiResponsesCall {
  type: "function_call" | "tool_search_call";
  call_id?: string | null;
  name?: string;
  namespace?: string | null;
  arguments: unknown;
  execution?: "client" | "server";
}

/** A response of the model, as `responses.create` and `stream.finalResponse()` give it. */
export interface OpenAiResponsesTurn {
  output: readonly { type: string }[];
}

/** See {@link ProviderTools}; a result is an input item. */
export type OpenAiResponsesTools = ProviderTools<Tool, OpenAiResponsesTurn, OpenAiResponsesCall, ResponseInputItem, ResponseInputItem>;

/**
 * A conversation's tools for the Responses API. Calls of `custom`, `computer` and other kinds of tools are not taken for functions:
 * they stay yours to find and answer.
 *
 * @throws ToolSearchError `name_not_portable`; `duplicate_name` or `reserved_name` for a tool of the options that the session has
 */
export function openaiResponsesTools(session: ToolSearchSession, options: OpenAiResponsesToolsOptions = {}): OpenAiResponsesTools {
  const own = options.tools ?? [];
  const { searchToolName } = session;
  const isNative = options.strategy === "native" && searchToolName !== undefined;
  const tools = () => (session.tools("openai-responses") as FunctionTool[]).map(sound);

  const nativeTools = (): Tool[] => {
    const loaded = new Set(session.activated);
    return tools().flatMap((tool): Tool[] => {
      if (tool.name !== searchToolName) return loaded.has(tool.name) ? [] : [tool];
      const { description, parameters } = tool;
      return [{ type: "tool_search", execution: "client", description: description ?? null, parameters }];
    });
  };
  /** Definitions as the model is to have them from now on: in a namespace for each server, in the order of their first tools. */
  const revealed = (names: readonly string[]): Tool[] => {
    const byName = new Map(tools().map((tool) => [tool.name, tool]));
    const found: Tool[] = [];
    const namespaces = new Map<string, NamespaceTool>();
    for (const name of names) {
      const tool = byName.get(name);
      if (!tool) continue;
      const deferred = { ...tool, defer_loading: true };
      const server = serverOf(session, name);
      const key = server === undefined ? undefined : namespaceOf(server);
      const namespace = key === undefined ? undefined : namespaces.get(key);
      if (key === undefined) found.push(deferred);
      else if (namespace) namespace.tools.push(deferred);
      else {
        const made: NamespaceTool = { type: "namespace", name: key, description: `Tools of ${key}.`, tools: [deferred] };
        namespaces.set(key, made);
        found.push(made);
      }
    }
    return found;
  };
  const reply = (call: OpenAiResponsesCall, { text, reveals }: Reply): ResponseInputItem[] => {
    const call_id = call.call_id ?? "";
    if (call.type === "tool_search_call") {
      const output: ResponseInputItem = { type: "tool_search_output", execution: "client", call_id, status: "completed", tools: revealed(reveals) };
      // It has no place for words: what else there is to say follows it.
      const remarks = remarksIn(text);
      return remarks ? [output, { role: "developer", content: remarks }] : [output];
    }
    const output: ResponseInputItem = { type: "function_call_output", call_id, output: text };
    if (!isNative || reveals.length === 0) return [output];
    return [output, { type: "additional_tools", role: "developer", tools: revealed(reveals) }];
  };

  return providerTools(session, {
    provider: "OpenAI's API",
    names: NAMES,
    own: own.flatMap((tool) => (tool.type === "function" ? [tool.name] : [])),
    tools: () => [...own, ...(isNative ? nativeTools() : tools())],
    calls: ({ output }) => output.filter(isCall),
    read: ({ type, name, namespace, arguments: input }) => {
      if (type === "tool_search_call") return { name: searchToolName ?? "", input };
      return { name: fullName({ name, namespace }, session), input };
    },
    reply,
    output: ({ call_id }, output) => {
      const content = output.parts.every((part) => "text" in part) ? textOfOutput(output) : output.parts.map(inputPart);
      return [{ type: "function_call_output", call_id: call_id ?? "", output: content }];
    },
    // Outputs first, as the calls stood together too.
    messages: (results) => [...results.filter((item) => "call_id" in item), ...results.filter((item) => !("call_id" in item))],
    mend: (history) => (isNative ? [...history] : withoutToolSearch(history, session)),
  });
}

function serverOf(session: ToolSearchSession, name: string): string | undefined {
  const found = session.whole.resolve(name);
  return "server" in found ? found.server : undefined;
}

type NamedCall = { name?: string | undefined; namespace?: string | null | undefined };

/** Functions stand in their namespace under their callable name; models may leave out what the namespace says already. */
function fullName({ name = "", namespace }: NamedCall, session: ToolSearchSession): string {
  return namespace && !name.startsWith(namespace) && !session.names().includes(name) ? `${namespace}__${name}` : name;
}

/** What the server's callable names begin with, as the API takes it for a name. */
function namespaceOf(server: string): string {
  return `mcp__${server}`.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

function sound(tool: FunctionTool): FunctionTool {
  return { ...tool, parameters: rootObject(tool.parameters as JsonSchema) };
}

/** Calls for us to answer. What the provider searches itself, it answers itself. */
function isCall(item: { type: string }): item is OpenAiResponsesCall {
  return item.type === "function_call" || (item.type === "tool_search_call" && isOurs(item));
}

function isOurs({ execution }: { type: string; execution?: "client" | "server" }): boolean {
  return execution === "client";
}

function inputPart(part: OutputPart): ResponseFunctionCallOutputItem {
  if ("text" in part) return { type: "input_text", text: part.text };
  if (!part.mimeType.startsWith("image/")) return { type: "input_text", text: notShown(part) };
  return { type: "input_image", image_url: `data:${part.mimeType};base64,${part.data}` };
}

function functionNames(tool: Tool): string[] {
  if (tool.type === "namespace") return tool.tools.map(({ name }) => name);
  return tool.type === "function" ? [tool.name] : [];
}

/**
 * A conversation of the strategy "native" as one of "append" sends it on: models and endpoints without tool search refuse its items
 * and namespaces.
 */
function withoutToolSearch(history: readonly ResponseInputItem[], session: ToolSearchSession): ResponseInputItem[] {
  const loaded = new Set(session.activated);
  return history.flatMap((item): ResponseInputItem[] => {
    if (!("type" in item)) return [item];
    if (item.type === "additional_tools") return [];
    if (item.type === "function_call" && item.namespace !== undefined) {
      const { namespace: _, ...call } = item;
      return [{ ...call, name: fullName(item, session) }];
    }
    if (item.type === "tool_search_call" && isOurs(item)) {
      const { call_id, arguments: input } = item;
      return [{ type: "function_call", call_id: call_id ?? "", name: session.searchToolName ?? "tool_search", arguments: JSON.stringify(input) }];
    }
    if (item.type === "tool_search_output" && isOurs(item)) {
      const output = namesText(item.tools.flatMap(functionNames).filter((name) => loaded.has(name)));
      return [{ type: "function_call_output", call_id: item.call_id ?? "", output }];
    }
    return [item];
  });
}
