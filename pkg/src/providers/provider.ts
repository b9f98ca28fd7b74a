// What the entries for the providers' own SDKs share. Each of them adds how its provider writes things down.
import { ToolSearchError } from "../errors.js";
import { restoreSession } from "../history.js";
import { earlyText, searchText } from "../replies.js";
import { readOutput, type ToolOutput } from "../output.js";
import type { ToolSearchSession } from "../session.js";

/** A call of a tool that is yours to run. */
export interface ToolCallRequest {
  /** The callable name. */
  name: string;
  /** What the tool's server calls it. */
  rawName: string;
  /** Left out for built-in tools, and for the tools of {@link ProviderOptions.tools}. */
  server?: string;
  /** The arguments: an object, but not checked against the tool's schema. */
  input: Record<string, unknown>;
}

/** Runs a tool. What it gives becomes the tool's result: a text, a result of an MCP server (`client.callTool`), or anything that is JSON. */
export type RunTool = (request: ToolCallRequest) => unknown;

/** What to do with a call that the model made. */
export interface Answer<Result> {
  /** Yours to run; undefined where the answer is ready, as for searches and for tools that are not loaded or not there. */
  run: ToolCallRequest | undefined;
  /** What the provider is to be sent for it: around `output`, where it was yours to run. */
  results(output?: unknown): Result[];
}

/** What every entry takes. */
export interface ProviderOptions<Tool> {
  /**
   * Tools of your own that the catalog does not hold, such as those that the provider defines. They stand first in every
   * request, as they are, and calls of them are yours to run.
   */
  tools?: readonly Tool[] | undefined;
}

/**
 * One conversation's tools for one provider's API. The verbs are the same for every provider, what they take and give is typed as
 * the provider's SDK has it. What you append to the conversation is what the model said, as it came, and then what `respond` gives.
 */
export interface ProviderTools<Tool, Turn, Call, Result, Message> {
  /**
   * The tools of the next request. To be called for each request: calls are answered by what the last request held.
   *
   * @throws ToolSearchError `name_not_portable` for a callable name that the provider does not take
   */
  tools(): Tool[];
  /**
   * Answers all calls of a model's turn, running yours at the same time, and resolves to what to append to the conversation; to
   * nothing when there was no call. What `run` throws is answered as the tool's failure, except for an abort (`AbortError`).
   */
  respond(turn: Turn, run: RunTool): Promise<Message[]>;
  /** What to do with one call, for loops that do more between calls than `respond`. Never throws for what the model wrote. */
  answer(call: Call): Answer<Result>;
  /**
   * Brings a session that knows of nothing to where a saved conversation left it, in any process: the same tools are loaded, in the
   * same order, as far as they still exist. Gives the conversation as it can be sent on: without what refers to tools that are gone.
   */
  restore(history: readonly Message[]): Message[];
}

/** An answer that is ready to be sent. @internal */
export interface Reply {
  text: string;
  /** Whether the call did not do what it was made for. */
  isError: boolean;
  /** Callable names of the tools that the reply is to make known, for providers that are told so in a result. */
  reveals: string[];
}

/** What callable names may be, as a pattern and in words. @internal */
export interface NameRule {
  pattern: RegExp;
  rule: string;
}

/** How one provider writes things down. @internal */
export interface Wire<Tool, Turn, Call, Result, Message> {
  /** Said in errors. */
  provider: string;
  names: NameRule;
  /** The names by which tools of {@link ProviderOptions.tools} are called. */
  own: readonly string[];
  /** Whether a call belongs to a tool of the caller's that goes by no name. */
  isOwn?(call: Call): boolean;
  tools(): Tool[];
  calls(turn: Turn): Call[];
  /** Name and arguments, as the model wrote them: an object, or JSON text that may be broken. */
  read(call: Call): { name: string; input: unknown };
  reply(call: Call, reply: Reply): Result[];
  output(call: Call, output: ToolOutput): Result[];
  messages(results: Result[]): Message[];
  /** Called when the session is restored. */
  mend?(history: readonly Message[]): Message[];
}

/** @internal */
export function providerTools<Tool, Turn, Call, Result, Message>(
  session: ToolSearchSession,
  wire: Wire<Tool, Turn, Call, Result, Message>,
): ProviderTools<Tool, Turn, Call, Result, Message> {
  const own = new Set(wire.own);
  const check = (names: readonly string[]) => {
    const odd = names.find((name) => !wire.names.pattern.test(name));
    if (odd !== undefined) throw notPortable(odd, wire);
    const double = names.find((name) => own.has(name));
    if (double !== undefined) throw taken(double, double === session.searchToolName);
  };
  // All of them, and now: a name that does not fit shall not wait for the day on which its tool is loaded.
  check([...session.names(), ...session.whole.names()]);
  /** What the model could call when it made its last calls. */
  let sent = new Set(session.names());

  const tools = () => {
    const names = session.names();
    check(names);
    sent = new Set(names);
    return wire.tools();
  };

  const answer = (call: Call): Answer<Result> => {
    const ready = (text: string, more?: Partial<Reply>): Answer<Result> => {
      const results = wire.reply(call, { text, isError: true, reveals: [], ...more });
      return { run: undefined, results: () => [...results] };
    };
    const run = (request: Omit<ToolCallRequest, "input">): Answer<Result> => {
      const input = readArguments(wire.read(call).input);
      if (!input) return ready(`The arguments are not one JSON object, so ${request.name} did not run. Call it again.`);
      return { run: { ...request, input }, results: (output) => wire.output(call, readOutput(output)) };
    };

    const { name, input } = wire.read(call);
    if (own.has(name) || wire.isOwn?.(call)) return run({ name, rawName: name });
    const found = session.resolve(name);
    if (found.status === "activated") return ready(found.text, { reveals: [found.name] });
    if (found.status !== "ready") return ready(found.text);
    if (found.name === session.searchToolName) {
      const reply = session.handle(input);
      return ready(searchText(reply), { isError: reply.error !== undefined, reveals: [...reply.loaded, ...reply.alreadyLoaded] });
    }
    // Another call of the same turn has loaded it. Whether a call runs shall not depend on what stood before it in the turn.
    if (!sent.has(found.name)) return ready(earlyText(found.name), { reveals: [found.name] });
    const { rawName, server } = found;
    return run({ name: found.name, rawName, ...(server !== undefined && { server }) });
  };

  const respond = async (turn: Turn, run: RunTool) => {
    const answers = wire.calls(turn).map(answer);
    const results = await Promise.all(answers.map(async (one) => one.results(one.run && (await attempt(run, one.run)))));
    return wire.messages(results.flat());
  };

  const restore = (history: readonly Message[]) => {
    restoreSession(session, history);
    sent = new Set(session.names());
    return wire.mend?.(history) ?? [...history];
  };

  return { tools, respond, answer, restore };
}

/** What a tool gave, or its failure in the shape of an MCP result. */
async function attempt(run: RunTool, request: ToolCallRequest): Promise<unknown> {
  try {
    return await run(request);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    const text = `${request.name} failed: ${error instanceof Error ? error.message : String(error)}`;
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Models write nothing at all where a tool takes no arguments. */
function readArguments(input: unknown): Record<string, unknown> | undefined {
  let value: unknown = input ?? {};
  if (typeof value === "string") {
    if (value.trim() === "") return {};
    try {
      value = JSON.parse(value) as unknown;
    } catch {
      return undefined;
    }
  }
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function notPortable(name: string, { provider, names }: { provider: string; names: NameRule }): ToolSearchError {
  return new ToolSearchError(
    "name_not_portable",
    `${provider} takes no tool of the name ${JSON.stringify(name)}: a name is ${names.rule}. ` +
      'Make the engine with `callableNames: "portable"`, or give the tool another name.',
  );
}

function taken(name: string, isSearchTool: boolean): ToolSearchError {
  const shown = JSON.stringify(name);
  return isSearchTool
    ? new ToolSearchError("reserved_name", `${shown} is the search tool's name; call your own tool otherwise, or change \`searchToolName\`.`)
    : new ToolSearchError("duplicate_name", `The tool ${shown} is in \`tools\` and in the catalog; give it to one of them.`);
}
