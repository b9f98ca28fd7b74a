// @ts-check
// What `lint` looks for.
import { isObject } from "../config.mjs";
import { counted, grouped } from "../terminal.mjs";
import { tokensOf } from "../tokens.mjs";
import { misses, queriesFor } from "./findability.mjs";
import { saysNothing, telling, wordsOf, wordsOfName } from "./words.mjs";

/** @typedef {import("tool-search").ToolDefinition} ToolDefinition */
/** @typedef {import("../sources.mjs").Source} Source */

/** @typedef {{ source: Source, tool: ToolDefinition, name: string }} Entry A tool and its callable name. */

/**
 * @typedef {object} Context
 * @property {Source[]} sources
 * @property {Entry[]} entries
 * @property {import("tool-search").ToolSearch} search All of them.
 */

/**
 * @typedef {object} Found
 * @property {Source} source
 * @property {ToolDefinition} [tool] None when it is about the server.
 * @property {string} name Callable, or the server's.
 * @property {string} message
 * @property {import("./findability.mjs").Miss[]} [misses]
 */

/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {"error" | "warning" | "info"} severity By default.
 * @property {string} title
 * @property {string} why
 * @property {string} fix
 * @property {Record<string, number>} [options] With their defaults.
 * @property {(context: Context, options: Record<string, any>) => Iterable<Found>} check
 */

/**
 * A rule that looks at one tool after the other.
 * @param {(entry: Entry, options: Record<string, any>, context: Context) => string | undefined | false} messageFor
 * @returns {Rule["check"]}
 */
const eachTool = (messageFor) =>
  function* (context, options) {
    for (const entry of context.entries) {
      const message = messageFor(entry, options, context);
      if (message) yield { ...entry, message };
    }
  };

/** @type {readonly Rule[]} */
export const RULES = [
  {
    id: "unusable",
    severity: "error",
    title: "A tool that no catalog takes",
    why: "Clients leave it out, or refuse the whole server for it.",
    fix: "Give it a name of its own of at most 128 characters and an inputSchema that is an object.",
    *check({ sources }) {
      for (const source of sources) {
        for (const { tool, reason } of source.leftOut) yield { source, name: isObject(tool) ? String(tool.name ?? source.name) : source.name, message: reason };
      }
    },
  },
  {
    id: "meaningless-name",
    severity: "error",
    title: "A name that says nothing",
    why: "Of a deferred tool the model sees the name alone, and it decides by that what to load.",
    fix: "Name it by what it does to what, such as create_issue.",
    check: eachTool(({ tool: { name } }) => wordsOfName(name).every(saysNothing) && `"${name}" says nothing of what the tool does.`),
  },
  {
    id: "name-too-long",
    severity: "error",
    title: "A name over the limits of providers",
    why: "OpenAI and Gemini refuse a request with a name over 64 characters, and clients put the server's name before it.",
    fix: "Shorten the tool's name, or the name that the server is configured under.",
    options: { characters: 64 },
    check: eachTool(({ name }, { characters }) => name.length > characters && `Called "${name}" it has ${name.length} characters; the limit is ${characters}.`),
  },
  {
    id: "name-characters",
    severity: "warning",
    title: "A name with characters that providers refuse",
    why: "Providers take letters, digits, _ and -; clients must rename the tool, or leave it out.",
    fix: "Use letters, digits, _ and - alone.",
    check: eachTool(({ tool: { name } }) => {
      const odd = [...new Set(name.match(/[^A-Za-z0-9_-]/gu))];
      return odd.length > 0 && `"${name}" has ${odd.map((character) => JSON.stringify(character)).join(", ")}.`;
    }),
  },
  {
    id: "no-description",
    severity: "error",
    title: "No description",
    why: "Neither the model nor a search knows what the tool does beyond its name.",
    fix: "Say in a sentence what it does, to what, and when to use it.",
    check: eachTool(({ tool: { description } }) => wordsOf(description ?? "").length === 0 && "It has no description."),
  },
  {
    id: "short-description",
    severity: "warning",
    title: "A description of a word or two",
    why: "There is little to find it by, and little to tell it from others.",
    fix: "Say in a sentence what it does, to what, and when to use it.",
    options: { words: 3 },
    check: eachTool(({ tool: { description } }, { words }) => {
      const count = wordsOf(description ?? "").length;
      return count > 0 && count < words && `"${description}" is ${counted(count, "word")}.`;
    }),
  },
  {
    id: "description-repeats-name",
    severity: "warning",
    title: "A description that repeats the name",
    why: "It adds no word to find the tool by, and costs tokens.",
    fix: "Say what the name cannot: what it works on, what it gives, when to use it.",
    check: eachTool(({ tool: { name, title, description } }) => {
      const known = new Set(wordsOfName(`${name} ${title ?? ""}`).map(stem));
      const words = telling(wordsOf(description ?? ""));
      return words.length > 0 && words.every((word) => known.has(stem(word)) || saysNothing(word)) && `"${description}" says no more than the name.`;
    }),
  },
  {
    id: "undescribed-parameters",
    severity: "warning",
    title: "Parameters without descriptions",
    why: "Models guess what belongs there, and searches read the descriptions of parameters too.",
    fix: "Describe each: its form, its unit, where the value comes from.",
    check: eachTool(({ tool }) => {
      const names = [...undescribed(tool.inputSchema)];
      const shown = names.slice(0, 5).join(", ");
      return names.length > 0 && `${names.length === 1 ? "One parameter has" : `${names.length} parameters have`} no description: ${shown}${names.length > 5 ? " …" : ""}.`;
    }),
  },
  {
    id: "large-definition",
    severity: "warning",
    title: "A definition over the token budget",
    why: "It is part of every request from its loading on.",
    fix: "Move examples and manuals elsewhere, name enums shortly, or make two tools of it.",
    options: { tokens: 1_000 },
    check: eachTool(({ tool, name }, { tokens }) => {
      const has = tokensOf({ ...tool, name });
      return has > tokens && `It has ${grouped(has)} tokens; the budget is ${grouped(tokens)}.`;
    }),
  },
  {
    id: "no-instructions",
    severity: "warning",
    title: "A server without instructions",
    why: "They stand beside the names of its tools, and say what the server is for before any tool is loaded.",
    fix: "Give `instructions` with the server's answer to `initialize`: a sentence or two.",
    *check({ sources }) {
      for (const source of sources) if (source.instructions === "") yield { source, name: source.name, message: "The server gives no instructions." };
    },
  },
  {
    id: "indistinguishable",
    severity: "error",
    title: "Tools that cannot be told apart",
    why: "Whoever looks for the one is given either, and which is called is chance.",
    fix: "Say in each what only it does, or make one tool of them.",
    *check({ entries }) {
      for (const group of alike(entries)) {
        for (const entry of group) {
          const others = group.filter((other) => other !== entry).map(({ name }) => name);
          yield { ...entry, message: `It says the same as ${others.slice(0, 3).join(", ")}${others.length > 3 ? ` and ${others.length - 3} more` : ""}.` };
        }
      }
    },
  },
  {
    id: "not-found-by-own-words",
    severity: "error",
    title: "Not found by its own words",
    why: "A model that searches in the very words of the tool is given others, and never sees it.",
    fix: "Put what only this tool does into its name and the first sentence of its description; see which tools stand in its way.",
    options: { top: 5 },
    check: findable(({ own }) => own),
  },
  {
    id: "not-found-by-synonyms",
    severity: "warning",
    title: "Not found by other words for the same",
    why: "Users and models say \"remove the ticket\" where the tool says \"delete issue\".",
    fix: "Use the other words too in the description, or give them as `_meta[\"anthropic/searchHint\"]`.",
    options: { top: 5 },
    check: findable(({ others }) => others),
  },
];

/**
 * @param {(queries: ReturnType<typeof queriesFor>) => string[]} which
 * @returns {Rule["check"]}
 */
function findable(which) {
  return function* ({ entries, search }, { top }) {
    for (const entry of entries) {
      const queries = which(queriesFor(entry.tool));
      const missed = misses(search, entry.name, queries, top);
      if (missed.length === 0) continue;
      const shown = missed.map(({ query, instead }) => `"${query}" finds ${instead.length > 0 ? `${instead.slice(0, 3).join(", ")}${instead.length > 3 ? " …" : ""}` : "nothing"}`);
      yield { ...entry, message: `${missed.length} of ${counted(queries.length, "query", "queries")} ${missed.length === 1 ? "misses" : "miss"} it: ${shown.join("; ")}.`, misses: missed };
    }
  };
}

/** Rough, as it has to bring together only words of one tool. @param {string} word */
function stem(word) {
  return word.replace(/(ies|ing|ed|es|s|e|y)$/, "") || word;
}

/**
 * Tools that say the same in name and description, and those with the same description of some length.
 * @param {Entry[]} entries
 * @returns {Entry[][]}
 */
function alike(entries) {
  /** @type {Map<string, Set<Entry>>} */
  const groups = new Map();
  const put = (/** @type {string} */ key, /** @type {Entry} */ entry) => groups.set(key, (groups.get(key) ?? new Set()).add(entry));
  const keyOf = (/** @type {string[]} */ words) => [...new Set(words.map(stem))].sort().join(" ");
  for (const entry of entries) {
    const description = telling(wordsOf(entry.tool.description ?? ""));
    const name = wordsOfName(entry.tool.name);
    put(`all ${keyOf([...(name.every(saysNothing) ? [] : name), ...description])}`, entry);
    if (description.length >= 3) put(`description ${description.join(" ")}`, entry);
  }
  const found = new Map([...groups.values()].filter((group) => group.size > 1).map((group) => [[...group].map(({ name }) => name).join(" "), [...group]]));
  return [...found.values()];
}

/**
 * Parameters that nothing is said of, as paths. What a $ref points to is described there.
 * @param {unknown} schema
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {Generator<string>}
 */
function* undescribed(schema, path = "", depth = 0) {
  if (!isObject(schema) || depth > 3) return;
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (!isObject(property)) continue;
    const described = [property.description, property.title, property.$ref, property.const].some((text) => text !== undefined && text !== "");
    if (!described) yield path + name;
    yield* undescribed(property, `${path}${name}.`, depth + 1);
    yield* undescribed(property.items, `${path}${name}[].`, depth + 1);
  }
}
