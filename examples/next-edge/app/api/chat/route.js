// The route behind `useChat()`, on the edge. What a conversation has loaded travels as metadata of its messages, so that any
// instance serves the next turn.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { convertToModelMessages, stepCountIs, streamText } from "ai";
import { ToolSearch } from "tool-search";
import { withToolSearch } from "tool-search/ai-sdk";
import catalog from "../../../catalog.json";

export const runtime = "edge";

const search = new ToolSearch({ defer: "always" });
for (const [server, tools] of Object.entries(catalog)) search.add(tools, { server });

export async function POST(request) {
  const { messages } = await request.json();
  const session = search.session({ state: messages.findLast(({ metadata }) => metadata?.tools)?.metadata.tools });
  const provider = createOpenAICompatible({ name: "model", baseURL: process.env.MODEL_URL, apiKey: process.env.MODEL_KEY });
  const result = streamText({
    model: provider(process.env.MODEL),
    messages: await convertToModelMessages(messages),
    stopWhen: stepCountIs(20),
    ...withToolSearch(session, { system: "You keep a calendar.", call: callTool }),
  });
  return result.toUIMessageStreamResponse({
    originalMessages: messages,
    messageMetadata: ({ part }) => (part.type === "finish" ? { tools: session.state() } : undefined),
  });
}

/** Runs a tool where it lives. */
async function callTool({ server, rawName, input }, { abortSignal }) {
  const body = JSON.stringify(input);
  const response = await fetch(`${process.env.TOOLS_URL}/${server}/${rawName}`, { method: "POST", body, signal: abortSignal });
  return response.text();
}
