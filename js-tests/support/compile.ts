// What the TypeScript compiler says of a file of these tests; "" when it takes it.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const tests = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
const tsc = join(dirname(manifest), "bin", "tsc");

/** Compiles a file of this folder, or a text as if it were one, with the options of these tests and some more. */
export async function compile(source: { file: string } | { text: string }, compilerOptions: object = {}): Promise<string> {
  const folder = await mkdtemp(join(tests, "compiled-"));
  try {
    const file = "file" in source ? join("..", source.file) : "source.ts";
    if ("text" in source) await writeFile(join(folder, file), source.text);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ extends: "../tsconfig.json", compilerOptions, include: [file] }));
    const output = await promisify(execFile)(process.execPath, [tsc, "--noEmit", "--project", folder], { cwd: tests }).catch(
      (error) => error,
    );
    return output.stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The declarations of an installed package's main entry, for the option `paths`. */
export function declarationsOf(name: string): string[] {
  const entry = createRequire(import.meta.url).resolve(name);
  return [relative(join(tests, "compiled"), join(dirname(entry), "index.d.ts"))];
}
