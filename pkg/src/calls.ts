/** One call of a tool that a conversation holds, with its result. */
export interface PastCall {
  name: string;
  /** Of the Responses API: what the name may leave out of the beginning. */
  namespace?: string | undefined;
  /** Whether it is a search of the Responses API's own kind, which goes by no name. */
  isSearch: boolean;
  input: unknown;
  /** What the tool answered, in whatever form the messages have it. */
  output: unknown;
  /** Whether the answer says that the call failed. */
  failed: boolean;
  /** Calls of one turn of the model have the same number, of later turns a higher one. */
  turn: number;
}

interface Loose {
  [key: string]: unknown;
}

/**
 * The answered calls of tools in a conversation, in the order in which they were made, which is that in which they ran. Reads model
 * and UI messages of the AI SDK 5, 6 and 7, messages of Anthropic and of Chat Completions, items of the Responses API, and contents of
 * Gemini's. Calls that the provider ran itself are left out, and answers without their call. Of two answers to one call the later counts.
 */
export function pastCalls(messages: readonly unknown[]): PastCall[] {
  const reader = new Reader();
  for (const message of messages) reader.message(message);
  return reader.calls.filter((call) => call.answered).map(({ answered: _, ...call }) => call);
}

type ReadCall = PastCall & { answered: boolean };

class Reader {
  readonly calls: ReadCall[] = [];
  /** The last call of each id. Some models begin anew with their ids at each turn. */
  readonly #byId = new Map<string, ReadCall>();
  /** Gemini's calls of the turn that is being answered: not every endpoint gives them ids. */
  #open: { id: unknown; name: unknown; call: ReadCall }[] = [];
  #turn = 0;
  /** Whether a call was answered since the last one was made, so that the next is of a later turn. */
  #isOver = false;
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
    for (const part of listOf(message["content"])) this.#part(part);
    const parts = listOf(message["parts"]);
    if (parts.some((part) => part["functionCall"])) this.#open = [];
    if (parts.length > 0) this.#turn++;
    for (const part of parts) {
      this.#uiPart(part);
      this.#geminiPart(part);
    }
  }

  #part(part: Loose): void {
    if (part["providerExecuted"] === true) return;
    const { type, toolCallId } = part;
    if (type === "tool-call") this.#call(toolCallId, part["toolName"], part["input"]);
    else if (type === "tool-result") this.#answer(toolCallId, part["output"], FAILED.test(String(objectOf(part["output"])["type"])));
    else if (type === "tool_use") this.#call(part["id"], part["name"], part["input"]);
    else if (type === "tool_result") this.#answer(part["tool_use_id"], part["content"], part["is_error"] === true);
  }

  /** Of a UI message, where a call and its answer are one. */
  #uiPart(part: Loose): void {
    const { type, state, preliminary } = part;
    if (type === "step-start") this.#turn++;
    if (part["providerExecuted"] === true || typeof type !== "string") return;
    const name = type === "dynamic-tool" ? part["toolName"] : type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
    if (name === undefined) return;
    this.#call(part["toolCallId"], name, part["input"]);
    if (state === "output-available" && preliminary !== true) this.#answer(part["toolCallId"], part["output"]);
    if (state === "output-error") this.#answer(part["toolCallId"], part["errorText"], true);
    this.#isOver = false;
  }

  #geminiPart({ functionCall, functionResponse }: Loose): void {
    if (isObject(functionCall)) {
      const { id, name, args } = functionCall;
      const call = this.#call(id, name, args);
      if (call) this.#open.push({ id, name, call });
    }
    if (isObject(functionResponse)) {
      const { id, name, response } = functionResponse;
      const at = this.#open.findIndex((open) => (id === undefined ? open.name === name : open.id === id));
      const [open] = at < 0 ? [] : this.#open.splice(at, 1);
      const { output, error } = objectOf(response);
      if (open) Object.assign(open.call, { output: output ?? error, failed: error !== undefined, answered: true });
      this.#isOver = true;
    }
  }

  /** An item of the Responses API. */
  #item(item: Loose): void {
    const { type, call_id: id } = item;
    if (type === "function_call") {
      const call = this.#call(id, item["name"], item["arguments"]);
      if (call && typeof item["namespace"] === "string") call.namespace = item["namespace"];
    }
    if (type === "function_call_output") this.#answer(id, item["output"]);
    if (item["execution"] === "server") return;
    if (type === "tool_search_call" && typeof id === "string") {
      const call = this.#call(id, type, item["arguments"]);
      if (call) call.isSearch = true;
      this.#searches.push(id);
    }
    if (type === "tool_search_output") {
      const answered = typeof id === "string" ? id : this.#searches.find((search) => !this.#byId.get(search)?.answered);
      this.#answer(answered, { tools: item["tools"] });
    }
  }

  #call(id: unknown, name: unknown, input: unknown): ReadCall | undefined {
    if (typeof name !== "string") return undefined;
    if (this.#isOver) this.#turn++;
    this.#isOver = false;
    const call: ReadCall = { name, isSearch: false, input, output: undefined, failed: false, turn: this.#turn, answered: false };
    this.calls.push(call);
    if (typeof id === "string") this.#byId.set(id, call);
    return call;
  }

  #answer(id: unknown, output: unknown, failed = false): void {
    const call = typeof id === "string" ? this.#byId.get(id) : undefined;
    if (call) Object.assign(call, { output, failed, answered: true });
    this.#isOver = true;
  }
}

/** Kinds of outputs in model messages that are no result. */
const FAILED = /^(error|execution-denied)/;

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
