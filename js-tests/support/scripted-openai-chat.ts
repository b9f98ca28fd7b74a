import OpenAI from "openai";
import OpenAI7 from "openai-sdk7";
import { openaiChatTools } from "tool-search/openai";
import { scriptedServer, writeAs } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

type History = OpenAI.ChatCompletionMessageParam[];

function driver(name: string, Client: typeof OpenAI): Driver<History> {
  return {
    name,
    isNative: false,
    tools: (session, options) => openaiChatTools(session, options as object) as never,
    own: (name) => ({ type: "function", function: { name, parameters: { type: "object" } } }),
    server: (script) => scriptedServer(script, writeAs("openai-chat")),
    async loop({ url, agent, history, system, text, run, streams }) {
      const client = new Client({ apiKey: "key", baseURL: url, maxRetries: 0 });
      history.push({ role: "user", content: text });
      for (;;) {
        const messages: History = [{ role: "system", content: system }, ...history];
        const request = { model: "m", tools: agent.tools() as OpenAI.ChatCompletionTool[], messages };
        const completion = streams
          ? await client.chat.completions.stream(request).finalChatCompletion()
          : await client.chat.completions.create(request);
        const message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage;
        history.push(message);
        const results = (await agent.respond(message, run)) as History;
        if (results.length === 0) return;
        history.push(...results);
      }
    },
    sent: ({ tools, messages }) => ({
      tools: tools.map((tool: { function: { name: string } }) => [tool.function.name, JSON.stringify(tool)]),
      results: messages
        .slice(messages.findLastIndex(({ role }: { role: string }) => role !== "tool") + 1)
        .map(({ content }: { content: string }) => content),
    }),
  };
}

export const openaiChatDrivers = [driver("openai 6, chat", OpenAI), driver("openai 7, chat", OpenAI7 as never)];
