// How the module comes into JavaScript as text, for `pkg/src/inline.ts` to read.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packed } from "./pack.mjs";

const PREFIXES = ["}", "~"];
const SINGLES = Array.from({ length: 0x7d - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).filter((char) => !"\"'`\\$<".includes(char));

/**
 * Bytes as a string: the 87 most frequent values are one character each, the others two. It begins with a table of 3 × 128 values in
 * hexadecimal, by character code: for characters alone, behind `}` and behind `~`.
 *
 * All characters are printable ASCII without quotes, `\`, `$` and `<`: none needs an escape, whichever quotes a minifier takes and
 * whichever character set or inline script the bundle ends in.
 *
 * It is not base64, because compression finds repetitions only where each byte keeps its own characters: a module that gzip alone brings to
 * 303,826 bytes comes to 393,501 as base64, and to 304,497 as this. Decoding takes no longer.
 */
export function textOf(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const byFrequency = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const table = new Uint8Array(3 * 128);
  const codes = [];
  byFrequency.forEach((byte, place) => {
    const row = Math.floor(place / SINGLES.length);
    const char = SINGLES[place % SINGLES.length];
    table[row * 128 + char.charCodeAt(0)] = byte;
    codes[byte] = row === 0 ? char : PREFIXES[row - 1] + char;
  });
  return Buffer.from(table).toString("hex") + Array.from(bytes, (byte) => codes[byte]).join("");
}

/** Printable ASCII from `=` on, without `\` and the backtick. */
const SIX_BITS = Array.from({ length: 0x7f - 0x3d }, (_, i) => String.fromCharCode(0x3d + i)).filter((char) => !"\\`".includes(char));
/** How LZMA's header says `lc=1 lp=0 pb=0`, which `pkg/decoder/lzma.rs` takes for granted: of the byte before its highest bit tells something, and no place does. */
const [PROPERTIES, BITS_OF_BEFORE] = [1, 1];
/** What the library calls level 9. */
const BEST = { searchDepth: 25, filterStrength: 255, modeIndex: 1 };

/** LZMA of bytes. The library has `lc=3 lp=0 pb=2`, which takes 450 bytes more here, and no option for it but in files of its own. */
async function compressed(bytes) {
  const file = (name) => pathToFileURL(join(dirname(createRequire(import.meta.url).resolve("lzma1")), name)).href;
  const [{ Encoder }, { InputBuffer, OutputBuffer }] = await Promise.all([import(file("encoder.js")), import(file("streams.js"))]);
  class Compressor extends Encoder {
    configure(mode) {
      super.configure(mode);
      Object.assign(this, { _numLiteralContextBits: BITS_OF_BEFORE, _posStateBits: 0, _posStateMask: 0 });
    }
  }
  const out = new OutputBuffer(bytes.length);
  new Compressor().compress(new InputBuffer(bytes), out, BEST);
  return out.toArray();
}

/** Bytes compressed, six bits a character: nothing repeats in them that gzip could find, so it loses nothing by that. */
export async function compressedTextOf(bytes) {
  const all = await compressed(bytes);
  if (all[0] !== PROPERTIES) throw new Error("The library for LZMA compresses in another way than pkg/decoder/lzma.rs reads.");
  let text = "";
  for (let at = 0; at < all.length; at += 3) {
    const group = all[at] | (all[at + 1] << 8) | (all[at + 2] << 16);
    for (let shift = 0; shift < 24; shift += 6) text += SIX_BITS[(group >> shift) & 63];
  }
  return text;
}

/** For esbuild: what an imported `.wasm` file becomes, by what stands behind its name. */
const FORMS = {
  packed: (bytes) => textOf(packed(bytes)),
  compressed: (bytes) => compressedTextOf(packed(bytes)),
  base64: (bytes) => bytes.toString("base64"),
  hex: (bytes) => bytes.toString("hex"),
};

export const inlineWasm = {
  name: "inline-wasm",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?(packed|compressed|base64|hex)$/ }, ({ path, resolveDir }) => {
      const [file, form] = path.split("?");
      return { path: join(resolveDir, file), namespace: form };
    });
    for (const [namespace, textIn] of Object.entries(FORMS)) {
      onLoad({ filter: /./, namespace }, async ({ path }) => ({ contents: await textIn(await readFile(path)), loader: "text" }));
    }
  },
};
