// What would be published: its files, its declarations, its manifest, its code.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { exec, project } from "./support/tools.mjs";

const folder = join(project("node_modules"), "tool-search");
const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
const textOf = (file) => readFile(join(folder, file), "utf8");

/** All files that something of the manifest names, wherever it stands. */
const named = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(named));

/** A file and everything that it imports, and so on. A source map that it speaks of counts as imported. */
async function reached(entries) {
  const files = new Set();
  const visit = async (file) => {
    if (files.has(file)) return;
    files.add(file);
    if (file.endsWith(".wasm")) return;
    const imports = (await textOf(file)).matchAll(/(?:from |import |import\(|require\(|sourceMappingURL=)"?(\.?[\w./-]+)/g);
    for (const [, path] of imports) {
      if (!path.startsWith(".") && !path.endsWith(".map")) continue;
      await visit(posix.join(posix.dirname(file), typed(file, path)));
    }
  };
  for (const entry of entries) await visit(posix.normalize(entry));
  return [...files].sort();
}

/** Declarations import each other by the names of the JavaScript they describe. */
const typed = (from, path) => (/\.d\.c?ts$/.test(from) ? path.replace(/\.(c?)js$/, ".d.$1ts") : path);

describe("the package", () => {
  it("has exactly the files that its entries reach, and what npm always adds", async () => {
    const entries = [...named(manifest.exports), manifest.main, manifest.types, manifest.bin].filter((file) => file !== "./package.json");
    const wanted = [...(await reached(entries)), "LICENSE", "MEANING.md", "README.md", "THIRD-PARTY.md", "package.json"].sort();
    expect(inject("packed").files.map(({ path }) => path).sort()).toEqual(wanted);
  });

  it("installs without running anything, and brings one package that brings nothing", async () => {
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
    const checker = "@cfworker/json-schema";
    expect(manifest.dependencies).toEqual({ [checker]: expect.any(String) });
    const brought = JSON.parse(await readFile(join(project("node_modules"), checker, "package.json"), "utf8"));
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = brought;
    expect({ ...dependencies, ...optionalDependencies, ...peerDependencies }).toEqual({});
    expect(manifest).not.toHaveProperty("optionalDependencies");
    for (const peer of Object.keys(manifest.peerDependencies)) expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
    expect((await readdir(project("node_modules"))).filter((name) => !name.startsWith("."))).toEqual(["@cfworker", "golden", "tool-search"]);
  });

  it("says what registries and bundlers ask", async () => {
    expect(manifest).toMatchObject({ name: "tool-search", license: "MIT", type: "module", engines: { node: expect.any(String) } });
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
    const effects = manifest.sideEffects.map((file) => existsSync(join(folder, file)));
    expect(effects.every(Boolean)).toBe(true);
    const cargo = await readFile(new URL("../../Cargo.toml", import.meta.url), "utf8");
    expect(cargo).toContain(`\nversion = "${manifest.version}"\n`);
  });

  it("is what publint and Are The Types Wrong? want", async () => {
    await exec("publint", ["--strict", folder], ".");
    await exec("attw", [inject("packed").filename], ".");
  });
});

describe("the built code", () => {
  const anywhere = ["index.js", "index.cjs", "index.edge.js", "meaning.js", "meaning.cjs", "meaning.edge.js"];
  it.each([...anywhere, "index.node.js", "index.node.cjs"])("of %s needs no file, no network and no compiler of text, and waits for nothing", async (entry) => {
    const files = await reached([`dist/${entry}`]);
    for (const file of files.filter((name) => /js$/.test(name))) {
      const code = (await textOf(file)).replaceAll(/"[^"\n]{1000,}"/g, '""');
      const forbidden = /\bfetch\b|\beval\b|new Function|import\.meta|["']node:|\bXMLHttpRequest\b|\bprocess\.\w|\bBuffer\b/g;
      const found = code.match(forbidden)?.filter((what) => what !== "Buffer" || anywhere.includes(entry)) ?? [];
      expect({ file, found }).toEqual({ file, found: [] });
      const imported = [...code.matchAll(/(?:from |import |import\(|require\()["']([^"']*)["']/g)].map(([, path]) => path);
      expect({ file, others: imported.filter((path) => !path.startsWith("./")) }).toEqual({ file, others: [] });
      expect({ file, awaits: code.match(/^await\b|^(?:const|let|var) .*= await\b/m) }).toEqual({ file, awaits: null });
      expect({ file, ascii: /^[\x00-\x7f]*$/.test(code) }).toEqual({ file, ascii: true });
    }
  });
});
