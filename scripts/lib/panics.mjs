// What a panic would say, taken out of the module.
//
// The standard library is built to tell where and why a program panicked: a sixteenth of the module is code that writes that down, and
// places in sources. Nobody would read it: the module has no output, and its caller learns from the trap that it must not be used again.
// rustc leaves it out only where the standard library is built anew ("immediate-abort"), which stable toolchains cannot.
import binaryen from "binaryen";
import { dataOf } from "./sections.mjs";

/** Functions of the standard library that never return, and those that only they call: no text of ours is written by `Debug`, as clippy checks. */
const ENDS = [
  /^core::panicking::/,
  /^core::(option|result)::\w+_failed$/,
  /^core::(slice|str)::.*_fail(_rt)?$/,
  /^core::cell::panic_already_/,
  /^alloc::raw_vec::(handle_error|capacity_overflow)$/,
  /^alloc::alloc::handle_alloc_error$/,
  /^std::panicking::(panic_handler|panic_with_hook)/,
  /^std::alloc::(rust_oom|default_alloc_error_hook)/,
  /^<.+ as (core::fmt::Debug>::fmt|core::panic::PanicPayload>::\w+)$/,
  /^<std::panicking::.+ as core::fmt::Display>::fmt$/,
];

/** The same module, in which whatever panicked traps at once. */
export function withoutPanics(bytes) {
  const module = binaryen.readBinary(withoutPlaces(bytes));
  let count = 0;
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const ref = module.getFunctionByIndex(i);
    // Names have the hash of their crate behind its name, in brackets.
    const name = binaryen.getFunctionInfo(ref).name.replace(/\[[0-9a-f]+\]/g, "");
    if (!ENDS.some((end) => end.test(name))) continue;
    binaryen.Function.setBody(ref, module.unreachable());
    count++;
  }
  // A module without names, or a standard library with others.
  if (count < ENDS.length) throw new Error("The module's panics were not found; scripts/lib/panics.mjs no longer knows their names.");
  return module.emitBinary();
}

/**
 * The same module, in which the places in sources are zeros: `{ file: { at, length }, line, column }`, and the files' names, which
 * are paths of the machine that built it. Only panics read them.
 */
function withoutPlaces(bytes) {
  const zeroed = Buffer.from(bytes);
  const segments = dataOf(zeroed);
  const fileAt = (address, length) => {
    const segment = segments.find(({ from, data }) => address >= from && address + length <= from + data.length);
    const name = segment?.data.subarray(address - segment.from, address - segment.from + length);
    return name?.subarray(-3).toString() === ".rs" || name?.every((byte) => byte === 0) ? name : undefined;
  };
  const found = [];
  for (const { data } of segments) {
    for (let at = 0; at + 16 <= data.length; at += 4) {
      const [address, length, line, column] = [0, 4, 8, 12].map((field) => data.readUInt32LE(at + field));
      if (length < 4 || length > 512 || !line || line > 1e5 || !column || column > 1e3) continue;
      const file = fileAt(address, length);
      if (file) found.push(data.subarray(at, at + 16), file);
    }
  }
  for (const part of found) part.fill(0);
  return zeroed;
}
