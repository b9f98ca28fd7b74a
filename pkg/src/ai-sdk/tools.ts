import type { ToolSet } from "ai";
import type { ToolSearch } from "../engine.js";
import { ToolSearchError } from "../errors.js";
import { reasonOf } from "../options.js";
import type { AddOptions, ToolDefinition } from "../types.js";
import { readSchema } from "./schema.js";

/**
 * Adds AI SDK tools to a catalog, and hands them back under their callable names, as `withToolSearch` takes them.
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
 * @throws ToolSearchError `invalid_tool` for a tool or a schema that cannot be read.
 */
export async function toolDefinitions(tools: ToolSet): Promise<ToolDefinition[]> {
  return Promise.all(
    Object.keys(tools).map(async (name) => {
      try {
        return await toolDefinition(name, tools[name] as ToolFields);
      } catch (cause) {
        if (cause instanceof ToolSearchError) throw cause;
        throw new ToolSearchError("invalid_tool", `The tool "${name}" cannot be read: ${reasonOf(cause)}`, { cause });
      }
    }),
  );
}

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

async function toolDefinition(name: string, { type, title, description, inputSchema, outputSchema, metadata, _meta }: ToolFields): Promise<ToolDefinition> {
  const definition: ToolDefinition = { name };
  const shownTitle = title ?? metadata?.title;
  if (typeof shownTitle === "string") definition.title = shownTitle;
  // A description made from the context of a call (7) is not known before the call.
  if (typeof description === "string") definition.description = description;
  if (String(type).startsWith("provider")) return { ...definition, _meta: { ...ALWAYS_LOAD } };
  definition.inputSchema = await readSchema(name, inputSchema);
  if (metadata?.annotations) definition.annotations = metadata.annotations;
  if (_meta) definition._meta = _meta;
  if (outputSchema !== undefined) definition.outputSchema = await readSchema(name, outputSchema);
  return definition;
}

const ALWAYS_LOAD = { "anthropic/alwaysLoad": true };
