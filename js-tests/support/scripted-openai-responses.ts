import OpenAI from "openai";
import OpenAI7 from "openai-sdk7";
import { openaiResponsesTools } from "tool-search/openai";
import { scriptedServer, writeAs } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

type History = OpenAI.Responses.ResponseInput;

function driver(name: string, Client: typeof OpenAI, strategy: "append" | "native"): Driver<History> {
  return {
    name: `${name} responses, ${strategy}`,
    isNative: strategy === "native",
    tools: (session, options) => openaiResponsesTools(session, { strategy, ...options } as object) as never,
    own: (name) => ({ type: "function", name, parameters: { type: "object" }, strict: false }),
    server: (script) => scriptedServer(script, writeAs("openai-responses")),
    async loop({ url, agent, history, system, text, run, streams }) {
      const client = new Client({ apiKey: "key", baseURL: url, maxRetries: 0 });
      history.push({ role: "user", content: text });
      for (;;) {
        const request = { model: "m", instructions: system, tools: agent.tools() as OpenAI.Responses.Tool[], input: history };
        const response = streams ? await client.responses.stream(request).finalResponse() : await client.responses.create(request);
        history.push(...(response.output as History));
        const results = (await agent.respond(response, run)) as History;
        if (results.length === 0) return;
        history.push(...results);
      }
    },
    sent: ({ tools, input }) => ({
      tools: tools.map((tool: { name?: string; type: string }) => [tool.name ?? tool.type, JSON.stringify(tool)]),
      results: input
        .slice(input.findLastIndex(({ type, role }: { type?: string; role?: string }) => role === "user" || type?.endsWith("_call")) + 1)
        .map((item: any) => (typeof item.output === "string" ? item.output : JSON.stringify(item.output ?? item.tools ?? item.content))),
    }),
  };
}

export const openaiResponsesDrivers = [
  driver("openai 6,", OpenAI, "append"),
  driver("openai 6,", OpenAI, "native"),
  driver("openai 7,", OpenAI7 as never, "native"),
];
