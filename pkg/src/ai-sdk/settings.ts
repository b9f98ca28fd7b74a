import type { PrepareStepFunction, ToolCallRepairFunction, ToolChoice, ToolSet } from "ai";
import { ToolSearchError } from "../errors.js";
import type { ToolSearchSession } from "../session.js";
import { SearchRequest } from "./request.js";
import type { Strategy, StrategyName } from "./strategy.js";

/** A call of a tool that has no entry in `tools`: what {@link WithToolSearchOptions.call} is to run. */
export interface ToolCallRequest {
  /** What the model called. */
  name: string;
  /** What the tool's server calls it. */
  rawName: string;
  /** Left out for built-in tools. */
  server?: string;
  /** The arguments as the model wrote them: parsed, and checked against the tool's schema only with the strategy "bridge". */
  input: unknown;
}

/** What {@link withToolSearch} takes, all of it optional. */
export interface WithToolSearchOptions<TOOLS extends ToolSet> {
  /** How tools reach the model. Default "append". Without deferral all strategies do the same: every tool is sent. */
  strategy?: StrategyName;
  /**
   * The agent's tools by callable name, as `addToolSet` hands them back. Each is sent with all that it has, as soon as the session
   * has it; what is composed at a schema's root is flattened, since providers refuse it, and arguments are checked as before. What is not
   * in the session's catalog is never sent, be it hidden by `deny`, removed with its server, or never added: give tools that you
   * always want to `addToolSet` with `load: "direct"`.
   */
  tools?: TOOLS;
  /**
   * Runs the tools of the catalog that `tools` has no entry for, e.g. by `client.callTool` of the MCP SDK: then definitions are
   * all that is needed. Its result is the tool's output; of an MCP server's result the model gets the text and the images. Without it
   * such calls are handed to you, as those of any AI SDK tool without `execute`.
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
  /** Which tool the model is to call. Give it here if it names a deferred tool: that is loaded before the first request. */
  toolChoice?: ToolChoice<NoInfer<TOOLS>>;
  /** The name of the tool that calls others; strategy "bridge" only. Default "callTool". */
  callToolName?: string;
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
  /** There when it was given. */
  toolChoice?: ToolChoice<TOOLS>;
}

/**
 * Gives one request of an AI SDK agent its tools by search: direct tools, the search tool and what the session has loaded, with the
 * system prompt and hooks that go with them. To be called anew for each request (user turn) with the session of the
 * conversation: what was loaded stays loaded.
 *
 * A call of a tool that is not loaded loads it and answers with its parameters, and a name that no tool has is answered with close
 * ones, both as results of the search tool. Searches of earlier turns are sent in the form of the strategy, whichever form the
 * history has them in. Without deferral (`session.plan.deferring` is false) all tools are sent and there is no search tool.
 *
 * The caller's tools keep their types; what is sent beside them is dynamic (`toolCall.dynamic`).
 *
 * @throws ToolSearchError `invalid_option` for an unknown strategy, `reserved_name` for a tool that is named like the one that calls
 * others. A step throws `unsupported` for what the installed `ai` or the strategy cannot do.
 */
export function withToolSearch<TOOLS extends ToolSet = ToolSet>(
  session: ToolSearchSession,
  options: WithToolSearchOptions<TOOLS> = {},
): ToolSearchSettings<NoInfer<TOOLS>> {
  // NoInfer, since the result stands inside another generic call, and TOOLS is what was given here, not what is expected there.
  const request = new SearchRequest(session, options as unknown as WithToolSearchOptions<ToolSet>);
  const { toolChoice } = options;
  const { strategy } = request;
  force(session, strategy, toolChoice);
  request.refresh(options.activeTools);

  const prepareStep: PrepareStepFunction<TOOLS> = async (step) => {
    const theirs = await options.prepareStep?.(step);
    request.checkModel(theirs?.model ?? step.model);
    force(session, strategy, theirs?.toolChoice);
    // Here, and not when the search runs, so that whether a tool can be called never depends on what else the same step did.
    request.refresh(theirs?.activeTools ?? options.activeTools, { ...step, ...theirs });
    const { activeTools: _, ...rest } = theirs ?? {};
    const given = theirs?.messages ?? step.messages;
    const messages = request.messages(given);
    const changes = {
      toolOrder: request.live.names, // only 7 knows it, and copies the object before, which moves integer-like names to the front
      ...rest,
      ...(messages !== given && { messages }),
    };
    return changes as Awaited<ReturnType<PrepareStepFunction<TOOLS>>>;
  };

  const system = [options.system, session.prompt(), strategy.instructions].filter(Boolean).join("\n\n");
  return {
    tools: request.live.tools as TOOLS,
    system,
    instructions: system,
    prepareStep,
    experimental_repairToolCall: ((failed) => request.repair(failed)) as ToolCallRepairFunction<TOOLS>,
    ...(toolChoice !== undefined && { toolChoice }),
  };
}

/** Loads the tool that is to be called. */
function force(session: ToolSearchSession, strategy: Strategy, choice: unknown): void {
  const { type, toolName } = (typeof choice === "object" && choice !== null ? choice : {}) as { type?: unknown; toolName?: unknown };
  if (type !== "tool") return;
  const name = String(toolName);
  session.activate([name]);
  if (strategy.cannotForce && session.activated.includes(name)) {
    throw new ToolSearchError(
      "unsupported",
      `toolChoice cannot name the deferred tool "${name}" with this strategy: ${strategy.cannotForce}.`,
    );
  }
}
