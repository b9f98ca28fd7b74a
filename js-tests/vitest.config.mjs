import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, "runtimes/**"], // a step of its own in `npm test`
    // A page, or a server, on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // The package is a link into this repository, which vitest would take for source and transform. Node shall load the
    // built files themselves, as it does for a user.
    server: { deps: { external: [/\/pkg\/dist\//] } },
  },
});
