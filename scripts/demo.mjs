#!/usr/bin/env node
// Brings and builds what is needed, then builds the playground and serves it until it is interrupted.
//   npm run demo [-- PORT]
import { join } from "node:path";
import { runInForeground } from "./lib/process.mjs";
import { explain } from "./lib/steps.mjs";
import { root, setup } from "./setup.mjs";

try {
  await setup();
  process.exitCode = await runInForeground(process.execPath, [join(root, "demo", "serve.mjs"), ...process.argv.slice(2)]);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
