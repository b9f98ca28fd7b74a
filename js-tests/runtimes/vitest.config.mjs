import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Seen from js-tests, so that the filter "runtimes" means all of them.
    include: ["runtimes/*.test.mjs"],
    globalSetup: "runtimes/support/setup.mjs",
    // Builds of whole applications: one after the other, since each takes what the machine has.
    fileParallelism: false,
    // Generous, for machines that do something else, too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
