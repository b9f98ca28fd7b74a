import * as glue from "../wasm/core_bg.js";

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
 * @throws Error when the entry `tool-search/slim` was not given a module yet
 */
export function core(): Core {
  started ??= start();
  return started;
}

// wasm-bindgen's own loader for the web asks `instanceof WebAssembly.Module`, which fails for a module of another realm, as edge
// runtimes and test runners hand them out. These lines do the same without asking.
function start(): Core {
  if (!provide) {
    throw new Error("tool-search has no WebAssembly module: call `initSync(module)` of `tool-search/slim` first, or import `tool-search`.");
  }
  const { exports } = new WebAssembly.Instance(provide(), { "./core_bg.js": glue });
  const { memory, __wbindgen_start: run } = exports as { memory: WebAssembly.Memory; __wbindgen_start: () => void };
  glue.__wbg_set_wasm(exports);
  run();
  return { ...glue, memory };
}
