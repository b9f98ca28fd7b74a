// The parts of a WebAssembly module, read as they stand there.

export const CODE = 10;
export const DATA = 11;

/** A number in LEB128, unsigned, and where it ends. */
export function number(bytes, at) {
  let [value, shift, byte] = [0, 0, 0];
  do {
    byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  return [value >>> 0, at];
}

/** The sections by id; of custom ones, which share theirs, the last. */
export function sectionsOf(bytes) {
  const sections = new Map();
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [length, start] = number(bytes, at + 1);
    at = start + length;
    sections.set(id, bytes.subarray(start, at));
  }
  return sections;
}

/** What stands in memory at the beginning: `{ from, data }`. Rust makes segments at constant addresses only. */
export function dataOf(bytes) {
  const section = sectionsOf(bytes).get(DATA);
  const segments = [];
  for (let [left, at] = number(section, 0); left > 0; left--) {
    // Flags, `i32.const`, the address, `end`. Signed LEB128 differs only for addresses that are not there.
    const [from, end] = number(section, at + 2);
    const [length, start] = number(section, end + 1);
    at = start + length;
    segments.push({ from, data: section.subarray(start, at) });
  }
  return segments;
}
