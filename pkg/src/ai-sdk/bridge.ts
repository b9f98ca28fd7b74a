import { objectOf } from "../calls.js";
import { ToolSearchError } from "../errors.js";
import { loadedNames, oneLine, safeJson, shownName } from "../replies.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { asOutput } from "./output.js";
import { TEXT_FORM, type Output } from "./replay.js";
import { aiSchema, ownCheck, schemaCheck, type AiTool, type Check } from "./schema.js";
import { isGenerator, madeTool, type ExecuteOptions, type Kit, type Offer, type Strategy } from "./strategy.js";

/** What a tool may have besides its schema; the majors differ in what they know of. */
interface Callable {
  inputSchema?: unknown;
  contextSchema?: unknown;
  execute?: (input: unknown, options: object) => unknown;
  needsApproval?: boolean | ((input: unknown, options: object) => unknown);
  toModelOutput?: (given: unknown) => Output;
}

/** Two fixed tools: the search tool, whose answers bring the parameters, and one that calls what was found. */
export function bridge(kit: Kit, callTool: string): Strategy {
  if (kit.session.whole.names().includes(callTool) || callTool === kit.searchTool) {
    throw new ToolSearchError("reserved_name", `"${callTool}" is a tool of its own; give the strategy "bridge" another \`callToolName\`.`);
  }
  const search = madeSearchTool(kit, callTool);
  const call = madeCallTool(kit);
  return {
    offers: () => {
      const resident = kit
        .resident()
        .map(([name, definition]): Offer => ({ name, tool: name === kit.searchTool ? search(definition) : kit.toolOf(name, definition) }));
      return [...resident, { name: callTool, tool: call }];
    },
    form: TEXT_FORM,
    answerTool: kit.searchTool,
    instructions: `Loaded tools are called through ${callTool}: {"name": NAME, "arguments": {…}}. The search result has their parameters.`,
    cannotForce: `force "${callTool}" instead`,
  };
}

function madeSearchTool(kit: Kit, callTool: string) {
  let made: AiTool | undefined;
  return ({ description, inputSchema }: ToolDefinition): AiTool =>
    (made ??= madeTool({
      description,
      inputSchema: aiSchema(inputSchema),
      execute: (input, { toolCallId }) => {
        const text = kit.search(input, toolCallId);
        const schemas = new Map(kit.deferred().map(([name, definition]) => [name, definition.inputSchema]));
        const names = [...new Set(loadedNames(text))].filter((name) => schemas.has(name));
        if (names.length === 0) return text;
        return [text, `Call with ${callTool}. Parameters:`, ...names.map((name) => parameters(name, schemas.get(name)))].join("\n");
      },
    }));
}

const parameters = (name: string, schema: JsonSchema | undefined) => `${shownName(name)}: ${safeJson(schema ?? { type: "object" })}`;

/** A call as the model meant it. */
interface Meant {
  name: string;
  input: unknown;
}

function madeCallTool(kit: Kit): AiTool {
  const checks = new WeakMap<object, Check>();
  /** For `ai` 5, which does not tell `toModelOutput` which call it is about. */
  const outputOf = new WeakMap<object, Callable>();

  const toolNamed = (name: string): { tool: Callable; definition: ToolDefinition } | undefined => {
    const { whole } = kit.session;
    const at = whole.names().indexOf(name);
    if (at < 0) return undefined;
    const definition = whole.tools()[at] as ToolDefinition;
    return { tool: kit.toolOf(name, definition) as Callable, definition };
  };

  const checkOf = async (tool: Callable, definition: ToolDefinition, foreign: boolean): Promise<Check> => {
    const known = checks.get(definition);
    if (known) return known;
    const check = ownCheck(tool.inputSchema) ?? (await schemaCheck(definition.inputSchema ?? true, foreign));
    checks.set(definition, check);
    return check;
  };

  /** The tool that a call means with its checked input, or what the model is to be told instead. */
  const prepare = async ({ name, input }: Meant): Promise<{ tool: Callable; name: string; input: unknown } | NotCalled> => {
    // Asked of the session itself only where it loads or answers: what it says is ready counts as a call.
    const resolved = kit.session.whole.resolve(name);
    const found = resolved.status === "ready" ? toolNamed(resolved.name) : undefined;
    if (resolved.status !== "ready" || !found) {
      const answer = kit.session.resolve(name);
      return { notCalled: "text" in answer ? answer.text : `There is no tool "${oneLine(name)}".` };
    }
    const schema = parameters(resolved.name, found.definition.inputSchema);
    if (!kit.callable(resolved.name)) {
      const early = kit.session.names().includes(resolved.name) ? undefined : kit.session.resolve(name);
      const text = `${shownName(resolved.name)} is loaded only now, so this call did not run: call it again on your next step.`;
      return { notCalled: `${early && "text" in early ? early.text : text}\n${schema}` };
    }
    if (!kit.active(resolved.name)) return { notCalled: `${shownName(resolved.name)} cannot be used in this step.` };
    const { tool, definition } = found;
    if (!tool.execute) return { notCalled: `${shownName(resolved.name)} cannot be called this way. Call it directly, if it is among your tools.` };
    const checked = await (await checkOf(tool, definition, resolved.server !== undefined))(input);
    if (checked.success) return { tool, name: resolved.name, input: checked.value };
    return { notCalled: `The arguments of ${shownName(resolved.name)} are wrong, so it did not run:\n${checked.error.message}\n${schema}` };
  };

  const optionsFor = async (name: string, { contextSchema }: Callable, options: ExecuteOptions): Promise<object> => {
    const context = kit.contextOf(name);
    const checked = contextSchema === undefined ? undefined : await ownCheck(contextSchema)?.(context);
    if (checked && !checked.success) throw checked.error;
    const own = checked ? checked.value : context;
    return { ...options, ...((own !== undefined || "context" in options) && { context: own }) };
  };

  const run = async (input: unknown, options: ExecuteOptions): Promise<{ tool?: Callable; output: unknown }> => {
    const prepared = await prepare(readCall(input));
    if ("notCalled" in prepared) return { output: prepared };
    const { tool, name, input: checked } = prepared;
    return { tool, output: await tool.execute?.(checked, await optionsFor(name, tool, options)) };
  };

  const remember = (tool: Callable | undefined, output: unknown) => {
    if (tool && typeof output === "object" && output !== null) outputOf.set(output, tool);
    return output;
  };

  const whole = async (input: unknown, options: ExecuteOptions): Promise<unknown> => {
    const { tool, output } = await run(input, options);
    let last = output;
    if (isIterable(output)) for await (const part of output) last = part;
    return remember(tool, last);
  };

  async function* parts(input: unknown, options: ExecuteOptions): AsyncGenerator<unknown> {
    const { tool, output } = await run(input, options);
    if (!isIterable(output)) yield remember(tool, output);
    else for await (const part of output) yield remember(tool, part);
  }

  const meantTool = (input: unknown): Callable | undefined => {
    const found = kit.session.whole.resolve(readCall(input).name);
    return found.status === "ready" ? toolNamed(found.name)?.tool : undefined;
  };

  return {
    ...madeTool({
      description: "Calls a tool that was found, with its arguments.",
      inputSchema: aiSchema({
        type: "object",
        properties: {
          name: { type: "string", description: "The tool's full name" },
          arguments: { type: "object", description: "As its parameters say", additionalProperties: true },
        },
        required: ["name", "arguments"],
      }),
      // Only a tool whose `execute` is a generator reports on its way, and the SDK must be given a generator at once.
      execute: (input, options) => (isGenerator(meantTool(input)?.execute) ? parts(input, options) : whole(input, options)),
    }),
    needsApproval: async (input: unknown, options: { toolCallId: string }) => {
      const tool = meantTool(input);
      const { needsApproval } = tool ?? {};
      if (typeof needsApproval !== "function") return needsApproval ?? false;
      const meant = readCall(input);
      return needsApproval(meant.input, await optionsFor(meant.name, tool as Callable, options));
    },
    toModelOutput: (given: unknown) => {
      const { toolCallId, input, output } = objectOf(given);
      const refused = notCalled(given) ?? notCalled(output);
      if (refused !== undefined) return asOutput(refused);
      if (toolCallId !== undefined && input !== undefined) {
        const tool = meantTool(input);
        return tool?.toModelOutput ? tool.toModelOutput({ toolCallId, input: readCall(input).input, output }) : asOutput(output);
      }
      const tool = typeof given === "object" && given !== null ? outputOf.get(given) : undefined;
      return tool?.toModelOutput ? tool.toModelOutput(given) : asOutput(given);
    },
  } as unknown as AiTool;
}

/**
 * The output of a call that did not run. No error: the SDK keeps the texts of errors from UI messages, and the next turn needs it.
 * No text either, which could be the tool's own output.
 */
interface NotCalled {
  notCalled: string;
}

function notCalled(output: unknown): string | undefined {
  const { notCalled, ...rest } = objectOf(output);
  return typeof notCalled === "string" && Object.keys(rest).length === 0 ? notCalled : undefined;
}

/** What a call asks for; models also write the arguments as text, or beside the name. */
function readCall(input: unknown): Meant {
  const { name, arguments: given, ...rest } = objectOf(input);
  const meant = { name: typeof name === "string" ? name : "" };
  if (given === undefined || given === null) return { ...meant, input: rest };
  if (typeof given !== "string") return { ...meant, input: given };
  try {
    return { ...meant, input: JSON.parse(given) };
  } catch {
    return { ...meant, input: given };
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
