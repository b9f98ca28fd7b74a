// @ts-check
// A scripted model. It decides by what it was really sent: a tool that is not in the request is not called unless that is the point,
// and whatever is not as it should be ends the run as failed.
import { MockLanguageModelV4 } from "ai/test";

/** @typedef {import("./requests.mjs").CallOptions} CallOptions */

export const RELEASE_NOTE = "Version 1.4: tools are found by search.";
const MORE = "Its documentation is complete.";

/** What the user asks for, turn by turn; a real model gets the same. */
export const TURNS = [
  `Write "${RELEASE_NOTE}" to release-notes.md in your folder, read the file back to me, and remember in your knowledge graph that version 1.4 is released.`,
  `What does the file say, what do you remember, and what time is it? Then add the line "${MORE}" to the file.`,
];

const WRITE = "mcp__filesystem__write_file";
const READ = "mcp__filesystem__read_text_file";
const GRAPH = "mcp__memory__read_graph";
const REMEMBER = "mcp__memory__create_entities";
const UNKNOWN = "mcp__github__issue_create";
const CLOCK = "currentTime";

/**
 * @typedef {object} Seen What one request told the model.
 * @property {string} system
 * @property {string[]} tools
 * @property {string[]} toolsBefore Those of the request before.
 * @property {string} search The name of the search tool.
 * @property {string} folder
 * @property {{ tool: string, text: string, failed: boolean }[]} results
 */

/** @typedef {{ tool: string, input?: object }} Call */
/** @typedef {(seen: Seen, expect: (holds: boolean, what: string) => void) => string | Call[]} Move */

const FACT = { entities: [{ name: "version 1.4", entityType: "release", observations: ["is released"] }] };

/** @type {{ name: string, move: Move }[]} */
const SCRIPT = [
  {
    name: "a keyword search",
    move: ({ system, tools, search }, expect) => {
      expect(system.includes("## Deferred Tools"), "the system prompt has a section on deferred tools");
      expect(!tools.includes(WRITE), `${WRITE} is not loaded at the start`);
      return [{ tool: search, input: { query: "write text to a file" } }];
    },
  },
  {
    name: "a call of a tool that the search loaded",
    move: ({ tools, results, folder }, expect) => {
      expect(results[0]?.text.includes(WRITE) ?? false, `the search answers with ${WRITE}`);
      expect(tools.includes(WRITE), `${WRITE} is loaded`);
      return [{ tool: WRITE, input: { path: `${folder}/release-notes.md`, content: `${RELEASE_NOTE}\n` } }];
    },
  },
  {
    name: "a selection by name",
    move: ({ system, results, search }, expect) => {
      expect(results[0]?.failed === false, "the file was written");
      expect(system.includes(READ) && system.includes(GRAPH), "the section on deferred tools names what is selected");
      return [{ tool: search, input: { query: `select:${READ},${GRAPH}` } }];
    },
  },
  {
    name: "a call of a tool that was selected",
    move: ({ tools, folder }, expect) => {
      expect(tools.includes(READ) && tools.includes(GRAPH), `${READ} and ${GRAPH} are loaded`);
      return [{ tool: READ, input: { path: `${folder}/release-notes.md` } }];
    },
  },
  {
    name: "a search for something loaded",
    move: ({ results, search }, expect) => {
      expect(results[0]?.text.includes(RELEASE_NOTE) ?? false, "the file holds what was written");
      return [{ tool: search, input: { query: "select:write_file" } }];
    },
  },
  {
    name: "a call of a tool that is not loaded",
    move: ({ tools, toolsBefore, results }, expect) => {
      expect(results[0]?.text.includes(WRITE) ?? false, "the search tool says what is loaded");
      expect(tools.length === toolsBefore.length, "searching for what is loaded adds no tool");
      expect(!tools.includes(REMEMBER), `${REMEMBER} is not loaded`);
      return [{ tool: REMEMBER, input: FACT }];
    },
  },
  {
    name: "the same call again",
    move: ({ tools, results, search }, expect) => {
      expect(results[0]?.tool === search && results[0].text.includes(REMEMBER), "the search tool answers for the tool that was not loaded");
      expect(tools.includes(REMEMBER), `${REMEMBER} was loaded by calling it`);
      return [{ tool: REMEMBER, input: FACT }];
    },
  },
  {
    name: "the end of the first turn",
    move: ({ results }, expect) => {
      expect(results[0]?.failed === false && results[0].text.includes("version 1.4"), "the fact was stored");
      return `The file says: "${RELEASE_NOTE}" And I shall remember that version 1.4 is released.`;
    },
  },
  {
    name: "calls of loaded tools in the second turn",
    move: ({ tools, toolsBefore, folder }, expect) => {
      expect([WRITE, READ, GRAPH, REMEMBER].every((name) => tools.includes(name)), "the second turn still has what the first loaded");
      expect(tools.join() === toolsBefore.join(), "the second turn begins with the tools that the first ended with");
      return [{ tool: READ, input: { path: `${folder}/release-notes.md` } }, { tool: GRAPH }, { tool: CLOCK }];
    },
  },
  {
    name: "a call of a tool that does not exist",
    move: ({ results }, expect) => {
      expect(results.length === 3 && results.every(({ failed }) => !failed), "three parallel calls succeed");
      expect(results[1]?.text.includes("version 1.4") ?? false, "the knowledge graph holds the fact");
      return [{ tool: UNKNOWN, input: { title: "Release" } }];
    },
  },
  {
    name: "a last call",
    move: ({ tools, results, search, folder }, expect) => {
      expect(results[0]?.tool === search && !results[0].failed, "the search tool answers for the tool that does not exist");
      expect(!tools.includes(UNKNOWN), "and nothing is made up");
      return [{ tool: WRITE, input: { path: `${folder}/release-notes.md`, content: `${RELEASE_NOTE}\n${MORE}\n` } }];
    },
  },
  {
    name: "the end of the second turn",
    move: ({ results }, expect) => {
      expect(results[0]?.failed === false, "the file was written again");
      return `The file now says: "${RELEASE_NOTE} ${MORE}"`;
    },
  },
];

export function scriptedModel() {
  /** @type {string[]} */
  const problems = [];
  let step = 0;
  /** @type {string[]} */
  let toolsBefore = [];

  /** @param {CallOptions} options */
  const next = (options) => {
    const seen = { ...read(options), toolsBefore };
    toolsBefore = seen.tools;
    const scripted = SCRIPT[step++];
    if (!scripted) {
      problems.push(`a request more than the ${SCRIPT.length} of the script`);
      return "I have nothing more to do.";
    }
    const before = problems.length;
    const answer = scripted.move(seen, (holds, what) => {
      if (!holds) problems.push(`request ${step}, ${scripted.name}: it does not hold that ${what}`);
    });
    return problems.length === before ? answer : `I expected something else before ${scripted.name}.`;
  };

  const model = new MockLanguageModelV4({
    provider: "scripted",
    modelId: "scripted",
    doStream: async (options) => ({ stream: answerStream(next(options), step) }),
  });
  return {
    model,
    problems: () => [...problems, ...SCRIPT.slice(step).map(({ name }) => `the run never came to ${name}`)],
  };
}

/**
 * @param {CallOptions} options
 * @returns {Omit<Seen, "toolsBefore">}
 */
function read({ prompt, tools = [] }) {
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n");
  const last = prompt.at(-1);
  const results = (last?.role === "tool" ? last.content : []).flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { output, toolName } = part;
    const text = "value" in output ? (typeof output.value === "string" ? output.value : JSON.stringify(output.value)) : "";
    return [{ tool: toolName, text, failed: output.type.startsWith("error") }];
  });
  const names = tools.map(({ name }) => name);
  // The search tool is the one whose parameters begin with a query; an agent is free to name it.
  const search = tools.find((tool) => tool.type === "function" && "query" in (tool.inputSchema.properties ?? {}))?.name ?? "";
  return { system, tools: names, search, folder: /^Your folder: (.+)$/m.exec(system)?.[1] ?? "", results };
}

/**
 * @param {string | Call[]} answer
 * @param {number} step
 * @returns {ReadableStream<import("@ai-sdk/provider").LanguageModelV4StreamPart>}
 */
function answerStream(answer, step) {
  const usage = {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
      if (typeof answer === "string") {
        const id = `text-${step}`;
        controller.enqueue({ type: "text-start", id });
        controller.enqueue({ type: "text-delta", id, delta: answer });
        controller.enqueue({ type: "text-end", id });
      } else {
        answer.forEach(({ tool, input = {} }, i) => {
          controller.enqueue({ type: "tool-call", toolCallId: `call-${step}-${i}`, toolName: tool, input: JSON.stringify(input) });
        });
      }
      const unified = typeof answer === "string" ? "stop" : "tool-calls";
      controller.enqueue({ type: "finish", finishReason: { unified, raw: undefined }, usage });
      controller.close();
    },
  });
}
