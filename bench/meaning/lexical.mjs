// What the engine answers without meaning, for `evaluate.py`: node lexical.mjs FOLDER-OF-SETS OUT-FOLDER
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolSearch } from "tool-search";
import { readSets } from "../quality/sets.mjs";

const [folder, out] = process.argv.slice(2);
await mkdir(out, { recursive: true });
for (const { name, tools, queries } of await readSets(folder)) {
  const engine = new ToolSearch();
  const servers = grouped(tools);
  for (const [server, group] of servers) engine.add(group, server ? { server, prefix: false } : {});
  const places = new Map(tools.map((tool, place) => [tool.name, place]));
  const answers = queries.map(({ query, gold }) => {
    let found = { matches: [] };
    try {
      found = engine.search(query, { limit: tools.length });
    } catch (error) {
      if (error.name !== "ToolSearchError") throw error; // it has no word to search for
    }
    const lex = found.matches.map((match) => [places.get(match.name), match.score, match.tier]);
    return { query, gold: gold.flatMap((name) => placesOf(name, places)), lex };
  });
  await writeFile(join(out, `${name}.json`), JSON.stringify({ tools, queries: answers }));
  engine.free();
  console.log(`${name}: ${tools.length} tools, ${queries.length} queries`);
}

function grouped(tools) {
  const groups = new Map();
  for (const tool of tools) groups.set(tool.server, [...(groups.get(tool.server) ?? []), tool]);
  return groups;
}

/** A name that ends in `*` is all names that begin so. */
function placesOf(name, places) {
  if (!name.endsWith("*")) return [places.get(name)];
  return [...places].filter(([other]) => other.startsWith(name.slice(0, -1))).map(([, place]) => place);
}
