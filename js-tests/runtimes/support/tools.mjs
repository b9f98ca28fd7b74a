// What the tests of runtimes share: running commands in the scratch folder, servers, and what is expected of all.
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, inject } from "vitest";

/** The answers that every runtime must give, to the byte. */
export const golden = await readFile(new URL("../../../tests/golden/answers.txt", import.meta.url), "utf8");

const home = inject("home");
/** The folder of a project in the scratch folder. */
export const project = (name) => join(inject("scratch"), name);
/** Of the packages that the projects need. */
export const require = createRequire(join(home, "package.json"));

// No colours, and nothing is asked for or sent home: neither telemetry nor newer versions.
const env = {
  ...process.env,
  PATH: [join(home, "node_modules", ".bin"), process.env.PATH].join(delimiter),
  NODE_ENV: undefined,
  VITEST: undefined,
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  CI: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  DENO_NO_UPDATE_CHECK: "1",
};

/** Runs a command of the consumers' packages, or any other, in a project and resolves to its stdout. */
export async function exec(command, args, name, more = {}) {
  const options = { cwd: project(name), env: { ...env, ...more }, maxBuffer: 1 << 26 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch ({ message, stdout }) {
    throw new Error(`${message.slice(0, 10_000)}\n${stdout?.slice(-10_000)}`);
  }
}

const closing = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

const supervise = fileURLToPath(new URL("supervise.mjs", import.meta.url));
/** How Vite, Next.js and wrangler say where they are. */
const READY = /(?:Local:|Ready on)\s+(http:\/\/[\w.]+:\d+)\/?\s/;

/** Starts a command, which `stop` ends with all that it started. */
export function supervised(command, args, options) {
  const child = spawn(process.execPath, [supervise, command, ...args], { ...options, stdio: "pipe" });
  const exited = new Promise((done) => child.on("close", done));
  const stop = () => {
    child.stdin.end();
    return exited;
  };
  return { child, stop };
}

/** Starts a server in a project, waits until it prints its address, and resolves to that. It is stopped after the tests of the file. */
export function start(command, args, name, more = {}) {
  return new Promise((resolve, reject) => {
    const { child, stop } = supervised(command, args, { cwd: project(name), env: { ...env, ...more } });
    closing.push(stop);
    let output = "";
    const read = (chunk) => {
      output += chunk;
      const [, url] = output.match(READY) ?? [];
      if (url) resolve(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", reject);
    child.on("close", () => reject(new Error(`${command} ${args.join(" ")} ended:\n${output}`)));
  });
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };

/** Serves a project's files at 127.0.0.1 until the tests of the file are done. What a page posts is given to `posted`. */
export async function serve(name, headers = {}, posted = () => {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      if (request.method === "POST") {
        posted(await text(request));
        response.end();
        return;
      }
      const content = await readFile(join(project(name), path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...headers }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  return listen(server);
}

/** Lets a server listen on loopback and resolves to its address. */
export async function listen(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${server.address().port}`;
}

/** The text at an address, once it can be had: frameworks say where they are before they answer. */
export async function textAt(url) {
  for (let tries = 0; ; tries++) {
    try {
      const response = await fetch(url);
      const text = await response.text();
      if (!response.ok) throw new Error(`${url}: ${response.status}\n${text}`);
      return text;
    } catch (error) {
      if (tries === 20 || error.message.startsWith(url)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Leaves a test out where what it needs cannot be had on this machine, and says so; `npm test` repeats such lines at its end. */
export function leaveOut({ task, skip }, reason) {
  console.log(`skipped: ${[task.suite?.name, task.name].filter(Boolean).join(", ")}: ${reason}`);
  skip(reason);
}
