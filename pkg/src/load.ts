import * as glue from "../wasm/core_bg.js";
import { ToolSearchError, watchMemory } from "./errors.js";

/**
 * What Rust exports, and the memory it works in.
 *
 * @internal
 */
export type Core = typeof glue & { readonly memory: WebAssembly.Memory };

let provide: (() => WebAssembly.Module) | undefined;
let started: Core | undefined;

/**
 * Says where the compiled module comes from. Each entry of the package has its own way; nothing is compiled before `core` is
 * called, so that importing the package costs nothing. Without effect once the module runs.
 *
 * @internal
 */
export function provideModule(get: () => WebAssembly.Module): void {
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
  started ??= start();
  return started;
}

let numbers = new Float64Array(0);

/**
 * A copy of the numbers at an address in the module's memory, the first of which says how many follow. They are few, and an array of
 * JavaScript is made faster than one of bytes.
 *
 * @internal
 */
export function numbersAt(pointer: number): number[] {
  // Growing the memory detaches the old one.
  if (numbers.byteLength === 0) numbers = new Float64Array(core().memory.buffer);
  const start = pointer / numbers.BYTES_PER_ELEMENT;
  const all: number[] = [];
  for (let left = numbers[start] as number, at = start + 1; left > 0; left--) all.push(numbers[at++] as number);
  return all;
}

// wasm-bindgen's own loader for the web asks `instanceof WebAssembly.Module`, which fails for a module of another realm, as edge
// runtimes and test runners hand them out. These lines do the same without asking.
function start(): Core {
  if (!provide) {
    const message = "There is no WebAssembly module: call `initSync(module)` of `tool-search/slim` first, or import `tool-search`.";
    throw new ToolSearchError("no_module", message);
  }
  const { exports } = new WebAssembly.Instance(compiled(provide), { "./core_bg.js": glue });
  const { memory, __wbindgen_start: run } = exports as { memory: WebAssembly.Memory; __wbindgen_start: () => void };
  watchMemory(memory);
  glue.__wbg_set_wasm(exports);
  run();
  return { ...glue, memory };
}

function compiled(provide: () => WebAssembly.Module): WebAssembly.Module {
  try {
    return provide();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolSearchError("no_module", `The WebAssembly module cannot be compiled here: ${why}`, { cause });
  }
}
