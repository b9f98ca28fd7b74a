// Sets of a catalog and of queries whose right tools are known, in the format that ../README.md describes.
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { SetupError } from "../../scripts/lib/steps.mjs";

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [server]
 * @property {string} [description]
 * @property {object} [inputSchema]
 *
 * @typedef {object} Query
 * @property {string} query
 * @property {string[]} gold Names of the right tools; none when there is no such tool.
 * @property {string} [kind]
 *
 * @typedef {{ name: string, tools: Tool[], queries: Query[] }} RetrievalSet
 */

/** The sets in the sub-folders of `folder`, by name; or the one set that the folder itself is. */
export async function readSets(folder) {
  if (isSet(folder)) return [await readSet(folder)];
  const entries = await readdir(folder).catch(() => []);
  const folders = entries.sort().map((entry) => join(folder, entry)).filter(isSet);
  if (folders.length === 0) throw new SetupError(`Neither ${folder} nor a folder in it has a catalog.jsonl and a queries.jsonl.`);
  return Promise.all(folders.map(readSet));
}

/** @returns {Promise<RetrievalSet>} */
export async function readSet(folder) {
  const [tools, queries] = await Promise.all(["catalog.jsonl", "queries.jsonl"].map((file) => readLines(join(folder, file))));
  return { name: basename(folder), tools, queries };
}

export async function readLines(file) {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((line, index) => {
    if (!line.trim()) return [];
    try {
      return [JSON.parse(line)];
    } catch (error) {
      throw new SetupError(`${file}, line ${index + 1}: ${error.message}`);
    }
  });
}

function isSet(folder) {
  return ["catalog.jsonl", "queries.jsonl"].every((file) => existsSync(join(folder, file)));
}
