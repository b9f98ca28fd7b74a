// @ts-check
// `snapshot`: a catalog as a file, for where it is to be restored and never built.
import { writeFile } from "node:fs/promises";
import { InputError } from "./errors.mjs";

/**
 * @param {import("tool-search").ToolSearch} search
 * @param {string} file Or "-" for standard output.
 * @returns {Promise<number>} the size in bytes
 * @throws InputError when it cannot be written
 */
export async function writeSnapshot(search, file) {
  const bytes = search.snapshot();
  if (file === "-") {
    if (process.stdout.isTTY) throw new InputError("A snapshot is no text; send it into a file or a pipe.");
    process.stdout.write(bytes);
    return bytes.length;
  }
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw new InputError(`Cannot write ${file}: ${/** @type {NodeJS.ErrnoException} */ (error).code}.`);
  }
  return bytes.length;
}
