// The main job as a user starts it, with real servers; and what it does when they do not come up.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connectAll } from "tool-search-agent/connect";
import { makeRunFolder } from "tool-search-agent/folder";
import { SERVERS } from "tool-search-agent/servers";
import { describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("../agent/main.mjs", import.meta.url));
const LONG = 120_000;

async function start(args, env = {}) {
  try {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 24 };
    return { code: 0, ...(await promisify(execFile)(process.execPath, [main, ...args], options)) };
  } catch ({ code, stdout, stderr }) {
    return { code, stdout, stderr };
  }
}

describe("the run", () => {
  it("works, and says so in JSON", { timeout: LONG }, async () => {
    const { code, stdout, stderr } = await start(["--json"]);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ ok: true, problems: [], model: "scripted", plan: { deferring: true, reason: "above-threshold" } });
    expect(code).toBe(0);
    expect(result.servers.length).toBeGreaterThanOrEqual(8);
    expect(result.servers.reduce((sum, { tools }) => sum + tools, 0)).toBeGreaterThanOrEqual(400);
    expect(stderr).toContain("hostinger");

    const { requests, plan, totals } = result;
    expect(requests.every(({ prefix }) => prefix.held)).toBe(true);
    expect(new Set(requests.map(({ turn }) => turn))).toEqual(new Set([1, 2]));
    // What was sent is what the plan foretold, to a token.
    expect(requests[0].toolTokens).toBe(plan.tokens.firstRequest);
    expect(totals.saved).toBeGreaterThan(0.8 * totals.fullTokens);
  });

  it("prints a report of at most 100 columns, without escape sequences", { timeout: LONG }, async () => {
    const { code, stdout } = await start([]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n").filter((line) => [...line].length > 100)).toEqual([]);
    for (const text of ["filesystem", "Plan: tools are deferred", "Turn 2", "held", "tokens saved", "The run worked."]) {
      expect(stdout).toContain(text);
    }
  });

  it.each([
    [["--model", "nobody:x"], "anthropic, openai, google"],
    [["--model", "openai:x"], "OPENAI_API_KEY"],
    [["--modle"], "--modle"],
  ])("explains wrong usage: %j", async (args, message) => {
    const { code, stdout, stderr } = await start(args, { OPENAI_API_KEY: "" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

it("leaves out servers that do not come up", { timeout: LONG }, async () => {
  const folder = await makeRunFolder();
  const absent = { name: "absent", package: "no-such-server" };
  const [filesystem] = SERVERS;
  const { ready, failed, close } = await connectAll({ folder, servers: [absent, filesystem] });
  expect(ready.map(({ spec, tools }) => [spec.name, tools.length > 5])).toEqual([["filesystem", true]]);
  expect(failed.map(({ spec, reason }) => [spec.name, reason])).toEqual([["absent", "the package no-such-server is not installed"]]);
  await close();

  const late = await connectAll({ folder, servers: [filesystem], timeout: 1 });
  expect(late.failed.map(({ reason }) => reason)).toEqual([expect.stringContaining("not ready after")]);
  await late.close();
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});
