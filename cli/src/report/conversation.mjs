// @ts-check
// What one conversation reads by each strategy, told from the catalog alone: real searches and replies, and a scripted course.
import { estimateTokens } from "tool-search";
import { tokensOf } from "../tokens.mjs";

/** @typedef {import("tool-search").ToolSearch} ToolSearch */

/**
 * @typedef {object} ConversationOptions
 * @property {number} steps Requests to the model.
 * @property {number} searches How many of them end in a search, spread evenly from the first.
 * @property {number} stepTokens Tokens that each request adds to the messages besides: what was asked, called and answered.
 * @property {number} price Dollars for a million tokens of input.
 * @property {number} cachedPrice The same for what comes from the provider's prefix cache.
 */

/**
 * @typedef {object} StrategyRow
 * @property {string} strategy As in docs/strategies.md.
 * @property {number} first Tokens of the first request.
 * @property {number} all Of all requests.
 * @property {number[]} requests Of each.
 * @property {number} cached Of those, what stood at the beginning of the request before.
 * @property {number} cost Dollars.
 */

/** A part of a request: two with the same id are the same text. @typedef {{ id: string, tokens: number }} Piece */

/** The second tool of the strategy "bridge", as it is sent. */
const CALL_TOOL = {
  name: "callTool",
  description: "Calls a tool that was found, with its arguments.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "The tool's full name" },
      arguments: { type: "object", description: "As its parameters say", additionalProperties: true },
    },
    required: ["name", "arguments"],
  },
};

/**
 * @param {ToolSearch} search
 * @param {ConversationOptions} options
 * @returns {{ rows: StrategyRow[], loaded: number }} `loaded`: how many tools the searches brought.
 */
export function conversation(search, options) {
  const { steps, searches, stepTokens } = options;
  const course = courseOf(search, steps, searches);
  const { resident, listing, found } = course;
  const talk = (/** @type {number} */ request) => Array.from({ length: request + 1 }, (_, i) => ({ id: `step ${i}`, tokens: stepTokens }));
  const until = (/** @type {number} */ request) => found.filter(({ at }) => at < request);

  /** Messages in order, each search behind the step that made it. @param {number} request @param {(one: typeof found[number]) => number} tokens */
  const messages = (request, tokens) =>
    talk(request).flatMap((piece, step) => [...found.filter(({ at }) => at < request && at === step - 1).map((one) => ({ id: `search ${one.at}`, tokens: tokens(one) })), piece]);

  const all = search.names().map((name) => piece(definitionOf(search, name)));
  /** @type {[string, (request: number) => Piece[]][]} */
  const strategies = [
    ["every tool in every request", (request) => [...all, ...talk(request)]],
    ["append", (request) => [...resident, ...until(request).flatMap(({ tools }) => tools.map(piece)), listing, ...messages(request, ({ said }) => said)]],
    ["anthropic, openai", (request) => [...resident, listing, ...messages(request, ({ said, tools }) => said + sum(tools.map(piece)))]],
    ["bridge", (request) => [...resident, piece(CALL_TOOL), listing, ...messages(request, ({ said, tools }) => said + sum(tools.map(parameters)))]],
  ];
  const rows = strategies.map(([strategy, requestOf]) => rowOf(strategy, Array.from({ length: steps }, (_, i) => requestOf(i)), options));
  return { rows, loaded: found.reduce((total, { tools }) => total + tools.length, 0) };
}

/**
 * Searches in the words of tools that stand evenly spread over the catalog, and what each brings.
 * @param {ToolSearch} search
 * @param {number} steps
 * @param {number} searches
 */
function courseOf(search, steps, searches) {
  const session = search.session({ defer: "always" });
  try {
    const resident = /** @type {import("tool-search").ToolDefinition[]} */ (session.tools("mcp")).map(piece);
    const residentNames = new Set(session.names());
    const listing = { id: "listing", tokens: estimateTokens(session.prompt()) };
    const deferred = search.names().filter((name) => !residentNames.has(name));
    const count = Math.min(searches, steps - 1, deferred.length);
    const found = Array.from({ length: count }, (_, i) => {
      const name = /** @type {string} */ (deferred[Math.floor((i * deferred.length) / count)]);
      const query = queryFor(definitionOf(search, name));
      const reply = session.handle({ query });
      const tools = reply.loaded.map((name) => definitionOf(search, name));
      return { at: Math.floor((i * (steps - 1)) / count), said: estimateTokens(JSON.stringify({ query })) + estimateTokens(reply.text), tools };
    });
    return { resident, listing, found };
  } finally {
    session.free();
  }
}

/** @param {import("tool-search").ToolDefinition} tool */
function queryFor({ name, description }) {
  return description?.split(/\s+/).slice(0, 6).join(" ").replace(/^\s*select:/i, "") || name;
}

/**
 * As the model is sent it: under its callable name.
 * @param {ToolSearch} search
 * @param {string} name
 */
export function definitionOf(search, name) {
  return { .../** @type {import("tool-search").ToolDefinition} */ (search.get(name)), name };
}

/**
 * @param {import("tool-search").ToolDefinition} tool
 * @returns {Piece}
 */
function piece(tool) {
  return { id: `tool ${tool.name}`, tokens: tokensOf(tool) };
}

/** What the bridge's reply has of a tool. @param {import("tool-search").ToolDefinition} tool @returns {Piece} */
function parameters({ name, inputSchema }) {
  return { id: name, tokens: estimateTokens(`${name}: ${JSON.stringify(inputSchema ?? { type: "object" })}`) };
}

/** @param {Piece[]} pieces */
function sum(pieces) {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

/**
 * @param {string} strategy
 * @param {Piece[][]} requests
 * @param {ConversationOptions} prices
 * @returns {StrategyRow}
 */
function rowOf(strategy, requests, { price, cachedPrice }) {
  const each = requests.map(sum);
  const all = each.reduce((total, tokens) => total + tokens, 0);
  const cached = requests.reduce((total, request, i) => total + sum(sharedBeginning(request, requests[i - 1] ?? [])), 0);
  const cost = ((all - cached) * price + cached * cachedPrice) / 1e6;
  return { strategy, first: each[0] ?? 0, all, requests: each, cached, cost };
}

/**
 * @param {Piece[]} pieces
 * @param {Piece[]} before
 */
function sharedBeginning(pieces, before) {
  const end = pieces.findIndex(({ id }, i) => id !== before[i]?.id);
  return end < 0 ? pieces : pieces.slice(0, end);
}
