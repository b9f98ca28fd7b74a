import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "tool-search/anthropic";
import { jsonOf, scriptedServer, type Script } from "./scripted-server.js";
import type { Driver } from "./drivers.js";

/** A server that speaks the Messages API. */
export function scriptedAnthropic(script: Script) {
  return scriptedServer(script, (said, _body, id, streams) => {
    const calls = typeof said === "string" ? [] : said;
    const blocks = calls.map((call, i) => ({ type: "tool_use", id: `toolu_${id}_${i}`, name: call.call, input: call.input ?? {} }));
    const content = typeof said === "string" ? [{ type: "text", text: said }] : blocks;
    const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "m", content, stop_reason, stop_sequence: null, usage };
    if (!streams) return message;
    const events = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      ...content.flatMap((block, index) => {
        const isText = "text" in block;
        const start = isText ? { ...block, text: "" } : { ...block, input: {} };
        const delta = isText
          ? { type: "text_delta", text: block.text }
          : { type: "input_json_delta", partial_json: jsonOf(calls[index] ?? { call: "" }) };
        return [
          { type: "content_block_start", index, content_block: start },
          { type: "content_block_delta", index, delta },
          { type: "content_block_stop", index },
        ];
      }),
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    return events.map((data) => ({ event: data.type, data }));
  });
}

type History = Anthropic.MessageParam[];

function driver(strategy: "append" | "native"): Driver<History> {
  return {
    name: `anthropic, ${strategy}`,
    isNative: strategy === "native",
    tools: (session, options) => anthropicTools(session, { strategy, ...options } as object) as never,
    own: (name) => ({ name, input_schema: { type: "object" } }),
    server: scriptedAnthropic,
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
