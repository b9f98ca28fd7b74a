// The texts that tell a model of loaded tools, and how they are read again: a saved conversation has nothing else to tell them by. The
// wording is the core's.
import { objectOf } from "./calls.js";
import { guard } from "./errors.js";
import { core } from "./load.js";
import type { SearchReply } from "./types.js";

const LOADED = /^Loaded \d+ tools?, callable from your next step on:$/;
const MORE = /^- and \d+ more$/m;
const AND_MORE = / and \d+ more$/;
const ALREADY = /^(.+) (?:is|are) already loaded: call directly, without searching again\.$/;
const EARLY = /^("[^"]*"|[^\s"]+) was not loaded, so this call did not run\. It is loaded now: call it again on your next step\./;
const REFUSED = /^(?:There is no tool ".*"\.|".*" is several tools; call one |Server .+; its tools (?:may be there later|cannot be used))/;

/** A tool's name as models are shown it (rule E3): a word as it is, anything else in quotes. {@link nameIn} reads it back. */
export function shownName(name: string): string {
  return guard(() => core().shownName(name));
}

/** A stranger's text as models are shown it (rule E3): on one line, and of at most so many bytes. */
export function oneLine(text: string, maxBytes = 256): string {
  return guard(() => core().oneLine(text, maxBytes));
}

/** A stranger's JSON in a text for a model: the same value, in which nothing can hide or open a tag. */
export function safeJson(value: unknown): string {
  const escaped = (char: string) => char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return JSON.stringify(value).replace(/[<\x7f-\x9f\p{Zl}\p{Zp}\p{DI}\p{Bidi_C}]/gu, escaped);
}

/** The name that a text of {@link shownName} shows; any other text is itself. */
function nameIn(shown: string): string {
  if (!/^"[^"]*"$/.test(shown)) return shown;
  try {
    return JSON.parse(shown) as string;
  } catch {
    return shown;
  }
}

/** The result of a search as text that names every tool it loaded, each on a line of its own. */
export function searchText({ text, loaded }: SearchReply): string {
  const named = new Set(namesInText(text));
  const more = loaded.filter((name) => !named.has(name)).map((name) => `- ${shownName(name)}`);
  return more.length === 0 ? text : text.replace(MORE, () => more.join("\n"));
}

/** The same for names alone, for a conversation that goes on in another form. */
export function namesText(names: readonly string[]): string {
  if (names.length === 0) return "None of the tools that were found here exists any more.";
  const tools = names.length === 1 ? "tool" : "tools";
  return [`Loaded ${names.length} ${tools}, callable from your next step on:`, ...names.map((name) => `- ${shownName(name)}`)].join("\n");
}

/** For a call whose tool another call of the same turn has loaded. */
export function earlyText(name: string): string {
  return `${shownName(name)} was not loaded, so this call did not run. It is loaded now: call it again on your next step.`;
}

/** What a reply says beside the list of what it loaded: what was not found, or may not be what was meant. */
export function remarksIn(text: string): string {
  return partsOf(text).remarks.join("\n");
}

/** What a result says of the call that it answers: that it came too early and loaded its tool, that it could not run, or anything else. */
export function readAnswer(output: unknown): "early" | "refused" | "other" {
  let said = output;
  for (const key of ["value", "notCalled"]) said = objectOf(said)[key] ?? said;
  if (Array.isArray(said)) said = said[0];
  said = objectOf(said)["text"] ?? said;
  if (typeof said !== "string") return "other";
  if (EARLY.test(said)) return "early";
  return REFUSED.test(said) ? "refused" : "other";
}

/**
 * The tools that an answer of the search tool loaded or said to be loaded, in its order. Takes its text, alone or in any
 * message's wrapping, references to tools, definitions of the Responses API in or out of namespaces, and `{ tools: [{ name }] }`.
 */
export function loadedNames(output: unknown): string[] {
  if (typeof output === "string") return namesInText(output);
  if (Array.isArray(output)) return output.flatMap(loadedNames);
  const { type, value, text, name, tools, tool_name, providerOptions } = objectOf(output);
  if (type === "tool_reference") return typeof tool_name === "string" ? [tool_name] : [];
  const reference = objectOf(objectOf(providerOptions)["anthropic"]);
  if (reference["type"] === "tool-reference") return typeof reference["toolName"] === "string" ? [reference["toolName"]] : [];
  if (tools !== undefined) return loadedNames(tools);
  if (value !== undefined) return loadedNames(value);
  if (typeof text === "string") return namesInText(text);
  return typeof name === "string" ? [name] : [];
}

function namesInText(text: string): string[] {
  const early = EARLY.exec(text)?.[1];
  if (early !== undefined) return [nameIn(early)];
  const { list, remarks } = partsOf(text);
  const names = list.filter((line) => !MORE.test(line)).map(nameOn);
  // In a conversation that was cut, this may be all that tells of them. Only where the core writes it: other lines quote strangers.
  const already = ALREADY.exec(remarks[0] ?? "")?.[1];
  return already === undefined ? names : [...names, ...already.replace(AND_MORE, "").split(", ").map(nameIn)];
}

/** The lines of the list of what was loaded, and those behind it. */
function partsOf(text: string): { list: string[]; remarks: string[] } {
  const [head = "", ...lines] = text.split("\n");
  if (!LOADED.test(head)) return { list: [], remarks: [head, ...lines] };
  const end = lines.findIndex((line) => !line.startsWith("- "));
  const list = end < 0 ? lines : lines.slice(0, end);
  return { list, remarks: lines.slice(list.length) };
}

/** The name on a line `- name: description`. One that is no word stands in quotes, and no description can lengthen one that is. */
function nameOn(line: string): string {
  const [shown = ""] = /^(?:"[^"]*"|.*?(?=: |$))/.exec(line.slice(2)) ?? [];
  return nameIn(shown);
}
