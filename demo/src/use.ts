// The few lines with which a reader goes on, filled with what they chose.
import type { Settings } from "./settings/settings.ts";

/** Characters of a list of servers that still fits on its line. */
const SHORT = 60;

/** What of the catalog the lines name. */
export interface Chosen {
  /** Servers that are switched on. */
  servers: string[];
  settings: Settings;
}

export function useIt({ servers, settings }: Chosen): string {
  return settings.sdk === "ai-sdk" ? withAiSdk(servers, settings) : plain(servers, settings);
}

function withAiSdk(servers: string[], settings: Settings): string {
  return `import { streamText } from "ai";
import { ToolSearch } from "tool-search";
import { withToolSearch } from "tool-search/ai-sdk";
${meaning(settings)}
const search = new ToolSearch(${options(settings)});
${additions(servers)}
const session = search.session(); // one for each conversation
const result = streamText({ model, messages, ...withToolSearch(session, { system, call${strategy(settings)} }) });`;
}

function plain(servers: string[], settings: Settings): string {
  return `import { ToolSearch } from "tool-search";
${meaning(settings)}
const search = new ToolSearch(${options(settings)});
${additions(servers)}
const session = search.session(); // one for each conversation
const request = { system: system + session.prompt(), tools: session.tools("${settings.format}"), messages };
// For a call of session.searchToolName: answer(session.handle(input).text)
// For any other: session.resolve(name) says whether to run it.`;
}

/** "native" is Claude's here: the table of prices begins with its models. */
function strategy({ strategy }: Settings): string {
  return strategy === "append" ? "" : `, strategy: "${strategy === "native" ? "anthropic" : strategy}"`;
}

function meaning({ meaning }: Settings): string {
  return meaning ? 'import { meaning } from "tool-search/meaning";\n' : "";
}

function options({ contextWindow, threshold, meaning }: Settings): string {
  const parts = [
    ...(meaning ? ["meaning"] : []),
    ...(contextWindow === 200_000 ? [] : [`contextWindow: ${grouped(contextWindow)}`]),
    ...(threshold === 10 ? [] : [`threshold: { percent: ${threshold} }`]),
  ];
  return parts.length > 0 ? `{ ${parts.join(", ")} }` : "";
}

function additions(servers: string[]): string {
  const [first = "mine"] = servers;
  if (servers.length <= 1) return `search.add(tools, { server: ${JSON.stringify(first)} });`;
  const names = `[${servers.map((name) => JSON.stringify(name)).join(", ")}]`;
  if (names.length <= SHORT) return `for (const server of ${names}) search.add(toolsByServer[server], { server });`;
  return `for (const [server, tools] of Object.entries(toolsByServer)) search.add(tools, { server }); // ${servers.length} servers`;
}

/** As one writes it in JavaScript. */
function grouped(number: number): string {
  return number.toLocaleString("en").replaceAll(",", "_");
}
