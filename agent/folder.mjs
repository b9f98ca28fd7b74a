// @ts-check
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The only place that a run writes to.
 * @typedef {object} RunFolder
 * @property {string} path
 * @property {string} home Stands in for the user's home directory.
 * @property {string} project What the filesystem server may see.
 * @property {string} memory The memory server's file.
 * @property {() => Promise<void>} remove
 */

/** Goes with this process at the latest. @returns {Promise<RunFolder>} */
export async function makeRunFolder() {
  // The filesystem server compares real paths, and a temporary folder may be reached through a link.
  const path = await realpath(await mkdtemp(join(tmpdir(), "tool-search-")));
  const [home, project] = [join(path, "home"), join(path, "project")];
  await Promise.all([mkdir(home), mkdir(project)]);
  const removeAtExit = () => rmSync(path, { recursive: true, force: true });
  process.once("exit", removeAtExit);
  return {
    path,
    home,
    project,
    memory: join(path, "memory.jsonl"),
    remove: async () => {
      // A server that was only just ended may still write, hence the retries.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      process.removeListener("exit", removeAtExit);
    },
  };
}
