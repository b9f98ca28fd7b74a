// Node as ES module, CommonJS and TypeScript; Deno and Bun.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { exec, golden, leaveOut, require } from "./support/tools.mjs";

describe("Node", () => {
  it.each(["main.mjs", "main.cjs"])("runs %s", async (file) => {
    expect(await exec(process.execPath, [file], "plain")).toBe(golden);
  });

  // The package of Node's binary is of one platform.
  it.for(["node22", "node26"])("runs it as %s", async (name, context) => {
    const binary = packaged(name, "bin/node");
    if (!binary) leaveOut(context, "its binary is a package for Linux on x64 only");
    expect(await exec(binary, ["main.mjs"], "plain")).toBe(golden);
    expect(await exec(binary, ["main.cjs"], "plain")).toBe(golden);
  });

  it("has one class, whichever entry it came from", async () => {
    const same = "process.stdout.write(String(a.ToolSearch === b.ToolSearch))";
    const common = `const a = require("tool-search"), b = require("tool-search/slim"); ${same}`;
    expect(await exec(process.execPath, ["--input-type=commonjs", "-e", common], "plain")).toBe("true");
    const module = `import * as a from "tool-search"; import * as b from "tool-search/slim"; ${same}`;
    expect(await exec(process.execPath, ["--input-type=module", "-e", module], "plain")).toBe("true");
  });
});

describe.each(["typescript", "typescript5"])("TypeScript, %s", (compiler) => {
  const manifest = require.resolve(`${compiler}/package.json`);
  const tsc = join(dirname(manifest), require(manifest).bin.tsc);

  it("compiles with the resolution of node16, for both kinds of modules", async () => {
    await exec(process.execPath, [tsc, "-p", "tsconfig.node16.json"], "typescript");
    expect(await exec(process.execPath, ["out/module.mjs"], "typescript")).toBe(golden);
    expect(await exec(process.execPath, ["out/common.cjs"], "typescript")).toBe(golden);
  });

  it("checks with the resolution of bundlers", async () => {
    await exec(process.execPath, [tsc, "-p", "tsconfig.bundler.json"], "typescript");
  });
});

it("TypeScript 5 finds the declarations of all entries with the resolution of old, too", async () => {
  await exec(process.execPath, [require.resolve("typescript5/bin/tsc"), "-p", "tsconfig.node10.json"], "typescript");
});

describe("Deno", () => {
  it("runs it without any permission", async (context) => {
    const deno = packaged("deno", "bin.cjs");
    const works = await exec(process.execPath, [deno, "--version"], "plain").catch(() => undefined);
    if (!works) leaveOut(context, "its package has no binary for this platform");
    expect(await exec(process.execPath, [deno, "run", "--no-prompt", "main.mjs"], "plain")).toBe(golden);
  });
});

describe("Bun", () => {
  const names = { x64: "x64", arm64: "aarch64" };
  const binary = packaged(`@oven/bun-${process.platform}-${names[process.arch]}`, "bin/bun");

  it.for(["main.mjs", "main.cjs"])("runs %s", async (file, context) => {
    if (!binary) leaveOut(context, "there is no binary for this platform");
    expect(await exec(binary, ["run", file], "plain")).toBe(golden);
  });

  it("bundles it", async (context) => {
    if (!binary) leaveOut(context, "there is no binary for this platform");
    await exec(binary, ["build", "main.mjs", "--target=bun", "--outfile=bun.js"], "plain");
    expect(await exec(binary, ["run", "bun.js"], "plain")).toBe(golden);
  });
});

/** A file of a package, if that is there. */
function packaged(name, file) {
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
