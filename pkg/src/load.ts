import * as glue from "../wasm/core_bg.js";
import { ToolSearchError, watchMemory } from "./errors.js";
import type { Meaning } from "./types.js";

/**
 * What Rust exports, and the memory it works in.
 *
 * @internal
 */
export type Core = Glue & {
  readonly memory: WebAssembly.Memory;
  /** A copy of the numbers at an address, the first of which says how many follow, until the next one is asked for. */
  numbersAt(pointer: number): readonly number[];
  /** The bytes of the memory, until the next call into Rust. */
  bytes(): Uint8Array;
};
type Glue = typeof glue;
type Provide = () => WebAssembly.Module;

let provide: Provide | undefined;
let started: Core | undefined;

/**
 * Says where the compiled module comes from. Each entry of the package has its own way; nothing is compiled before `core` is
 * called, so that importing the package costs nothing. Without effect once the module runs.
 *
 * @internal
 */
export function provideModule(get: Provide): void {
  provide = get;
}

/**
 * The running module; the first call compiles and starts it. All entries share the one instance. Callers take `memory.buffer`
 * anew after each call into Rust: growing the memory detaches the old one.
 *
 * @internal
 * @throws ToolSearchError `no_module` when `tool-search/slim` was not given a module yet, or the platform refuses to compile it
 */
export function core(): Core {
  if (!started && !provide) {
    const message = "There is no WebAssembly module: call `initSync(module)` of `tool-search/slim` first, or import `tool-search`.";
    throw new ToolSearchError("no_module", message);
  }
  return (started ??= start(glue, provide as Provide));
}

/**
 * Starts a module with the glue that was made for it.
 *
 * wasm-bindgen's own loader for the web asks `instanceof WebAssembly.Module`, which fails for a module of another realm, as edge
 * runtimes and test runners hand them out. These lines do the same without asking.
 *
 * @internal
 */
export function start(glue: Glue, provide: Provide): Core {
  const { exports } = new WebAssembly.Instance(compiled(provide), { "./core_bg.js": glue });
  const { memory, __wbindgen_start: run } = exports as { memory: WebAssembly.Memory; __wbindgen_start: () => void };
  watchMemory(memory);
  glue.__wbg_set_wasm(exports);
  run();
  let numbers = new Float64Array(0);
  let memoryBytes = new Uint8Array(0);
  // Growing the memory detaches the old one.
  const bytes = (): Uint8Array => (memoryBytes.byteLength === 0 ? (memoryBytes = new Uint8Array(memory.buffer)) : memoryBytes);
  // They are few, and an array of JavaScript that is there already is filled faster than one of bytes is made.
  const copy: number[] = [];
  const numbersAt = (pointer: number): readonly number[] => {
    if (numbers.byteLength === 0) numbers = new Float64Array(memory.buffer);
    const start = pointer / numbers.BYTES_PER_ELEMENT;
    const last = numbers[start] as number;
    for (let at = 0; at <= last; at++) copy[at] = numbers[start + at] as number;
    return copy;
  };
  return { ...glue, memory, numbersAt, bytes };
}

/** What the option `meaning` is within this package: where engines with it run. */
interface Provider extends Meaning {
  core(): Core;
}

/** A module as the option `meaning`; started when it is first asked for. Where it runs first, it serves engines without `meaning`, too. @internal */
export function meaningOf(glue: Glue, provide: Provide): Meaning {
  let own: Core | undefined;
  const provider: Provider = {
    kind: "tool-search/meaning",
    core() {
      own ??= start(glue, provide);
      started ??= own;
      return own;
    },
  };
  return Object.freeze(provider);
}

/**
 * Where an engine runs.
 *
 * @internal
 * @throws ToolSearchError as {@link core}, and `invalid_option` for what is no `meaning`
 */
export function coreOf(meaning: Meaning | undefined): Core {
  if (meaning === undefined) return core();
  if (meaning?.kind !== "tool-search/meaning" || typeof (meaning as Provider).core !== "function") {
    throw new ToolSearchError("invalid_option", "`meaning` must be what `tool-search/meaning` exports.");
  }
  return (meaning as Provider).core();
}

function compiled(provide: Provide): WebAssembly.Module {
  try {
    return provide();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolSearchError("no_module", `The WebAssembly module cannot be compiled here: ${why}`, { cause });
  }
}
