// @ts-check
// What the development servers list, for the page to show. Their definitions are theirs and not kept in this repository: they are asked
// for when the page is built, and again when a version changes.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOf } from "../scripts/lib/stamp.mjs";

/** @typedef {import("./src/catalog/types.ts").ServersFile} ServersFile */

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const TIMEOUT_MS = 60_000;

/** Where the page finds them; git-ignored. */
export const serversFile = join(here, "public", "servers.json");

/**
 * Brings `servers.json` up to date and resolves to what it holds. Never fails: servers that cannot be had are named in it with the reason,
 * the page says so, and the next build asks again.
 * @param {{ file?: string, servers?: readonly import("tool-search-agent/servers").ServerSpec[] }} [options] Default: all, to `serversFile`.
 * @returns {Promise<ServersFile>}
 */
export async function bringCatalogs({ file = serversFile, servers } = {}) {
  const fingerprint = await hashOf(root, ["agent/package.json", "agent/servers.mjs", "demo/catalogs.mjs"]);
  const before = await readFile(file, "utf8").then(JSON.parse, () => undefined);
  if (!servers && before?.fingerprint === fingerprint && before.failed.length === 0) return before;
  const content = { fingerprint, ...(await ask(servers)) };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
  return content;
}

/**
 * @param {readonly import("tool-search-agent/servers").ServerSpec[] | undefined} servers
 * @returns {Promise<Omit<ServersFile, "fingerprint">>}
 */
async function ask(servers) {
  try {
    const { connectAll } = await import("tool-search-agent/connect");
    const { makeRunFolder } = await import("tool-search-agent/folder");
    const folder = await makeRunFolder();
    const { ready, failed, close } = await connectAll({ folder, timeout: TIMEOUT_MS, ...(servers && { servers }) });
    await close();
    await folder.remove();
    return {
      servers: ready.map(({ spec, tools, instructions }) => ({ name: spec.name, tools, ...(instructions && { instructions }) })),
      failed: failed.map(({ spec, reason }) => ({ name: spec.name, reason })),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { servers: [], failed: [{ name: "all development servers", reason }] };
  }
}
