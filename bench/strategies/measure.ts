// One scripted conversation by each strategy, with the real SDK and provider packages over loopback: what the model had to read.
import { estimateTokens, ToolSearch, type ToolDefinition } from "tool-search";
import { withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { majors, runTurn, type Major } from "../../js-tests/support/ai-sdk-majors.js";
import { modelOn } from "../../js-tests/support/ai-sdk-models.js";
import { providerServer, type Answer, type WireRequest } from "../../js-tests/support/provider-server.js";
import type { WireName } from "../../js-tests/support/wires.js";

/** What one strategy comes to, in estimated tokens. */
export interface Measured {
  title: string;
  requests: number;
  /** What the model reads in the first request. */
  first: number;
  /** What it reads in all of them. */
  all: number;
  /** Of that, what stood at the beginning of the request before, and comes from a prefix cache. */
  cached: number;
  /** All, with what is cached at a tenth of the price. */
  paid: number;
  /** Bytes of all bodies. */
  sent: number;
}

type Tools = readonly (ToolDefinition & { server: string })[];

/** What the model does: looks for a tool, or calls one. */
const STEPS: ({ find: string } | { use: string; with: object })[] = [
  { find: "open an issue on github" },
  { use: "mcp__github__create_issue", with: { owner: "acme", repo: "app", title: "Crash at start" } },
  { find: "select:mcp__playwright__browser_navigate,mcp__playwright__browser_take_screenshot" },
  { use: "mcp__playwright__browser_navigate", with: { url: "http://127.0.0.1/" } },
  { use: "mcp__playwright__browser_take_screenshot", with: { type: "png", scale: "css" } },
  { find: "select:mcp__filesystem__read_text_file" },
  { use: "mcp__filesystem__read_text_file", with: { path: "notes.md" } },
  { use: "mcp__github__create_issue", with: { owner: "acme", repo: "app", title: "Wrong colour" } },
  { find: "comment on an issue" },
  { use: "mcp__github__add_issue_comment", with: { owner: "acme", repo: "app", issue_number: 1, body: "Done." } },
  { use: "mcp__filesystem__read_text_file", with: { path: "todo.md" } },
];

const CASES: { title: string; strategy: StrategyName; wire: WireName; defer?: "never" }[] = [
  { title: "every tool in every request", strategy: "append", wire: "anthropic", defer: "never" },
  { title: '"append"', strategy: "append", wire: "anthropic" },
  { title: '"anthropic"', strategy: "anthropic", wire: "anthropic" },
  { title: '"openai"', strategy: "openai", wire: "openai-responses" },
  { title: '"bridge"', strategy: "bridge", wire: "anthropic" },
];

export async function measure(tools: Tools): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const each of CASES) rows.push(await measureOne(tools, each));
  return rows;
}

async function measureOne(tools: Tools, { title, strategy, wire, defer }: (typeof CASES)[number]): Promise<Measured> {
  const searchToolName = strategy === "openai" ? "tool_search" : "toolSearch";
  const search = new ToolSearch({ defer: defer ?? "always", searchToolName });
  for (const server of new Set(tools.map(({ server }) => server))) {
    search.add(
      tools.filter((tool) => tool.server === server).map(({ server: _, ...tool }) => tool),
      { server },
    );
  }
  const session = search.session();
  const steps = STEPS.filter((step) => defer !== "never" || "use" in step);
  const script = steps.map((step): Answer => {
    if ("find" in step) return [{ call: searchToolName, input: { query: step.find } }];
    return strategy === "bridge"
      ? [{ call: "callTool", input: { name: step.use, arguments: step.with } }]
      : [{ call: step.use, input: step.with }];
  });
  const refused: string[] = [];
  const settings = withToolSearch(session, { strategy, system: "You are a careful assistant.", call: ({ name }) => `${name}: done.` });
  const server = await providerServer(wire, [...script, "Done."]);
  await runTurn(majors[2] as Major, "generateText", {
    model: modelOn(7, wire, server.url),
    messages: [{ role: "user", content: "Open the page, tell me what is wrong with it, and file it." }],
    ...settings,
    stopWhen: [],
    providerOptions: { openai: { store: false } },
  });
  await server.close();
  const { requests } = server;
  for (const [i, step] of steps.entries()) {
    const said = requests[i + 1]?.results[0]?.text ?? "nothing";
    if ("use" in step && said !== `${step.use}: done.`) refused.push(`${step.use}: ${said.slice(0, 200)}`);
  }
  if (refused.length > 0) throw new Error(`${title}: the conversation went another way:\n${refused.join("\n")}`);

  const read = requests.map((request) => (wire === "anthropic" ? anthropicPieces(request) : responsesPieces(request)));
  const sum = (pieces: string[]) => pieces.reduce((total, piece) => total + estimateTokens(piece), 0);
  const all = read.map(sum);
  const cached = read.map((pieces, i) => sum(pieces.slice(0, sharedLength(pieces, read[i - 1] ?? []))));
  const total = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    title,
    requests: requests.length,
    first: all[0] ?? 0,
    all: total(all),
    cached: total(cached),
    paid: Math.round(total(all) - 0.9 * total(cached)),
    sent: total(requests.map(({ text }) => Buffer.byteLength(text))),
  };
}

function sharedLength(pieces: string[], before: string[]): number {
  const at = pieces.findIndex((piece, i) => piece !== before[i]);
  return at < 0 ? pieces.length : at;
}

/** In the order of the cached prefix: tools, system, messages. Deferred tools are read where a result refers to them. */
function anthropicPieces({ body }: WireRequest): string[] {
  const tools = body["tools"] as Record<string, any>[];
  const definitions = new Map(tools.map((tool) => [tool["name"], JSON.stringify(tool)]));
  const message = (message: Record<string, any>): string => {
    const referred = (Array.isArray(message["content"]) ? message["content"] : [])
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_reference")
      .map(({ tool_name }) => definitions.get(tool_name));
    return [JSON.stringify(message), ...referred].join("\n");
  };
  return [
    ...tools.filter(({ defer_loading }) => !defer_loading).map((tool) => JSON.stringify(tool)),
    JSON.stringify(body["system"]),
    ...body["messages"].map(message),
  ];
}

function responsesPieces({ body }: WireRequest): string[] {
  return [...body["tools"], ...body["input"]].map((piece) => JSON.stringify(piece));
}
