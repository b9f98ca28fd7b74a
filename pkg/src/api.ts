// What every entry of the package exports; the entries differ in where the WebAssembly module comes from.
export { estimateTokens, ToolSearch } from "./engine.js";
export { ToolSearchError } from "./errors.js";
export { ToolSearchSession } from "./session.js";
export type {
  ActivationEvent,
  CacheBreakEvent,
  RescueEvent,
  SearchEvent,
  ServerEvent,
  ToolSearchEvent,
} from "./events.js";
export type * from "./types.js";
export { mergeUsage, type ToolUsage, type ToolUses } from "./usage.js";
