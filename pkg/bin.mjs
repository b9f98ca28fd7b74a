#!/usr/bin/env node
// `npx tool-search …`. The command is a package of its own, `tool-search-cli`, so that the library brings nothing with it. Where that is not
// installed, npm brings it as it brings any package that `npx` is asked for: on a terminal it asks first.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
const args = process.argv.slice(2);

/** The command's module beside this package, or in the project that it is called in. */
function installed() {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))]) {
    try {
      return createRequire(from).resolve("tool-search-cli");
    } catch {}
  }
  return undefined;
}

/** Runs the command by the npm that runs this. @param {string} npm */
function byNpm(npm) {
  // Ctrl-C reaches the command as well, which ends its servers first; this waits for it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const child = spawn(process.execPath, [npm, "exec", `--package=tool-search-cli@${version}`, "--", "tool-search-cli", ...args], { stdio: "inherit" });
  child.on("exit", (code) => (process.exitCode = code ?? 130));
}

const module = installed();
const npm = process.env["npm_execpath"] ?? "";
if (module) {
  await (await import(pathToFileURL(module).href)).main(args);
} else if (/npm-cli\.[cm]?js$/.test(npm)) {
  byNpm(npm);
} else {
  console.error(`The command is in a package of its own: npm install --save-dev tool-search-cli@${version}`);
  process.exitCode = 2;
}
