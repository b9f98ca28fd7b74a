// The providers' APIs behind one face: what is asserted of all of them is written once.
import type { ToolSearchSession } from "tool-search";
import type { ProviderTools, RunTool } from "tool-search/openai";
import { anthropicDrivers } from "./scripted-anthropic.js";
import { geminiDrivers } from "./scripted-gemini.js";
import { openaiChatDrivers } from "./scripted-openai-chat.js";
import { openaiResponsesDrivers } from "./scripted-openai-responses.js";
import type { Body, Script, ScriptedServer } from "./scripted-server.js";

type AnyTools<History> = ProviderTools<unknown, unknown, unknown, unknown, History extends (infer Message)[] ? Message : never>;

export interface Driver<History> {
  name: string;
  /** Whether the array stays as it is when tools are loaded. */
  isNative: boolean;
  tools(session: ToolSearchSession, options?: object): AnyTools<History>;
  /** A tool of the caller's own, as the provider has it. */
  own(name: string): unknown;
  server(script: Script): Promise<ScriptedServer>;
  /** The loop of an agent over the provider's own SDK, for one turn of the user; adds to the history. */
  loop(turn: {
    url: string;
    agent: AnyTools<History>;
    history: History;
    system: string;
    text: string;
    run: RunTool;
    streams: boolean;
  }): Promise<void>;
  /** What a request held: tools as names and JSON, and the results that it brought. */
  sent(body: Body): { tools: [name: string, json: string][]; results: string[] };
}

export const drivers = [
  ...anthropicDrivers,
  ...openaiChatDrivers,
  ...openaiResponsesDrivers,
  ...geminiDrivers,
] as unknown as Driver<unknown[]>[];
