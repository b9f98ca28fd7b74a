// How build.mjs treats imports of WebAssembly files.

/** A file of the source: its bytes as base64, inlined. */
declare module "*.wasm" {
  const base64: string;
  export default base64;
}

/** A file beside the bundle: left to the user's bundler, which compiles it. */
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
