import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./process.mjs";

/**
 * Runs `npm ci` unless node_modules holds just what package-lock.json asks for. npm writes its own list of what it installed
 * when it is done; to compare the two by content spares an installation after every `git checkout` that touches a date.
 */
export async function ensurePackages(root, env, step) {
  const [wanted, installed] = await Promise.all([
    packages(join(root, "package-lock.json")),
    packages(join(root, "node_modules", ".package-lock.json")),
  ]);
  if (wanted && installed && same(wanted, installed)) return;
  await step("npm packages", () => run("npm", ["ci"], { cwd: root, env }));
}

async function packages(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function same(wanted, installed) {
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === "") return true;
    const there = installed[path];
    // Builds for other systems stand in the lock file and are never installed.
    if (!there) return Boolean(optional || devOptional);
    return there.version === version && there.integrity === integrity;
  });
}
