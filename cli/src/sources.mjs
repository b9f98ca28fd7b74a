// @ts-check
// Where the tools of all commands come from: servers, files, standard input.
import { Option } from "commander";
import { ToolSearch, ToolSearchError } from "tool-search";
import yoctoSpinner from "yocto-spinner";
import { readCommand, readConfig } from "./config.mjs";
import { nameOfFile, readTools, STDIN } from "./definitions.mjs";
import { InputError } from "./errors.mjs";
import { interruptible } from "./interrupt.mjs";
import { counted, cut, palette, wrap } from "./terminal.mjs";
import { positive } from "./values.mjs";

/** @typedef {import("./config.mjs").Place} Place */
/** @typedef {import("tool-search").ToolDefinition} ToolDefinition */

/**
 * What one server or file has.
 * @typedef {object} Listing
 * @property {ToolDefinition[]} tools
 * @property {string} [instructions] A server's own; "" when it gives none. A file cannot tell.
 * @property {{ tool: unknown, reason: string }[]} leftOut Tools that no catalog takes, and why.
 * @property {string[]} [remarks] What the server does wrong besides.
 * @property {boolean} [prefix] Whether callable names begin with the name of the source. Default true.
 * @property {Place} [place] Where it is written down.
 * @property {string} [text] The file's.
 */

/** @typedef {Listing & { name: string, milliseconds: number }} Source */
/** @typedef {{ name: string, reason: string, place?: Place | undefined }} Failed */

/**
 * @typedef {object} SourceOptions
 * @property {string[]} [config]
 * @property {string[]} [server]
 * @property {string[]} [tools]
 * @property {number} timeout Seconds.
 * @property {boolean} [allowFailed]
 * @property {boolean} [quiet]
 */

/** How long a server may take, by default, in seconds. `npx` may have to bring it first. */
const TIMEOUT = 30;

/**
 * Adds the options that say where the tools are.
 * @param {import("commander").Command} command
 */
export function withSources(command) {
  const collect = (/** @type {string} */ value, /** @type {string[]} */ before = []) => [...before, value];
  return command
    .optionsGroup("Where the tools are (each may be repeated):")
    .addOption(new Option("-c, --config <file>", "servers of a file with mcpServers, such as .mcp.json").argParser(collect))
    .addOption(new Option("-s, --server <command>", 'a server: its command with arguments, or its URL').argParser(collect))
    .addOption(new Option("-t, --tools <file>", "a tools/list result, or an array of OpenAI's or Anthropic's; - for standard input").argParser(collect))
    .optionsGroup("Servers:")
    .addOption(new Option("--timeout <seconds>", "how long each may take to list its tools").default(TIMEOUT).argParser(positive))
    .option("--allow-failed", "what does not come up is left out, and no failure")
    .option("-q, --quiet", "no progress on stderr");
}

/**
 * Reads all sources side by side; servers that were started have ended when it resolves. Those that failed are told of on stderr.
 * @param {SourceOptions} options
 * @returns {Promise<{ sources: Source[], failed: Failed[] }>} In the order in which they were asked for.
 * @throws InputError when there is nothing to go on with; Interrupted
 */
export async function readSources(options) {
  const outcomes = await interruptible((signal) => readAll(options, signal));
  const sources = outcomes.filter((outcome) => "tools" in outcome);
  const failed = outcomes.filter((outcome) => "reason" in outcome);
  tell(sources, failed);
  if (sources.every(({ tools, leftOut }) => tools.length + leftOut.length === 0)) {
    throw new InputError(failed.length > 0 ? "There are no tools to go on with." : "None of the servers has a tool.");
  }
  return { sources, failed };
}

/**
 * @param {SourceOptions} options
 * @param {AbortSignal} signal
 * @returns {Promise<(Source | Failed)[]>}
 */
async function readAll(options, signal) {
  const jobs = jobsOf(options, signal);
  const progress = new Progress(jobs.map(({ name }) => name), options.quiet ?? false);
  const outcomes = jobs.map(async ({ name, place, read }) => {
    const begin = performance.now();
    try {
      const listing = await read();
      const source = { ...(place && { place }), ...listing, name, milliseconds: Math.round(performance.now() - begin) };
      progress.up(source);
      return source;
    } catch (error) {
      progress.down(name);
      return { name, place, reason: error instanceof Error ? error.message : String(error) };
    }
  });
  try {
    return await Promise.all(outcomes);
  } finally {
    progress.stop();
  }
}

/**
 * @param {SourceOptions} options
 * @param {AbortSignal} signal
 * @returns {{ name: string, place?: Place | undefined, read: () => Promise<Listing> }[]}
 */
function jobsOf({ config = [], server = [], tools = [], timeout }, signal) {
  const none = config.length + server.length + tools.length === 0;
  if (none && process.stdin.isTTY) {
    throw new InputError("Say where the tools are: --config .mcp.json, --server \"npx -y some-server\" or --tools file.json.");
  }
  const files = none ? [STDIN] : tools;
  const specs = [...config.flatMap(readConfig), ...server.map(readCommand)];
  if (specs.length === 0 && files.length === 0) throw new InputError(`${config.join(", ")} names no server.`);
  const taken = new Map();
  /** @type {(name: string) => string} */
  const unique = (name) => {
    const uses = (taken.get(name) ?? 0) + 1;
    taken.set(name, uses);
    return uses === 1 ? name : unique(`${name}-${uses}`);
  };
  const fromServers = specs.map((spec) => ({
    name: unique(spec.name || "server"),
    place: spec.place,
    read: async () => {
      if ("reason" in spec) throw new Error(spec.reason);
      const { listTools } = await import("./connect.mjs"); // the MCP SDK takes its time to load
      return listTools(spec, { timeout: timeout * 1000, signal });
    },
  }));
  return [...fromServers, ...files.map((file) => ({ name: unique(nameOfFile(file)), read: () => readTools(file) }))];
}

/** Says on stderr what comes up, with a spinner on a terminal. */
class Progress {
  #waiting;
  #quiet;
  #colours = palette(process.stderr);
  /** @type {ReturnType<typeof yoctoSpinner> | undefined} */
  #spinner;
  #total;

  /**
   * @param {string[]} names
   * @param {boolean} quiet
   */
  constructor(names, quiet) {
    this.#waiting = new Set(names);
    this.#total = names.length;
    this.#quiet = quiet;
    // Elsewhere it would write a line for each of its texts. Ctrl-C is the command's own affair: it ends the servers first.
    if (!quiet && process.stderr.isTTY) this.#spinner = yoctoSpinner({ text: this.#text(), handleSignals: false }).start();
  }

  #text() {
    const done = this.#total - this.#waiting.size;
    const still = this.#waiting.size > 0 ? `; waiting for ${cut([...this.#waiting].join(", "), 60)}` : "";
    return `${done} of ${this.#total}${still}`;
  }

  /** @param {string} name */
  down(name) {
    this.#waiting.delete(name);
    if (this.#spinner) this.#spinner.text = this.#text();
  }

  /** @param {Source} source */
  up({ name, tools, milliseconds }) {
    this.down(name);
    if (this.#quiet) return;
    this.#spinner?.clear();
    const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
    process.stderr.write(`${this.#colours.green("up")}  ${cut(name, 30).padEnd(20)} ${counted(tools.length, "tool").padStart(10)}  ${this.#colours.dim(seconds)}\n`);
  }

  stop() {
    this.#spinner?.stop();
  }
}

/**
 * @param {Source[]} sources
 * @param {Failed[]} failed
 */
function tell(sources, failed) {
  const { red, yellow } = palette(process.stderr);
  for (const { name, remarks = [], leftOut } of sources) {
    for (const remark of remarks) process.stderr.write(`${yellow(wrap(`${name}: ${remark}.`))}\n`);
    if (leftOut.length > 0) process.stderr.write(`${yellow(wrap(`${name}: ${counted(leftOut.length, "tool")} left out; ${leftOut[0]?.reason}`))}\n`);
  }
  if (failed.length === 0) return;
  process.stderr.write(`${red(`${failed.length} of ${sources.length + failed.length} failed:`)}\n`);
  for (const { name, reason } of failed) process.stderr.write(`${wrap(`${cut(name, 30)}: ${reason}`, "  ")}\n`);
}

/**
 * One catalog of all sources. A source that cannot be taken in, such as for a name that another one has, goes to `failed`.
 * @param {{ sources: Source[], failed: Failed[] }} read
 * @param {import("tool-search").ToolSearchOptions} [options]
 * @returns {ToolSearch}
 * @throws InputError for an option that the engine refuses
 */
export function catalogOf({ sources, failed }, options) {
  const search = made(options);
  for (const source of sources) {
    try {
      addTo(search, source);
    } catch (error) {
      if (!(error instanceof ToolSearchError)) throw error;
      failed.push({ name: source.name, reason: error.message, place: source.place });
      tell(sources, failed.slice(-1));
    }
  }
  return search;
}

/**
 * @param {ToolSearch} search
 * @param {Source} source
 */
export function addTo(search, { name, tools, instructions, prefix = true }) {
  return search.add(tools, { server: name, prefix, ...(instructions && { instructions }) });
}

/** @param {import("tool-search").ToolSearchOptions} [options] */
function made(options) {
  try {
    return new ToolSearch(options);
  } catch (error) {
    throw error instanceof ToolSearchError ? new InputError(error.message) : error;
  }
}
