import { access, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "./process.mjs";
import { SetupError } from "./steps.mjs";

/** What the module is compiled for. */
const MODULE = "wasm32-unknown-unknown";
const exe = process.platform === "win32" ? ".exe" : "";
const exists = (path) => access(path).then(() => true, () => false);

/** The environment with these folders first on PATH. */
export function withPath(env, ...folders) {
  // Windows writes it "Path", and a copy of `process.env` no longer ignores case.
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return { ...env, [key]: [...folders, env[key] ?? ""].join(delimiter) };
}

/** The first folder of PATH that holds the program. */
export async function which(name, env) {
  const key = Object.keys(env).find((entry) => entry.toUpperCase() === "PATH");
  for (const folder of (env[key] ?? "").split(delimiter)) {
    if (folder && (await exists(join(folder, name + exe)))) return folder;
  }
  return undefined;
}

/** An environment in which `cargo` is found, also right after rustup was installed and no new shell was opened. */
export async function findCargo(env = process.env) {
  if (await which("cargo", env)) return { ...env };
  const home = join(env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  if (await exists(join(home, `cargo${exe}`))) return withPath(env, home);
  throw new SetupError(
    "Rust is missing: there is no `cargo` on PATH or in ~/.cargo/bin.\n" +
      "Install it with rustup (see rust-lang.org/tools/install), then run this again. The rest comes by itself.",
  );
}

/**
 * Brings the toolchain of rust-toolchain.toml and its WebAssembly target, or another target, where they are not there yet.
 * @throws SetupError where that cannot be
 */
export async function ensureTarget(root, env, step, target = MODULE) {
  const rustup = await which("rustup", env);
  const sysroot = () => run("rustc", ["--print", "sysroot"], { cwd: root, env }).then(({ stdout }) => stdout.trim());
  const hasTarget = async () => exists(join(await sysroot(), "lib", "rustlib", target, "lib"));
  const ready = await hasTarget().catch((error) => {
    if (!rustup) throw error;
    return false; // the toolchain itself is missing, and this rustup does not install by itself
  });
  if (ready) return;
  const helpless = new SetupError(
    `The \`rustc\` on PATH has no standard library for ${target}, and rustup is not there to add it or not in charge of it.\n` +
      "Install the package of your system that brings it, or use Rust by rustup (see rust-lang.org/tools/install).",
  );
  if (!rustup) throw helpless;
  await step(`Rust target ${target}`, async () => {
    const toolchain = await readFile(join(root, "rust-toolchain.toml"), "utf8");
    const [, channel] = toolchain.match(/^channel\s*=\s*"(.+?)"/m) ?? [];
    const args = ["toolchain", "install", channel, "--profile", "minimal", "-c", "rustfmt", "-c", "clippy", "-t", target];
    await run("rustup", args, { cwd: root, env });
  });
  if (!(await hasTarget())) throw helpless;
}
