// As edge functions are deployed: the bundler gives the module compiled, and in the isolate nothing can be compiled, neither
// WebAssembly nor text.
import { readFile } from "node:fs/promises";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";

const compiled = {
  name: "compiled-wasm",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: `${resolveDir}/${path.replace("?module", "")}`, namespace: "compiled" }));
    onLoad({ filter: /./, namespace: "compiled" }, ({ path }) => ({ contents: `export default globalThis.modules[${JSON.stringify(path)}]` }));
  },
};
const { outputFiles, metafile } = await build({
  entryPoints: ["route.js"],
  bundle: true,
  format: "iife",
  conditions: ["edge-light"],
  write: false,
  metafile: true,
  plugins: [compiled],
});
const modules = {};
for (const input of Object.keys(metafile.inputs).filter((name) => name.startsWith("compiled:"))) {
  const path = input.slice("compiled:".length);
  modules[path] = new WebAssembly.Module(await readFile(path));
}
const vm = new EdgeVM({
  codeGeneration: { strings: false, wasm: false },
  extend: (context) => Object.assign(context, { modules }),
});
vm.evaluate(outputFiles[0].text);
process.stdout.write(vm.evaluate("globalThis.outcome"));
