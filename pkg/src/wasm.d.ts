// How build.mjs treats imports of WebAssembly files.

/** A file of the source: its bytes as text, inlined. */
declare module "*.wasm" {
  const text: string;
  export default text;
}

/** A file beside the bundle: left to the user's bundler, which compiles it. */
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
