// Before all tests: packs the package as it would be published, and has npm install that into a scratch folder with a copy of every project.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findBrowser } from "../../../scripts/lib/browsers.mjs";
import { ensureConsumers, removeUnused } from "../../../scripts/lib/consumers.mjs";
import { run } from "../../../scripts/lib/process.mjs";
import { reporter } from "../../../scripts/lib/steps.mjs";
import { root, setup } from "../../../scripts/setup.mjs";

export default async function ({ provide }) {
  const env = await setup({ quiet: true });
  const step = reporter();
  const home = await ensureConsumers(root, env, step);
  await removeUnused(home, /^run-/);
  // Below the packages that the projects need, where they find them as they would find their own.
  const scratch = await mkdtemp(join(home, "run-"));
  const packed = await pack(scratch, env);
  await install(scratch, packed.filename, env);
  await addGolden(scratch);
  await cp(join(root, "js-tests", "runtimes", "projects"), scratch, { recursive: true });
  await cp(join(root, "examples"), scratch, { recursive: true });
  provide("home", home);
  provide("scratch", scratch);
  provide("packed", packed);
  const browsers = {};
  for (const engine of ["chromium", "firefox", "webkit"]) browsers[engine] = await findBrowser(engine, env, step);
  provide("browsers", browsers);
  return () => rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function pack(to, env) {
  const { stdout } = await run("npm", ["pack", "-w", "pkg", "--json", "--pack-destination", to], { cwd: root, env });
  return Object.values(JSON.parse(stdout))[0];
}

async function install(folder, tarball, env) {
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "scratch", private: true }));
  // Offline: the package brings nothing with it. Without a lock file, so that bundlers take `home` for the root of the workspace.
  const flags = ["--offline", "--no-package-lock", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, `./${tarball}`], { cwd: folder, env });
}

/** A package `golden` for the projects: `answers(ToolSearch, meaning)`, of the cases that everybody answers. */
async function addGolden(folder) {
  const golden = join(folder, "node_modules", "golden");
  await mkdir(golden);
  const sets = ["cases.json", "services.json"].map((file) => readFile(join(root, "tests", "golden", file), "utf8"));
  const code = await readFile(join(root, "js-tests", "runtimes", "golden.mjs"), "utf8");
  const manifest = { name: "golden", version: "1.0.0", type: "module", exports: { types: "./index.d.ts", default: "./index.js" } };
  await writeFile(join(golden, "package.json"), JSON.stringify(manifest));
  await writeFile(join(golden, "code.js"), code);
  await writeFile(join(golden, "cases.js"), `export default [${(await Promise.all(sets)).join(",")}]`);
  await writeFile(
    join(golden, "index.js"),
    'import * as code from "./code.js";\nimport cases from "./cases.js";\nexport const answers = (ToolSearch, meaning) => code.answers(ToolSearch, meaning, cases);\n',
  );
  await writeFile(join(golden, "index.d.ts"), "export declare function answers(ToolSearch: unknown, meaning: unknown): string;\n");
}
