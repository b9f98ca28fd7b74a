// Writes services.json: a catalog with the proportions of public MCP servers (generated, as the benchmarks have it) and searches of it in
// every way there is. Run by hand, once in a long while: `node tests/golden/cases.mjs`, then `npm run golden`.
import { writeFile } from "node:fs/promises";
import { readCatalog } from "../../bench/speed/catalogs.mjs";

/** Tools, and how many searches all cases make together with those of cases.json. */
const TOOLS = 120;
const SEARCHES = 415;

const { servers, tools, queries } = await readCatalog(String(TOOLS));
const pick = (list, n) => list[(n * 7919) % list.length];
const nameOf = (n) => pick(tools, n).name;
const words = (n) => nameOf(n).replaceAll("_", " ");
const camel = (n) => nameOf(n).replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const misspelt = (n) => words(n).replace(/(\w)(\w)(?=\w* |\w*$)/, "$2$1");
const server = (n) => pick([...servers.keys()], n);

/** Of every nine, five by words. */
const KINDS = [
  (n) => ({ query: pick(queries, n) }),
  (n) => ({ query: pick(queries, n + 1), ranking: "additive" }),
  (n) => ({ query: pick([words, camel, nameOf, misspelt], Math.floor(n / 9))(n) }),
  (n) => ({ query: pick(queries, n), limit: 3, offset: n % 4 }),
  (n) => ({ query: `${words(n)} and ${words(n + 1)}` }),
  (n) => ({ query: `select:${nameOf(n)},${camel(n + 1)},${misspelt(n + 2)}` }),
  (n) => ({ query: `+${pick(words(n).split(" "), n)} ${pick(queries, n)}`, server: n % 2 ? server(n) : undefined }),
  (n) => ({ query: pick(queries, n), deny: [`*${nameOf(n).split("_")[0]}*`], loaded: [`mcp__${pick(tools, n).server}__${nameOf(n)}`] }),
  (n) => ({ query: n % 2 ? `server:${server(n)}` : pick(words(n).split(" "), n).slice(0, 4), mode: n % 2 ? undefined : "regex" }),
];

const catalog = [...servers].map(([name, own]) => ({ server: name, tools: own }));
const searches = Array.from({ length: SEARCHES }, (_, n) => KINDS[n % KINDS.length](n));
const lines = (list) => list.map((one) => JSON.stringify(one)).join(",\n");
const sources = catalog.map(({ server, tools }) => `{"server": ${JSON.stringify(server)}, "tools": [\n${lines(tools)}\n]}`).join(",\n");
await writeFile(new URL("services.json", import.meta.url), `{"catalog": [\n${sources}\n], "searches": [\n${lines(searches)}\n]}\n`);
