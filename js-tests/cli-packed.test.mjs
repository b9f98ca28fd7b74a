// The command out of the packed packages, by the `npx` of a project that has them.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ODD_SERVER } from "./support/command.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// Below the repository's node_modules, where the packed packages find what they depend on.
const project = join(root, "js-tests", `packed-${process.pid}`);
const modules = join(project, "node_modules");
const LONG = 120_000;
let packed;

const execute = (command, args, options) =>
  promisify(execFile)(command, args, options).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

beforeAll(async () => {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const args = ["pack", "-w", "pkg", "-w", "cli", "--json", "--pack-destination", project, "--ignore-scripts"];
  packed = Object.values(JSON.parse((await execute("npm", args, { cwd: root })).stdout));
  for (const { name, filename } of packed) {
    mkdirSync(join(modules, name));
    await execute("tar", ["-xzf", filename, "-C", join(modules, name), "--strip-components", "1"], { cwd: project });
  }
  symlinkSync("../tool-search/bin.mjs", join(modules, ".bin", "tool-search"));
}, LONG);
afterAll(() => rmSync(project, { recursive: true, force: true }));

it("runs as `npx tool-search`", { timeout: LONG }, async () => {
  const args = ["--no-install", "tool-search", "search", "--json", "-s", `${process.execPath} ${ODD_SERVER} fine`, "write a note"];
  const { code, stdout } = await execute("npx", args, { cwd: project });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).matches[0].name).toBe("mcp__odd__write_note");
});

it("is a small package of its own, which the library does without", () => {
  const [library, command] = ["tool-search", "tool-search-cli"].map((name) => packed.find((one) => one.name === name));
  expect(library.files.map(({ path }) => path).filter((path) => !path.startsWith("dist/")).sort()).toEqual(["LICENSE", "MEANING.md", "README.md", "THIRD-PARTY.md", "bin.mjs", "package.json"]);
  expect(command.unpackedSize).toBeLessThan(200_000);
  const manifests = [library, command].map(({ name }) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")));
  expect(manifests[0].version).toBe(manifests[1].version);
  expect(manifests[1].dependencies["tool-search"]).toBe(manifests[0].version);
});

it("asks npm for the command where it is not installed, and says so where there is no npm", async () => {
  // Outside of the repository, whose own link to the command must not be found.
  const alone = mkdtempSync(join(tmpdir(), "tool-search-alone-"));
  try {
    for (const file of ["bin.mjs", "package.json"]) copyFileSync(join(modules, "tool-search", file), join(alone, file));
    const npm = join(alone, "npm-cli.js");
    writeFileSync(npm, "console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1;");
    const bin = join(alone, "bin.mjs");
    const run = (env) => execute(process.execPath, [bin, "report", "--json"], { cwd: alone, env: { ...process.env, npm_execpath: undefined, ...env } });
    const asked = await run({ npm_execpath: npm });
    const { version } = JSON.parse(readFileSync(join(alone, "package.json"), "utf8"));
    expect(asked.code).toBe(1);
    expect(JSON.parse(asked.stdout)).toEqual(["exec", `--package=tool-search-cli@${version}`, "--", "tool-search-cli", "report", "--json"]);
    expect(await run({})).toMatchObject({ code: 2, stderr: expect.stringContaining(`npm install --save-dev tool-search-cli@${version}`) });
  } finally {
    rmSync(alone, { recursive: true, force: true });
  }
});
