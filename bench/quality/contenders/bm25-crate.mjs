import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCargo } from "../../../scripts/lib/rust.mjs";
import { DEPTH } from "../measure.mjs";
import { parameters } from "../text.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "bm25 crate, as Codex", answer }];

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const manifest = join(root, "bench", "quality", "bm25-crate", "Cargo.toml");
// A folder of its own within the project's: cargo locks a target folder while it builds.
const target = join(root, "target", "bench");
let program;

async function answer(tools, queries) {
  program ??= await compile();
  const input = JSON.stringify({ documents: tools.map(document), queries, limit: DEPTH });
  const { answers } = JSON.parse(runToEnd(program, [], { input, maxBuffer: 1 << 28 }));
  return answers.map(({ documents, microseconds }) => ({ names: documents.map((id) => tools[id].name), microseconds }));
}

/** What Codex makes of a tool: one text. */
function document({ name, description, inputSchema }) {
  const { names, descriptions } = parameters(inputSchema);
  return [name, name.replaceAll("_", " "), description ?? "", ...names, ...descriptions].join(" ");
}

async function compile() {
  const args = ["build", "--release", "--locked", "--quiet", "--manifest-path", manifest, "--target-dir", target];
  runToEnd("cargo", args, { cwd: root, env: await findCargo() });
  return join(target, "release", process.platform === "win32" ? "bm25-crate.exe" : "bm25-crate");
}

function runToEnd(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (error || status !== 0) throw new Error(`\`${command}\` failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}
