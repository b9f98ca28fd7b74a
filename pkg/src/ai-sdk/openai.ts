import { objectOf } from "../calls.js";
import { answerToolOf } from "../history.js";
import { loadedNames, oneLine } from "../replies.js";
import { rootObject } from "../root-schema.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { aiSchema, type AiTool } from "./schema.js";
import { gated, madeTool, type Execute, type Kit, type Offer, type Strategy } from "./strategy.js";

/** A function or a namespace of functions, as the Responses API has it in the results of a search. */
type Found = { type: "namespace"; name: string; description: string; tools: object[] } | { type: "function" };

/**
 * The search tool is OpenAI's own `tool_search`, executed here. Its results bring the definitions, so requests carry none of
 * the deferred ones.
 */
export function openai(kit: Kit): Strategy {
  const found = (output: unknown) => {
    const loaded = new Set(kit.session.activated);
    return {
      tools: definitionsOf(
        kit,
        loadedNames(output).filter((name) => loaded.has(name)),
      ),
    };
  };
  const answerTool = answerToolOf(kit.searchTool);
  const answer = madeTool({ inputSchema: aiSchema({ type: "object" }), execute: (input, { toolCallId }) => kit.search(input, toolCallId) });
  let before: object | undefined;
  let hidden: Offer[] = [];
  const deferred = (): Offer[] => {
    const definitions = kit.deferred();
    if (definitions === before) return hidden;
    before = definitions;
    hidden = definitions.map(([name, definition]) => ({
      name,
      tool: gated(kit, name, definition, kit.toolOf(name, definition)),
      hidden: true,
    }));
    return hidden;
  };
  let search: AiTool | undefined;
  const searchTool = (definition: ToolDefinition): AiTool =>
    (search ??= toolSearch(definition, (input, { toolCallId }) => found(kit.search(objectOf(input)["arguments"], toolCallId))));

  return {
    offers: () => [
      ...kit
        .resident()
        .map(([name, definition]) => ({ name, tool: name === kit.searchTool ? searchTool(definition) : kit.toolOf(name, definition) })),
      ...deferred(),
      { name: answerTool, tool: answer, hidden: true },
    ],
    form: {
      input: (input, toolCallId) => {
        const { arguments: inner, call_id: id } = objectOf(input);
        return inner !== undefined && id !== undefined ? input : { arguments: input, call_id: toolCallId };
      },
      // What a search brought stays as it was: it is what the model has read, and part of the cached prefix.
      output: (output) => {
        if (output.type === "json" && objectOf(output.value)["tools"] !== undefined) return output;
        return { type: "json", value: found(output) };
      },
    },
    answerTool,
    missingIn5: "its OpenAI provider has no tool_search",
    models: { needed: "OpenAI's Responses API", not: /anthropic|^google|\.(chat|completion)$/ },
    cannotForce: "OpenAI takes no choice of a tool that is not in the request",
  };
}

/** `openai.tools.toolSearch({ execution: "client", … })`, without the package that it comes from. */
function toolSearch({ description, inputSchema }: ToolDefinition, execute: Execute): AiTool {
  return {
    type: "provider",
    id: "openai.tool_search",
    isProviderExecuted: false,
    args: { execution: "client", ...(description && { description }), parameters: inputSchema },
    inputSchema: aiSchema({ type: "object" }),
    execute,
  } as unknown as AiTool;
}

/** The definitions of loaded tools, those of a server in one namespace, in the order in which the tools are given. */
function definitionsOf(kit: Kit, names: readonly string[]): Found[] {
  const definitions = kit.session.tools("openai-responses") as { name: string; parameters: JsonSchema }[];
  const wire = new Map(definitions.map((tool) => [tool.name, { ...tool, parameters: rootObject(tool.parameters) }]));
  const spaces = new Map<string, object[]>();
  const all: Found[] = [];
  for (const name of new Set(names)) {
    const deferred = { ...wire.get(name), defer_loading: true } as unknown as { type: "function" };
    const call = kit.session.whole.resolve(name);
    const server = call.status === "ready" ? call.server : undefined;
    if (server === undefined) {
      all.push(deferred);
      continue;
    }
    const space = namespaceOf(server);
    const members = spaces.get(space);
    if (members) members.push(deferred);
    else {
      const tools = [deferred];
      spaces.set(space, tools);
      all.push({ type: "namespace", name: space, description: `Tools of the server ${oneLine(server)}.`, tools });
    }
  }
  return all;
}

/** What the API takes for a name. */
function namespaceOf(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}
