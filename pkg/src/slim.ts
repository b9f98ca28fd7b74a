// The entry without the module: for those who load `tool-search/core.wasm` in their own way.
import { core, provideModule } from "./load.js";

/**
 * Starts the engine with the module from `tool-search/core.wasm`, as bytes or compiled. To be called once, before anything else;
 * does nothing when the engine already runs.
 *
 * @throws ToolSearchError `no_module` when it is no module, WebAssembly.LinkError when it is another one
 */
export function initSync(module: WebAssembly.Module | BufferSource): void {
  provideModule(() => (isBytes(module) ? new WebAssembly.Module(module) : module));
  core();
}

// Not `instanceof ArrayBuffer`: the bytes may come from another realm.
function isBytes(module: WebAssembly.Module | BufferSource): module is BufferSource {
  return ArrayBuffer.isView(module) || Object.prototype.toString.call(module) === "[object ArrayBuffer]";
}

export * from "./api.js";
