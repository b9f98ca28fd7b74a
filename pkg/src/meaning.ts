// The entry of word vectors: a module with them in it, as text, so that it loads in every runtime and bundler without configuration.
import * as glue from "../wasm/meaning/core_bg.js";
import module from "../wasm/meaning/core_bg.wasm?packed";
import decoder from "../wasm/text.wasm?hex";
import { bytesOf } from "./inline.js";
import { meaningOf } from "./load.js";
import type { Meaning } from "./types.js";

/**
 * What words mean, for the option `meaning`: rankings that find `create_issue` for `open a ticket`, without network and the same
 * everywhere. Engines with it run in a module of their own, which is started by the first of them.
 *
 * ```ts
 * const search = new ToolSearch({ meaning });
 * ```
 */
export const meaning: Meaning = meaningOf(glue, () => new WebAssembly.Module(bytesOf(module, decoder)));

export type { Meaning } from "./types.js";
