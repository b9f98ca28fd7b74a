import OpenAI from "openai";
import OpenAI7 from "openai-sdk7";
import { openaiResponsesTools } from "tool-search/openai";
import { jsonOf, scriptedServer, type Write } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

/** The Responses API, with its own tool search where the request has that. */
export const writeOpenAiResponses: Write = (said, body, id, streams) => {
  const isNative = body["tools"].some(({ type }: { type: string }) => type === "tool_search");
  const loaded: { type: string; name: string; tools: { name: string }[] }[] = body["input"].flatMap((item: any) => item.tools ?? []);
  const output =
    typeof said === "string"
      ? [{ type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content: [{ type: "output_text", text: said, annotations: [] }] }]
      : said.map((call, i) => {
          const common = { call_id: `call_${id}_${i}`, status: "completed" };
          if (isNative && call.call === "tool_search") {
            return { ...common, type: "tool_search_call", id: `ts_${id}_${i}`, execution: "client", arguments: call.input ?? {} };
          }
          const namespace = loaded.find(({ type, tools }) => type === "namespace" && tools.some(({ name }) => name === call.call));
          return {
            ...common,
            type: "function_call",
            id: `fc_${id}_${i}`,
            name: call.call,
            arguments: jsonOf(call),
            ...(namespace && { namespace: namespace.name }),
          };
        });
  const response = { id: `resp_${id}`, object: "response", created_at: 1, status: "completed", model: "m", output, tools: [], error: null };
  if (!streams) return response;
  const events = [
    { type: "response.created", sequence_number: 0, response: { ...response, status: "in_progress", output: [] } },
    { type: "response.completed", sequence_number: 1, response },
  ];
  return events.map((data) => ({ event: data.type, data }));
};

type History = OpenAI.Responses.ResponseInput;

function driver(name: string, Client: typeof OpenAI, strategy: "append" | "native"): Driver<History> {
  return {
    name: `${name} responses, ${strategy}`,
    isNative: strategy === "native",
    tools: (session, options) => openaiResponsesTools(session, { strategy, ...options } as object) as never,
    own: (name) => ({ type: "function", name, parameters: { type: "object" }, strict: false }),
    server: (script) => scriptedServer(script, writeOpenAiResponses),
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
