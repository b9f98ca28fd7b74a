// The default entry: the module is inside, as base64, so that it loads in every runtime and bundler without configuration.
import base64 from "../wasm/core_bg.wasm";
import { decodeBase64 } from "./base64.js";
import { provideModule } from "./load.js";

provideModule(() => new WebAssembly.Module(decodeBase64(base64)));

export * from "./api.js";
