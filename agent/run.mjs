// @ts-check
// The run: servers, catalog, session, two user turns.
import { isStepCount, jsonSchema, streamText, tool } from "ai";
import { estimateTokens, ToolSearch } from "tool-search";
import { addToolSet, withToolSearch } from "tool-search/ai-sdk";
import { connectAll } from "./connect.mjs";
import { makeRunFolder } from "./folder.mjs";
import { recordRequests } from "./requests.mjs";
import { TURNS } from "./script.mjs";
import { SERVERS } from "./servers.mjs";

/** @typedef {import("./connect.mjs").Connected} Connected */
/** @typedef {import("./requests.mjs").RequestRow} RequestRow */
/** @typedef {import("tool-search").Plan} Plan */

/**
 * @typedef {object} ServerRow
 * @property {string} name
 * @property {number} tools
 * @property {number} tokensInFull
 * @property {number} tokensByName
 * @property {number} milliseconds
 */

/**
 * What a run tells as it goes. Each is called when it is known.
 * @typedef {object} Listener
 * @property {(server: Connected | import("./connect.mjs").Failed) => void} onServer
 * @property {(servers: ServerRow[], plan: Plan) => void} onCatalog
 * @property {(number: number, asked: string) => void} onTurn
 * @property {(row: RequestRow) => void} onRequest
 * @property {(tool: string, text: string, failed: boolean) => void} onResult
 */

/** @typedef {Awaited<ReturnType<typeof run>>} RunResult */

const MIN_SERVERS = 8;
const MIN_TOOLS = 400;
const MAX_STEPS = 20;

/**
 * @param {import("./model.mjs").ChosenModel} chosen
 * @param {Listener} listener
 * @param {AbortSignal} signal
 */
export async function run(chosen, listener, signal) {
  const begin = performance.now();
  const folder = await makeRunFolder();
  const search = new ToolSearch();
  /** @type {Awaited<ReturnType<typeof connectAll>> | undefined} */
  let servers;
  try {
    const builtIn = await addToolSet(search, BUILT_IN, { load: "direct" });
    servers = await connectAll({ folder, search, signal, onProgress: listener.onServer });
    signal.throwIfAborted();
    const session = search.session({ model: chosen.name });
    const rows = servers.ready.map((server) => serverRow(search, server));
    listener.onCatalog(rows, session.plan);

    const fullTokens = session.plan.tokens.full;
    const recorded = recordRequests(chosen.model, { section: session.prompt(), fullTokens, onRequest: listener.onRequest });
    const problems = enough(servers.ready.length, search.size);
    /** @type {import("ai").ModelMessage[]} */
    const messages = [];
    for (const [i, asked] of TURNS.entries()) {
      recorded.beginTurn(i + 1);
      listener.onTurn(i + 1, asked);
      messages.push({ role: "user", content: asked });
      const result = streamText({
        model: recorded.model,
        messages,
        stopWhen: isStepCount(MAX_STEPS),
        abortSignal: signal,
        maxRetries: chosen.name === "scripted" ? 0 : 2,
        onError: () => {}, // it stands in the stream as well
        ...withToolSearch(session, {
          tools: builtIn,
          call: caller(servers),
          system: `You are a careful assistant.\nYour folder: ${folder.project}`,
        }),
      });
      for await (const part of result.stream) {
        if (part.type === "error") throw part.error;
        if (part.type === "tool-result") listener.onResult(part.toolName, textOf(part.output), false);
        if (part.type === "tool-error") listener.onResult(part.toolName, textOf(part.error), true);
      }
      signal.throwIfAborted();
      const reason = await result.finishReason;
      if (reason !== "stop") problems.push(`turn ${i + 1} ended with "${reason}"`);
      messages.push(...(await result.responseMessages));
    }

    const requests = recorded.rows;
    problems.push(...chosen.problems());
    for (const { request, prefix } of requests) {
      if (!prefix.held) problems.push(`request ${request} broke the cached prefix at ${prefix.brokenAt}`);
    }
    return {
      ok: problems.length === 0,
      model: chosen.name,
      problems,
      servers: rows,
      failed: servers.failed.map(({ spec, reason, milliseconds }) => ({ name: spec.name, reason, milliseconds })),
      plan: session.plan,
      requests,
      activated: [...session.activated],
      totals: totals(requests),
      milliseconds: Math.round(performance.now() - begin),
    };
  } finally {
    await servers?.close();
    await folder.remove();
    search.free();
  }
}

const BUILT_IN = {
  currentTime: tool({
    description: "The current date and time.",
    inputSchema: jsonSchema({ type: "object", properties: {} }),
    execute: async () => new Date().toISOString(),
  }),
};

/**
 * Runs the tools of the servers that need neither network nor account. A call of any other is answered, and goes nowhere.
 * @param {Awaited<ReturnType<typeof connectAll>>} servers
 * @returns {NonNullable<import("tool-search/ai-sdk").WithToolSearchOptions<any>["call"]>}
 */
function caller({ ready, mcp }) {
  return async (request, options) => {
    const local = ready.some(({ spec }) => spec.name === request.server && spec.local);
    if (!local) return `${request.server} has no account in this run: its tools are listed and searched, not called.`;
    return mcp.execute(request, options);
  };
}

/**
 * @param {ToolSearch} search
 * @param {Connected} server
 * @returns {ServerRow}
 */
function serverRow(search, { spec, tools, milliseconds }) {
  const names = search.names().filter((name) => name.startsWith(`mcp__${spec.name}__`));
  // As the model is sent them: under their callable names.
  const definitions = names.flatMap((name) => ({ ...search.get(name), name }));
  return {
    name: spec.name,
    tools: tools.length,
    tokensInFull: definitions.reduce((sum, definition) => sum + estimateTokens(definition), 0),
    tokensByName: estimateTokens(names.join("\n")),
    milliseconds,
  };
}

/**
 * @param {number} servers
 * @param {number} tools
 */
function enough(servers, tools) {
  const problems = [];
  if (servers < MIN_SERVERS) problems.push(`${servers} servers came up, and ${MIN_SERVERS} are needed`);
  else if (tools < MIN_TOOLS && servers === SERVERS.length) problems.push(`the servers have ${tools} tools, and ${MIN_TOOLS} are needed`);
  return problems;
}

/** @param {RequestRow[]} requests */
function totals(requests) {
  const sum = (/** @type {(row: RequestRow) => number} */ of) => requests.reduce((total, row) => total + of(row), 0);
  const [sent, full] = [sum((row) => row.toolTokens), sum((row) => row.fullTokens)];
  return { requests: requests.length, toolTokens: sent, fullTokens: full, saved: full - sent };
}

/**
 * The text of a tool's output, or of an error.
 * @param {unknown} output
 */
function textOf(output) {
  if (typeof output === "string") return output;
  if (output instanceof Error) return output.message;
  return JSON.stringify(output) ?? "";
}
