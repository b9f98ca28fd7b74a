// Compiled and never run, with the types of each supported version of `ai`: the caller's own tools keep their types.
import { generateText, jsonSchema, streamText, tool, type LanguageModel, type ModelMessage, type ToolSet, type UIMessage } from "ai";
import { ToolSearch, type SessionState } from "tool-search";
import {
  addToolSet,
  deferTools,
  searchWith,
  stateFromMessages,
  toolDefinitions,
  withToolSearch,
  type HistoryOptions,
  type StrategyName,
  type ToolCallRequest,
  type ToolSearchSettings,
  type WithToolSearchOptions,
} from "tool-search/ai-sdk";
import { z } from "zod";

declare const model: LanguageModel;
declare const messages: ModelMessage[];
declare const uiMessages: UIMessage[];
declare const others: ToolSet;

const mine = {
  clock: tool({ inputSchema: z.object({ zone: z.string() }), execute: async ({ zone }) => zone.length }),
  note: tool({ inputSchema: jsonSchema<{ text: string }>({ type: "object" }), execute: async ({ text }) => [text] }),
};

export async function types() {
  const search = new ToolSearch();
  search.add(await toolDefinitions(mine));
  const tools = await addToolSet(search, mine);
  const options: WithToolSearchOptions<typeof mine> = { tools, system: "s", strategy: "append", activeTools: ["clock"] };
  const settings: ToolSearchSettings<typeof mine> = withToolSearch(search.session(), options);
  const { toolCalls, toolResults } = await generateText({ model, prompt: "p", ...settings });
  for (const made of toolCalls) {
    if (made.dynamic) continue;
    if (made.toolName === "clock") made.input.zone.trim();
    if (made.toolName === "note") made.input.text.trim();
    // @ts-expect-error no tool of that name
    if (made.toolName === "clok") return;
  }
  for (const made of toolResults) if (!made.dynamic && made.toolName === "clock") made.output.toFixed();
  for (const strategy of ["append", "anthropic", "openai", "bridge"] satisfies StrategyName[]) {
    const { steps } = await generateText({
      model,
      prompt: "p",
      ...withToolSearch(search.session(), { strategy, tools, toolChoice: { type: "tool", toolName: "note" } }),
    });
    for (const { toolCalls } of steps) for (const made of toolCalls) if (!made.dynamic && made.toolName === "note") made.input.text.trim();
  }
  // @ts-expect-error no tool of that name
  withToolSearch(search.session(), { tools, toolChoice: { type: "tool", toolName: "clok" } });
  // @ts-expect-error no strategy of that name
  withToolSearch(search.session(), { strategy: "best" });

  const names: HistoryOptions = { searchToolName: "find", callToolName: "call" };
  const state: SessionState = stateFromMessages(search, messages, names);
  const session = search.session({ state: stateFromMessages(search, uiMessages) ?? state });
  deferTools(session, mine).clock.execute;
  searchWith(session)({ query: "q", tools: [{ name: "clock" }] })[0]?.trim();
  const request: ToolCallRequest = { name: "a", rawName: "a", input: {} };
  const named: ToolSet = await addToolSet(search, others, { server: "s" });
  return streamText({ model, prompt: request.name, ...withToolSearch(search.session(), { tools: named, call: ({ rawName }) => rawName }) });
}

export type AiToolSearch = ReturnType<typeof types>;
