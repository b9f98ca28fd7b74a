import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { alignedByHint } from "../../pkg/pack.mjs";
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
// The first kilobyte of memory is the end of the stack, so that nothing has an address there. Large functions within others compress badly.
const OPT_ARGS = ["-Oz", "--low-memory-unused", "--one-caller-inline-max-function-size=15"];

/** What puts inlined modules together, each in its way: small before all, since they come on top of those. */
const DECODERS = "pkg/decoder";
const WAYS = ["lzma", "text"];
const rustcArgs = (file, way) => [
  "--edition", "2024", "--crate-type", "cdylib", "--target", "wasm32-unknown-unknown", "-Copt-level=z", "-Cpanic=abort", "-Cstrip=symbols",
  "-Ctarget-cpu=mvp", "-Clink-arg=-zstack-size=4096", "-o", file, `${DECODERS}/${way}.rs`,
];

// wasm-bindgen describes the classes in core.d.ts, for an entry of its own that we do not use: we load core_bg.js ourselves.
const GLUE_TYPES = `export * from "./core.js";
export declare function __wbg_set_wasm(exports: WebAssembly.Exports): void;
`;

const SOURCES = [".cargo/config.toml", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "src", "scripts/lib/panics.mjs", DECODERS, "pkg/pack.mjs"];
const hash = (root) => hashOf(root, SOURCES, JSON.stringify([Object.entries(MODULES).map((module) => packArgs(...module)), OPT_ARGS, rustcArgs("", "")]));

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

/** Builds pkg/wasm: wasm-pack runs cargo and wasm-bindgen, and wasm-opt makes the module small. */
export async function buildWasm(root, env, toolFolders) {
  const built = await hash(root);
  await rm(join(root, "pkg", "wasm"), { recursive: true, force: true });
  for (const [folder, features] of Object.entries(MODULES)) {
    await run("wasm-pack", packArgs(folder, features), { cwd: root, env: withPath(env, ...toolFolders) });
    await shrink(root, join(root, "pkg", folder, "core_bg.wasm"));
    await writeFile(join(root, "pkg", folder, "core_bg.d.ts"), GLUE_TYPES);
  }
  for (const way of WAYS) {
    const file = join(root, "pkg", "wasm", `${way}.wasm`);
    await run("rustc", rustcArgs(file, way), { cwd: root, env });
    await optimize(root, file);
  }
  await writeStamp(join(root, "pkg", "wasm"), built);
}

async function shrink(root, file) {
  // It needs an npm package, which was not there when this file was loaded.
  const { withoutPanics } = await import("./panics.mjs");
  await writeFile(file, withoutPanics(await readFile(file)));
  await optimize(root, file);
  await writeFile(file, alignedByHint(await readFile(file)));
}

async function optimize(root, file) {
  const wasmOpt = join(root, "node_modules", "binaryen", "bin", "wasm-opt");
  await run(process.execPath, [wasmOpt, file, "-o", file, ...OPT_ARGS], { cwd: root });
}
