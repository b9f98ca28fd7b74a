/**
 * Tool search for agents built with the Vercel AI SDK: `ai` 5, 6 and 7 by one code path, any provider.
 *
 * ```ts
 * const search = new ToolSearch();
 * const tools = await addToolSet(search, await mcpClient.tools(), { server: "github" });
 * const session = search.session({ model: "anthropic:claude-sonnet-4-5" }); // one for each conversation
 * const result = streamText({ model, messages, stopWhen: stepCountIs(20), ...withToolSearch(session, { tools, system }) });
 * ```
 *
 * The SDK lists tools in the key order of the `tools` object and reads that object again at each step, so an object that only
 * grows at its end gives tools arrays of which each begins with the one before, and the provider's prompt cache holds.
 * Nothing of `ai` is imported unless a tool's schema can be read in no other way.
 *
 * @module
 */
import type { PrepareStepFunction, ToolCallRepairFunction, ToolSet } from "ai";
import type { ToolSearch } from "./engine.js";
import { ToolSearchError } from "./errors.js";
import type { ToolSearchSession } from "./session.js";
import type { AddOptions, JsonSchema, ToolDefinition } from "./types.js";

// ---------------------------------------------------------------- taking in tools

/**
 * Adds AI SDK tools to a catalog, and hands them back under their callable names, as {@link withToolSearch} takes them.
 * Takes what the SDK takes: schemas of zod and other Standard Schema libraries, `jsonSchema()`, lazy and dynamic ones, tools of
 * `@ai-sdk/mcp`. Tools that the provider defines are always direct, since only the provider knows their schema.
 *
 * @param options As for `ToolSearch.add`. With `server` the names become `mcp__<server>__<name>`; by default tools are deferred.
 * @throws ToolSearchError as `ToolSearch.add` does, and `invalid_tool` for a schema that cannot be read; nothing is added then.
 */
export async function addToolSet<TOOLS extends ToolSet>(
  search: ToolSearch,
  tools: TOOLS,
  options?: AddOptions & { server?: never },
): Promise<TOOLS>;
export async function addToolSet(search: ToolSearch, tools: ToolSet, options: AddOptions): Promise<ToolSet>;
export async function addToolSet(search: ToolSearch, tools: ToolSet, options: AddOptions = {}): Promise<ToolSet> {
  const definitions = await toolDefinitions(tools);
  search.add(definitions, options);
  if (options.server === undefined) return tools;
  // The catalog alone decides about callable names; it keeps the very objects that it was given, so they tell which is which.
  const rawNames = new Map<ToolDefinition | undefined, string>(definitions.map((definition) => [definition, definition.name]));
  const named: ToolSet = Object.create(null);
  for (const callable of search.names()) {
    const tool = tools[rawNames.get(search.get(callable)) ?? ""];
    if (tool) named[callable] = tool;
  }
  return named;
}

/**
 * The definitions of AI SDK tools as `ToolSearch.add` takes them, for those who want to change them first.
 * @throws ToolSearchError `invalid_tool` for a schema that cannot be read.
 */
export async function toolDefinitions(tools: ToolSet): Promise<ToolDefinition[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => toolDefinition(name, tool)));
}

/** Any kind of tool that the installed version of `ai` takes. */
type AiTool = ToolSet[string];

/** What the three majors and `@ai-sdk/mcp` write on a tool; no major has all of it in its types. */
interface ToolFields {
  type?: string;
  title?: string;
  description?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  metadata?: { title?: unknown; annotations?: Record<string, unknown> };
  _meta?: Record<string, unknown>;
}

async function toolDefinition(name: string, tool: AiTool): Promise<ToolDefinition> {
  const { type, title, description, inputSchema, outputSchema, metadata, _meta } = tool as ToolFields;
  const definition: ToolDefinition = { name };
  const shownTitle = title ?? metadata?.title;
  if (typeof shownTitle === "string") definition.title = shownTitle;
  // A description made from the context of a call (7) is not known before the call.
  if (typeof description === "string") definition.description = description;
  if (type?.startsWith("provider")) return { ...definition, _meta: { ...ALWAYS_LOAD } };
  definition.inputSchema = await readSchema(name, inputSchema);
  if (metadata?.annotations) definition.annotations = metadata.annotations;
  if (_meta) definition._meta = _meta;
  if (outputSchema !== undefined) definition.outputSchema = await readSchema(name, outputSchema);
  return definition;
}

const ALWAYS_LOAD = { "anthropic/alwaysLoad": true };

/** The marks of the SDK's own schema objects: one on all majors, and another that 5 also looks for. */
const AI_SCHEMA = Symbol.for("vercel.ai.schema");
const AI_VALIDATOR = Symbol.for("vercel.ai.validator");

interface StandardSchema {
  "~standard"?: { jsonSchema?: { input?(options: { target: string }): JsonSchema } };
}

async function readSchema(name: string, schema: unknown): Promise<JsonSchema> {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  try {
    const standard = (schema as StandardSchema)["~standard"];
    if (typeof schema === "function" && !standard) return await readSchema(name, schema()); // lazySchema()
    if (isAiSchema(schema)) return (await schema.jsonSchema) as JsonSchema;
    if (standard?.jsonSchema?.input) return standard.jsonSchema.input({ target: "draft-07" });
    const { asSchema } = await import("ai"); // zod before 4.2, Standard Schema libraries without JSON Schema
    return (await asSchema(schema as never).jsonSchema) as JsonSchema;
  } catch (error) {
    if (error instanceof ToolSearchError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolSearchError("invalid_tool", `The schema of the tool "${name}" cannot be read as JSON Schema: ${reason}`, { cause: error });
  }
}

function isAiSchema(schema: unknown): schema is { jsonSchema: unknown } {
  return typeof schema === "object" && schema !== null && (schema as Record<symbol, unknown>)[AI_SCHEMA] === true;
}

// ---------------------------------------------------------------- the settings of a request

/** A call of a tool that has no entry in `tools`: what {@link WithToolSearchOptions.call} is to run. */
export interface ToolCallRequest {
  /** What the model called. */
  name: string;
  /** What the tool's server calls it. */
  rawName: string;
  /** Left out for built-in tools. */
  server?: string;
  /** The arguments as the model wrote them: parsed, but not checked against the tool's schema. */
  input: unknown;
}

/** What {@link withToolSearch} takes, all of it optional. */
export interface WithToolSearchOptions<TOOLS extends ToolSet> {
  /**
   * The agent's tools by callable name, as {@link addToolSet} hands them back. Each is sent as it is, with its `execute`,
   * as soon as the session has it. What is not in the session's catalog is never sent, be it hidden by `deny`, removed with its
   * server, or never added: give tools that you always want to {@link addToolSet} with `load: "direct"`.
   */
  tools?: TOOLS;
  /**
   * Runs the tools of the catalog that `tools` has no entry for, e.g. by `client.callTool` of the MCP SDK: then definitions are
   * all that is needed. Its result is the tool's output. Without it such calls are handed to you, as those of any AI SDK tool
   * without `execute`.
   */
  call?: (request: ToolCallRequest, options: { toolCallId: string; abortSignal?: AbortSignal }) => unknown;
  /** Your system prompt. The session's section on deferred tools follows it. */
  system?: string;
  /** Your own hook; called first, and what it returns holds. A tool that its `toolChoice` names is loaded. */
  prepareStep?: PrepareStepFunction<NoInfer<TOOLS>>;
  /**
   * Your own repair hook; called for unusable arguments, and for names that no tool has. Version 7 also knows it as
   * `repairToolCall`; give it here under this name, since that one would take the place of ours.
   */
  experimental_repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>>;
  /**
   * The tools that may be sent; the search tool always stays. Give it here: the SDK's own option of this name knows nothing of the
   * search tool. It hides no tool from searches, as `allow` and `deny` of the session do.
   */
  activeTools?: readonly (keyof NoInfer<TOOLS> & string)[];
}

/** What {@link withToolSearch} returns, to be spread into `streamText`, `generateText` or an agent. */
export interface ToolSearchSettings<TOOLS extends ToolSet> {
  /** Live: holds what the next step sends, and grows at its end. Pass it on as it is; a copy would not grow. */
  tools: TOOLS;
  /** `system` and the section on deferred tools, for `streamText` and `generateText`. */
  system: string;
  /** The same, by the name that agents and version 7 know it by. */
  instructions: string;
  prepareStep: PrepareStepFunction<TOOLS>;
  experimental_repairToolCall: ToolCallRepairFunction<TOOLS>;
}

/**
 * Gives one request of an AI SDK agent its tools by search: direct tools, the search tool and what the session has loaded, with the
 * system prompt and hooks that go with them. To be called anew for each request (user turn) with the session of the
 * conversation: what was loaded stays loaded.
 *
 * A call of a tool that is not loaded loads it and answers with its parameters, and a name that no tool has is answered with close
 * ones, both as results of the search tool. Without deferral (`session.plan.deferring` is false) all tools are sent and there is
 * no search tool.
 *
 * The caller's tools keep their types; what is sent beside them is dynamic (`toolCall.dynamic`).
 */
export function withToolSearch<TOOLS extends ToolSet = ToolSet>(
  session: ToolSearchSession,
  options: WithToolSearchOptions<TOOLS> = {},
): ToolSearchSettings<NoInfer<TOOLS>> {
  // NoInfer, since the result stands inside another generic call, and TOOLS is what was given here, not what is expected there.
  const live = new LiveTools();
  /** Answers of the repair hook, by call, until the search tool is asked for them. */
  const answers = new Map<string, string>();
  const searchTool = session.searchToolName;
  const own: ToolSet = options.tools ?? {};

  const search: Execute = (input, { toolCallId }) => {
    const answer = answers.get(toolCallId) ?? session.handle(input).text;
    answers.delete(toolCallId);
    return answer;
  };
  const callOf = (name: string): Execute | undefined => {
    const { call } = options;
    if (!call) return undefined;
    return (input, callOptions) => {
      const found = session.resolve(name);
      if (found.status !== "ready") return found.text; // its server went down, or it is gone
      const { rawName, server } = found;
      return call({ name, rawName, input, ...(server !== undefined && { server }) }, callOptions);
    };
  };

  /** By definition: the session hands out the same object until the definition changes. */
  const made = new WeakMap<ToolDefinition, AiTool>();
  const toolOf = (name: string, definition: ToolDefinition): AiTool => {
    const theirs = name !== searchTool && Object.hasOwn(own, name) ? own[name] : undefined;
    const tool = theirs ?? made.get(definition) ?? wireTool(definition, name === searchTool ? search : callOf(name));
    if (!theirs) made.set(definition, tool);
    return tool;
  };
  const refresh = () => {
    const definitions = session.tools() as ToolDefinition[];
    live.set(session.names().map((name, i) => [name, toolOf(name, definitions[i] as ToolDefinition)]));
  };
  refresh();

  const prepareStep: PrepareStepFunction<TOOLS> = async (step) => {
    const theirs = await options.prepareStep?.(step);
    const choice = theirs?.toolChoice;
    if (typeof choice === "object" && choice.type === "tool") session.activate([String(choice.toolName)]);
    // Here, and not when the search runs, so that whether a tool can be called never depends on what else the same step did.
    refresh();
    const active = theirs?.activeTools ?? options.activeTools;
    const changes = {
      toolOrder: live.names, // only 7 knows it, and copies the object before, which moves integer-like names to the front
      ...theirs,
      ...(active && { activeTools: live.names.filter((name) => name === searchTool || active.includes(name)) }),
    };
    return changes as Awaited<ReturnType<PrepareStepFunction<TOOLS>>>;
  };

  const repairToolCall: ToolCallRepairFunction<TOOLS> = async (failed) => {
    const theirs = () => options.experimental_repairToolCall?.(failed) ?? null;
    const { toolCall, error, tools } = failed;
    // What is no JSON reaches the search tool as text, and its answer says what it expects.
    if (toolCall.toolName === searchTool) return { ...toolCall, input: JSON.stringify(toolCall.input) };
    if (error.name !== "AI_NoSuchToolError" || toolCall.providerExecuted) return theirs();

    const found = session.resolve(toolCall.toolName);
    if (found.status === "unknown") {
      const repaired = await theirs();
      if (repaired) return repaired;
    }
    // A loaded tool by another spelling of its name.
    if (found.status === "ready" && found.name !== toolCall.toolName && Object.hasOwn(tools, found.name)) {
      return { ...toolCall, toolName: found.name };
    }
    if (searchTool === undefined || !Object.hasOwn(tools, searchTool)) return null;
    const name = "name" in found ? found.name : toolCall.toolName;
    const query = `select:${name}`;
    const answer = () => {
      if (found.status !== "ready") return found.text;
      if (live.names.includes(name)) return `${name} cannot be used in this step.`; // activeTools
      return session.handle({ query }).text; // another call of this step has loaded it
    };
    answers.set(toolCall.toolCallId, answer());
    return { ...toolCall, toolName: searchTool, input: JSON.stringify({ query }) };
  };

  const system = [options.system, session.prompt()].filter(Boolean).join("\n\n");
  return {
    tools: live.tools as TOOLS,
    system,
    instructions: system,
    prepareStep,
    experimental_repairToolCall: repairToolCall,
  };
}

type Execute = (input: unknown, options: { toolCallId: string; abortSignal?: AbortSignal }) => unknown;

/** A tool from its definition alone, in the shape of `dynamicTool({ inputSchema: jsonSchema(…) })`. */
function wireTool({ description, inputSchema }: ToolDefinition, execute?: Execute): AiTool {
  return {
    type: "dynamic",
    ...(description && { description }),
    inputSchema: { [AI_SCHEMA]: true, [AI_VALIDATOR]: true, jsonSchema: inputSchema ?? { type: "object" }, validate: undefined },
    ...(execute && { execute }),
  } as unknown as AiTool;
}

/**
 * A tool set whose keys come in the order that they are given in. An ordinary object would list integer-like names first
 * ("10" before "search"), and would answer to `constructor` and the like, which a model may well call.
 */
class LiveTools {
  names: string[] = [];
  readonly #target: ToolSet = Object.create(null);
  readonly tools: ToolSet = new Proxy(this.#target, {
    ownKeys: (target) => [...new Set([...this.names, ...Reflect.ownKeys(target)])],
  });

  set(entries: [name: string, tool: AiTool][]): void {
    this.names = entries.map(([name]) => name);
    const wanted = new Set(this.names);
    for (const name of Object.keys(this.#target)) if (!wanted.has(name)) delete this.#target[name];
    for (const [name, tool] of entries) this.#target[name] = tool;
  }
}
