import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mjs";
import { which } from "./rust.mjs";

/**
 * By engine: what readers call it, its programs on PATH, where systems keep it that put nothing there, what else must be on PATH to use it, and
 * Debian's packages of it.
 */
const BROWSERS = {
  chromium: {
    title: "Chromium, Chrome or Edge",
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome", "msedge"],
    places: async (env) => [
      ...app("Google Chrome"),
      ...app("Chromium"),
      ...app("Microsoft Edge"),
      ...programFiles(env, ["Google", "Chrome", "Application", "chrome.exe"], ["Microsoft", "Edge", "Application", "msedge.exe"]),
      "/opt/google/chrome/chrome",
      "/opt/microsoft/msedge/msedge",
      ...(await playwrights(env)),
    ],
    needs: [],
    packages: ["chromium"],
  },
  firefox: {
    title: "Firefox",
    // Not `firefox`: where that is a snap, it reads no profile of ours.
    programs: ["firefox-esr"],
    places: async (env) => [
      ...app("Firefox", "firefox"),
      ...programFiles(env, ["Mozilla Firefox", "firefox.exe"]),
      ...["/usr/lib", "/usr/lib64", "/opt"].map((folder) => join(folder, "firefox", "firefox")),
    ],
    needs: [],
    packages: ["firefox-esr"],
  },
  webkit: {
    title: "MiniBrowser of WebKitGTK with xvfb-run",
    programs: [],
    places: async () => {
      const folders = (await readdir("/usr/lib").catch(() => [])).filter((name) => name.endsWith("-linux-gnu"));
      return ["libexec", "lib", ...folders.map((name) => join("lib", name))].map((folder) => join("/usr", folder, "webkit2gtk-4.1", "MiniBrowser"));
    },
    needs: ["xvfb-run", "xauth"],
    packages: ["libwebkit2gtk-4.1-0", "xvfb", "xauth"],
  },
};

const app = (name, program = name) => (process.platform === "darwin" ? [`/Applications/${name}.app/Contents/MacOS/${program}`] : []);

function programFiles(env, ...paths) {
  if (process.platform !== "win32") return [];
  const folders = [env["ProgramFiles"], env["ProgramFiles(x86)"], env.LOCALAPPDATA].filter(Boolean);
  return folders.flatMap((folder) => paths.map((path) => join(folder, ...path)));
}

/** The browsers that Playwright downloaded, newest first. */
async function playwrights(env) {
  const home = env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), ".cache", "ms-playwright");
  const folders = (await readdir(home).catch(() => [])).filter((name) => /^chromium-\d+$/.test(name));
  folders.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  return folders.flatMap((name) => [join(home, name, "chrome-linux", "chrome"), join(home, name, "chrome-linux64", "chrome")]);
}

/**
 * Finds a browser of the engine `chromium`, `firefox` or `webkit`: the one that the variable CHROMIUM, FIREFOX or WEBKIT names, one on PATH,
 * where systems keep them, or of Playwright; where there is none, installs Debian's if we may.
 *
 * Resolves to `{ path }`, or to `{ missing }` with the reason in words for the reader.
 */
export async function findBrowser(engine, env = process.env, step = (_title, work) => work()) {
  const { title, packages } = BROWSERS[engine];
  const variable = engine.toUpperCase();
  const found = await find(engine, variable, env);
  if (found) return { path: found };
  const install = await installer(env);
  if (!install) return { missing: `there is no ${title} on this machine; install one, or name it in the variable ${variable}` };
  try {
    await step(`${packages[0]}, by apt-get`, async () => {
      await run(...install(["update"]), { env }).catch(() => {}); // one source of several that fails must not keep us from the others
      await run(...install(["install", "-y", "--no-install-recommends", ...packages]), { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } });
    });
  } catch (error) {
    return { missing: `there is no ${title}, and ${error.message}` };
  }
  const installed = await find(engine, variable, env);
  return installed ? { path: installed } : { missing: `apt-get installed ${packages.join(", ")}, which bring no ${title}` };
}

async function find(engine, variable, env) {
  const { programs, places, needs } = BROWSERS[engine];
  for (const name of needs) {
    if (!(await which(name, env))) return undefined;
  }
  if (env[variable]) return env[variable];
  for (const name of programs) {
    const folder = await which(name, env);
    if (folder) return join(folder, process.platform === "win32" ? `${name}.exe` : name);
  }
  for (const path of await places(env)) {
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
