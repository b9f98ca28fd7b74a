// @ts-check
// The command line. Exit statuses: 0 fine, 1 findings, 2 wrong usage or unusable input, 130 interrupted.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Command, CommanderError, Option } from "commander";
import { InputError } from "./errors.mjs";
import { Interrupted, INTERRUPTED } from "./interrupt.mjs";
import { lint } from "./lint/lint.mjs";
import { sarifOf } from "./lint/sarif.mjs";
import { readSettings, SETTINGS_FILE } from "./lint/settings.mjs";
import { rulesText, textOf as lintText } from "./lint/text.mjs";
import { reportOf } from "./report/data.mjs";
import { htmlOf } from "./report/html.mjs";
import { markdownOf, textOf } from "./report/text.mjs";
import { answer, answerLines } from "./search.mjs";
import { writeSnapshot } from "./snapshot.mjs";
import { catalogOf, readSources, withSources } from "./sources.mjs";
import { counted, grouped, palette, plain, wrap } from "./terminal.mjs";
import { counting, positive, whole } from "./values.mjs";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const STATUSES = `
Exit status: 0 fine, 1 findings (or a search that found nothing), 2 wrong usage or unusable input,
among it a server that does not come up, unless --allow-failed; 130 interrupted.`;

/**
 * Runs the command and sets `process.exitCode`. Never rejects.
 * @param {string[]} args Without the program's own name.
 */
export async function main(args) {
  // Its reader has gone: `tool-search search … | head -1`.
  process.stdout.on("error", (error) => process.exit(/** @type {NodeJS.ErrnoException} */ (error).code === "EPIPE" ? 0 : 2));
  try {
    process.exitCode = 0;
    await program().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = statusOf(error);
  }
}

/** @param {unknown} error */
function statusOf(error) {
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has printed what is wrong, or the help
  const { red } = palette(process.stderr);
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  if (error instanceof InputError) process.stderr.write(`${red(wrap(message))}\n`);
  else process.stderr.write(`${red("This is a fault of tool-search itself:")}\n${stack ?? plain(message)}\n`);
  return 2;
}

function program() {
  const root = new Command("tool-search")
    .description("What the tools of MCP servers cost, what a query finds, and whether a model will find them.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("See tool-search --help.")
    .addHelpText("after", STATUSES);
  reportCommand(root);
  searchCommand(root);
  lintCommand(root);
  snapshotCommand(root);
  for (const command of root.commands) {
    command.showHelpAfterError(`See tool-search ${command.name()} --help.`);
  }
  return root;
}

/** A server that did not come up is input that could not be used. @param {{ failed: unknown[] }} read @param {{ allowFailed?: boolean }} options */
function countFailed({ failed }, { allowFailed }) {
  if (failed.length > 0 && !allowFailed) process.exitCode = 2;
}

/** @param {Command} root */
function reportCommand(root) {
  const command = withSources(root.command("report").description("tokens by server, whether deferral pays, and what a conversation costs by strategy"))
    .optionsGroup("What is reckoned with:")
    .addOption(new Option("--context-window <tokens>", "of the model").default(200_000).argParser(counting))
    .addOption(new Option("--threshold <percent>", "of the context window, where deferral begins").default(10).argParser(positive))
    .addOption(new Option("--steps <n>", "requests of the conversation").default(12).argParser(counting))
    .addOption(new Option("--searches <n>", "of them that search").default(4).argParser(whole))
    .addOption(new Option("--step-tokens <n>", "of other messages that each adds").default(500).argParser(whole))
    .addOption(new Option("--price <dollars>", "for a million tokens of input").default(3).argParser(positive))
    .addOption(new Option("--cached-price <dollars>", "for a million of cached ones (default: a tenth of --price)").argParser(positive))
    .addOption(new Option("--top <n>", "biggest definitions to show").default(10).argParser(counting))
    .optionsGroup("Output:")
    .addOption(new Option("--json", "JSON").conflicts(["markdown", "html"]))
    .addOption(new Option("--markdown", "Markdown").conflicts(["html"]))
    .option("--html", "one self-contained page with pictures")
    .option("-o, --output <file>", "write there instead of to stdout");
  command.action(async (options) => {
    const { contextWindow, threshold, steps, searches, stepTokens, price, cachedPrice = price / 10, top } = options;
    const read = await readSources(options);
    const engine = { contextWindow, threshold: { percent: threshold } };
    const report = reportOf(read, engine, { top, steps, searches, stepTokens, price, cachedPrice });
    const asText = options.html ? htmlOf(report) : options.markdown ? markdownOf(report) : textOf(report);
    await write(options.json ? `${JSON.stringify(report, null, 2)}\n` : asText, options.output);
    countFailed(read, options);
  });
}

/** @param {Command} root */
function searchCommand(root) {
  const command = withSources(root.command("search").description("ranked matches of a query, with the reason for each; asks for queries when none is given"))
    .argument("[query...]", "words, +word, select:name,name or server:name, as a model writes them")
    .optionsGroup("Search:")
    .addOption(meaningOption())
    .optionsGroup("Output:")
    .addOption(new Option("-n, --limit <n>", "matches, at most 50").default(5).argParser(counting))
    .option("--reply", "what the model would be answered")
    .option("--json", "JSON");
  command.action(async (words, options) => {
    const query = words.join(" ").trim();
    const fromStdin = [...(options.tools ?? [])].includes("-") || [options.config, options.server, options.tools].every((list) => list === undefined);
    if (query === "" && fromStdin && !process.stdin.isTTY) throw new InputError("Standard input has the tools; give the query as an argument.");
    const read = await readSources(options);
    const search = catalogOf(read, await meaningOf(options));
    const found = query === "" ? await answerLines(search, options) : answer(search, query, options);
    search.free();
    if (!found) process.exitCode = 1;
    countFailed(read, options);
  });
}

/** @param {Command} root */
function lintCommand(root) {
  const collect = (/** @type {string} */ value, /** @type {string[]} */ before = []) => [...before, value];
  const command = withSources(root.command("lint").description("what keeps models from finding and using the tools, for authors of servers"))
    .optionsGroup("Rules:")
    .option("--list-rules", "names the rules and ends")
    .addOption(new Option("--rule <id=severity>", "off, info, warning or error (may be repeated)").argParser(collect))
    .option("--lint-config <file>", `severities, options and what is to be ignored (default: ${SETTINGS_FILE}, if it is there)`)
    .addOption(new Option("--max-warnings <n>", "more of them end with status 1, as an error does").argParser(whole))
    .optionsGroup("Output:")
    .option("--all", "every finding, however many a rule has")
    .addOption(new Option("--json", "JSON").conflicts(["sarif"]))
    .option("--sarif", "SARIF 2.1.0, for code reviews")
    .option("-o, --output <file>", "write there instead of to stdout");
  command.action(async (options) => {
    if (options.listRules) return write(rulesText(), options.output);
    const settings = readSettings(options);
    const read = await readSources(options);
    const linted = lint(read, settings);
    const { errors, warnings } = linted.summary;
    const data = options.sarif ? sarifOf(linted, version) : options.json ? { ...linted, failed: read.failed.map(({ name, reason }) => ({ name, reason })) } : undefined;
    await write(data ? `${JSON.stringify(data, null, 2)}\n` : lintText(linted, options), options.output);
    if (errors > 0 || warnings > settings.maxWarnings) process.exitCode = 1;
    countFailed(read, options);
  });
}

/** @param {Command} root */
function snapshotCommand(root) {
  const command = withSources(root.command("snapshot").description("writes the catalog for ToolSearch.restore, for edge deployments"))
    .optionsGroup("Search:")
    .addOption(meaningOption())
    .optionsGroup("Output:")
    .requiredOption("-o, --output <file>", "where to write it; - for stdout");
  command.action(async (options) => {
    const read = await readSources(options);
    const search = catalogOf(read, await meaningOf(options));
    if (read.failed.length > 0 && !options.allowFailed) throw new InputError("No snapshot was written, since tools are missing; --allow-failed writes it without them.");
    const bytes = await writeSnapshot(search, options.output);
    if (!options.quiet) process.stderr.write(`${counted(search.size, "tool")}, ${grouped(bytes)} bytes.\n`);
    search.free();
  });
}

const meaningOption = () => new Option("--meaning", "also by what words mean, with the word vectors of tool-search/meaning");

/**
 * The option `meaning` of an engine, where it is asked for: two megabytes that are not loaded otherwise.
 * @param {{ meaning?: boolean }} options
 */
async function meaningOf({ meaning }) {
  return meaning ? { meaning: (await import("tool-search/meaning")).meaning } : {};
}

/**
 * @param {string} text
 * @param {string | undefined} file
 */
async function write(text, file) {
  if (file === undefined || file === "-") {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new InputError(`Cannot write ${file}: ${/** @type {NodeJS.ErrnoException} */ (error).code}.`);
  }
}
