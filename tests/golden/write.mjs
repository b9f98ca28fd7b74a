// Writes answers.txt anew, after a change of what searches answer: `npm run golden`. The difference is to be read before it is committed.
import { readFile, writeFile } from "node:fs/promises";
import { ToolSearch } from "tool-search";
import { meaning } from "tool-search/meaning";
import { answers } from "../../js-tests/runtimes/golden.mjs";

const file = (name) => new URL(name, import.meta.url);
const sets = ["cases.json", "services.json"].map(async (name) => JSON.parse(await readFile(file(name), "utf8")));
await writeFile(file("answers.txt"), answers(ToolSearch, meaning, await Promise.all(sets)));
