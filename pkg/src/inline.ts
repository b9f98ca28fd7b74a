import decoder from "../wasm/decoder.wasm?hex";

/** Where `pkg/decoder.rs` has the table of characters and the text. */
const TABLE = 128;
const TABLE_BYTES = 3 * 128;
const TEXT = TABLE + TABLE_BYTES;
const PAGE = 65_536;

/**
 * The module in a text that `pkg/inline.mjs` made, which says what it looks like.
 *
 * @internal
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  // Behind the text comes the module, which is shorter.
  const memory = new WebAssembly.Memory({ initial: Math.ceil((TEXT + 2 * text.length) / PAGE) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(hex(decoder, decoder.length / 2)), { env: { memory } });
  const { decode } = exports as { decode: (end: number) => number };
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(hex(text, TABLE_BYTES), TABLE);
  new TextEncoder().encodeInto(text, bytes.subarray(TEXT));
  const end = TEXT + text.length;
  return bytes.subarray(end, decode(end));
}

/** So many bytes of what stands there in hexadecimal digits. */
function hex(text: string, bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
