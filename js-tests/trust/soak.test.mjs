// A tenth of the long run of `npm run soak`.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("h2 sessions, searches and replaced servers by the thousand leave memory where it was", { timeout: 300_000 }, async () => {
  const script = fileURLToPath(new URL("soak.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, "10"]);
  console.log(stdout);
  expect(stdout.trim().split("\n")).toHaveLength(21);
});
