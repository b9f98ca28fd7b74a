// The default entry: the module is inside, as text, so that it loads in every runtime and bundler without configuration.
import module from "../wasm/core_bg.wasm?compressed";
import decoder from "../wasm/lzma.wasm?hex";
import { bytesOf } from "./inline.js";
import { provideModule } from "./load.js";

provideModule(() => new WebAssembly.Module(bytesOf(module, decoder)));

export * from "./api.js";
