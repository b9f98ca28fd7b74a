import type { ToolSearchSession } from "../session.js";
import type { SearchReply } from "../types.js";

/** What a saved conversation tells about tools, in its order. Ids tell which result is of which call. */
export type HistoryEvent =
  | { type: "call"; id: string; name: string }
  /** `reveals` are the tools of a result that names them otherwise than by its text. */
  | { type: "result"; id: string; text: string; reveals?: string[] };

interface Call {
  name: string;
  result?: { text: string; reveals?: string[] };
}

/**
 * Loads what a saved conversation had loaded, in its order. Only results of this package's own calls count: of the search tool, and of
 * calls that came too early. What other tools said is a stranger's word, and so is what the provider's own search found.
 */
export function restoreSession(session: ToolSearchSession, events: Iterable<HistoryEvent>): void {
  const { searchToolName } = session;
  if (searchToolName === undefined) return;
  for (const { name, result } of pair(events)) {
    if (!result) continue;
    if (squash(name) === squash(searchToolName)) session.activate(result.reveals ?? namesIn(result.text));
    // By the name that was called, since any tool can write such a text.
    else if (TOO_EARLY.test(result.text)) session.activate([name]);
  }
}

/** Calls with their results. Of several results of one id the last holds, and of several calls the one before the result. */
function pair(events: Iterable<HistoryEvent>): Call[] {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  for (const event of events) {
    if (event.type === "call") {
      const call: Call = { name: event.name };
      calls.push(call);
      byId.set(event.id, call);
    } else {
      const call = byId.get(event.id);
      if (call) call.result = event;
    }
  }
  return calls;
}

// ---------------------------------------------------------------- what replies look like

const LOADED = /^Loaded \d+ tools?, callable from your next step on:$/;
const MORE = /^- and \d+ more$/m;
const ALREADY = /^(.+) (?:is|are) already loaded: call directly/;
const TOO_EARLY = /^\S+ was not loaded, so this call did not run\. It is loaded now:/;

/** The answer to a search, naming every tool that it loaded: a saved conversation has nothing else to tell them by. */
export function searchText({ text, loaded }: SearchReply): string {
  const named = new Set(namesIn(text));
  const others = loaded.filter((name) => !named.has(name)).map((name) => `- ${name}`);
  return text.replace(MORE, () => others.join("\n"));
}

/** As the core words it, for a conversation that goes on without what told of these tools. */
export function loadedText(names: readonly string[]): string {
  if (names.length === 0) return "The tools that were loaded here are gone.";
  const tools = names.length === 1 ? "tool" : "tools";
  return [`Loaded ${names.length} ${tools}, callable from your next step on:`, ...names.map((name) => `- ${name}`)].join("\n");
}

/** As the core words it, for a call whose tool another call of the same turn has loaded. */
export function tooEarly(name: string): string {
  return `${name} was not loaded, so this call did not run. It is loaded now: call it again on your next step.`;
}

/** What a reply says beside the list of what it loaded: what was not found, or may not be what was meant. */
export function remarksIn(text: string): string {
  return parts(text).others.join("\n");
}

/** The names that a reply of the search tool says are loaded. */
function namesIn(text: string): string[] {
  const { loaded, others } = parts(text);
  const names = loaded.filter((line) => !MORE.test(line)).map((line) => line.slice(2).split(": ")[0] as string);
  // In a conversation that was cut, this may be all that tells of them.
  return [...names, ...others.flatMap((line) => (ALREADY.exec(line)?.[1] ?? "").split(", "))];
}

function parts(text: string): { loaded: string[]; others: string[] } {
  const [first = "", ...lines] = text.split("\n");
  if (!LOADED.test(first)) return { loaded: [], others: [first, ...lines] };
  const end = lines.findIndex((line) => !line.startsWith("- "));
  return end < 0 ? { loaded: lines, others: [] } : { loaded: lines.slice(0, end), others: lines.slice(end) };
}

/** Models misspell the search tool's name too; the core takes it so. */
function squash(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}
