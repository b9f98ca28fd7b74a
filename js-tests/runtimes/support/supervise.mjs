// Runs a command, and ends it with all that it started when whoever asked for it ends or is gone: then our stdin closes.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
// A group of its own, to be ended as one.
const child = spawn(command, args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
const end = () => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {} // it is gone
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
process.stdin.on("close", end).resume();
child.on("error", ({ message }) => console.error(message));
child.on("close", (code) => process.exit(code ?? 0));
