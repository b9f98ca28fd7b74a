import { GoogleGenAI, type Content, type Tool } from "@google/genai";
import { GoogleGenAI as GoogleGenAI3 } from "genai3";
import { geminiTools } from "tool-search/gemini";
import { scriptedServer, type Script } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

/** A server that speaks the Gemini API; some of its endpoints give calls ids. */
export function scriptedGemini(script: Script, { ids = true } = {}) {
  return scriptedServer(script, (said, _body, id, streams) => {
    const parts =
      typeof said === "string"
        ? [{ text: said }]
        : said.map((call, i) => ({ functionCall: { ...(ids && { id: `fc_${id}_${i}` }), name: call.call, args: call.input ?? {} } }));
    const response = (parts: object[]) => ({ candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }] });
    return streams ? parts.map((part) => ({ data: response([part]) })) : response(parts);
  });
}

type History = Content[];

function driver(name: string, Client: typeof GoogleGenAI, ids: boolean): Driver<History> {
  return {
    name,
    isNative: false,
    tools: (session, options) => geminiTools(session, options as object) as never,
    own: (name) => ({ functionDeclarations: [{ name, parametersJsonSchema: { type: "object" } }] }),
    server: (script) => scriptedGemini(script, { ids }),
    async loop({ url, agent, history, system, text, run, streams }) {
      const client = new Client({ apiKey: "key", httpOptions: { baseUrl: url } });
      history.push({ role: "user", parts: [{ text }] });
      for (;;) {
        const request = { model: "m", contents: history, config: { systemInstruction: system, tools: agent.tools() as Tool[] } };
        let content: Content = { role: "model", parts: [] };
        if (streams) {
          for await (const chunk of await client.models.generateContentStream(request)) {
            content.parts?.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
          }
        } else {
          content = (await client.models.generateContent(request)).candidates?.[0]?.content as Content;
        }
        history.push(content);
        const results = (await agent.respond(content, run)) as History;
        if (results.length === 0) return;
        history.push(...results);
      }
    },
    sent: ({ tools, contents }) => ({
      tools: tools
        .flatMap((tool: Tool) => tool.functionDeclarations ?? [])
        .map((tool: { name: string }) => [tool.name, JSON.stringify(tool)]),
      results: contents
        .at(-1)
        .parts.flatMap(({ functionResponse }: any) => (functionResponse ? [functionResponse.response.output ?? functionResponse.response.error] : [])),
    }),
  };
}

export const geminiDrivers = [
  driver("@google/genai 2, calls without ids", GoogleGenAI, false),
  driver("@google/genai 3", GoogleGenAI3 as never, true),
];
