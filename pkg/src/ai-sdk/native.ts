import type { ToolSet } from "ai";
import type { ToolSearchSession } from "../session.js";

/**
 * Lets the AI SDK 7's own `toolSearch` find tools as this package does: `toolSearch({ search: searchWith(session) })`. What is found
 * is loaded in the session as well, so that {@link deferTools} knows it at the next user turn.
 */
export function searchWith(session: ToolSearchSession) {
  return ({ query, tools }: { query: string; tools: readonly { name: string }[] }): string[] => {
    const offered = new Set(tools.map(({ name }) => name));
    const { loaded, alreadyLoaded } = session.handle({ query });
    return [...loaded, ...alreadyLoaded].filter((name) => offered.has(name));
  };
}

/**
 * Tools as the AI SDK 7's own `toolSearch` takes them: those are marked (`deferLoading`) that the session defers and has not loaded.
 * The SDK itself forgets with each request what was found; a session from `stateFromMessages` does not. Tools that the session may
 * not see are left out. With `prepareStep: () => ({ toolOrder: session.names() })` arrays grow at their end only, provided that
 * the search tool is called as the session has it.
 */
export function deferTools<TOOLS extends ToolSet>(session: ToolSearchSession, tools: TOOLS): TOOLS {
  const loaded = new Set(session.names());
  const visible = session.whole.names().filter((name) => Object.hasOwn(tools, name));
  return Object.fromEntries(
    visible.map((name) => [name, loaded.has(name) ? tools[name] : { ...tools[name], deferLoading: true }]),
  ) as TOOLS;
}
