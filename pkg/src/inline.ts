const PAGE = 65_536;

/**
 * The module in a text that `pkg/inline.mjs` made, which says what it looks like.
 *
 * @param decoder the module of `pkg/decoder` that reads such texts, in hexadecimal digits
 * @internal
 */
export function bytesOf(text: string, decoder: string): Uint8Array<ArrayBuffer> {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(hex(decoder)));
  const { memory, decode } = exports as { memory: WebAssembly.Memory; decode: (start: number, end: number) => number };
  const start = memory.grow(Math.ceil(text.length / PAGE)) * PAGE;
  const end = start + text.length;
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, start));
  const last = decode(start, end);
  return new Uint8Array(memory.buffer as ArrayBuffer, end, last - end);
}

function hex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
