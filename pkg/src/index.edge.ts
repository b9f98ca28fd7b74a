// The entry for edge runtimes, which refuse to compile WebAssembly: their bundlers compile the imported file beforehand.
import module from "./core.wasm?module";
import { provideModule } from "./load.js";

provideModule(() => module);

export * from "./api.js";
