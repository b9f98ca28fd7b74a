#!/usr/bin/env node
// Brings and builds what is needed, then runs the agent with the arguments given. stdout is the agent's alone.
import { join } from "node:path";
import { runInForeground } from "./lib/process.mjs";
import { explain } from "./lib/steps.mjs";
import { root, setup } from "./setup.mjs";

try {
  await setup();
  process.exitCode = await runInForeground(process.execPath, [join(root, "agent", "main.mjs"), ...process.argv.slice(2)]);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
