import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "tool-search/anthropic";
import { scriptedServer, writeAs } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

type History = Anthropic.MessageParam[];

function driver(strategy: "append" | "native"): Driver<History> {
  return {
    name: `anthropic, ${strategy}`,
    isNative: strategy === "native",
    tools: (session, options) => anthropicTools(session, { strategy, ...options } as object) as never,
    own: (name) => ({ name, input_schema: { type: "object" } }),
    server: (script) => scriptedServer(script, writeAs("anthropic")),
    async loop({ url, agent, history, system, text, run, streams }) {
      const client = new Anthropic({ apiKey: "key", baseURL: url, maxRetries: 0 });
      history.push({ role: "user", content: text });
      for (;;) {
        const request = { model: "m", max_tokens: 100, system, tools: agent.tools() as Anthropic.ToolUnion[], messages: history };
        const message = streams ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
        history.push({ role: "assistant", content: message.content });
        const results = (await agent.respond(message, run)) as History;
        if (results.length === 0) return;
        history.push(...results);
      }
    },
    sent: ({ tools, messages }) => ({
      tools: tools.map((tool: { name: string }) => [tool.name, JSON.stringify(tool)]),
      results: (messages.at(-1).content instanceof Array ? messages.at(-1).content : [])
        .filter((block: { type: string }) => block.type === "tool_result")
        .map(({ content }: { content: unknown }) => (typeof content === "string" ? content : JSON.stringify(content))),
    }),
  };
}

export const anthropicDrivers = [driver("append"), driver("native")];
