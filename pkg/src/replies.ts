// The texts that tell a model of loaded tools, and how they are read again: a saved conversation has nothing else to tell them by. The
// wording is the core's.
import { objectOf } from "./calls.js";
import type { SearchReply } from "./types.js";

const LOADED = /^Loaded \d+ tools?, callable from your next step on:$/;
const MORE = /^- and \d+ more$/m;
const ALREADY = /^(.+) (?:is|are) already loaded: call directly/;
const EARLY = /^(.+) was not loaded, so this call did not run\. It is loaded now: call it again on your next step\./;
const REFUSED = /^(?:There is no tool ".*"\.|".*" is several tools; call one |Server .+; its tools (?:may be there later|cannot be used))/;

/** The result of a search as text that names every tool it loaded, each on a line of its own. */
export function searchText({ text, loaded }: SearchReply): string {
  const named = new Set(namesInText(text));
  const more = loaded.filter((name) => !named.has(name)).map((name) => `- ${name}`);
  return more.length === 0 ? text : text.replace(MORE, () => more.join("\n"));
}

/** The same for names alone, for a conversation that goes on in another form. */
export function namesText(names: readonly string[]): string {
  if (names.length === 0) return "None of the tools that were found here exists any more.";
  const tools = names.length === 1 ? "tool" : "tools";
  return [`Loaded ${names.length} ${tools}, callable from your next step on:`, ...names.map((name) => `- ${name}`)].join("\n");
}

/** For a call whose tool another call of the same turn has loaded. */
export function earlyText(name: string): string {
  return `${name} was not loaded, so this call did not run. It is loaded now: call it again on your next step.`;
}

/** What a reply says beside the list of what it loaded: what was not found, or may not be what was meant. */
export function remarksIn(text: string): string {
  const lines = text.split("\n");
  return lines.slice(LOADED.test(lines[0] ?? "") ? 1 + listed(lines).length : 0).join("\n");
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
  const early = EARLY.exec(text)?.[1];
  if (early !== undefined) return [early];
  const lines = text.split("\n");
  const found = LOADED.test(lines[0] ?? "") ? listed(lines).filter((line) => !MORE.test(line)) : [];
  const names = found.map((line) => nameOn(line.slice(2), exists));
  // In a conversation that was cut, this may be all that tells of them.
  for (const line of lines) names.push(...(ALREADY.exec(line)?.[1]?.split(", ") ?? []));
  return names;
}

/** The lines of the list that follows the first line. */
function listed([, ...lines]: string[]): string[] {
  const end = lines.findIndex((line) => !line.startsWith("- "));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The name on a line `name: description`. A name may have colons too; the longest one that exists is meant. */
function nameOn(line: string, exists: (name: string) => boolean): string {
  for (let end = line.length; end > 0; end = line.lastIndexOf(": ", end - 1)) {
    const name = line.slice(0, end);
    if (exists(name)) return name;
  }
  return line.split(": ", 1)[0] as string;
}
