// The project's own set: our queries over what the development servers list. Their definitions are theirs and not kept in this
// repository: they are asked for once, and again when a version changes.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectAll } from "tool-search-agent/connect";
import { makeRunFolder } from "tool-search-agent/folder";
import { readLines, readSet } from "./sets.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const agent = join(here, "..", "..", "agent");
const queriesFile = join(here, "queries", "development-servers.jsonl");

/** From the cache, if there are no newer versions. @returns {Promise<import("./sets.mjs").RetrievalSet>} */
export async function developmentServers() {
  const folder = join(here, ".cache", await fingerprint(), "development-servers");
  if (!existsSync(folder)) await write(folder);
  return readSet(folder);
}

/** What the content of the set depends on. */
async function fingerprint() {
  const hash = createHash("sha256");
  const { devDependencies } = JSON.parse(await readFile(join(agent, "package.json"), "utf8"));
  hash.update(JSON.stringify(devDependencies));
  for (const file of [join(agent, "servers.mjs"), queriesFile, fileURLToPath(import.meta.url)]) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}

async function write(folder) {
  const tools = await liveCatalog();
  const queries = (await readLines(queriesFile)).map((query) => ({ ...query, gold: query.gold.flatMap((name) => named(name, tools)) }));
  await mkdir(dirname(folder), { recursive: true });
  // Made beside its place and moved there whole: a test and a bench may do this at the same time.
  const draft = await mkdtemp(`${folder}-`);
  await writeFile(join(draft, "catalog.jsonl"), jsonLines(tools));
  await writeFile(join(draft, "queries.jsonl"), jsonLines(queries));
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

async function liveCatalog() {
  const folder = await makeRunFolder();
  const { ready, failed, close } = await connectAll({ folder, timeout: 60_000 });
  await close();
  await folder.remove();
  if (failed.length > 0) {
    throw new Error(failed.map(({ spec, reason }) => `the server ${spec.name} did not come up: ${reason}`).join("\n"));
  }
  return ready.flatMap(({ spec, tools }) =>
    tools.map(({ name, description, inputSchema }) => ({ name: `mcp__${spec.name}__${name}`, server: spec.name, description, inputSchema })),
  );
}

/** The names that a right answer stands for: itself, or with a `*` at its end all that begin so. */
function named(gold, tools) {
  const names = tools.map(({ name }) => name).filter((name) => (gold.endsWith("*") ? name.startsWith(gold.slice(0, -1)) : name === gold));
  // An update of a server may have taken the tool away: better to hear of it than to measure against a tool that is not there.
  if (names.length === 0) throw new Error(`no development server has a tool ${gold}, which is in ${queriesFile}`);
  return names;
}

function jsonLines(values) {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
