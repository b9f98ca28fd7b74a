import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./process.mjs";
import { withPath } from "./rust.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";

const CARGO_ARGS = ["--no-default-features", "--features", "bindings"];
const PACK_ARGS = [
  "build", "--release", "--target", "bundler", "--mode", "no-install", "--no-pack", "--no-gitignore",
  "--out-dir", "pkg/wasm", "--out-name", "core", ".", "--", ...CARGO_ARGS,
];

// wasm-bindgen describes the classes in core.d.ts, for an entry of its own that we do not use: we load core_bg.js ourselves.
const GLUE_TYPES = `export * from "./core.js";
export declare function __wbg_set_wasm(exports: WebAssembly.Exports): void;
`;

const hash = (root) => hashOf(root, [".cargo/config.toml", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "src"], PACK_ARGS.join(" "));

/** Whether pkg/wasm was built from the Rust sources as they are now. */
export async function wasmIsFresh(root) {
  return (await readStamp(join(root, "pkg", "wasm"))) === (await hash(root));
}

/** Compiles the crate, which needs none of the other tools, so that `buildWasm` finds the long part done. */
export function compileCrate(root, env) {
  const args = ["build", "--lib", "--release", "--target", "wasm32-unknown-unknown", ...CARGO_ARGS];
  return run("cargo", args, { cwd: root, env });
}

/** Builds pkg/wasm: wasm-pack runs cargo, wasm-bindgen and, from the npm package binaryen, wasm-opt. */
export async function buildWasm(root, env, toolFolders) {
  const folder = join(root, "pkg", "wasm");
  const built = await hash(root);
  await rm(folder, { recursive: true, force: true });
  await run("wasm-pack", PACK_ARGS, { cwd: root, env: withPath(env, ...toolFolders, join(root, "node_modules", ".bin")) });
  await writeFile(join(folder, "core_bg.d.ts"), GLUE_TYPES);
  await writeStamp(folder, built);
}
