import type { ToolSet } from "ai";
import type { ToolSearchSession } from "../session.js";
import type { ToolDefinition } from "../types.js";
import { rootObject } from "../root-schema.js";
import type { Output, Form } from "./replay.js";
import { aiSchema, ownCheck, type AiTool } from "./schema.js";

/**
 * How tools reach the model. Which one suits: `docs/strategies.md`.
 *
 * - "append": what is loaded joins the end of the tools array. Any provider.
 * - "anthropic": every tool is in the array from the start, the deferred ones marked so, and searches are answered by references to
 *   them (`tool_reference`). `ai` 6 and 7 with `@ai-sdk/anthropic`; also Claude on other platforms, as far as they know references.
 * - "openai": the search tool is OpenAI's own `tool_search`, executed here, and its results bring the definitions. `ai` 6 and 7 with
 *   the Responses API of `@ai-sdk/openai`.
 * - "bridge": two fixed tools, one that finds and one that calls. Any provider.
 */
export type StrategyName = "append" | "anthropic" | "openai" | "bridge";

/** A tool as a step has it. A hidden one can be called and is sent to no model. */
export interface Offer {
  name: string;
  tool: AiTool;
  hidden?: boolean;
}

/** What a strategy decides. */
export interface Strategy {
  /** The tools of the next step, in their order. */
  offers(): Offer[];
  /** How searches stand in the messages that are sent. */
  form: Form;
  /** The tool by which calls that cannot run are answered. */
  answerTool?: string;
  /** Follows the section on deferred tools. */
  instructions?: string;
  /** What `ai` 5 lacks for it. */
  missingIn5?: string;
  /** The models that it is for, and the providers (`model.provider`) that certainly are others. */
  models?: { needed: string; not: RegExp };
  /** Why a deferred tool cannot be forced by `toolChoice`. */
  cannotForce?: string;
}

export type Execute = (input: unknown, options: ExecuteOptions) => unknown;

/** What a tool's `execute` is given besides its input; more in each later major. */
export interface ExecuteOptions {
  toolCallId: string;
  abortSignal?: AbortSignal | undefined;
}

/** What strategies work with. */
export interface Kit {
  session: ToolSearchSession;
  /** The search tool's name; strategies are asked only where there is one. */
  searchTool: string;
  /** Answers a call of the search tool, or a call that is to be answered by it. */
  search(input: unknown, toolCallId: string): string;
  /**
   * The caller's tool of that name, or one that is made from the definition; the search tool answers in text. Its schema is one that
   * providers take, and its calls are counted.
   */
  toolOf(name: string, definition: ToolDefinition): AiTool;
  /** Direct tools, the search tool and what is loaded. */
  sent(): [name: string, definition: ToolDefinition][];
  /** Direct tools and the search tool. */
  resident(): [name: string, definition: ToolDefinition][];
  /** Deferred tools, loaded or not; the very same list until the catalog changes. */
  deferred(): [name: string, definition: ToolDefinition][];
  /** Whether a tool was loaded when this step began. What else the step does has no influence. */
  callable(name: string): boolean;
  /** Whether the caller lets the tool be used in this step. */
  active(name: string): boolean;
  /** The context of a tool in this step (7). */
  contextOf(name: string): unknown;
}

/** A tool from its definition alone, in the shape of `dynamicTool({ … })`. */
export function madeTool(fields: {
  description?: string | null | undefined;
  inputSchema: unknown;
  execute?: Execute | undefined;
  toModelOutput?: ((given: unknown) => Output) | undefined;
}): AiTool {
  const given = Object.entries(fields).filter(([, value]) => value);
  return { type: "dynamic", ...Object.fromEntries(given) } as unknown as AiTool;
}

/** Whether the results of a tool come one after the other: the SDK must be given a generator at once. */
export function isGenerator(execute: unknown): boolean {
  return typeof execute === "function" && execute.constructor.name === "AsyncGeneratorFunction";
}

/** A tool that is sent and can be called only once it is loaded: until then its arguments are said to be no good, which is repaired. */
export function gated(kit: Kit, name: string, definition: ToolDefinition, tool: AiTool): AiTool {
  const check = ownCheck((tool as { inputSchema?: unknown }).inputSchema);
  const schema = aiSchema(rootObject(definition.inputSchema ?? true), (value) => {
    if (!kit.callable(name)) return { success: false, error: new Error(`${name} is not loaded.`) };
    return check ? check(value) : { success: true, value };
  });
  return { ...tool, inputSchema: schema } as AiTool;
}

/** A tool with further options for a provider. */
export function withProviderOptions(tool: AiTool, provider: string, more: object): AiTool {
  const { providerOptions } = tool as { providerOptions?: Record<string, object> };
  return { ...tool, providerOptions: { ...providerOptions, [provider]: { ...providerOptions?.[provider], ...more } } } as AiTool;
}

/**
 * A tool set whose keys come in the order that they are given in. An ordinary object would list integer-like names first
 * ("10" before "search"), and would answer to `constructor` and the like, which a model may well call. Hidden tools are there when
 * asked for by name, and not listed.
 */
export class LiveTools {
  names: string[] = [];
  #offers: readonly Offer[] = [];
  readonly #target: ToolSet = Object.create(null);
  readonly tools: ToolSet = new Proxy(this.#target, {
    ownKeys: (target) => [...new Set([...this.names, ...Reflect.ownKeys(target)])],
  });

  set(offers: readonly Offer[]): void {
    const same = ({ name, tool }: Offer, i: number) => name === this.#offers[i]?.name && tool === this.#offers[i]?.tool;
    if (offers.length === this.#offers.length && offers.every(same)) return;
    this.#offers = offers;
    const wanted = new Set(offers.map(({ name }) => name));
    for (const name of Object.getOwnPropertyNames(this.#target)) if (!wanted.has(name)) delete this.#target[name];
    for (const { name, tool, hidden = false } of offers) {
      Object.defineProperty(this.#target, name, { value: tool, enumerable: !hidden, configurable: true, writable: true });
    }
    this.names = offers.filter(({ hidden }) => !hidden).map(({ name }) => name);
  }
}
