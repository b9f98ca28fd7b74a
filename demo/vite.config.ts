import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative, so that the page works under any path.
  base: "./",
  plugins: [svelte({ configFile: false })],
  worker: { format: "es" },
  // Browsers that know light-dark(), so that it is left as it is: what it would be turned into does not follow the reader.
  build: { target: ["chrome123", "firefox120", "safari17.5"], modulePreload: false },
});
