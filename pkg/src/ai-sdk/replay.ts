import type { ModelMessage } from "ai";
import { objectOf } from "../calls.js";
import { loadedNames, namesText } from "../replies.js";

/** The result of a tool as a model message has it. */
export interface Output {
  type: string;
  value?: unknown;
}

/** How a strategy's searches stand in messages. */
export interface Form {
  input(input: unknown, toolCallId: string): unknown;
  output(output: Output): Output;
}

/**
 * A conversation with its searches in a strategy's form, whichever form they were kept in: another strategy's, or what
 * `convertToModelMessages` makes of UI messages without knowing the tools. The very same array when nothing is to be changed.
 */
export function replay<M extends readonly ModelMessage[]>(messages: M, searchTool: string, form: Form): M {
  let changed = false;
  const same = (before: unknown, after: unknown) => before === after || JSON.stringify(before) === JSON.stringify(after);
  const part = (given: unknown, role: string): unknown => {
    const { type, toolName, toolCallId, input, output, providerExecuted } = objectOf(given);
    if (toolName !== searchTool || providerExecuted === true) return given;
    const more: Partial<Record<string, unknown>> = {};
    if (type === "tool-call") {
      const after = form.input(input, String(toolCallId));
      // Without the id by which the provider knows the call: there it is of the other kind.
      if (!same(input, after)) Object.assign(more, { input: after, providerOptions: undefined });
    }
    // A result in the model's own message is one of the provider's.
    if (type === "tool-result" && role === "tool") {
      const after = form.output(output as Output);
      if (!same(output, after)) more["output"] = after;
    }
    if (Object.keys(more).length === 0) return given;
    changed = true;
    return { ...(given as object), ...more };
  };
  const replayed = messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.map((each) => part(each, message.role)) } : message,
  );
  return changed ? (replayed as unknown as M) : messages;
}

/** Searches as any tool's call and text. */
export const TEXT_FORM: Form = {
  input: (input) => {
    const { arguments: inner, call_id: id } = objectOf(input);
    return inner !== undefined && id !== undefined ? inner : input;
  },
  output: (output) =>
    output.type === "content" || output.type === "json" ? { type: "text", value: namesText(loadedNames(output)) } : output,
};
