// How the module comes into JavaScript as text, for `pkg/src/inline.ts` to read.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

/** For esbuild: what an imported `.wasm` file becomes, by what stands behind its name. */
const FORMS = {
  packed: (bytes) => textOf(packed(bytes)),
  base64: (bytes) => bytes.toString("base64"),
  hex: (bytes) => bytes.toString("hex"),
};

export const inlineWasm = {
  name: "inline-wasm",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?(packed|base64|hex)$/ }, ({ path, resolveDir }) => {
      const [file, form] = path.split("?");
      return { path: join(resolveDir, file), namespace: form };
    });
    for (const [namespace, textIn] of Object.entries(FORMS)) {
      onLoad({ filter: /./, namespace }, async ({ path }) => ({ contents: textIn(await readFile(path)), loader: "text" }));
    }
  },
};
