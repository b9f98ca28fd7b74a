// Copies of the built package, each with a module and a memory of its own, and modules whose memory ends early.
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export type Package = typeof import("tool-search");
type Slim = typeof import("tool-search/slim");

const dist = dirname(createRequire(import.meta.url).resolve("tool-search"));

/** A copy of the package's files. Each entry of it is imported by `entry`. */
export async function copyOfPackage() {
  const folder = await mkdtemp(join(tmpdir(), "tool-search-"));
  await cp(dist, folder, { recursive: true });
  return {
    entry: <T>(name: string): Promise<T> => import(pathToFileURL(join(folder, `${name}.js`)).href) as Promise<T>,
    require: createRequire(join(folder, "index.cjs")),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A package of its own whose memory has room for so many pages (of 64 KB) more than it begins with. */
export async function packageOf(pages: number): Promise<Slim & AsyncDisposable> {
  const copy = await copyOfPackage();
  const slim = await copy.entry<Slim>("slim");
  slim.initSync(withMemoryOf(await readFile(join(dist, "core.wasm")), pages));
  return { ...slim, [Symbol.asyncDispose]: copy[Symbol.asyncDispose] };
}

const MEMORY_SECTION = 5;

/** The module with another memory section: one memory of the size that it has, and at most `pages` more. */
function withMemoryOf(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < module.length; ) {
    const [length, body] = leb(module, at + 1);
    if (module[at] !== MEMORY_SECTION) {
      at = body + length;
      continue;
    }
    const [least] = leb(module, body + 2); // behind the number of memories and the flags
    const section = [1, 1, ...toLeb(least), ...toLeb(least + pages)];
    return Uint8Array.from([...module.subarray(0, at), MEMORY_SECTION, ...toLeb(section.length), ...section, ...module.subarray(body + length)]);
  }
  throw new Error("no memory section");
}

/** A number in LEB128, and where it ends. */
function leb(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function toLeb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...toLeb(Math.floor(value / 128))];
}
