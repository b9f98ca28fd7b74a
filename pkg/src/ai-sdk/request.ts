import type { ToolCallRepairFunction, ToolSet } from "ai";
import { ToolSearchError } from "../errors.js";
import { CALL_TOOL } from "../history.js";
import { searchText, shownName } from "../replies.js";
import { rootObject } from "../root-schema.js";
import type { ToolSearchSession } from "../session.js";
import type { ToolDefinition } from "../types.js";
import { anthropic } from "./anthropic.js";
import { append } from "./append.js";
import { bridge } from "./bridge.js";
import { openai } from "./openai.js";
import { mcpOutput } from "./output.js";
import { replay } from "./replay.js";
import { aiSchema, ownCheck, type AiTool } from "./schema.js";
import type { WithToolSearchOptions } from "./settings.js";
import { isGenerator, LiveTools, madeTool, type Execute, type ExecuteOptions, type Kit, type Strategy, type StrategyName } from "./strategy.js";

/** One request of an agent, from `withToolSearch` to its last step: what it may call now, and what it is to be answered. */
export class SearchRequest implements Kit {
  readonly session: ToolSearchSession;
  readonly searchTool: string;
  readonly strategy: Strategy;
  readonly live = new LiveTools();
  readonly #options: WithToolSearchOptions<ToolSet>;
  /** Calls that cannot run, by id, until the search tool is asked to answer them. */
  readonly #early = new Map<string, () => string>();
  /** By definition: the session hands out the same object until the definition changes. */
  readonly #made = new WeakMap<ToolDefinition, AiTool>();
  #callable = new Set<string>();
  /** Tools of the catalog that the caller leaves out of this step. */
  #inactive = new Set<string>();
  #seen: unknown[] = [];
  #deferred: Named[] = [];
  #contexts: Record<string, unknown> | undefined;
  /** Whether the model is one that only version 7 knows. */
  #isLatest = false;

  constructor(session: ToolSearchSession, options: WithToolSearchOptions<ToolSet>) {
    this.session = session;
    this.searchTool = session.searchToolName ?? "";
    this.#options = options;
    this.strategy = this.#strategy(options.strategy ?? "append");
  }

  #strategy(name: StrategyName): Strategy {
    if (name !== "append" && name !== "anthropic" && name !== "openai" && name !== "bridge") {
      throw new ToolSearchError("invalid_option", "A strategy is append, anthropic, openai or bridge.");
    }
    // Without deferral there is nothing that strategies would differ in.
    if (!this.session.plan.deferring || name === "append") return append(this);
    if (name === "anthropic") return anthropic(this);
    return name === "openai" ? openai(this) : bridge(this, this.#options.callToolName ?? CALL_TOOL);
  }

  /** Makes the live tools those of the next step. */
  refresh(active: readonly PropertyKey[] | undefined, step: object = {}): void {
    this.#inactive = new Set(active ? this.session.whole.names().filter((name) => !active.includes(name) && name !== this.searchTool) : []);
    this.#contexts = (step as { toolsContext?: Record<string, unknown> }).toolsContext;
    this.#callable = new Set(this.session.names());
    // A filter of ours leaves the SDK's alone, which copies the tools, and in early versions runs what it does not send.
    this.live.set(this.strategy.offers().filter(({ name }) => this.active(name)));
  }

  /** @throws ToolSearchError `unsupported`: to go on would send every definition, or what the provider refuses. */
  checkModel(model: unknown): void {
    const { missingIn5, models } = this.strategy;
    const { specificationVersion, provider = "" } = (model ?? {}) as { specificationVersion?: unknown; provider?: string };
    this.#isLatest = specificationVersion === "v4";
    const refuse = (why: string) => {
      throw new ToolSearchError("unsupported", `The strategy "${this.#options.strategy}" ${why}. "append" and "bridge" work with it.`);
    };
    if (missingIn5 && specificationVersion === "v2") refuse(`needs ai 6 or 7: with ai 5, ${missingIn5}`);
    if (models?.not.test(provider)) refuse(`is for ${models.needed}; this model is of ${provider}`);
  }

  messages<M extends Parameters<typeof replay>[0]>(messages: M): M {
    // Also without deferral: the conversation may have begun with more tools.
    return replay(messages, this.session.knownSearchTool, this.strategy.form);
  }

  async repair(failed: Parameters<ToolCallRepairFunction<ToolSet>>[0]): ReturnType<ToolCallRepairFunction<ToolSet>> {
    const { toolCall, error, tools } = failed;
    const { toolName, toolCallId } = toolCall;
    const theirs = async () => (await this.#options.experimental_repairToolCall?.(failed)) ?? null;
    // What is no JSON reaches the search tool as text, and its answer says what it expects.
    if (this.searchTool && toolName === this.searchTool) return { ...toolCall, input: JSON.stringify(toolCall.input) };
    const early = error.name === "AI_InvalidToolInputError" && !this.callable(toolName);
    if (toolCall.providerExecuted || !(early || error.name === "AI_NoSuchToolError")) return theirs();

    const found = this.session.whole.resolve(toolName);
    if (found.status === "unknown") {
      const repaired = await theirs();
      if (repaired) return repaired;
    }
    const name = "name" in found ? found.name : toolName;
    // A loaded tool by another spelling of its name.
    if (name !== toolName && this.callable(name) && Object.hasOwn(tools, name)) return { ...toolCall, toolName: name };
    const { answerTool } = this.strategy;
    if (!answerTool || !Object.hasOwn(tools, answerTool)) return null;

    const query = `select:${name}`;
    // Said when the search tool is asked, so that tools are loaded in the order of the calls, streaming or not.
    this.#early.set(toolCallId, () => {
      if (this.callable(name)) return `${shownName(name)} cannot be used in this step.`; // activeTools
      const isLoaded = this.session.names().includes(name); // by another call of this step
      const call = isLoaded ? undefined : this.session.resolve(toolName);
      return call && "text" in call ? call.text : searchText(this.session.handle({ query }));
    });
    return { ...toolCall, toolName: answerTool, input: JSON.stringify({ query }) };
  }

  search(input: unknown, toolCallId: string): string {
    const early = this.#early.get(toolCallId);
    this.#early.delete(toolCallId);
    return early?.() ?? searchText(this.session.handle(input));
  }

  toolOf(name: string, definition: ToolDefinition): AiTool {
    let tool = this.#made.get(definition);
    if (!tool) this.#made.set(definition, (tool = this.#make(name, definition)));
    return tool;
  }

  #make(name: string, { description, inputSchema = true }: ToolDefinition): AiTool {
    const { tools, call } = this.#options;
    const isSearch = name === this.searchTool;
    const theirs = tools && !isSearch && Object.hasOwn(tools, name) ? tools[name] : undefined;
    const schema = rootObject(inputSchema);
    if (!theirs) {
      const toModelOutput = call && !isSearch ? (given: unknown) => mcpOutput(given, this.#isLatest) : undefined;
      return madeTool({ description, inputSchema: aiSchema(schema), execute: this.#executeOf(name), toModelOutput });
    }
    const { inputSchema: own, type } = theirs as { inputSchema?: unknown; type?: string };
    const isTheProviders = type?.startsWith("provider");
    return {
      ...theirs,
      ...(schema !== inputSchema && !isTheProviders && { inputSchema: aiSchema(schema, ownCheck(own)) }),
      ...(theirs.execute && { execute: this.#counted(name, theirs) }),
    } as AiTool;
  }

  /** The caller's own `execute`, of which the session knows nothing else. */
  #counted(name: string, tool: { execute?: unknown }): Execute {
    const { session } = this;
    const run = (input: unknown, options: ExecuteOptions) => {
      session.resolve(name);
      return (tool as { execute: Execute }).execute(input, options);
    };
    if (!isGenerator(tool.execute)) return run;
    return async function* (input, options) {
      yield* run(input, options) as AsyncIterable<unknown>;
    };
  }

  #executeOf(name: string): Execute | undefined {
    if (name === this.searchTool) return (input, { toolCallId }) => this.search(input, toolCallId);
    const { call } = this.#options;
    if (!call) return undefined;
    return (input, options) => {
      const found = this.session.resolve(name);
      if (found.status !== "ready") return found.text; // its server went down, or it is gone
      const { rawName, server } = found;
      return call({ name, rawName, input, ...(server !== undefined && { server }) }, options as Parameters<typeof call>[1]);
    };
  }

  sent(): Named[] {
    return named(this.session);
  }

  resident(): Named[] {
    const activated = new Set(this.session.activated);
    return named(this.session).filter(([name]) => !activated.has(name));
  }

  deferred(): Named[] {
    const { whole } = this.session;
    // To compare is far less than to make up thousands of tools for each step.
    const seen = [...whole.tools(), ...this.resident().map(([name]) => name)];
    const same = seen.length === this.#seen.length && seen.every((each, i) => each === this.#seen[i]);
    if (!same) {
      this.#seen = seen;
      const resident = new Set(seen);
      this.#deferred = named(whole).filter(([name]) => !resident.has(name));
    }
    return this.#deferred;
  }

  callable(name: string): boolean {
    return this.#callable.has(name);
  }

  active(name: string): boolean {
    return !this.#inactive.has(name);
  }

  contextOf(name: string): unknown {
    return this.#contexts && Object.hasOwn(this.#contexts, name) ? this.#contexts[name] : undefined;
  }
}

type Named = [name: string, definition: ToolDefinition];

function named(session: ToolSearchSession): Named[] {
  const definitions = session.tools() as ToolDefinition[];
  return session.names().map((name, i) => [name, definitions[i] as ToolDefinition]);
}
