/**
 * Tool search for agents built with the Vercel AI SDK: `ai` 5, 6 and 7 by one code path, any provider.
 *
 * ```ts
 * const search = new ToolSearch();
 * const tools = await addToolSet(search, await mcpClient.tools(), { server: "github" });
 * const session = search.session({ model: "anthropic:claude-sonnet-4-5" }); // one for each conversation
 * const result = streamText({ model, messages, stopWhen: stepCountIs(20), ...withToolSearch(session, { tools, system }) });
 * ```
 *
 * The SDK lists tools in the key order of the `tools` object and reads that object again at each step, so an object that only
 * grows at its end gives tools arrays of which each begins with the one before, and the provider's prompt cache holds.
 * Nothing of `ai` is imported unless a tool's schema can be read in no other way.
 *
 * @module
 */
export { deferTools, searchWith } from "./ai-sdk/native.js";
export { withToolSearch, type ToolCallRequest, type ToolSearchSettings, type WithToolSearchOptions } from "./ai-sdk/settings.js";
export type { StrategyName } from "./ai-sdk/strategy.js";
export { addToolSet, toolDefinitions } from "./ai-sdk/tools.js";
export { stateFromMessages, type HistoryOptions } from "./history.js";
