// Next.js with both of its bundlers: routes on Node and on the edge, a client component on the server and in the browser.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcomeAt } from "./support/browser.mjs";
import { exec, golden, project, start, textAt } from "./support/tools.mjs";

const LONG = 300_000;

describe.each(["turbopack", "webpack"])("Next.js with %s", (bundler) => {
  let url;

  it("builds and starts", { timeout: LONG }, async () => {
    await rm(join(project("next"), ".next"), { recursive: true, force: true });
    await exec("next", ["build", `--${bundler}`], "next");
    url = await start("next", ["start", "--hostname", "127.0.0.1", "--port", "0"], "next");
  });

  it.each(["node", "edge"])("answers in a %s route", async (route) => {
    expect(await textAt(`${url}/${route}`)).toBe(golden);
  });

  it("answers in a client component", async (context) => {
    expect(await outcomeAt(`${url}/client`, context)).toBe(golden);
  });
});
