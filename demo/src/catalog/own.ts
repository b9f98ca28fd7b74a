// Reads what the reader pasted, dropped or opened. Everything in it is untrusted; whether a definition is one is the package's to say.
import { ToolSearch, ToolSearchError, type AnyDefinition } from "tool-search/slim";
import type { OwnReport, OwnText, ServerTools } from "./types.ts";

const MAX_FAULTS = 12;

/** The usable tools of all texts, and what is wrong with the rest. */
export function readOwn(texts: readonly OwnText[]): { servers: ServerTools[]; report: OwnReport } {
  const faults: string[] = [];
  const servers = new Map<string, ServerTools>();
  for (const text of texts) {
    for (const found of serversIn(text, faults)) {
      const server = usable(found, faults);
      if (server.tools.length === 0) continue;
      const name = free(server.name, servers);
      servers.set(name, { ...server, name });
    }
  }
  const all = [...servers.values()];
  const more = faults.length - MAX_FAULTS;
  return {
    servers: all,
    report: {
      servers: all.map(({ name, tools }) => ({ name, tools: tools.length })),
      faults: more > 0 ? [...faults.slice(0, MAX_FAULTS), `… and ${more} more.`] : faults,
    },
  };
}

/** The lists of tools in one text: one list, or a set of servers by name. */
function serversIn({ name, text }: OwnText, faults: string[]): ServerTools[] {
  const place = name || "The pasted text";
  const server = serverName(name);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    faults.push(`${place} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  const one = listIn(json);
  if (one) return [{ name: server, ...one }];
  const set = isObject(json) && isObject(json["mcpServers"]) ? json["mcpServers"] : json;
  if (!isObject(set) || Object.keys(set).length === 0) {
    faults.push(`${place} is neither a tools/list result nor an array of tools nor a set of servers.`);
    return [];
  }
  return Object.entries(set).flatMap(([key, value]) => {
    const list = listIn(value);
    if (list) return [{ name: key, ...list }];
    faults.push(notAList(place, key, value));
    return [];
  });
}

/** A tools/list result, bare or in its JSON-RPC response, or an array. */
function listIn(json: unknown): Omit<ServerTools, "name"> | undefined {
  const list = isObject(json) && isObject(json["result"]) ? json["result"] : json;
  if (Array.isArray(list)) return { tools: list };
  if (!isObject(list) || !Array.isArray(list["tools"])) return undefined;
  const { instructions, tools } = list;
  return { tools, ...(typeof instructions === "string" && { instructions }) };
}

function notAList(place: string, key: string, value: unknown): string {
  if (isObject(value) && ("command" in value || "url" in value)) {
    return `${place}: the server "${cut(key)}" is only named there, and a page cannot start it. Save what it answers to tools/list as ${cut(key)}.json and open that.`;
  }
  return `${place}: "${cut(key)}" has no list of tools.`;
}

/** Without the tools that the package refuses; each of those is named with the reason. */
function usable(server: ServerTools, faults: string[]): ServerTools {
  const engine = new ToolSearch();
  try {
    engine.add(server.tools, { server: server.name });
    return server;
  } catch (error) {
    if (!(error instanceof ToolSearchError)) throw error;
    return { ...server, tools: oneByOne(server, faults) };
  } finally {
    engine.free();
  }
}

function oneByOne({ name, tools }: ServerTools, faults: string[]): AnyDefinition[] {
  const engine = new ToolSearch();
  const good: AnyDefinition[] = [];
  // Names are looked at here as the package reports two of the same only when both come at once.
  const names = new Set<string>();
  for (const [place, tool] of tools.entries()) {
    try {
      const [added] = engine.add([tool], { server: name }).added;
      if (added !== undefined && names.has(added)) throw new ToolSearchError("duplicate_name", "another tool has that name already");
      if (added !== undefined) names.add(added);
      engine.removeServer(name);
      good.push(tool);
    } catch (error) {
      if (!(error instanceof ToolSearchError)) throw error;
      // It counts places in what it was given, which was one tool.
      const why = error.message.replace(/^tool 0\b(?: \("(?:[^"\\]|\\.)*"\))? ?/, "");
      faults.push(`${cut(name)}, tool ${place + 1}${called(tool)}: ${why}`);
    }
  }
  engine.free();
  return good;
}

function called(tool: unknown): string {
  const name = isObject(tool) ? (isObject(tool["function"]) ? tool["function"]["name"] : tool["name"]) : undefined;
  return typeof name === "string" && name !== "" ? ` "${cut(name)}"` : "";
}

function serverName(file: string): string {
  return file.replace(/\.[^.]*$/, "").trim() || "mine";
}

function free(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
