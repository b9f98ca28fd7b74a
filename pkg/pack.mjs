// A module taken apart, so that it compresses better; `pkg/decoder` puts it together again.
import { CODE, number, sectionsOf } from "../scripts/lib/sections.mjs";

/** The streams that every module has. */
const [OPCODES, LOCALS] = [1, 2];
/** In place of a second stream: the first has bytes, and before them how many they are. */
const COUNTED = 255;
/** In place of a stream: the number that there is always, and this more. */
const ALWAYS = 128;
/** Has a stream by the opcode that comes next, which tells what is meant: a distance, an address, a number to compare with. */
const I32_CONST = 0x41;
/** `call`, `local.get`, `local.set` and `local.tee` name what they use by its place among those used last. */
const [CALL, LOCAL_GET, LOCAL_TEE] = [0x10, 0x20, 0x22];
const MOST_USED = 1 << 14;
const SIZE_BYTES = 3;

/** By opcode, in the order of WebAssembly's binary format: how many numbers follow, or `c` for bytes that are to be counted. */
const OPERANDS = [
  "001110.....011c012........00c...", // control, calls, `select`
  `1111111.${"2".repeat(23)}1`, // locals, globals, tables, memory
  "111cc".padEnd(0xc5 - 0x40, "0"), // constants, arithmetic, comparisons, conversions
  ".".repeat(0xd0 - 0xc5) + "101" + ".".repeat(0xfc - 0xd3) + "cc..", // references, opcodes of two bytes
].join("");
/** Of those that begin with 0xfc, as far as rustc uses them: conversions, `memory.copy`, `memory.fill`, and three of tables. */
const NUMBERS_BEHIND_FC = { ...Array(8).fill(0), 10: 2, 11: 1, 15: 1, 16: 1, 17: 1 };

/** Behind so many numbers. */
function skip(code, count, at) {
  for (; count > 0; count--) at = number(code, at)[1];
  return at;
}

const isIn = (value, least, most) => value >= least && value <= most;

/** Where what is to be counted ends. */
function endOf(code, opcode, at) {
  const [value, next] = number(code, at);
  switch (opcode) {
    case 0x0e: // `br_table`: of so many and one more
      return skip(code, value + 1, next);
    case 0x1c: // `select` of types
      return skip(code, value, next);
    case 0x43:
      return at + 4;
    case 0x44:
      return at + 8;
    case 0xfc:
      return value in NUMBERS_BEHIND_FC ? skip(code, NUMBERS_BEHIND_FC[value], next) : NaN;
    default: // 0xfd, vectors: sixteen bytes, a place in memory, a lane, or both of these
      if (value === 12 || value === 13) return next + 16;
      return skip(code, value < 12 || isIn(value, 84, 93) ? 2 : 0, next) + (isIn(value, 21, 34) || isIn(value, 84, 91) ? 1 : 0);
  }
}

/** In LEB128. */
function numberOf(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberOf(value >>> 7)];
}

/** Of each function: where it begins, which says how many locals there are, where that ends, the instructions behind it, and where they end. */
function* functionsOf(code) {
  for (let [left, at] = number(code, 0); left > 0; left--) {
    const [length, start] = number(code, at);
    const end = start + length;
    const [groups, types] = number(code, start);
    if (groups > 63) throw new Error("A function has locals in more groups than pkg/decoder can count.");
    at = skip(code, 2 * groups, types);
    yield { start, locals: at, end, instructions: instructions(code, at, end) };
    at = end;
  }
}

/** Of each instruction: its opcode, where what follows it begins, where each part of that ends, and whether it is bytes to be counted. */
function* instructions(code, at, end) {
  while (at < end) {
    const opcode = code[at++];
    const operands = OPERANDS[opcode];
    const ends = operands === "c" ? [endOf(code, opcode, at)] : [];
    for (let next = at; ends.length < operands; ends.push(next)) next = number(code, next)[1];
    if (!(operands <= 2) && !(ends[0] - at < 256)) throw new Error(`pkg/pack.mjs does not know the opcode ${opcode} ${code[at]}.`);
    yield { opcode, at, ends, counted: operands === "c" };
    at = ends.at(-1) ?? at;
  }
}

/** The locals of a function, or functions that are called, the last used first; those behind were not, and stand in their order. */
class Recent {
  #all = [];

  /** Where it stood. */
  placeOf(used) {
    if (used >= MOST_USED) throw new Error(`pkg/decoder has no room for number ${used} of a function or a local.`);
    while (this.#all.length <= used) this.#all.push(this.#all.length);
    const place = this.#all.indexOf(used);
    this.#all.unshift(...this.#all.splice(place, 1));
    return place;
  }
}

/** How many bytes the loads and stores read and write, from `i32.load` on, as powers of two. */
const [FIRST_ACCESS, ACCESSES] = [0x28, "23230011001122232301012"];

/**
 * The same module, whose loads and stores all say that what they are for stands at a multiple of its size. That is a hint which must change
 * nothing but speed, and on today's processors changes nothing; where it is the same everywhere it needs no place.
 */
export function alignedByHint(module) {
  const code = sectionsOf(module).get(CODE);
  for (const { instructions } of functionsOf(code)) {
    for (const { opcode, at } of instructions) {
      const size = ACCESSES[opcode - FIRST_ACCESS];
      if (size !== undefined) code[at] = size;
    }
  }
  return module;
}

/**
 * The code of a module's functions by what it is: opcodes, the numbers of locals, what each other opcode is followed by, each in a stream of its own,
 * where compression finds like beside like: to gzip a module of 156 KB is 126 then, to LZMA 110. What comes out has the parts of `Streams` in
 * `pkg/decoder/streams.rs`, and after them the streams, what stood before the functions and what behind.
 *
 * @param {Buffer} module
 */
export function packed(module) {
  const code = sectionsOf(module).get(CODE);
  const streams = [[], [], []];
  const [first, second, byNext] = Array.from({ length: 3 }, () => new Uint8Array(256));
  // What speaks of the same: of locals, loads, stores.
  first.fill(streams.push([]) - 1, LOCAL_GET, LOCAL_TEE + 1);
  second.fill(streams.push([]) - 1, 0x28, 0x36);
  second.fill(streams.push([]) - 1, 0x36, 0x3f);
  const streamOf = (table, opcode) => streams[(table[opcode] ||= streams.push([]) - 1)];
  const called = new Recent();
  let [functions, size] = [0, 0];
  for (const { start, locals, end, instructions } of functionsOf(code)) {
    functions++;
    size += SIZE_BYTES + end - start;
    streams[LOCALS].push(...code.subarray(start, locals));
    const recent = new Recent();
    for (const { opcode, at, ends, counted } of instructions) {
      streams[OPCODES].push(opcode);
      if (opcode === CALL || (opcode >= LOCAL_GET && opcode <= LOCAL_TEE)) {
        streamOf(first, opcode).push(...numberOf((opcode === CALL ? called : recent).placeOf(number(code, at)[0])));
        continue;
      }
      if (counted) {
        second[opcode] = COUNTED;
        streamOf(first, opcode).push(ends[0] - at);
      }
      ends.forEach((end, i) => {
        const stream = opcode === I32_CONST ? streamOf(byNext, code[end]) : streamOf([first, second][i], opcode);
        stream.push(...code.subarray(i === 0 ? at : ends[0], end));
      });
    }
  }
  const [, begin] = number(code, 0);
  const unneeded = new Set();
  for (const table of [first, second]) {
    table.forEach((stream, opcode) => {
      const [value, ...others] = new Set(streams[stream]);
      if (stream <= LOCALS || stream === COUNTED || second[opcode] === COUNTED || others.length > 0 || value >= COUNTED - ALWAYS) return;
      table[opcode] = ALWAYS + (value ?? 0);
      unneeded.add(stream);
    });
  }
  for (const stream of unneeded) streams[stream] = [];
  const start = code.byteOffset - module.byteOffset;
  const after = module.subarray(start + code.length);
  const before = Buffer.from([...module.subarray(0, start - numberOf(code.length).length), ...numberOf(begin + size), ...code.subarray(0, begin)]);
  const lengths = Array.from({ length: 256 }, (_, at) => streams[at]?.length ?? 0);
  const numbers = (values) => new Uint8Array(Uint32Array.from(values).buffer);
  return Buffer.concat([
    numbers([before.length, after.length, functions]), first, second, byNext, numbers(lengths), ...streams.map((stream) => Buffer.from(stream)),
    before, after,
  ]);
}
