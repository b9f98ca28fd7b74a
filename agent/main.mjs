// @ts-check
// The command line: `npm start -- --help`.
import { parseArgs } from "node:util";
import { chooseModel, UsageError } from "./model.mjs";
import { jsonReport, textReport } from "./report.mjs";
import { run } from "./run.mjs";
import { plain } from "./terminal.mjs";

const HELP = `An agent with the tools of ten MCP servers, found by search.

  npm start                                  a scripted model; needs no key and no network
  npm start -- --model anthropic:<model id>  a real one; also openai: and google:
  npm start -- --json                        one JSON document on stdout, progress on stderr
  npm start -- --help

Keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY.
The servers are started from node_modules over stdio. The agent calls the tools of those that work on
a temporary folder (filesystem, memory, everything); all others are listed and searched only.

Exit status: 0 the run worked, 1 it did not, 2 wrong usage, 130 interrupted.
`;

/** @param {string[]} args */
function readArguments(args) {
  try {
    const options = /** @type {const} */ ({ model: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } });
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const interrupted = new AbortController();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  // The first asks the run to end; it takes its servers with it, and so does the exit that a second one forces.
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort(new Error(`Interrupted by ${signal}.`));
  });
}
// The SDK prints warnings about models with console.warn; stdout and the report are ours.
globalThis.AI_SDK_LOG_WARNINGS = false;

let asJson = false;
try {
  const { model, json = false, help } = readArguments(process.argv.slice(2));
  asJson = json;
  if (help) {
    process.stdout.write(HELP);
  } else {
    const chosen = await chooseModel(model);
    const report = json ? jsonReport() : textReport();
    const result = await run(chosen, report, interrupted.signal);
    report.onEnd(result);
    process.exitCode = result.ok ? 0 : 1;
  }
} catch (error) {
  const usage = error instanceof UsageError;
  const message = plain(error instanceof Error ? error.message : String(error));
  process.stderr.write(`${message}\n`);
  if (usage) process.stderr.write("See npm start -- --help\n");
  else if (asJson) process.stdout.write(`${JSON.stringify({ ok: false, problems: [message] }, null, 2)}\n`);
  process.exitCode = usage ? 2 : interrupted.signal.aborted ? 130 : 1;
}
