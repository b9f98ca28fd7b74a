import { randomUUID } from "node:crypto";
import { rmdirSync, unlinkSync } from "node:fs";
import { mkdir, readdir, rename, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
const BEAT_MS = 2_000;
/** So long must a lock go without a beat, while we watch it, before its holder counts as gone. */
const SILENCE_MS = 30_000;

/**
 * Runs `work` while holding the lock at `path`, a folder; waits for another process that holds it, calling `onWait` once.
 *
 * The folder holds one file, named after its owner. A lock is taken by renaming a ready-made folder to `path`, which fails
 * while another is there. It is given up by removing the owner's file and then the folder, which fails unless it is empty:
 * so whoever clears away the lock of a dead owner can only ever hit that owner's.
 */
export async function withLock(path, work, onWait = () => {}) {
  const owner = `${process.pid}-${randomUUID()}`;
  const prepared = `${path}.${owner}`;
  const mine = join(path, owner);
  const cleanUp = () => {
    // The ready-made folder is there when we never came to hold the lock, our file when we did.
    for (const folder of [prepared, path]) {
      attempt(() => unlinkSync(join(folder, owner)));
      attempt(() => rmdirSync(folder));
    }
  };
  process.once("exit", cleanUp);
  let beat;
  try {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(prepared);
    await writeFile(join(prepared, owner), "");
    await acquire(prepared, path, onWait);
    beat = setInterval(() => utimes(mine, new Date(), new Date()).catch(() => {}), BEAT_MS);
    return await work();
  } finally {
    clearInterval(beat);
    cleanUp();
    process.off("exit", cleanUp);
  }
}

async function acquire(prepared, path, onWait) {
  let seen = { beat: undefined, since: 0 };
  let told = false;
  while (!(await renamed(prepared, path))) {
    const [holder] = await readdir(path).catch(() => []);
    const beat = holder && `${holder} ${(await stat(join(path, holder)).catch(() => undefined))?.mtimeMs}`;
    if (beat !== seen.beat) seen = { beat, since: performance.now() };
    if (holder && alive(holder) && performance.now() - seen.since < SILENCE_MS) {
      if (!told) onWait();
      told = true;
    } else {
      if (holder) await unlink(join(path, holder)).catch(() => {});
      await rmdir(path).catch(() => {});
    }
    await sleep(POLL_MS);
  }
}

/** False when another folder is at `to`. Windows says "not permitted" then, but we just wrote beside it: that cannot be. */
async function renamed(from, to) {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(error.code)) return false;
    throw error;
  }
}

/** For removing what may be gone already, or be another's by now. */
function attempt(remove) {
  try {
    remove();
  } catch {}
}

function alive(owner) {
  try {
    process.kill(Number.parseInt(owner, 10), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM"; // someone else's process
  }
}
