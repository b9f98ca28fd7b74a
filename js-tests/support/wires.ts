// What three providers' APIs take and give, as far as conversations with tools need it.
import type { WireRequest } from "./provider-server.js";

export type WireName = "openai-chat" | "openai-responses" | "anthropic";

/** A piece of an answer: text, or one call. */
export type Part = { said: string } | { id: string; call: string; input: string };
type Body = Record<string, any>;

export interface Wire {
  /** The path that SDKs add theirs to. */
  base: string;
  /** Whether events of a stream are named. */
  named: boolean;
  read(body: Body): Pick<WireRequest, "system" | "tools" | "names" | "results">;
  whole(parts: Part[], body: Body): Body;
  events(parts: Part[], body: Body): Body[];
}

const saysText = (part: Part): part is { said: string } => "said" in part;
const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.every(({ type }) => ["text", "input_text"].includes(type))
    ? content.map(({ text }) => text).join("\n")
    : JSON.stringify(content);
};
/** The messages after the last one that the model wrote. */
const since = <M>(messages: M[], isModels: (message: M) => boolean): M[] => messages.slice(messages.findLastIndex(isModels) + 1);

const chat: Wire = {
  base: "/v1",
  named: false,
  read({ messages, tools = [] }) {
    const made = messages.flatMap(({ tool_calls = [] }: Body) => tool_calls);
    const nameOf = (id: string) => made.find((call: Body) => call["id"] === id)?.function.name;
    return {
      system: messages
        .filter(({ role }: Body) => role === "system" || role === "developer")
        .map(({ content }: Body) => textOf(content))
        .join("\n"),
      tools: tools.map((tool: Body) => JSON.stringify(tool)),
      names: tools.map((tool: Body) => tool["function"].name),
      results: since(messages as Body[], ({ role }) => role === "assistant")
        .filter(({ role }) => role === "tool")
        .map(({ tool_call_id, content }) => ({ name: nameOf(tool_call_id), text: textOf(content) })),
    };
  },
  whole(parts) {
    const said = parts
      .filter(saysText)
      .map(({ said }) => said)
      .join("");
    const tool_calls = chatCalls(parts);
    const message = { role: "assistant", content: said || null, ...(tool_calls.length > 0 && { tool_calls }) };
    const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
    return { ...CHAT, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage: CHAT_USAGE };
  },
  events(parts) {
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...CHAT,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const calls = chatCalls(parts).map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null));
    const said = parts.filter(saysText).map(({ said }) => chunk({ content: said }, null));
    const end = chunk({}, calls.length > 0 ? "tool_calls" : "stop");
    return [
      chunk({ role: "assistant" }, null),
      ...said,
      ...calls,
      end,
      { ...CHAT, object: "chat.completion.chunk", choices: [], usage: CHAT_USAGE },
    ];
  },
};
const CHAT = { id: "chatcmpl-1", created: 1, model: "m" };
const CHAT_USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const chatCalls = (parts: Part[]) =>
  parts.flatMap((part) =>
    saysText(part) ? [] : [{ id: part.id, type: "function", function: { name: part.call, arguments: part.input } }],
  );

const anthropic: Wire = {
  base: "/v1",
  named: true,
  read({ system = [], messages, tools = [] }) {
    const blocks = messages.flatMap(({ content }: Body) => (Array.isArray(content) ? content : []));
    const nameOf = (id: string) => blocks.find((block: Body) => block["type"] === "tool_use" && block["id"] === id)?.name;
    return {
      system: textOf(system),
      tools: tools.map((tool: Body) => JSON.stringify(tool)),
      names: tools.map(({ name }: Body) => name),
      results: since(messages as Body[], ({ role }) => role === "assistant")
        .flatMap(({ content }) => content)
        .filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id, content }) => ({ name: nameOf(tool_use_id), text: textOf(content) })),
    };
  },
  whole: (parts) => ({
    ...MESSAGE,
    content: blocks(parts),
    stop_reason: parts.some((part) => !saysText(part)) ? "tool_use" : "end_turn",
    usage: ANTHROPIC_USAGE,
  }),
  events(parts) {
    const deltas = parts.flatMap((part, index): Body[] => [
      {
        type: "content_block_start",
        index,
        content_block: saysText(part) ? { type: "text", text: "" } : { type: "tool_use", id: part.id, name: part.call, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta: saysText(part) ? { type: "text_delta", text: part.said } : { type: "input_json_delta", partial_json: part.input },
      },
      { type: "content_block_stop", index },
    ]);
    const stop_reason = parts.some((part) => !saysText(part)) ? "tool_use" : "end_turn";
    return [
      { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null, usage: ANTHROPIC_USAGE } },
      ...deltas,
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
  },
};
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };
const ANTHROPIC_USAGE = { input_tokens: 1, output_tokens: 1 };
const blocks = (parts: Part[]) =>
  parts.map((part) =>
    saysText(part) ? { type: "text", text: part.said } : { type: "tool_use", id: part.id, name: part.call, input: JSON.parse(part.input) },
  );

const responses: Wire = {
  base: "/v1",
  named: true,
  read({ input, instructions, tools = [] }) {
    const items = input as Body[];
    const nameOf = (id: string) => items.find((item) => item["type"] === "function_call" && item["call_id"] === id)?.["name"];
    const isModels = ({ type, role }: Body) =>
      role === "assistant" || ["function_call", "tool_search_call", "item_reference", "reasoning"].includes(type);
    return {
      system: [
        instructions ?? [],
        ...items.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => textOf(content)),
      ]
        .flat()
        .join("\n"),
      tools: tools.map((tool: Body) => JSON.stringify(tool)),
      names: tools.map(({ name, type }: Body) => name ?? type),
      results: since(items, isModels).flatMap(({ type, call_id, output, tools }) => {
        if (type === "tool_search_output") return [{ name: "tool_search", text: JSON.stringify(tools) }];
        return type === "function_call_output" ? [{ name: nameOf(call_id), text: textOf(output) }] : [];
      }),
    };
  },
  whole: (parts, body) => ({
    ...RESPONSE,
    status: "completed",
    output: outputs(parts, body),
    usage: RESPONSE_USAGE,
    incomplete_details: null,
  }),
  events(parts, body) {
    const items = outputs(parts, body).flatMap((item, output_index): Body[] => {
      const begun = {
        ...item,
        ...(item["type"] === "function_call" && { arguments: "" }),
        ...(item["type"] === "message" && { content: [] }),
      };
      const at = { item_id: item["id"], output_index };
      const deltas: Body[] =
        item["type"] === "message"
          ? [
              { type: "response.content_part.added", ...at, content_index: 0, part: { ...item["content"][0], text: "" } },
              { type: "response.output_text.delta", ...at, content_index: 0, delta: item["content"][0].text },
            ]
          : item["type"] === "function_call"
            ? [{ type: "response.function_call_arguments.delta", ...at, delta: item["arguments"] }]
            : [];
      return [
        { type: "response.output_item.added", output_index, item: begun },
        ...deltas,
        { type: "response.output_item.done", output_index, item },
      ];
    });
    return [
      { type: "response.created", response: { ...RESPONSE, output: [] } },
      ...items,
      { type: "response.completed", response: responses.whole(parts, body) },
    ];
  },
};
const RESPONSE = { id: "resp_1", object: "response", created_at: 1, model: "m" };
const RESPONSE_USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** A call of `tool_search` where the request has one, and the namespace of a function that a search brought in one. */
function outputs(parts: Part[], { tools = [], input }: Body): Body[] {
  const brought = [...tools, ...input.flatMap(({ type, tools }: Body) => (type === "tool_search_output" ? tools : []))];
  const namespaceOf = (name: string) =>
    brought.find((tool: Body) => tool["type"] === "namespace" && tool["tools"].some((member: Body) => member["name"] === name))?.name;
  const hasSearch = tools.some(({ type }: Body) => type === "tool_search");
  return parts.map((part): Body => {
    if (saysText(part))
      return {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: part.said, annotations: [], logprobs: [] }],
      };
    const { id, call, input } = part;
    if (hasSearch && call === "tool_search")
      return {
        type: "tool_search_call",
        id: `ts_${id}`,
        call_id: id,
        execution: "client",
        status: "completed",
        arguments: JSON.parse(input),
      };
    const namespace = namespaceOf(call);
    return {
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name: call,
      arguments: input,
      status: "completed",
      ...(namespace && { namespace }),
    };
  });
}

export const wires: Record<WireName, Wire> = { "openai-chat": chat, "openai-responses": responses, anthropic };
