import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./process.mjs";
import { withPath } from "./rust.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";

/** The two modules that the package has: by folder under pkg, and the features of the crate. */
const MODULES = { wasm: "bindings", "wasm/meaning": "bindings,meaning" };
const cargoArgs = (features) => ["--no-default-features", "--features", features];
const packArgs = (folder, features) => [
  "build", "--release", "--target", "bundler", "--mode", "no-install", "--no-pack", "--no-gitignore",
  "--out-dir", `pkg/${folder}`, "--out-name", "core", ".", "--", ...cargoArgs(features),
];

// wasm-bindgen describes the classes in core.d.ts, for an entry of its own that we do not use: we load core_bg.js ourselves.
const GLUE_TYPES = `export * from "./core.js";
export declare function __wbg_set_wasm(exports: WebAssembly.Exports): void;
`;

const hash = (root) => hashOf(root, [".cargo/config.toml", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "src"], JSON.stringify(Object.entries(MODULES).map(([folder, features]) => packArgs(folder, features))));

/** Whether pkg/wasm was built from the Rust sources as they are now. */
export async function wasmIsFresh(root) {
  return (await readStamp(join(root, "pkg", "wasm"))) === (await hash(root));
}

/** Compiles the crate, which needs none of the other tools, so that `buildWasm` finds the long part done. */
export async function compileCrate(root, env) {
  for (const features of Object.values(MODULES)) {
    await run("cargo", ["build", "--lib", "--release", "--target", "wasm32-unknown-unknown", ...cargoArgs(features)], { cwd: root, env });
  }
}

/** Builds pkg/wasm: wasm-pack runs cargo, wasm-bindgen and, from the npm package binaryen, wasm-opt. */
export async function buildWasm(root, env, toolFolders) {
  const built = await hash(root);
  await rm(join(root, "pkg", "wasm"), { recursive: true, force: true });
  const path = withPath(env, ...toolFolders, join(root, "node_modules", ".bin"));
  for (const [folder, features] of Object.entries(MODULES)) {
    await run("wasm-pack", packArgs(folder, features), { cwd: root, env: path });
    await writeFile(join(root, "pkg", folder, "core_bg.d.ts"), GLUE_TYPES);
  }
  await writeStamp(join(root, "pkg", "wasm"), built);
}
