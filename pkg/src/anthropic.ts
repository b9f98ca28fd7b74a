/**
 * Tool search for loops over `@anthropic-ai/sdk`.
 *
 * ```ts
 * const agent = anthropicTools(session); // one for each conversation
 * const message = await client.messages.create({ model, max_tokens, system, tools: agent.tools(), messages });
 * messages.push({ role: "assistant", content: message.content });
 * messages.push(...(await agent.respond(message, ({ server, rawName, input }) => servers[server].callTool({ name: rawName, arguments: input }))));
 * ```
 *
 * Nothing of the SDK is imported but types.
 *
 * @module
 */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
  ToolUnion,
} from "@anthropic-ai/sdk/resources/messages";
import { notShown, textOfOutput, type OutputPart } from "./output.js";
import { providerTools, type ProviderOptions, type ProviderTools, type Wire } from "./providers/provider.js";
import { rootObject } from "./root-schema.js";
import { loadedNames, namesText } from "./replies.js";
import type { ToolSearchSession } from "./session.js";

export type { Answer, ProviderOptions, ProviderTools, RunTool, ToolCallRequest } from "./providers/provider.js";

/** What {@link anthropicTools} takes, all of it optional. */
export interface AnthropicToolsOptions extends ProviderOptions<ToolUnion> {
  /**
   * - "append", the default, for every model and compatible endpoint: the array holds what is loaded, and grows at its end.
   * - "native", for Claude 4.5 and later at Anthropic's own API: the array holds all tools, those not loaded with `defer_loading`, and
   *   is the same for the whole conversation, so that loading a tool keeps the cache of system prompt and messages too. Searches
   *   are answered by `tool_reference` blocks. Definitions still travel with each request, but are charged when they are loaded.
   */
  strategy?: "append" | "native" | undefined;
  /** Puts a cache breakpoint behind the tools that never change: direct tools and the search tool. */
  cacheControl?: CacheControlEphemeral | undefined;
}

/** A `tool_use` block, whichever API version or stream it came from. */
export interface AnthropicToolUse {
  id: string;
  name: string;
  input: unknown;
  /** Of a block for a member of a toolset that the provider defines. */
  toolset_name?: string | null;
}

/** A message of the model, as `messages.create` and `stream.finalMessage()` give it. */
export interface AnthropicTurn {
  content: string | readonly { type: string }[];
}

/** See {@link ProviderTools}; a result is a `tool_result` block. */
export type AnthropicTools = ProviderTools<ToolUnion, AnthropicTurn, AnthropicToolUse, ToolResultBlockParam, MessageParam>;

/** The API takes 128 characters, and 64 in a `tool_reference`. */
const NAMES = { pattern: /^[A-Za-z0-9_-]{1,128}$/, rule: "1 to 128 letters, digits, `_` or `-`" };
const REFERABLE_NAMES = { pattern: /^[A-Za-z0-9_-]{1,64}$/, rule: "1 to 64 letters, digits, `_` or `-`" };

/**
 * A conversation's tools for the Messages API.
 *
 * @throws ToolSearchError `name_not_portable`; `duplicate_name` or `reserved_name` for a tool of the options that the session has
 */
export function anthropicTools(session: ToolSearchSession, options: AnthropicToolsOptions = {}): AnthropicTools {
  const own = options.tools ?? [];
  const native = options.strategy === "native" && session.plan.deferring ? new NativeArray(session) : undefined;
  const lastOfHead = session.searchToolName ?? session.names().at(-1);

  const wire: Wire<ToolUnion, AnthropicTurn, AnthropicToolUse, ToolResultBlockParam, MessageParam> = {
    provider: "Anthropic's API",
    names: native ? REFERABLE_NAMES : NAMES,
    own: own.flatMap((tool) => ("name" in tool ? [tool.name] : [])),
    isOwn: ({ toolset_name }) => toolset_name != null,
    tools: () => {
      const tools = native?.tools() ?? (session.tools("anthropic") as Tool[]).map(sound);
      const { cacheControl } = options;
      return [...own, ...tools.map((tool) => (cacheControl && tool.name === lastOfHead ? { ...tool, cache_control: cacheControl } : tool))];
    },
    calls: ({ content }) => (typeof content === "string" ? [] : content.filter(isToolUse)),
    read: ({ name, input }) => ({ name, input }),
    reply: (call, { text, isError, reveals }) => {
      // References stand alone, and in no empty list: not every endpoint takes either.
      const references = native && !isError ? reveals.map(reference) : [];
      return [{ ...resultOf(call), content: references.length > 0 ? references : text, ...(isError && { is_error: true }) }];
    },
    output: (call, output) => {
      const content = output.parts.every((part) => "text" in part) ? textOfOutput(output) : output.parts.map(block);
      return [{ ...resultOf(call), content, ...(output.isError && { is_error: true }) }];
    },
    messages: (results) => (results.length > 0 ? [{ role: "user", content: results }] : []),
    mend: (history) => {
      const referable = new Set(native?.tools().flatMap(({ name, defer_loading }) => (defer_loading ? [name] : [])));
      const loaded = new Set(session.activated);
      return history.map((message) => withoutStaleReferences(message, referable, loaded));
    },
  };
  return providerTools(session, wire);
}

function isToolUse(block: { type: string }): block is { type: string } & AnthropicToolUse {
  return block.type === "tool_use";
}

function resultOf({ id, toolset_name }: AnthropicToolUse) {
  return { type: "tool_result" as const, tool_use_id: id, ...(toolset_name != null && { toolset_name }) };
}

function reference(name: string): ToolReferenceBlockParam {
  return { type: "tool_reference", tool_name: name };
}

const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function block(part: OutputPart): TextBlockParam | ImageBlockParam {
  if ("text" in part) return { type: "text", text: part.text };
  if (!IMAGES.includes(part.mimeType)) return { type: "text", text: notShown(part) };
  const media_type = part.mimeType as "image/png";
  return { type: "image", source: { type: "base64", media_type, data: part.data } };
}

// ---------------------------------------------------------------- the array

/** An array of all tools, which stays as it is while the catalog does. */
class NativeArray {
  readonly #tools = new Map<string, Tool>();

  constructor(private readonly session: ToolSearchSession) {}

  tools(): Tool[] {
    const loaded = new Set(this.session.activated);
    const direct = (this.session.tools("anthropic") as Tool[]).filter(({ name }) => !loaded.has(name));
    const all = new Map((this.session.whole.tools("anthropic") as Tool[]).map((tool) => [tool.name, { ...tool, defer_loading: true }]));
    for (const tool of direct) all.delete(tool.name);
    for (const tool of [...direct, ...all.values()]) this.#tools.set(tool.name, sound(tool));
    this.session.checkCount(this.#tools.size);
    // What the catalog lost stays: results may refer to it, and the API refuses references to tools that are not there.
    return [...this.#tools.values()];
  }
}

function sound(tool: Tool): Tool {
  return { ...tool, input_schema: rootObject(tool.input_schema) as Tool.InputSchema };
}

// ---------------------------------------------------------------- a saved conversation

/** One reference to a tool that the array lacks, and the API refuses the conversation for good. */
function withoutStaleReferences(message: MessageParam, referable: ReadonlySet<string>, loaded: ReadonlySet<string>): MessageParam {
  if (typeof message.content === "string") return message;
  let isStale = false;
  const content = message.content.map((block): ContentBlockParam => {
    if (block.type !== "tool_result" || !Array.isArray(block.content)) return block;
    const kept = block.content.filter((part) => part.type !== "tool_reference" || referable.has(part.tool_name));
    if (kept.length === block.content.length) return block;
    isStale = true;
    if (kept.length > 0) return { ...block, content: kept };
    return { ...block, content: namesText(loadedNames(block.content).filter((name) => loaded.has(name))) };
  });
  return isStale ? ({ ...message, content } as MessageParam) : message;
}
