import { spawn } from "node:child_process";

/** A command that could not be started or did not exit with 0. `output` is all it printed. */
export class CommandFailed extends Error {
  constructor(command, outcome, output) {
    super(`\`${command}\` ${outcome}`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

const windows = process.platform === "win32";
const running = new Set();
let foreground;

for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) {
  process.on(signal, () => {
    if (foreground) {
      // A terminal sends Ctrl-C to the program too; whether that ends it is the program's to say.
      if (signal !== "SIGINT") foreground.kill(signal);
      return;
    }
    // Otherwise a stopped setup would leave its compilers and npm at work in the folders of the next one.
    stopAll();
    process.exit(status);
  });
}

/** Ends every command that `run` started and that still runs. */
export function stopAll() {
  for (const child of running) child.kill();
}

/**
 * Runs a command to its end and resolves to what it printed: `stdout` alone, and `output` with both streams as they came.
 * @throws CommandFailed
 */
export function run(command, args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const line = [command, ...args].join(" ");
    // npm is a script on Windows, and those start only through the shell.
    const child = spawn(command, args, { cwd, env, shell: windows && command === "npm", stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    const stdout = [];
    const output = [];
    child.stdout.on("data", (chunk) => {
      stdout.push(chunk);
      output.push(chunk);
    });
    child.stderr.on("data", (chunk) => output.push(chunk));
    const text = (chunks) => Buffer.concat(chunks).toString("utf8");
    child.on("error", (error) => {
      running.delete(child);
      reject(new CommandFailed(line, `could not be started: ${error.message}`, text(output)));
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) resolve({ stdout: text(stdout), output: text(output) });
      else reject(new CommandFailed(line, signal ? `was ended by ${signal}` : `exited with ${code}`, text(output)));
    });
  });
}

/** Runs a command as if it stood in our place: with our terminal, streams and signals. Resolves to its exit status. */
export function runInForeground(command, args) {
  return new Promise((resolve, reject) => {
    foreground = spawn(command, args, { stdio: "inherit" });
    foreground.on("error", reject);
    foreground.on("close", (code, signal) => {
      foreground = undefined;
      resolve(signal ? 1 : code);
    });
  });
}
