// How build.mjs treats imports of WebAssembly files.

/** A file of the source, inlined: taken apart, as text that compresses well, for `bytesOf`. */
declare module "*.wasm?packed" {
  const text: string;
  export default text;
}

/** The same, compressed. */
declare module "*.wasm?compressed" {
  const text: string;
  export default text;
}

/** A file of the source, inlined in base64. */
declare module "*.wasm?base64" {
  const text: string;
  export default text;
}

/** A file of the source, inlined in hexadecimal digits. */
declare module "*.wasm?hex" {
  const text: string;
  export default text;
}

/** A file beside the bundle: left to the user's bundler, which compiles it. */
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
