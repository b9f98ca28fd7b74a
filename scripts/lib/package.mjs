import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./process.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";

async function hash(root) {
  const build = (await readdir(join(root, "pkg"))).filter((name) => /\.(mjs|json)$/.test(name)).map((name) => `pkg/${name}`);
  return hashOf(root, [...build, "pkg/src", "pkg/wasm/.stamp", "package-lock.json"]);
}

/** Whether pkg/dist was built from the TypeScript and the WebAssembly module as they are now. */
export async function packageIsFresh(root) {
  return (await readStamp(join(root, "pkg", "dist"))) === (await hash(root));
}

/** Builds pkg/dist. */
export async function buildPackage(root, env) {
  const built = await hash(root);
  await run(process.execPath, [join(root, "pkg", "build.mjs")], { cwd: root, env });
  await writeStamp(join(root, "pkg", "dist"), built);
}
