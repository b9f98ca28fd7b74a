const ROWS = 3;
const ROW = 128;
/** Where the table stands in memory, and behind it the text, in bytes. */
const TEXT = ROWS * ROW;
const PAGE = 65_536;

/**
 * The loop over the text, as a module of its own: a new process runs it in a third of the time that JavaScript takes, which is not compiled
 * by then. Its memory is imported as `m`; `d(from, end)` writes the bytes where the text begins, which none of them overtakes:
 *
 *     to = TEXT
 *     do {
 *       place = memory[from]
 *       if (place >= 0x7d) place = (place - 0x7c) * ROW + memory[++from]  // the characters that begin a pair are the last
 *       memory[to++] = memory[place]
 *     } while (++from < end)
 *     return to
 */
const DECODER = "0061736d0100000001070160027f7f017f020801016d016d02000003020100070501016400000a50014e01027f41800321020340200220002d0000220341fd004f047f200041016a22002d0000200341fc006b4107746a0520030b2d00003a0000200241016a2102200041016a22002001490d000b20020b";

/**
 * The bytes in a text that `pkg/inline.mjs` made, which says what it looks like.
 *
 * @internal
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((TEXT + text.length) / PAGE) });
  const decoder = new WebAssembly.Module(hex(DECODER, DECODER.length / 2));
  const { d: decode } = new WebAssembly.Instance(decoder, { m: { m: memory } }).exports as { d: (from: number, end: number) => number };
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(hex(text, TEXT));
  new TextEncoder().encodeInto(text, bytes.subarray(TEXT));
  return bytes.subarray(TEXT, decode(3 * TEXT, TEXT + text.length));
}

/** So many bytes of what stands there in hexadecimal digits. */
function hex(text: string, bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
