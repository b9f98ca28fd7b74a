// @ts-check
// Tools from files: what `tools/list` answers, and the arrays of OpenAI's and Anthropic's APIs.
import { basename } from "node:path";
import { ToolSearch, ToolSearchError } from "tool-search";
import { isObject, readText } from "./config.mjs";
import { InputError } from "./errors.mjs";

/** Standard input, as a file name. */
export const STDIN = "-";

/**
 * @param {string} file Or "-" for standard input.
 * @returns {Promise<import("./sources.mjs").Listing>}
 * @throws InputError
 */
export async function readTools(file) {
  const label = file === STDIN ? "standard input" : file;
  const text = file === STDIN ? await readStdin() : readText(file);
  const tools = arrayIn(parse(text, label));
  if (!tools) throw new InputError(`${label} has no array of tools: a result of tools/list, or an array of OpenAI's or Anthropic's.`);
  if (tools.length === 0) throw new InputError(`${label} has no tool in it.`);
  // In providers' arrays stand callable names, which begin as they should already.
  const prefix = !tools.some((tool) => isObject(tool) && (tool.type !== undefined || "input_schema" in tool || "function" in tool));
  return { ...usable(tools, prefix), prefix, ...(file !== STDIN && { place: { file, line: 1 }, text }) };
}

/** @param {string} file */
export function nameOfFile(file) {
  return file === STDIN ? "stdin" : basename(file).replace(/(\.tools)?\.\w+$/, "") || "tools";
}

async function readStdin() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

/**
 * @param {string} text
 * @param {string} label
 */
function parse(text, label) {
  if (text.trim() === "") throw new InputError(`${label} is empty.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${label} is no JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * The array itself, below `tools` of a result or of a request, or within a whole JSON-RPC answer.
 * @param {any} content
 * @returns {unknown[] | undefined}
 */
function arrayIn(content) {
  return [content, content?.tools, content?.result?.tools].find(Array.isArray);
}

/**
 * What a catalog takes of the tools, in the shape of MCP, and why it does not take the others.
 * @param {unknown[]} tools
 * @param {boolean} prefix
 */
function usable(tools, prefix) {
  const search = new ToolSearch();
  /** @type {{ tool: unknown, reason: string }[]} */
  const leftOut = [];
  const rest = [...tools];
  for (let added = false; !added; ) {
    try {
      search.add(/** @type {any} */ (rest), { server: "file", prefix });
      added = true;
    } catch (error) {
      const index = error instanceof ToolSearchError ? error.index : undefined;
      if (index === undefined) throw error;
      leftOut.push({ tool: rest.splice(index, 1)[0], reason: /** @type {Error} */ (error).message });
    }
  }
  const definitions = search.names().flatMap((name) => search.get(name) ?? []);
  search.free();
  return { tools: definitions, leftOut };
}
