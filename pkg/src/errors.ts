/** The same in every copy of this package. */
const BRAND = Symbol.for("tool-search.error");

/**
 * Every error of this package: `code` is stable, `message` says what was wrong and what to do.
 *
 * Codes: `invalid_tool`, `duplicate_name`, `reserved_name`, `limit_exceeded`, `invalid_json`, `invalid_option`, `empty_query`,
 * `no_tokens`, `empty_select`, `invalid_pattern`, `pattern_too_long`, `invalid_snapshot`, `too_many_tools`; `unsupported` for what an SDK
 * cannot do, `freed` for the use of something after its `free()`, `reentrant` for a call from within `countTokens`, `name_not_portable`
 * for a callable name that a provider's API does not take, `no_server` for a call of a tool that is of no MCP server, `no_module` when
 * the WebAssembly module cannot be had, and `internal` for a module that ran out of memory, or a bug of this package.
 */
export class ToolSearchError extends Error {
  /** Also of another copy of this package, of which a process may have several: as ES module and as CommonJS, or in two versions. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this.prototype, BRAND)) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && BRAND in value;
  }

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  override readonly name = "ToolSearchError";
  readonly code: string;
  /** Which of the tools given to `add` or `addJson` is the reason, counted from 0; `undefined` where no single one is. */
  readonly index: number | undefined;

  constructor(code: string, message: string, options?: ErrorOptions & { index?: number | undefined }) {
    super(message, options);
    this.code = code;
    this.index = options?.index;
  }
}

/** Set by the first fault of the module: its memory may be in any state then, so that nothing it says can be trusted. */
let fault: ToolSearchError | undefined;

let memory: WebAssembly.Memory | undefined;

/** Has faults tell whether the module's memory can grow. @internal */
export function watchMemory(own: WebAssembly.Memory): void {
  memory = own;
}

/** Asked only after a fault, when nothing can be spoilt any more. */
function isFull(): boolean {
  try {
    memory?.grow(PAGES);
    return false;
  } catch {
    return true;
  }
}
/** 64 MB, of 64 KB each. */
const PAGES = 1024;

/** Gives memory back, which after a fault is nobody's to give. @internal */
export function release(free: () => void): void {
  if (!fault) guard(free);
}

/**
 * Runs a call into the module. What Rust reports becomes a {@link ToolSearchError}; a trap, a panic or an overflow of the stack is a
 * fault, after which every call fails. Only calls belong in it: arguments are made ready before.
 *
 * @internal
 */
export function guard<T>(call: () => T): T {
  checkFault();
  try {
    return call();
  } catch (error) {
    throw failureOf(error);
  }
}

/** Throws where there was a fault. @internal */
export function checkFault(): void {
  if (fault) throw new ToolSearchError("internal", fault.message, { cause: fault.cause });
}

/** What to throw for what a call into the module threw. @internal */
export function failureOf(error: unknown): ToolSearchError {
  if (error instanceof ToolSearchError) return error;
  if (typeof error === "string") return reported(error);
  const { message } = error as { message?: unknown };
  // What the module refuses before it does anything: a getter or a `toJSON` among the arguments has freed what was called.
  if (message === "null pointer passed to rust") return new ToolSearchError("freed", "This was freed while it was called; make a new one.");
  const why = isFull() ? "It ran out of memory, which the platform gives no more of" : `This is a bug of tool-search: ${String(message)}`;
  fault = new ToolSearchError("internal", `The engine failed, and none can be used any more in this process. ${why}`, { cause: error });
  return fault;
}

/** What Rust throws its errors as: the code, with the index of a tool behind it where there is one, and the message on the lines below. */
function reported(text: string): ToolSearchError {
  const end = text.indexOf("\n");
  const [code = "internal", index] = text.slice(0, end).split(" ");
  return new ToolSearchError(code, text.slice(end + 1), { index: index === undefined ? undefined : Number(index) });
}
