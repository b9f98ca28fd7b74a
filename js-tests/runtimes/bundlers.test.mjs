// Bundlers by their own commands and without configuration, for Node, for pages and for workers.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcomeAt } from "./support/browser.mjs";
import { exec, golden, project, serve, start } from "./support/tools.mjs";

describe("esbuild", () => {
  it.each([
    ["esm", "mjs"],
    ["cjs", "cjs"],
  ])("bundles for Node as %s", async (format, extension) => {
    const file = `esbuild/node.${extension}`;
    await exec("esbuild", ["src/node.js", "--bundle", "--minify", "--platform=node", `--format=${format}`, `--outfile=${file}`], "bundled");
    expect(await exec(process.execPath, [file], "bundled")).toBe(golden);
  });

  it.for([
    ["esm", "module.html"],
    ["iife", "index.html"],
  ])("bundles for a page as %s", async ([format, page], context) => {
    await exec("esbuild", ["src/page.js", "--bundle", "--minify", `--format=${format}`, "--outfile=dist/page.js"], "bundled");
    expect(await outcomeAt(`${await serve("bundled")}/${page}`, context)).toBe(golden);
  });

  it("bundles into a page of another character set, inline", async (context) => {
    await exec("esbuild", ["src/page.js", "--bundle", "--minify", "--format=iife", "--outfile=dist/page.js"], "bundled");
    const script = await readFile(join(project("bundled"), "dist/page.js"));
    const page = Buffer.concat([Buffer.from('<!doctype html><meta charset="shift_jis"><script>'), script, Buffer.from("</script>")]);
    await writeFile(join(project("bundled"), "inline.html"), page);
    expect(await outcomeAt(`${await serve("bundled")}/inline.html`, context)).toBe(golden);
  });
});

describe("webpack", () => {
  it.each(["production", "development"])("bundles for Node in %s mode", async (mode) => {
    const output = ["--output-path", `webpack-${mode}`, "--output-filename", "node.cjs"];
    await exec("webpack", ["./src/node.js", "--mode", mode, "--target", "node", ...output], "bundled");
    expect(await exec(process.execPath, [`webpack-${mode}/node.cjs`], "bundled")).toBe(golden);
  });

  it("bundles for a page", async (context) => {
    await exec("webpack", ["./src/page.js", "--mode", "production", "--output-filename", "page.js"], "bundled");
    expect(await outcomeAt(`${await serve("bundled")}/index.html`, context)).toBe(golden);
  });

  it("bundles a worker of a page", async (context) => {
    await exec("webpack", ["./src/with-worker.js", "--mode", "production", "--output-filename", "page.js"], "bundled");
    expect(await outcomeAt(`${await serve("bundled")}/index.html`, context)).toBe(golden);
  });
});

describe("Vite", () => {
  it("builds pages and workers", async (context) => {
    await exec("vite", ["build"], "vite");
    const url = await serve("vite/dist");
    expect(await outcomeAt(`${url}/index.html`, context)).toBe(golden);
    expect(await outcomeAt(`${url}/worker.html`, context)).toBe(golden);
  });

  it("serves pages and workers in development", async (context) => {
    const url = await start("vite", ["--host", "127.0.0.1", "--port", "0"], "vite");
    expect(await outcomeAt(`${url}/index.html`, context)).toBe(golden);
    expect(await outcomeAt(`${url}/worker.html`, context)).toBe(golden);
  });

  it.each([
    ["left outside", "{}"],
    ["bundled", "{ ssr: { noExternal: true } }"],
  ])("builds for server-side rendering, the package %s", async (_where, config) => {
    await writeFile(join(project("vite"), "ssr.config.mjs"), `export default ${config};`);
    await exec("vite", ["build", "-c", "ssr.config.mjs", "--ssr", "src/server.js", "--outDir", "ssr"], "vite");
    const code = 'import("./ssr/server.js").then(({ render }) => process.stdout.write(render()))';
    expect(await exec(process.execPath, ["-e", code], "vite")).toBe(golden);
  });

  it("renders on the server in development", async () => {
    expect(await exec(process.execPath, ["ssr-dev.mjs"], "vite")).toBe(golden);
  });
});

describe("Vitest", () => {
  it("runs tests of it", async () => {
    await exec("vitest", ["run"], "vitest");
    expect(await readFile(join(project("vitest"), "out.txt"), "utf8")).toBe(golden);
  });
});
