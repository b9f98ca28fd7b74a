// The commands of docs/cli.md, in their order and over its own files, print what stands there.
//   UPDATE_DOCS=1 npx vitest run docs-cli    writes what they print now
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";
import { file, run, scratch } from "./support/command.mjs";

const PAGE = fileURLToPath(new URL("../docs/cli.md", import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** The same servers, out of node_modules. */
const local = (config) =>
  config.replace(/"npx", "args": \["-y", "(@modelcontextprotocol\/[\w-]+)"/g, (_, name) => `${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(resolve(`${name}/dist/index.js`))}`);

it("docs/cli.md shows what the commands print", async () => {
  let page = readFileSync(PAGE, "utf8");
  const json = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);
  expect(json).toHaveLength(3);
  const config = local(json[0].replaceAll('"npx",\n      "args"', '"npx", "args"'));
  expect(config).not.toContain("npx");
  file(".mcp.json", config);
  file("diary.json", json[1]);

  const printed = async (args) => {
    const { stdout, stderr } = await run(args);
    expect({ args, failed: /failed:/.test(stderr) }).toEqual({ args, failed: false });
    return stdout;
  };
  const show = (found, before, shown, output) => {
    if (process.env.UPDATE_DOCS) page = page.replace(found, () => `${before}\`\`\`text\n${output}\`\`\``);
    else expect(shown).toBe(output);
  };
  for (const [found, before, command, shown] of page.matchAll(/(```sh\nnpx tool-search (.*)\n```\n\n)```text\n([\s\S]*?)```/g)) {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
    show(found, before, shown, await printed(args));
  }
  const [found, before, shown] = page.match(/(<!-- rules -->\n)```text\n([\s\S]*?)```/);
  show(found, before, shown, await printed(["lint", "--list-rules"]));
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page);

  // The settings are such as are taken, and the snapshot is one.
  const settings = file("settings.json", json[2]);
  expect((await run(["lint", "-t", "diary.json", "--lint-config", settings])).code).toBe(1);
  const [, snapshot] = page.match(/npx tool-search (snapshot .*)/);
  expect(await run(snapshot.split(" "))).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(ToolSearch.restore(readFileSync(join(scratch, "catalog.snapshot"))).search("open a ticket").matches.length).toBeGreaterThan(0);
});
