import { loadedNames, namesText } from "../history.js";
import type { ToolDefinition } from "../types.js";
import { TEXT_FORM, type Output } from "./replay.js";
import { aiSchema, ownCheck, type AiTool } from "./schema.js";
import { withProviderOptions, type Kit, type Offer, type Strategy } from "./strategy.js";

/**
 * Every tool is sent from the start, and searches are answered by references. The provider leaves tools that are marked as deferred
 * out of what the model reads and out of the cached prefix, and shows a definition where a result refers to it.
 */
export function anthropic(kit: Kit): Strategy {
  const marked = new Map<string, { tool: AiTool; as: AiTool }>();
  const deferred = (name: string, definition: ToolDefinition): AiTool => {
    const tool = kit.toolOf(name, definition);
    const known = marked.get(name);
    if (known?.tool === tool) return known.as;
    // A breakpoint on a deferred tool is refused: it is no part of the prefix.
    const options = { deferLoading: true, cacheControl: undefined, cache_control: undefined };
    const as = withProviderOptions(gated(kit, name, definition, tool), "anthropic", options);
    marked.set(name, { tool, as });
    return as;
  };

  let known = new Set<string>();
  const refer = (names: readonly string[]) => [...new Set(names)].filter((name) => known.has(name));
  const output = (given: Output): Output => {
    const references = refer(loadedNames(given, (name) => known.has(name)));
    // An empty list is refused by the provider, and so is a reference to a tool that is not sent.
    if (references.length > 0) return { type: "content", value: references.map(reference) };
    return given.type === "text" ? given : { type: "text", value: namesText([]) };
  };

  const toReferences = ({ output: raw }: { output: unknown }) => output({ type: typeof raw === "string" ? "text" : "json", value: raw });

  const offers = (): Offer[] => {
    const definitions = kit.deferred();
    known = new Set(definitions.map(([name]) => name));
    const rest = definitions.map(([name, definition]) => ({ name, tool: deferred(name, definition) }));
    // The breakpoint of the last tool that has one stands for all before it, and the search tool is the last of the prefix.
    const breakpoint = definitions.map(([name, definition]) => cacheControl(kit.toolOf(name, definition))).filter(Boolean).at(-1);
    const resident = kit.resident().map(([name, definition]) => {
      const tool = kit.toolOf(name, definition);
      if (name !== kit.searchTool) return { name, tool };
      const search = { ...tool, toModelOutput: toReferences } as AiTool;
      return { name, tool: breakpoint ? withProviderOptions(search, "anthropic", { cacheControl: breakpoint }) : search };
    });
    return [...resident, ...rest];
  };
  return {
    offers,
    form: { input: TEXT_FORM.input, output },
    answerTool: kit.searchTool,
    missingIn5: "its Anthropic provider sends every tool whole",
    models: { needed: "Claude", not: /^(openai|azure|google\.generative)|\.(chat|completion)$/ },
  };
}

/** A tool that is sent and can be called only once it is loaded: until then its arguments are said to be no good, which is repaired. */
export function gated(kit: Kit, name: string, definition: ToolDefinition, tool: AiTool): AiTool {
  const check = ownCheck((tool as { inputSchema?: unknown }).inputSchema);
  const schema = aiSchema(definition.inputSchema, (value) => {
    if (!kit.callable(name)) return { success: false, error: new Error(`${name} is not loaded.`) };
    return check ? check(value) : { success: true, value };
  });
  return { ...tool, inputSchema: schema } as AiTool;
}

function reference(toolName: string) {
  return { type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName } } };
}

function cacheControl(tool: AiTool): unknown {
  const { anthropic } = (tool as { providerOptions?: { anthropic?: Record<string, unknown> } }).providerOptions ?? {};
  return anthropic?.["cacheControl"] ?? anthropic?.["cache_control"];
}
