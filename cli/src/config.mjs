// @ts-check
// Where servers are: files with `mcpServers`, as Claude, Cursor and VS Code read them, and commands and addresses from the command line.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { parseEnv } from "node:util";
import { findNodeAtLocation, parse as parseJsonc, parseTree, printParseErrorCode } from "jsonc-parser";
import { parseArgsStringToArgv } from "string-argv";
import { InputError } from "./errors.mjs";

/**
 * Where a source is written down, for findings in code reviews.
 * @typedef {{ file: string, line: number }} Place
 */

/**
 * How a server is reached. What is secret stands in `secrets`, as far as it can be told: values of the environment and of headers, and
 * every value that a variable was replaced by.
 * @typedef {object} ServerSpec
 * @property {string} name
 * @property {Place} [place]
 * @property {{ command: string, args: string[], env: Record<string, string>, cwd: string | undefined } | { url: URL, type: "http" | "sse" | undefined, headers: Record<string, string> }} how
 * @property {string[]} secrets
 */

/** @typedef {{ name: string, place?: Place, reason: string }} Unusable */

/**
 * The servers of a file: below `mcpServers`, or `servers` as VS Code has it. Comments and trailing commas are taken.
 * Servers that cannot be started as they stand there, such as for want of a variable, come with the reason instead.
 * @param {string} file
 * @returns {(ServerSpec | Unusable)[]}
 * @throws InputError
 */
export function readConfig(file) {
  const text = readText(file);
  /** @type {import("jsonc-parser").ParseError[]} */
  const errors = [];
  const content = parseJsonc(text, errors, { allowTrailingComma: true });
  if (errors[0]) {
    const { error, offset } = errors[0];
    throw new InputError(`${file}:${lineAt(text, offset)}: this is no JSON (${printParseErrorCode(error)}).`);
  }
  const key = ["mcpServers", "servers"].find((key) => isObject(content?.[key]));
  if (!key) throw new InputError(`${file} has no "mcpServers" object.`);
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return Object.entries(content[key])
    .filter(([, entry]) => entry?.disabled !== true)
    .map(([name, entry]) => {
      const node = tree && findNodeAtLocation(tree, [key, name]);
      const place = { file, line: lineAt(text, node?.parent?.offset ?? 0) };
      return { name, place, ...specOf(entry, projectOf(file)) };
    });
}

/** `.vscode/mcp.json` and the like belong to the folder above. @param {string} file */
function projectOf(file) {
  const folder = dirname(resolve(file));
  return basename(folder).startsWith(".") ? dirname(folder) : folder;
}

/**
 * A server from the command line: `npx -y some-server .`, with `NAME=value` before it as in a shell, or an address.
 * @param {string} text
 * @returns {ServerSpec | Unusable}
 * @throws InputError
 */
export function readCommand(text) {
  if (/^https?:\/\/\S+$/.test(text.trim())) {
    const url = text.trim();
    return { name: URL.canParse(url) ? new URL(url).hostname : "server", ...specOf({ url }, process.cwd()) };
  }
  const words = parseArgsStringToArgv(text);
  /** @type {Record<string, string>} */
  const env = {};
  for (let match; (match = words[0]?.match(/^([A-Za-z_]\w*)=(.*)$/s)); words.shift()) env[String(match[1])] = String(match[2]);
  const [command, ...args] = words;
  if (!command) throw new InputError(`--server ${JSON.stringify(text)} names no command.`);
  return { name: nameOf(words), ...specOf({ command, args, env }, process.cwd()) };
}

/**
 * What the command runs, without what all servers' names have in common: `server-filesystem` of `npx -y @acme/server-filesystem@1 .`.
 * @param {string[]} words
 */
function nameOf(words) {
  const runners = /^(npx|bunx|uvx|pnpx|pnpm|yarn|bun|deno|uv|pipx|node|python3?|tsx|docker|run|exec|dlx|x|sh|bash)(\.\w+)?$/;
  const program = words.find((word) => !word.startsWith("-") && !runners.test(basename(word))) ?? words[0] ?? "server";
  const withoutVersion = program.replace(/(?<=.)@[^/@]*$/, "");
  const name = basename(withoutVersion)
    .replace(/\.\w+$/, "")
    .replace(/^(mcp-server-|server-|mcp-)|(-mcp-server|-server|-mcp)$/g, "");
  return name === "" || name === "index" || name === "main" ? "server" : name;
}

/**
 * @param {any} entry
 * @param {string} folder
 * @returns {Pick<ServerSpec, "how" | "secrets"> | { reason: string }}
 */
function specOf(entry, folder) {
  if (!isObject(entry)) return { reason: "its entry is no object" };
  const variables = new Variables(folder);
  const expand = (/** @type {unknown} */ value) => variables.expand(value);
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  try {
    if (typeof entry.command === "string") {
      const fromFile = typeof entry.envFile === "string" ? parseEnv(readText(expand(entry.envFile))) : {};
      const env = /** @type {Record<string, string>} */ ({ ...fromFile, ...expandAll(entry.env, expand) });
      const args = (Array.isArray(entry.args) ? entry.args : []).map(expand);
      const cwd = typeof entry.cwd === "string" ? resolve(folder, expand(entry.cwd)) : undefined;
      const how = { command: expand(entry.command), args, env, cwd };
      variables.check();
      return { how, secrets: [...Object.values(env), ...variables.used] };
    }
    if (typeof url === "string") {
      const headers = expandAll(entry.headers, expand);
      const address = expand(url);
      variables.check();
      if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return { reason: "its address is no http(s) URL" };
      const parsed = new URL(address);
      const type = typeOf(entry);
      const inUrl = [parsed.username, parsed.password, ...parsed.searchParams.values()].flatMap((value) => [value, decodeURIComponent(value)]);
      return { how: { url: parsed, type, headers }, secrets: [...Object.values(headers), ...variables.used, ...inUrl] };
    }
    return { reason: 'it has neither a "command" nor a "url"' };
  } catch (error) {
    if (error instanceof InputError) return { reason: error.message };
    throw error;
  }
}

/** @param {any} entry */
function typeOf({ type, transport, httpUrl }) {
  const said = String(type ?? transport ?? (httpUrl ? "http" : "")).toLowerCase();
  if (said === "sse") return "sse";
  return said.includes("http") ? "http" : undefined;
}

/**
 * @param {unknown} object
 * @param {(value: unknown) => string} expand
 */
function expandAll(object, expand) {
  return Object.fromEntries(Object.entries(isObject(object) ? object : {}).map(([name, value]) => [name, expand(value)]));
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`; `${workspaceFolder}` and `${userHome}` of the editors. */
class Variables {
  /** Values that came from the environment. @type {string[]} */
  used = [];
  /** @type {Set<string>} */
  #missing = new Set();

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /** @param {unknown} value */
  expand(value) {
    return String(value).replace(/\$\{([^}]*?)(?::-([^}]*))?\}/g, (_, /** @type {string} */ name, /** @type {string | undefined} */ otherwise) => {
      if (name === "workspaceFolder") return this.folder;
      if (name === "userHome") return homedir();
      const known = process.env[name.replace(/^env:/, "")];
      if (known !== undefined && !(known === "" && otherwise !== undefined)) this.used.push(known);
      else if (otherwise === undefined) this.#missing.add(name);
      return known || (otherwise ?? "");
    });
  }

  /** @throws InputError when a variable has neither a value nor a default */
  check() {
    const names = [...this.#missing];
    if (names.length === 0) return;
    const inputs = names.some((name) => name.startsWith("input:")) ? "; what an editor asks for must be a variable here" : "";
    throw new InputError(`the environment has no ${names.join(", ")}${inputs}`);
  }
}

/**
 * @param {string} file
 * @throws InputError
 */
export function readText(file) {
  try {
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code);
    throw new InputError(`Cannot read ${file}: ${why}.`);
  }
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function lineAt(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
