// Word vectors: what they find that words do not, and what they leave alone.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { ToolSearch, type ToolSearchOptions } from "tool-search";
import { meaning } from "tool-search/meaning";
import { describe, expect, it } from "vitest";
import { code } from "./small.js";

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: "object", properties: {} } });

/** Tools of an office, with few words in common. */
function office(options: ToolSearchOptions = {}) {
  const search = new ToolSearch({ defer: "always", meaning, ...options });
  search.add(
    [
      tool("create_invoice", "Creates an invoice for a customer"),
      tool("send_email", "Sends an email"),
      tool("list_employees", "Lists the employees of the company"),
      tool("get_weather", "The weather forecast of a city"),
      tool("book_flight", "Books a flight"),
      tool("translate_text", "Translates text into another language"),
      tool("delete_file", "Deletes a file"),
      tool("play_music", "Plays a song"),
    ],
    { server: "office" },
  );
  return search;
}

const first = (search: ToolSearch, query: string) => search.search(query).matches[0]?.rawName;

describe("finds by meaning", () => {
  it.each([
    ["will it rain tomorrow", "get_weather"],
    ["staff", "list_employees"],
    ["airplane tickets", "book_flight"],
    ["bill the client", "create_invoice"],
  ])("%s: %s", (query, name) => {
    const { matches, confidence } = office().search(query, { explain: true });
    expect(matches[0]).toMatchObject({ rawName: name, tier: "meaning" });
    expect(matches[0]?.explain).toEqual([{ term: "(meaning)", field: "query", weight: matches[0]?.score }]);
    expect(confidence).toBe("low");
  });

  it("only with the option, whose engines stand beside others", () => {
    const [with_, without] = [office(), office({ meaning: undefined })];
    expect(first(without, "staff")).toBeUndefined();
    expect(first(with_, "staff")).toBe("list_employees");
    expect(first(without, "staff")).toBeUndefined();
  });

  it("in conversations too, whose replies say that no tool has the words", () => {
    const session = office().session();
    const { text, loaded } = session.handle({ query: "staff" });
    expect(loaded[0]).toBe("mcp__office__list_employees");
    expect(text).toContain('No tool knows "staff"');
  });

  it("explains what it adds to a match by words, to the last bit of its score or nearly", () => {
    const { matches } = office().search("send a letter by email", { explain: true });
    expect(matches[0]).toMatchObject({ rawName: "send_email", tier: "keywords" });
    expect(matches[0]?.explain?.map(({ term }) => term)).toContain("(meaning)");
    for (const { score, explain = [] } of matches) expect(explain.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(score, 9);
  });
});

describe("leaves alone", () => {
  it("names, however they are written, and what is required", () => {
    const [with_, without] = [office(), office({ meaning: undefined })];
    for (const query of ["mcp__office__send_email", "send_email", "sendEmail", "select:send_email,play_music", "server:office", "select:staff"]) {
      expect([query, with_.search(query)]).toEqual([query, without.search(query)]);
    }
    expect(with_.search("+email letter").matches.map(({ rawName }) => rawName)).not.toContain("translate_text");
    expect(with_.search("+email staff").matches.map(({ rawName }) => rawName)).not.toContain("list_employees");
  });

  it("the order that words give a few tools", () => {
    const search = new ToolSearch({ defer: "always", meaning });
    const settings = "Reads a file with the settings of a machine, a configuration as the program wrote it that was responsible for the whole installation";
    search.add([tool("read_settings_file", settings), tool("search_manuals", "Finds handbooks"), tool("play_music", "Plays a song")]);
    const { matches } = search.search("look up a handbook about installing computers", { explain: true });
    expect(matches.map(({ name }) => name)).toEqual(["search_manuals", "read_settings_file"]);
    const [manuals = 0, file = 0] = matches.map(({ explain = [] }) => explain.find(({ term }) => term === "(meaning)")?.weight);
    expect(file).toBeGreaterThan(manuals);
  });

  it("what a filter hides", () => {
    const hidden = office().search("staff", { deny: ["list_employees"] });
    expect(hidden.matches.map(({ rawName }) => rawName)).not.toContain("list_employees");
    expect(office().search("staff", { allow: ["play_music"] }).matches).toEqual([]);
  });

  it("direct tools, and the plain scorer", () => {
    const search = office();
    search.add([tool("hire_person", "Hires staff")], { load: "direct" });
    expect(search.search("recruit somebody").matches.map(({ rawName }) => rawName)).not.toContain("hire_person");
    expect(office({ ranking: "additive" }).search("staff").matches).toEqual([]);
  });

  it("a catalog without the words of anything", () => {
    const { matches, confidence } = new ToolSearch({ meaning }).search("staff");
    expect([matches, confidence]).toEqual([[], "none"]);
  });
});

describe("follows the catalog", () => {
  it("added, replaced and removed tools are found as in a catalog made anew", () => {
    const search = office();
    search.search("staff");
    search.add([tool("wash_car", "Washes a car")], { server: "personnel" });
    expect(first(search, "vehicle")).toBe("wash_car");
    search.add([tool("boil_egg", "Boils an egg")], { server: "personnel" });
    expect(search.search("vehicle").matches.map(({ rawName }) => rawName)).not.toContain("wash_car");
    search.removeServer("personnel");
    for (const query of ["vehicle", "staff", "send a letter by email"]) {
      expect([query, search.search(query, { explain: true })]).toEqual([query, office().search(query, { explain: true })]);
    }
  });

  it("snapshots carry the vectors: the same bits, whoever reads them", () => {
    const bytes = office().snapshot();
    const plain = office({ meaning: undefined });
    for (const query of ["staff", "send a letter by email", "will it rain tomorrow"]) {
      const asked = office().search(query, { explain: true });
      expect(ToolSearch.restore(bytes, { defer: "always", meaning }).search(query, { explain: true })).toEqual(asked);
      // One without them gets them, and one that needs none leaves them where they are.
      expect(ToolSearch.restore(plain.snapshot(), { defer: "always", meaning }).search(query, { explain: true })).toEqual(asked);
      expect(ToolSearch.restore(bytes, { defer: "always" }).search(query)).toEqual(plain.search(query));
    }
    expect(bytes.length - plain.snapshot().length).toBeGreaterThan(office().size * 64);
  });
});

describe("requests for tools described in English", () => {
  const read = (file: string) => readFileSync(new URL(`../bench/meaning/${file}`, import.meta.url), "utf8").trim().split("\n");
  const [head = [], ...rows] = read("requests.tsv").map((line) => line.split("\t"));
  const search = new ToolSearch({ meaning });
  search.add(rows.map(([name = "", description = ""]) => tool(name, description)));

  /** The share of requests whose tool is among the first five. A floor stands just under what is reached. */
  it.each([
    ["en", 0.97],
    ["paraphrase", 0.5],
    ["de", 0.68],
    ["fr", 0.8],
    ["es", 0.73],
    ["zh", 0.95],
    ["ja", 0.9],
  ])("find them, written as %s: in more than %f", (language, floor) => {
    const asked = rows.map((row) => [row[0], row[head.indexOf(language)]]).filter(([, request]) => request);
    const found = asked.filter(([name, request = ""]) => search.search(request).matches.some((match) => match.name === name));
    expect(asked.length).toBe(40);
    expect(found.length / asked.length).toBeGreaterThanOrEqual(floor);
  });
});

it("refuses what is no `meaning`", () => {
  for (const wrong of [true, "meaning", {}, { kind: "tool-search/meaning" }, null]) {
    expect(code(() => new ToolSearch({ meaning: wrong as never }))).toBe("invalid_option");
  }
});

it("costs nothing where it is not imported", async () => {
  const bundle = async (contents: string) => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, write: false, format: "esm", logLevel: "error" });
    return outputFiles[0]?.text ?? "";
  };
  const dist = dirname(createRequire(import.meta.url).resolve("tool-search"));
  const [plain, with_] = [readFileSync(join(dist, "core.wasm")), readFileSync(join(dist, "meaning.wasm"))];
  const alone = await bundle('export { ToolSearch } from "tool-search"');
  expect(alone.length).toBeLessThan(plain.length * 1.3);
  const both = await bundle('export { ToolSearch } from "tool-search"; export { meaning } from "tool-search/meaning"');
  expect(both.length - alone.length).toBeGreaterThan(with_.length);
});

const CATALOGS = new URL("../../shared/data/catalogs/", import.meta.url);
const UNRELATED = readFileSync(new URL("../bench/meaning/unrelated.txt", import.meta.url), "utf8").trim().split("\n");

describe.runIf(existsSync(CATALOGS))("over real servers", () => {
  const search = new ToolSearch({ meaning });
  const plain = new ToolSearch();
  for (const file of existsSync(CATALOGS) ? readdirSync(CATALOGS).filter((name) => name.endsWith(".json")).slice(0, 60) : []) {
    const { tools } = JSON.parse(readFileSync(new URL(file, CATALOGS), "utf8"));
    for (const engine of [search, plain]) engine.add(tools, { server: file.replace(".json", "") });
  }

  it.each(UNRELATED)("finds no more than words do for %s", (query) => {
    expect(search.search(query).matches.filter(({ tier }) => tier === "meaning")).toEqual([]);
  });
});
