import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mjs";
import { which } from "./rust.mjs";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome", "msedge"];

/** Where browsers are that put nothing on PATH. */
function places(env) {
  if (process.platform === "darwin") {
    const app = (name) => `/Applications/${name}.app/Contents/MacOS/${name}`;
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(app);
  }
  if (process.platform === "win32") {
    const folders = [env["ProgramFiles"], env["ProgramFiles(x86)"], env.LOCALAPPDATA].filter(Boolean);
    return folders.flatMap((folder) => [
      join(folder, "Google", "Chrome", "Application", "chrome.exe"),
      join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
    ]);
  }
  return ["/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge"];
}

/** The browsers that Playwright downloaded, newest first. */
async function playwrights(env) {
  const home = env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), ".cache", "ms-playwright");
  const folders = (await readdir(home).catch(() => [])).filter((name) => /^chromium-\d+$/.test(name));
  folders.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  return folders.flatMap((name) => [join(home, name, "chrome-linux", "chrome"), join(home, name, "chrome-linux64", "chrome")]);
}

/**
 * Finds a Chromium (or Chrome, or Edge): the one that the variable CHROMIUM names, one on PATH, where systems keep them, or of Playwright;
 * where there is none, installs Debian's if we may.
 *
 * Resolves to `{ path }`, or to `{ missing }` with the reason in words for the reader.
 */
export async function findChromium(env = process.env, step = (_title, work) => work()) {
  const found = await find(env);
  if (found) return { path: found };
  const install = await installer(env);
  if (!install) return { missing: "there is no Chromium, Chrome or Edge on this machine; install one, or name it in the variable CHROMIUM" };
  try {
    await step("Chromium, by apt-get", async () => {
      await run(...install(["update"]), { env }).catch(() => {}); // one source of several that fails must not keep us from the others
      await run(...install(["install", "-y", "--no-install-recommends", "chromium"]), { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } });
    });
  } catch (error) {
    return { missing: `there is no Chromium, and ${error.message}` };
  }
  const installed = await find(env);
  return installed ? { path: installed } : { missing: "apt-get installed a package chromium that brings no such program" };
}

async function find(env) {
  if (env.CHROMIUM) return env.CHROMIUM;
  for (const name of PROGRAMS) {
    const folder = await which(name, env);
    if (folder) return join(folder, process.platform === "win32" ? `${name}.exe` : name);
  }
  for (const path of [...places(env), ...(await playwrights(env))]) {
    if (await access(path).then(() => true, () => false)) return path;
  }
  return undefined;
}

/** How to call apt-get as root, if that is possible without asking anybody. */
async function installer(env) {
  if (process.platform !== "linux" || !(await which("apt-get", env))) return undefined;
  if (process.getuid() === 0) return (args) => ["apt-get", args];
  const may = (await which("sudo", env)) && (await run("sudo", ["-n", "true"], { env }).then(() => true, () => false));
  return may ? (args) => ["sudo", ["-n", "apt-get", ...args]] : undefined;
}
