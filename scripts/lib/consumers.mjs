import { access, copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { run } from "./process.mjs";
import { hashOf } from "./stamp.mjs";
import { toolsFolder } from "./tools.mjs";

const SOURCE = "js-tests/runtimes";
const FILES = ["package.json", "package-lock.json"];

/**
 * Installs what `js-tests/runtimes/package.json` names (bundlers, frameworks, runtimes: more than a gigabyte) into the cache, once for all
 * checkouts with the same lock file, and resolves to that folder: what stands below it finds them. Those of other lock files go when they have
 * not been used for a day.
 *
 * Install scripts do not run: they only put the platform's programs in other places than those where they are found.
 */
export async function ensureConsumers(root, env, step) {
  const hash = await hashOf(root, FILES.map((file) => `${SOURCE}/${file}`));
  const home = join(toolsFolder(env), "consumers", hash.slice(0, 16));
  if (await isThere(home)) return home;
  const bring = async () => {
    if (await isThere(home)) return; // another run brought it while we waited for the lock
    await step("npm packages of the runtimes' tests", () => install(root, home, env));
  };
  const wait = () => step.print("  … waiting for another checkout that installs them");
  await withLock(join(toolsFolder(env), "consumers.lock"), bring, wait);
  return home;
}

const isThere = (path) => access(path).then(() => true, () => false);

async function install(root, home, env) {
  await removeUnused(dirname(home));
  const partial = `${home}.partial`;
  await mkdir(partial, { recursive: true });
  for (const file of FILES) await copyFile(join(root, SOURCE, file), join(partial, file));
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: partial, env });
  await rename(partial, home);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes what stands in a folder and has not changed for a day: every use makes a folder in it. */
export async function removeUnused(folder, which = /./) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => which.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    if (Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}
