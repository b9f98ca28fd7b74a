// The entry of word vectors for edge runtimes, which refuse to compile WebAssembly: their bundlers compile the imported file beforehand.
import * as glue from "../wasm/meaning/core_bg.js";
import module from "./meaning.wasm?module";
import { meaningOf } from "./load.js";
import type { Meaning } from "./types.js";

export const meaning: Meaning = meaningOf(glue, () => module);

export type { Meaning } from "./types.js";
