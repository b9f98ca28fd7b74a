#!/usr/bin/env node
// What ships, held against deny.toml and against what is known of its parts: licences, sources and doubles of crates, advisories for crates
// and npm packages. Brings cargo-deny where it is missing (some minutes, once). The advisories are on servers: where one cannot be asked, that
// is said, and the rest is done all the same. `npm test` does the part that needs no network, where cargo-deny is there already.
//   npm run audit
import { run } from "./lib/process.mjs";
import { findCargo, withPath } from "./lib/rust.mjs";
import { explain, reporter } from "./lib/steps.mjs";
import { auditTools, ensureTools } from "./lib/tools.mjs";
import { root } from "./setup.mjs";

/** The workspaces that are published. */
const PUBLISHED = ["-w", "pkg", "-w", "cli"];

/** Says that a check was left out; a check that found something throws instead. */
const leaveOut = (what, why) => console.log(`skipped: ${what}: ${why}`);

async function crateAdvisories(env) {
  try {
    await run("cargo", ["deny", "check", "advisories"], { cwd: root, env });
  } catch (error) {
    const [unreachable] = error.output.match(/failed to fetch advisory database.*/) ?? [];
    if (!unreachable) throw error;
    leaveOut("advisories for crates", unreachable);
  }
}

async function npmAdvisories(env) {
  try {
    await run("npm", ["audit", "--omit=dev", ...PUBLISHED], { cwd: root, env });
  } catch (error) {
    const [unreachable] = error.output.match(/npm (?:warn|error) audit .*/) ?? [];
    if (!unreachable || /^\d+ .*vulnerabilit/m.test(error.output)) throw error;
    leaveOut("advisories for npm packages", unreachable);
  }
}

try {
  const step = reporter();
  const cargo = await findCargo();
  const env = withPath(cargo, ...(await ensureTools(auditTools(), root, cargo, step)));
  await step("licences, sources and doubles of crates", () => run("cargo", ["deny", "--offline", "check", "licenses", "bans", "sources"], { cwd: root, env }));
  await step("advisories for crates", () => crateAdvisories(env));
  await step("advisories for npm packages", () => npmAdvisories(env));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
