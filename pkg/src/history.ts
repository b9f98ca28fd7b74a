import { objectOf, pastCalls, RESPONSES_SEARCH } from "./calls.js";
import type { ToolSearch } from "./engine.js";
import type { SearchReply, SessionState } from "./types.js";

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
 * Takes model messages and UI messages of the AI SDK 5, 6 and 7, Anthropic's and Chat Completions' messages, and items of the
 * Responses API. A tool counts as loaded by an answer of the search tool, or by a call of it that succeeded. What the provider
 * executed does not count, nor answers whose call is missing, nor names that the catalog does not have. What `session.activate`
 * loaded and the model never called stands in no message; `session.state()` keeps it.
 */
export function stateFromMessages(search: ToolSearch, messages: readonly unknown[], options: HistoryOptions = {}): SessionState {
  const { searchToolName = search.searchToolName, callToolName = CALL_TOOL } = options;
  const activated = new Set<string>();
  const exists = (name: string) => search.get(name) !== undefined;
  for (const { name, input, output, failed } of pastCalls(messages)) {
    const searched = [searchToolName, answerToolOf(searchToolName), RESPONSES_SEARCH].includes(name) && !exists(name);
    const names = searched ? loadedNames(output, exists) : failed ? [] : name === callToolName ? [String(objectOf(input)["name"])] : [name];
    for (const each of names) activated.add(each);
  }
  // A session knows which of them are still deferred.
  const session = search.session({ defer: "always", state: { version: 1, activated: [...activated] } });
  try {
    return session.state();
  } finally {
    session.free();
  }
}

// ---------------------------------------------------------------- what the search tool says

/** The result of a search as text that names every tool it loaded, each on a line of its own. */
export function searchText({ text, loaded }: SearchReply): string {
  const named = new Set(namesInText(text));
  const more = loaded.filter((name) => !named.has(name));
  return more.length === 0 ? text : text.replace(/^- and \d+ more$/m, () => more.map((name) => `- ${name}`).join("\n"));
}

/** The same for names alone, for a conversation that goes on in another form. */
export function namesText(names: readonly string[]): string {
  if (names.length === 0) return "None of the tools that were found here exists any more.";
  return [
    `Loaded ${names.length} ${names.length === 1 ? "tool" : "tools"}, callable from your next step on:`,
    ...names.map((name) => `- ${name}`),
  ].join("\n");
}

/**
 * The tools that an answer of the search tool loaded or said to be loaded, in its order. Takes its text, alone or in any
 * message's wrapping, references to tools, definitions of the Responses API in or out of namespaces, and `{ tools: [{ name }] }`.
 *
 * @param exists Tells where a name on a line ends.
 */
export function loadedNames(output: unknown, exists: (name: string) => boolean = () => false): string[] {
  if (typeof output === "string") return namesInText(output, exists);
  if (Array.isArray(output)) return output.flatMap((part) => loadedNames(part, exists));
  const { type, value, text, name, tools, tool_name, providerOptions } = objectOf(output);
  if (type === "tool_reference") return typeof tool_name === "string" ? [tool_name] : [];
  const reference = objectOf(objectOf(providerOptions)["anthropic"]);
  if (reference["type"] === "tool-reference") return typeof reference["toolName"] === "string" ? [reference["toolName"]] : [];
  if (tools !== undefined) return loadedNames(tools, exists);
  if (value !== undefined) return loadedNames(value, exists);
  if (typeof text === "string") return namesInText(text, exists);
  return typeof name === "string" ? [name] : [];
}

function namesInText(text: string, exists: (name: string) => boolean = () => false): string[] {
  const early = /^(.+) was not loaded, so this call did not run\. It is loaded now/.exec(text)?.[1];
  if (early) return [early];
  const lines = text.split("\n");
  const names: string[] = [];
  if (/^Loaded \d+ tools?, callable/.test(lines[0] ?? "")) {
    for (let at = 1; lines[at]?.startsWith("- "); at++) {
      const line = (lines[at] as string).slice(2);
      if (!/^and \d+ more$/.test(line)) names.push(nameOn(line, exists));
    }
  }
  for (const line of lines) {
    const callable = /^(.+) (?:is|are) already loaded: call directly/.exec(line)?.[1];
    if (callable) names.push(...callable.split(", "));
  }
  return names;
}

/** The name on a line `name: description`. A name may have colons too; the longest one that exists is meant. */
function nameOn(line: string, exists: (name: string) => boolean): string {
  for (let end = line.length; end > 0; end = line.lastIndexOf(": ", end - 1)) {
    const name = line.slice(0, end);
    if (exists(name)) return name;
  }
  return line.split(": ", 1)[0] as string;
}
