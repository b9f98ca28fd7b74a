// Before the Worker is bundled: the catalog and its index as bytes, so that an isolate starts with them instead of building them.
import { readFile, writeFile } from "node:fs/promises";
import { ToolSearch } from "tool-search";

const catalog = JSON.parse(await readFile("catalog.json", "utf8"));
const search = new ToolSearch();
for (const [server, tools] of Object.entries(catalog)) search.add(tools, { server });
await writeFile("src/catalog.bin", search.snapshot());
