// @ts-check
// Keeps what each request really carried: it stands between the AI SDK and the model, whichever model that is.
import { wrapLanguageModel } from "ai";
import { estimateTokens } from "tool-search";

/** @typedef {import("@ai-sdk/provider").LanguageModelV4} Model */
/** @typedef {import("@ai-sdk/provider").LanguageModelV4CallOptions} CallOptions */

/**
 * @typedef {object} RequestRow
 * @property {number} request Counted from 1 over the whole run.
 * @property {number} turn The user turn that it belongs to.
 * @property {string[]} did What the model answered: a line for each call, and for text.
 * @property {string[]} tools Names of the tools sent, in order.
 * @property {number} toolTokens Tokens of their definitions and of the section on deferred tools.
 * @property {number} fullTokens What sending every definition would have cost.
 * @property {{ held: boolean, added: number, brokenAt?: string }} prefix Whether the request begins with all that the one before began with.
 */

/**
 * @param {Model} model
 * @param {{ section: string, fullTokens: number, onRequest: (row: RequestRow) => void }} options
 */
export function recordRequests(model, { section, fullTokens, onRequest }) {
  /** @type {RequestRow[]} */
  const rows = [];
  /** @type {Sent | undefined} */
  let before;
  let turn = 1;

  /** @param {CallOptions} options */
  const begin = (options) => {
    const sent = serialise(options);
    const tools = (options.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool] : []));
    const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    /** @type {RequestRow} */
    const row = {
      request: rows.length + 1,
      turn,
      did: [],
      tools: definitions.map(({ name }) => name),
      toolTokens: definitions.reduce((sum, tool) => sum + estimateTokens(/** @type {any} */ (tool)), 0) + estimateTokens(section),
      fullTokens,
      prefix: compare(before, sent),
    };
    before = sent;
    rows.push(row);
    return row;
  };

  const recorded = wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapStream: async ({ doStream, params }) => {
        const row = begin(params);
        const { stream, ...rest } = await doStream();
        let text = "";
        const watched = stream.pipeThrough(
          new TransformStream({
            transform(part, controller) {
              if (part.type === "text-delta") text += part.delta;
              if (part.type === "tool-call") row.did.push(describeCall(part, row.tools));
              controller.enqueue(part);
            },
            flush() {
              if (text) row.did.push(`says: ${text}`);
              onRequest(row);
            },
          }),
        );
        return { ...rest, stream: watched };
      },
    },
  });
  return {
    model: recorded,
    rows,
    /** @param {number} number */
    beginTurn: (number) => {
      turn = number;
    },
  };
}

/**
 * @param {{ toolName: string, input: string }} call
 * @param {string[]} sent
 */
function describeCall({ toolName, input }, sent) {
  const known = sent.includes(toolName) ? "" : "  (not loaded)";
  try {
    const { query } = JSON.parse(input);
    if (typeof query === "string" && known === "") return `${toolName} "${query}"`;
  } catch {
    // What the model wrote need not be JSON; its name says enough.
  }
  return `${toolName}${known}`;
}

/** @typedef {{ system: string, tools: string[], messages: string[] }} Sent */

/**
 * What a provider caches, in its order: system prompt, tools, messages; each piece as the bytes it is sent in.
 * @param {CallOptions} options
 * @returns {Sent}
 */
function serialise({ prompt, tools = [] }) {
  const texts = prompt.map((message) => JSON.stringify(message));
  const isSystem = (/** @type {number} */ i) => prompt[i]?.role === "system";
  return {
    system: texts.filter((_, i) => isSystem(i)).join("\n"),
    tools: tools.map((tool) => JSON.stringify(tool)),
    messages: texts.filter((_, i) => !isSystem(i)),
  };
}

/**
 * @param {Sent | undefined} before
 * @param {Sent} now
 * @returns {RequestRow["prefix"]}
 */
function compare(before, now) {
  if (!before) return { held: true, added: 0 };
  const added = now.tools.length - before.tools.length;
  const tool = before.tools.findIndex((text, i) => text !== now.tools[i]);
  const message = before.messages.findIndex((text, i) => text !== now.messages[i]);
  const brokenAt =
    before.system !== now.system
      ? "system prompt"
      : tool >= 0
        ? `tool ${tool + 1}`
        : message >= 0
          ? `message ${message + 1}`
          : undefined;
  return brokenAt === undefined ? { held: true, added } : { held: false, added, brokenAt };
}
