import { objectOf, pastCalls, type PastCall } from "./calls.js";
import type { ToolSearch } from "./engine.js";
import { loadedNames, readAnswer } from "./replies.js";
import type { ToolSearchSession } from "./session.js";
import type { SessionState } from "./types.js";

/** How the tools that take part in tool search are called, where that is not as usual. */
export interface HistoryOptions {
  /** Default: the engine's `searchToolName`. */
  searchToolName?: string | undefined;
  /** The tool that calls others (strategy "bridge"). Default "callTool". */
  callToolName?: string | undefined;
}

/** The usual name of the tool that calls others. */
export const CALL_TOOL = "callTool";

/** The tool that answers for others where the search tool cannot; it is sent to no model. */
export const answerToolOf = (searchToolName: string) => `${searchToolName}_answer`;

/**
 * What a conversation has loaded, read from its messages alone: `search.session({ state: stateFromMessages(search, messages) })` goes
 * on in another process as if the session had been kept, with the same tools in the same order.
 *
 * Takes model messages and UI messages of the AI SDK 5, 6 and 7, Anthropic's and Chat Completions' messages, items of the
 * Responses API and contents of Gemini's. A tool counts as loaded by an answer of the search tool, by the answer to a call of it that
 * came too early, or by a call of it that succeeded. What the provider executed does not count, nor answers whose call is missing, nor
 * names that the catalog does not have. What `session.activate` loaded and the model never called stands in no message;
 * `session.state()` keeps it.
 */
export function stateFromMessages(search: ToolSearch, messages: readonly unknown[], options: HistoryOptions = {}): SessionState {
  // It sees all tools: a session that goes on knows which of them are still deferred, and which it may see.
  const session = search.session({ defer: "always" });
  try {
    restoreSession(session, messages, options);
    return session.state();
  } finally {
    session.free();
  }
}

/** The same for a session that knows of nothing yet. */
export function restoreSession(session: ToolSearchSession, messages: readonly unknown[], options: HistoryOptions = {}): void {
  const { searchToolName = session.knownSearchTool, callToolName = CALL_TOOL } = options;
  const known = new Set(session.whole.names());
  const exists = (name: string) => known.has(name);
  const searchTools = [searchToolName, answerToolOf(searchToolName)].map(squash);
  const isSearch = ({ name, isSearch }: PastCall) => isSearch || (searchTools.includes(squash(name)) && !exists(name));
  const loadedBy = (call: PastCall): string[] => {
    if (isSearch(call)) return loadedNames(call.output);
    const answer = readAnswer(call.output);
    // By the name that was called, since any tool can write such a text.
    return answer === "early" || (answer === "other" && !call.failed) ? [meant(call)] : [];
  };
  const meant = ({ name, namespace, input }: PastCall) => {
    if (exists(name)) return name;
    if (name === callToolName) return String(objectOf(input)["name"]);
    return namespace ? `${namespace}__${name}` : name;
  };
  // Step by step, as it was: what had to make room left between the turns.
  let turn: number | undefined;
  for (const call of pastCalls(messages)) {
    if (call.turn !== turn) session.makeRoom();
    turn = call.turn;
    session.restore(loadedBy(call));
  }
  session.makeRoom();
}

/** Models misspell the search tool's name too; the core takes it so. */
function squash(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}
