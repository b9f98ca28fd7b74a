// Runs a command, and ends it with all that it started when whoever asked for it ends or is gone: then our stdin closes.
import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";

const [command, ...args] = process.argv.slice(2);
// A group of its own, to be ended as one.
const child = spawn(command, args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
/** Whether there is anybody to get it. */
const signal = (name) => {
  try {
    return process.kill(-child.pid, name);
  } catch {
    return false;
  }
};
/** For two seconds they may put away what they have. */
const end = async (code = 0) => {
  signal("SIGTERM");
  for (let tries = 0; tries < 40 && signal(0); tries++) await setTimeout(50);
  signal("SIGKILL");
  process.exit(code);
};
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => end());
process.stdin.on("close", () => end()).resume();
child.on("error", ({ message }) => console.error(message));
child.on("close", (code) => end(code ?? 0));
