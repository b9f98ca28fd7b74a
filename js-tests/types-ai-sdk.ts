// Compiled and never run: the AI SDK adapter keeps the types of the caller's own tools.
import { generateText, streamText, tool, type LanguageModel } from "ai";
import { ToolSearch } from "tool-search";
import { addToolSet, toolDefinitions, withToolSearch, type ToolCallRequest, type ToolSearchSettings, type WithToolSearchOptions } from "tool-search/ai-sdk";
import { z } from "zod";

declare const model: LanguageModel;

const mine = { clock: tool({ inputSchema: z.object({ zone: z.string() }), execute: async ({ zone }) => zone.length }) };

export async function types() {
  const search = new ToolSearch();
  search.add(await toolDefinitions(mine));
  const tools = await addToolSet(search, mine);
  const options: WithToolSearchOptions<typeof mine> = { tools, system: "s" };
  const settings: ToolSearchSettings<typeof mine> = withToolSearch(search.session(), options);
  const { toolCalls } = await generateText({ model, prompt: "p", ...settings });
  for (const made of toolCalls) if (!made.dynamic && made.toolName === "clock") made.input.zone.trim();
  const request: ToolCallRequest = { name: "a", rawName: "a", input: {} };
  return streamText({ model, prompt: request.name, ...withToolSearch(search.session(), { call: ({ rawName }) => rawName }) });
}

export type AiToolSearch = ReturnType<typeof types>;
