// The default entry for Node.js and what runs its packages: nobody downloads it, and of all texts that hold a module they read this one fastest.
import module from "../wasm/core_bg.wasm?base64";
import { provideModule } from "./load.js";

declare const Buffer: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> };

provideModule(() => new WebAssembly.Module(Buffer.from(module, "base64")));

export * from "./api.js";
