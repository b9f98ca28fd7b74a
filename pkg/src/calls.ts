/** One call of a tool that a conversation holds, with its result. */
export interface PastCall {
  name: string;
  input: unknown;
  /** What the tool answered, in whatever form the messages have it. */
  output: unknown;
  /** Whether the answer says that the call failed. */
  failed: boolean;
}

interface Loose {
  [key: string]: unknown;
}

/**
 * The answered calls of tools in a conversation, in the order in which they were made, which is that in which they ran. Reads model and UI messages of the AI SDK 5, 6 and 7,
 * messages of Anthropic and of Chat Completions, and items of the Responses API. Calls that the provider ran itself are left out,
 * and answers without their call. Of two answers to one call the later counts.
 */
export function pastCalls(messages: readonly unknown[]): PastCall[] {
  const reader = new Reader();
  for (const message of messages) reader.message(message);
  return [...reader.calls].flatMap(([id, call]) => {
    const answer = reader.answers.get(id);
    return answer ? [{ ...call, ...answer }] : [];
  });
}

class Reader {
  /** Both by id of the call. */
  readonly calls = new Map<string, Pick<PastCall, "name" | "input">>();
  readonly answers = new Map<string, Pick<PastCall, "output" | "failed">>();
  /** Ids of client searches of the Responses API that are not answered yet. */
  readonly #searches: string[] = [];

  message(message: unknown): void {
    if (!isObject(message)) return;
    this.#item(message);
    if (message["role"] === "tool" && typeof message["tool_call_id"] === "string") {
      this.#answer(message["tool_call_id"], message["content"]); // Chat Completions
    }
    for (const call of listOf(message["tool_calls"])) {
      const { name, arguments: input } = objectOf(call["function"]);
      this.#call(call["id"], name, input);
    }
    for (const part of [...listOf(message["content"]), ...listOf(message["parts"])]) this.#part(part);
  }

  #part(part: Loose): void {
    if (part["providerExecuted"] === true) return;
    const { type, toolCallId } = part;
    if (type === "tool-call") this.#call(toolCallId, part["toolName"], part["input"]);
    else if (type === "tool-result") this.#answer(toolCallId, part["output"], /^(error|execution-denied)/.test(String(objectOf(part["output"])["type"])));
    else if (type === "dynamic-tool") this.#uiPart(part, part["toolName"]);
    else if (type === "tool_use") this.#call(part["id"], part["name"], part["input"]);
    else if (type === "tool_result") this.#answer(part["tool_use_id"], part["content"], part["is_error"] === true);
    else if (typeof type === "string" && type.startsWith("tool-")) this.#uiPart(part, type.slice("tool-".length));
  }

  #uiPart(part: Loose, name: unknown): void {
    this.#call(part["toolCallId"], name, part["input"]);
    if (part["state"] === "output-available" && part["preliminary"] !== true) this.#answer(part["toolCallId"], part["output"]);
    if (part["state"] === "output-error") this.#answer(part["toolCallId"], part["errorText"], true);
  }

  /** An item of the Responses API. */
  #item(item: Loose): void {
    const { type, call_id: id } = item;
    if (type === "function_call") this.#call(id, item["name"], item["arguments"]);
    if (type === "function_call_output") this.#answer(id, item["output"]);
    if (item["execution"] === "server") return;
    if (type === "tool_search_call" && typeof id === "string") {
      this.#call(id, RESPONSES_SEARCH, item["arguments"]);
      this.#searches.push(id);
    }
    if (type === "tool_search_output") {
      const answered = typeof id === "string" ? id : this.#searches.find((search) => !this.answers.has(search));
      this.#answer(answered, { tools: item["tools"] });
    }
  }

  #call(id: unknown, name: unknown, input: unknown): void {
    if (typeof id === "string" && typeof name === "string") this.calls.set(id, { name, input });
  }

  #answer(id: unknown, output: unknown, failed = false): void {
    if (typeof id === "string") this.answers.set(id, { output, failed });
  }
}

/** What a search of the Responses API is called among {@link pastCalls}: it has no name of its own. */
export const RESPONSES_SEARCH = "tool_search";

/** The object that a value is; an empty one where it is none. */
export function objectOf(value: unknown): Loose {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
