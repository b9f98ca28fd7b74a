const ROWS = 3;
const ROW = 128;
/** The lower of the two characters that begin a pair. */
const PREFIX = 0x7d;

/**
 * The bytes in a text that `pkg/inline.mjs` made, which says what it looks like.
 *
 * In place: the encoder copies ASCII at once, and no byte has less than one character.
 *
 * @internal
 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const table = Uint8Array.from({ length: ROWS * ROW }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
  const bytes = new TextEncoder().encode(text);
  let written = 0;
  for (let at = 2 * table.length; at < bytes.length; at++) {
    const char = bytes[at] as number;
    const place = char < PREFIX ? char : (char - PREFIX + 1) * ROW + (bytes[++at] as number);
    bytes[written++] = table[place] as number;
  }
  return bytes.subarray(0, written);
}
