import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A hash of the names and contents of files and of everything in folders, given relative to `root`. What is missing counts as
 * that. `extra` is text that belongs to it, such as the command that builds from these files.
 */
export async function hashOf(root, paths, extra = "") {
  const hash = createHash("sha256").update(extra);
  for (const path of paths) {
    for (const file of await filesAt(root, path)) {
      const content = await readFile(join(root, file)).catch(() => Buffer.alloc(0));
      hash.update(`\0${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

async function filesAt(root, path) {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
  if (!entries) return [path];
  const nested = await Promise.all(
    entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => filesAt(root, `${path}/${entry.name}`)),
  );
  return nested.flat().sort();
}

/** What the stamp in a built folder says; undefined when the build did not come to its end. */
export function readStamp(folder) {
  return readFile(join(folder, ".stamp"), "utf8").catch(() => undefined);
}

/** To be called last: a folder without a stamp counts as not built. */
export function writeStamp(folder, hash) {
  return writeFile(join(folder, ".stamp"), hash);
}
