// `tool-search lint` as authors of servers start it: each rule by a tool that breaks it, what is found by whom, settings, SARIF.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { config, file, odd, run, scratch } from "./support/command.mjs";

const path = { path: { type: "string", description: "Where the file is" } };
const good = { name: "rename_bookmark", description: "Gives a saved bookmark another title", inputSchema: { type: "object", properties: path } };
const lint = async (tools, ...args) => {
  const outcome = await run(["lint", "--json", "-q", "-t", file("lint.json", { tools }), ...args]);
  return { ...outcome, linted: outcome.stdout && JSON.parse(outcome.stdout) };
};
const rulesFor = ({ linted }, name) => linted.findings.filter(({ tool }) => tool === `mcp__lint__${name}`).map(({ rule }) => rule);

describe("each rule", () => {
  it("is silent about a good tool", async () => {
    const { code, linted } = await lint([good]);
    expect({ code, ...linted }).toMatchObject({ code: 0, findings: [], summary: { errors: 0, warnings: 0, suppressed: 0, tools: 1, servers: 1 } });
  });

  it("takes callable names that are longer than a tool's own may be", async () => {
    const { linted } = await lint([{ ...good, name: `rename_${"b".repeat(121)}` }]);
    expect(linted.findings.map(({ rule }) => rule)).toContain("name-too-long");
  });

  it("counts the words of scripts without spaces", async () => {
    const { linted } = await lint([{ ...good, name: "regeocode", description: "将经纬度坐标转换为行政区划地址信息" }]);
    expect(linted.findings).toEqual([]);
  });

  const long = "rename_every_bookmark_of_every_folder_of_every_profile_of_someone";
  it.each([
    ["meaningless-name", { ...good, name: "tool_001" }],
    ["meaningless-name", { ...good, name: "runAction2" }],
    ["name-too-long", { ...good, name: long }],
    ["name-characters", { ...good, name: "rename.bookmark" }, "rename.bookmark"],
    ["no-description", { ...good, description: " " }],
    ["no-description", { name: good.name, inputSchema: { type: "object" } }],
    ["short-description", { ...good, description: "Renaming titles" }],
    ["description-repeats-name", { ...good, description: "Renames the bookmarks." }],
    ["undescribed-parameters", { ...good, inputSchema: { type: "object", properties: { ...path, to: { type: "object", description: "New", properties: { title: {} } } } } }],
    ["large-definition", { ...good, inputSchema: { type: "object", properties: { ...path, kind: { description: "Which", enum: Array.from({ length: 400 }, (_, i) => `kind of bookmark ${i}`) } } } }],
  ])("%s finds what it is for: %o", async (rule, tool, callable = tool.name) => {
    const outcome = await lint([tool]);
    expect(rulesFor(outcome, callable)).toContain(rule);
    const finding = outcome.linted.findings.find((finding) => finding.rule === rule);
    expect([finding.why, finding.fix, finding.message].every((text) => text.length > 10)).toBe(true);
  });

  it("unusable finds tools that no catalog takes", async () => {
    const { code, linted } = await lint([good, { name: "broken", inputSchema: 5 }]);
    expect(code).toBe(1);
    expect(linted.findings).toMatchObject([{ rule: "unusable", severity: "error", tool: "broken", message: expect.stringContaining("broken") }]);
  });

  it("indistinguishable finds tools that say the same, and no others", async () => {
    const twin = (name, description) => ({ ...good, name, description });
    const outcome = await lint([
      twin("fetch_page", "Downloads a page of the web"),
      twin("page_fetcher", "Downloads a page from the web"),
      twin("tool_1", ""),
      twin("tool_2", ""),
      twin("build_app", "Builds it"),
      twin("build_run_app", "Builds it"),
      twin("get_user_by_id", "Gets a user by id"),
      twin("get_user_by_mail", "Gets a user by mail"),
    ]);
    expect(outcome.linted.findings.filter(({ rule }) => rule === "indistinguishable").map(({ tool, message }) => [tool, message])).toEqual([
      ["mcp__lint__fetch_page", "It says the same as mcp__lint__page_fetcher."],
      ["mcp__lint__page_fetcher", "It says the same as mcp__lint__fetch_page."],
      ["mcp__lint__tool_1", "It says the same as mcp__lint__tool_2."],
      ["mcp__lint__tool_2", "It says the same as mcp__lint__tool_1."],
    ]);
  });

  it("no-instructions asks servers, which files cannot answer for", async () => {
    const servers = config({ silent: odd("silent"), fine: odd("fine", {}, ["read_diary"]) });
    const { findings } = JSON.parse((await run(["lint", "--json", "-q", "-c", servers])).stdout);
    const [finding, ...others] = findings.filter(({ rule }) => rule === "no-instructions");
    expect(finding).toMatchObject({ server: "silent", place: { file: servers, line: 3 } });
    expect(finding).not.toHaveProperty("tool");
    expect(others).toEqual([]);
  });
});

describe("findability", () => {
  const crowd = Array.from({ length: 7 }, (_, i) => ({ ...good, name: `export_report_${"abcdefg"[i]}`, description: `Export the monthly report, the yearly report and every report, in the form ${"abcdefg"[i]}x` }));

  it("lists tools that their own words do not bring, with those that stand in their way", async () => {
    const hidden = { ...good, name: "zz_dump", description: "Export report. " };
    const { code, linted } = await lint([...crowd, hidden, good]);
    expect(code).toBe(1);
    const found = linted.findings.find(({ rule, tool }) => rule === "not-found-by-own-words" && tool === "mcp__lint__zz_dump");
    expect(found.misses).toEqual([{ query: "export report", instead: expect.arrayContaining([expect.stringMatching(/^mcp__lint__export_report_/)]) }]);
    expect(found.misses[0].instead).toHaveLength(5);
    expect(found.message).toContain('"export report" finds mcp__lint__export_report_');
    expect(rulesFor({ linted }, good.name)).toEqual([]);
  });

  it("looks in the whole catalog, over all servers", async () => {
    const own = file("own.json", { tools: [{ ...good, name: "zz_dump", description: "Export report" }] });
    const alone = JSON.parse((await run(["lint", "--json", "-t", own])).stdout);
    const together = JSON.parse((await run(["lint", "--json", "-t", own, "-t", file("crowd.json", { tools: crowd })])).stdout);
    const hidden = ({ findings }) => findings.filter(({ rule, server }) => rule === "not-found-by-own-words" && server === "own").length;
    expect([hidden(alone), hidden(together)]).toEqual([0, 1]);
  });

  it("asks in other words too, which a hint for searches mends", async () => {
    const tool = { ...good, name: "assign", description: "Assign" };
    const others = [{ ...good, name: "allocate_memory", description: "Allocates what a process asks for" }];
    const missed = ({ linted }) => linted.findings.filter(({ rule }) => rule === "not-found-by-synonyms").map(({ tool, misses }) => [tool, misses]);
    expect(missed(await lint([tool, ...others]))).toEqual([["mcp__lint__assign", [{ query: "allocate", instead: ["mcp__lint__allocate_memory"] }]]]);
    expect(missed(await lint([{ ...tool, _meta: { "anthropic/searchHint": "allocate" } }, ...others]))).toEqual([]);
  });
});

describe("settings", () => {
  const bad = [{ ...good, name: "tool_001" }, { ...good, name: "tool_002", description: "Takes a bookmark away for good" }];
  const settings = (content) => ["--lint-config", file("settings.json", content)];

  it("change severities and options, in a file and on the command line", async () => {
    expect((await lint(bad)).code).toBe(1);
    expect((await lint(bad, ...settings({ rules: { "meaningless-name": "warning" } }))).code).toBe(0);
    expect((await lint(bad, "--rule", "meaningless-name=off")).linted.findings.filter(({ rule }) => rule === "meaningless-name")).toEqual([]);
    const small = await lint([good], ...settings({ rules: { "large-definition": ["error", { tokens: 10 }] } }));
    expect(small).toMatchObject({ code: 1, linted: { findings: [{ rule: "large-definition", severity: "error", message: expect.stringContaining("the budget is 10") }] } });
  });

  it("end with status 1 when there are more warnings than are allowed", async () => {
    const args = ["--rule", "meaningless-name=warning"];
    expect((await lint(bad, ...args)).code).toBe(0);
    expect((await lint(bad, ...args, "--max-warnings", "1")).code).toBe(1);
    expect((await lint(bad, ...args, "--max-warnings", "2")).code).toBe(0);
    expect((await lint(bad, ...args, ...settings({ maxWarnings: 0 }))).code).toBe(1);
  });

  it("suppress by rule and tool, and so do tools themselves; what is suppressed is still told of", async () => {
    const own = { ...bad[1], _meta: { "tool-search/lint-ignore": ["meaningless-name"] } };
    const { code, linted } = await lint([bad[0], own], ...settings({ ignore: [{ rule: "meaningless-name", tool: "tool_0?1", reason: "It is gone in May" }] }));
    expect({ code, summary: linted.summary }).toMatchObject({ code: 0, summary: { errors: 0, suppressed: 2 } });
    expect(linted.findings.map(({ suppressed }) => suppressed)).toEqual([{ kind: "external", reason: "It is gone in May" }, { kind: "inSource", reason: expect.any(String) }]);
  });

  it.each([
    [{ rules: { "no-such-rule": "off" } }, /there is no rule "no-such-rule"/],
    [{ rules: { "meaningless-name": "loud" } }, /must be one of off, info, warning, error/],
    [{ rules: { "large-definition": ["error", { bytes: 1 }] } }, /has no option "bytes"/],
    [{ ignore: [{}] }, /needs a "rule", a "tool" or both/],
    [{ rulez: {} }, /there is no setting "rulez"/],
    [[], /no JSON object/],
  ])("that are wrong end with status 2: %j", async (content, message) => {
    const { code, stdout, stderr } = await lint([good], ...settings(content));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toMatch(message);
  });

  it("lets a server that failed be no success", async () => {
    const servers = ["-c", config({ crash: odd("crash") }), "-t", file("good.json", { tools: [good] })];
    expect((await run(["lint", ...servers])).code).toBe(2);
    expect((await run(["lint", "--allow-failed", ...servers])).code).toBe(0);
  });
});

describe("output", () => {
  const tools = [{ ...good, name: "tool_001" }, ...Array.from({ length: 12 }, (_, i) => ({ name: `rename_${"abcdefghijkl"[i]}x`, description: `Renames number ${i}`, inputSchema: { type: "object", properties: { to: {} } } }))];
  const source = file("out.json", { tools });

  it("says for each rule once why it matters and what to do", async () => {
    const { code, stdout } = await run(["lint", "-t", source]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error {2}meaningless-name {2}A name that says nothing\n {2}Of a deferred tool/m);
    expect(stdout).toContain('  mcp__out__tool_001\n    "tool_001" says nothing of what the tool does.');
    expect(stdout).toContain("… and 2 more (--all shows them)");
    expect(stdout).toMatch(/\d+ errors?, \d+ warnings in 13 tools of 1 server\.\n$/);
    expect(stdout.split("\n").filter((line) => [...line].length > 100)).toEqual([]);
    expect((await run(["lint", "--all", "-t", source])).stdout).not.toContain("--all");
  });

  it("names the rules", async () => {
    const { code, stdout } = await run(["lint", "--list-rules"]);
    expect(code).toBe(0);
    for (const text of ["not-found-by-own-words", "large-definition", "tokens 1000"]) expect(stdout).toContain(text);
  });

  it("is SARIF 2.1.0 with what code reviews ask for", async () => {
    const path = join(scratch, "lint.sarif");
    const ignored = file("ignored.json", { ignore: [{ rule: "undescribed-parameters", tool: "*_ax" }] });
    expect((await run(["lint", "--sarif", "-t", "out.json", "--lint-config", ignored, "-o", path])).code).toBe(1);
    const { version, $schema, runs } = JSON.parse(readFileSync(path, "utf8"));
    expect({ version, $schema }).toEqual({ version: "2.1.0", $schema: expect.stringMatching(/sarif-schema-2\.1\.0\.json$/) });
    const [{ tool, results, originalUriBaseIds }] = runs;
    expect(runs).toHaveLength(1);
    expect(Object.keys(originalUriBaseIds)).toEqual(["%SRCROOT%"]);
    expect(readFileSync(path, "utf8")).not.toContain(scratch); // no folder of this machine
    const lines = readFileSync(source, "utf8").split("\n");
    for (const { ruleId, ruleIndex, level, message, locations, partialFingerprints } of results) {
      expect(tool.driver.rules[ruleIndex]).toMatchObject({ id: ruleId, shortDescription: { text: expect.any(String) }, help: { text: expect.any(String) } });
      expect(["error", "warning", "note"]).toContain(level);
      expect(message.text).not.toBe("");
      const [{ physicalLocation, logicalLocations }] = locations;
      expect(physicalLocation.artifactLocation).toEqual({ uri: "out.json", uriBaseId: "%SRCROOT%" });
      expect(lines[physicalLocation.region.startLine - 1]).toContain(`"name": "${logicalLocations[0].name.replace("mcp__out__", "")}"`);
      expect(partialFingerprints["toolAndRule/v1"]).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(new Set(results.map(({ partialFingerprints }) => partialFingerprints["toolAndRule/v1"])).size).toBe(results.length);
    expect(results.filter(({ suppressions }) => suppressions.length > 0)).toMatchObject([{ ruleId: "undescribed-parameters", suppressions: [{ kind: "external" }] }]);
  });
});
