import { loadedNames, namesText } from "../replies.js";
import type { ToolDefinition } from "../types.js";
import { TEXT_FORM, type Output } from "./replay.js";
import type { AiTool } from "./schema.js";
import { gated, withProviderOptions, type Kit, type Offer, type Strategy } from "./strategy.js";

/**
 * Every tool is sent from the start, and searches are answered by references. The provider leaves tools that are marked as deferred
 * out of what the model reads and out of the cached prefix, and shows a definition where a result refers to it.
 */
export function anthropic(kit: Kit): Strategy {
  let known = new Set<string>();
  const refer = (names: readonly string[]) => [...new Set(names)].filter((name) => known.has(name) && kit.active(name));
  const output = (given: Output): Output => {
    const references = refer(loadedNames(given));
    // An empty list is refused by the provider, and so is a reference to a tool that is not sent.
    if (references.length > 0) return { type: "content", value: references.map(reference) };
    return given.type === "text" ? given : { type: "text", value: namesText([]) };
  };

  const toReferences = ({ output: raw }: { output: unknown }) => output({ type: typeof raw === "string" ? "text" : "json", value: raw });

  const mark = (name: string, definition: ToolDefinition): AiTool => {
    // A breakpoint on a deferred tool is refused: it is no part of the prefix.
    const options = { deferLoading: true, cacheControl: undefined, cache_control: undefined };
    return withProviderOptions(gated(kit, name, definition, kit.toolOf(name, definition)), "anthropic", options);
  };

  let before: object | undefined;
  let deferred: Offer[] = [];
  let search: AiTool | undefined;
  const offers = (): Offer[] => {
    const definitions = kit.deferred();
    if (definitions !== before) {
      before = definitions;
      known = new Set(definitions.map(([name]) => name));
      deferred = definitions.map(([name, definition]) => ({ name, tool: mark(name, definition) }));
      search = undefined;
    }
    const searchTool = (tool: AiTool): AiTool => {
      const answering = { ...tool, toModelOutput: toReferences } as AiTool;
      // The breakpoint of the last tool that has one stands for all before it, and the search tool is the last of the prefix.
      const breakpoint = definitions
        .map(([name, definition]) => cacheControl(kit.toolOf(name, definition)))
        .filter(Boolean)
        .at(-1);
      return breakpoint ? withProviderOptions(answering, "anthropic", { cacheControl: breakpoint }) : answering;
    };
    const resident = kit.resident().map(([name, definition]) => {
      const tool = kit.toolOf(name, definition);
      return { name, tool: name === kit.searchTool ? (search ??= searchTool(tool)) : tool };
    });
    kit.session.checkCount(resident.length + deferred.length);
    return [...resident, ...deferred];
  };
  return {
    offers,
    form: { input: TEXT_FORM.input, output },
    answerTool: kit.searchTool,
    missingIn5: "its Anthropic provider sends every tool whole",
    models: { needed: "Claude", not: /^(openai|azure|google\.generative)|\.(chat|completion)$/ },
  };
}

function reference(toolName: string) {
  return { type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName } } };
}

function cacheControl(tool: AiTool): unknown {
  const { anthropic } = (tool as { providerOptions?: { anthropic?: Record<string, unknown> } }).providerOptions ?? {};
  return anthropic?.["cacheControl"] ?? anthropic?.["cache_control"];
}
