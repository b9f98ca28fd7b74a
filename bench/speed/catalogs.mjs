// Catalogs to measure on, and queries for them: generated ones of any size, and real ones from a folder.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";
import { fields } from "../quality/text.mjs";

/** Definitions of public servers, where somebody has put them beside the checkout. */
export const REAL = join(root, "..", "shared", "data", "catalogs");

/**
 * @typedef {{ name: string, description?: string, inputSchema?: object }} Tool
 * @typedef {object} Catalog
 * @property {string} name
 * @property {Map<string, Tool[]>} servers
 * @property {(Tool & { server: string })[]} tools The same, flat.
 * @property {string[]} queries Of 1 to 6 words.
 * @property {string[]} source What `readCatalog` made it of, for another process to make the same.
 */

/** A catalog of so many tools, or with `real` that of `folder`; undefined when there is no such folder. @returns {Promise<Catalog | undefined>} */
export async function readCatalog(size, folder) {
  const servers = size === "real" ? await readServers(folder) : generate(Number(size));
  if (!servers) return undefined;
  const tools = [...servers].flatMap(([server, own]) => own.map((tool) => ({ ...tool, server })));
  const random = numbers(7);
  const queries = Array.from({ length: 200 }, () => query(tools, random));
  const name = size === "real" ? `${tools.length.toLocaleString("en")} real` : tools.length.toLocaleString("en");
  return { name, servers, tools, queries, source: [size, folder] };
}

/**
 * `size` tools, the same on every machine, with the proportions of public MCP servers: a definition of 1,040 bytes in the
 * median and 1,500 in the mean, three words a name, four parameters (one tool in ten has twelve), and a vocabulary that grows
 * like the size to the power of .6.
 */
function generate(size) {
  const random = numbers(size);
  const servers = new Map();
  for (let left = size; left > 0; ) {
    // 10 to 40 tools a server.
    const count = Math.min(left, 10 + Math.floor(random() * 31));
    const server = new Server(random);
    servers.set(`${server.topics[0]}-${servers.size}`, Array.from({ length: count }, () => server.tool()));
    left -= count;
  }
  // Text that was put together is made whole only when it is first read; off the wire it is whole.
  return new Map(JSON.parse(JSON.stringify([...servers])));
}

/** The tools of the JSON files in `folder`, `{ server: { slug }, tools }` each, by server; undefined when there is no such folder. */
export async function readServers(folder) {
  if (!existsSync(folder)) return undefined;
  const servers = new Map();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const { server, tools } = JSON.parse(await readFile(join(folder, file), "utf8"));
    if (Array.isArray(tools)) servers.set(server.slug, tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  }
  return servers;
}

/** UTF-8 bytes of what is searched: names as words, descriptions, names and descriptions of parameters. */
export function textBytes(catalog) {
  return catalog.tools.reduce((sum, tool) => sum + Buffer.byteLength(Object.values(fields(tool)).join(" ")), 0);
}

/** What is looked for, in words of one tool: half of them of its name. Three in ten have a word that no tool has. */
function query(tools, random) {
  const { name, description, parameterDescriptions } = fields(pick(tools, random));
  const told = `${description} ${parameterDescriptions}`.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);
  const named = name.split(" ");
  const length = 1 + Math.floor(random() * 6);
  const words = Array.from({ length }, () => pick(told.length === 0 || random() < 0.5 ? named : told, random));
  if (random() < 0.3) words[Math.floor(random() * length)] = `zq${invent(Math.floor(random() * 1e6))}x`;
  return words.join(" ");
}

const GLUE = "the to a for of and or in is with by only from if when not on as an be this that".split(" ");
const VERBS = "get list create update delete search send run export add set read find remove validate query start stop fetch move".split(" ");
const COMMON = (
  "name type time user value project filter response group page path date optional data resource file number return results message " +
  "request text key identifier account content specific example subscription field action body order status information object limit " +
  "service profile issue property event collection description token entity default region mode header state pagination index email " +
  "workspace version metadata table tenant parameter code address schema timestamp operation task model database error job range " +
  "custom environment branch endpoint title folder workflow document team label comment image permission organization segment count " +
  "instance context namespace channel customer invoice ticket report record domain server backup policy calendar contact product " +
  "payment webhook secret deployment container cluster volume snapshot alert metric dashboard"
).split(" ");
const PARAMETERS = "id name limit cursor query status filter type page format owner label path start_time end_time dry_run timeout fields".split(" ");
const TYPES = ["string", "string", "string", "string", "integer", "number", "boolean", "array"];

/** A server writes of its own few things, in words that it mostly shares with others. */
class Server {
  #random;
  #names = new Set();

  constructor(random) {
    this.#random = random;
    this.topics = Array.from({ length: 24 }, () => word(random));
  }

  /** @returns {Tool} */
  tool() {
    const properties = {};
    for (let left = Math.round(this.#skewed(4, 0.85)); left > 0; left--) {
      const name = this.#random() < 0.45 ? pick(PARAMETERS, this.#random) : `${this.#thing()}_${this.#thing()}`;
      const type = pick(TYPES, this.#random);
      const values = type === "string" && this.#random() < 0.2 ? { enum: Array.from({ length: 4 }, () => this.#thing()) } : {};
      const items = type === "array" ? { items: { type: "string" } } : {};
      properties[name] = { title: name, type, description: this.#sentence(this.#skewed(10, 0.7)), ...values, ...items };
    }
    const required = Object.keys(properties).slice(0, 2);
    const schema = { type: "object", properties, required, additionalProperties: false };
    return { name: this.#name(), description: this.#sentence(this.#skewed(31, 0.8)), inputSchema: schema };
  }

  #name() {
    const words = [pick(VERBS, this.#random), this.#thing()];
    do words.push(this.#thing());
    while (this.#random() < 0.3 || this.#names.has(words.join("_")));
    const name = words.join("_");
    this.#names.add(name);
    return name;
  }

  #sentence(length) {
    const words = Array.from({ length: Math.max(2, Math.round(length)) }, () => {
      const what = this.#random();
      if (what < 0.42) return pick(GLUE, this.#random);
      if (what < 0.46) return pick(VERBS, this.#random);
      return what < 0.53 ? word(this.#random) : this.#thing();
    });
    const text = words.map((it, at) => (at % 14 === 13 && at + 1 < words.length ? `${it}.` : it)).join(" ");
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  #thing() {
    return this.#random() < 0.75 ? pick(this.topics, this.#random) : pick(COMMON, this.#random);
  }

  /** Log-normal: most are about the median, a few are many times that. */
  #skewed(median, spread) {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return median * Math.exp(spread * normal);
  }
}

/** A word of an endless vocabulary: the common ones first, then invented ones, each rarer than the one before. */
function word(random) {
  const rank = Math.floor(500 * ((1 - random()) ** -0.95 - 1));
  return rank < COMMON.length ? COMMON[rank] : invent(rank);
}

const SYLLABLES = ["ba", "co", "di", "fe", "gar", "hu", "ka", "li", "mon", "nu", "per", "ra", "si", "tor", "va", "wen", "xi", "zo"];

function invent(rank) {
  let text = "";
  for (let left = rank + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length)) text += SYLLABLES[left % SYLLABLES.length];
  return text;
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

/** Numbers within 0 and 1, without 1: Marsaglia's xorshift, 32 bits. */
function numbers(seed) {
  let state = (seed * 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}
