// What ships: nothing runs on installation, nothing reaches out, and every part is under a licence that was decided on.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/setup.mjs";

const textOf = (...path) => readFile(join(root, ...path), "utf8");
const json = async (...path) => JSON.parse(await textOf(...path));
const lock = await json("package-lock.json");

/** The folder of a package that is required from another's, as the lock file has them. */
function installed(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const path = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (lock.packages[path]) return lock.packages[path].link ? lock.packages[path].resolved : path;
    if (at === "") return undefined;
  }
}

/** Everything that npm installs for users of a workspace. */
function brought(workspace) {
  const found = new Map();
  const visit = (path) => {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = installed(name, path);
      if (!folder || found.has(folder)) continue;
      found.set(folder, lock.packages[folder]);
      visit(folder);
    }
  };
  visit(workspace);
  return found;
}

describe.each(["pkg", "cli"])("the package of %s", (workspace) => {
  it("runs nothing when it is installed, nor does what it brings", async () => {
    const { scripts = {} } = await json(workspace, "package.json");
    expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
    expect([...brought(workspace)].filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  });

  it("brings packages of these licences alone, by hashes", () => {
    const all = [...brought(workspace)].filter(([path]) => path.startsWith("node_modules"));
    expect(all.length).toBeGreaterThan(0);
    expect([...new Set(all.map(([, { license }]) => license))].sort()).toEqual(workspace === "pkg" ? ["MIT"] : ["BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);
    expect(all.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  });
});

describe("the built library", async () => {
  const dist = join(root, "pkg", "dist");
  const files = (await readdir(dist)).filter((file) => /\.c?js$/.test(file));

  it.each(files)("%s compiles no text, and asks neither network nor files", async (file) => {
    const code = (await textOf("pkg", "dist", file)).replaceAll(/"[^"\n]{1000,}"/g, '""');
    expect(code.match(/\beval\s*\(|\bnew Function\b|\bFunction\s*\(|["']node:|\b(?:fetch|require|importScripts)\s*\((?!["']\.\/|["'](?:ai|@cfworker\/json-schema)["'])|\bXMLHttpRequest\b|\bWebSocket\b|\bprocess\.\w/g)).toBe(null);
  });

  it("has nothing of other packages in it", async () => {
    for (const file of files) expect((await textOf("pkg", "dist", file)).match(/^\/\/ .*node_modules.*$/m), file).toBe(null);
  });

  it.each(["core.wasm", "meaning.wasm"])("gives %s no more than randomness, two methods of texts, and a call of the user's own counter", async (file) => {
    const module = new WebAssembly.Module(await readFile(join(dist, file)));
    const given = WebAssembly.Module.imports(module).map(({ name }) => name.replace(/^__wbg_/, "").replace(/_[0-9a-f]{16}$/, ""));
    const may = ["getRandomValues", "random", "normalize", "toLowerCase", "call"];
    // wasm-bindgen's own are about values of JavaScript.
    expect(given.filter((name) => !name.startsWith("__wbindgen_") && !may.includes(name))).toEqual([]);
  });
});

it("no file of the core may have `unsafe` in it", async () => {
  expect(await textOf("src", "lib.rs")).toContain("\n#![forbid(unsafe_code)]\n");
});
