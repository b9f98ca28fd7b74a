// Builds the playground into dist/: the catalogs of the development servers, then the page.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { bringCatalogs } from "./catalogs.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const configFile = join(root, "vite.config.ts");

/** Builds the page. Progress goes to stderr; `quiet` leaves it out. */
export async function buildDemo({ quiet = false } = {}) {
  const say = (line) => quiet || console.error(line);
  say("  … catalogs of the development servers");
  const { servers, failed } = await bringCatalogs();
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  say(`  ✓ ${servers.length} servers, ${tools} tools`);
  for (const { name, reason } of failed) say(`  ! without ${name}: ${reason}`);
  await build({ root, configFile, logLevel: "error" });
}

/**
 * Serves the built page on 127.0.0.1, on any free port unless one is named, under the path `base`.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveDemo({ port = 0, base = "/" } = {}) {
  const server = await preview({ root, configFile, base, logLevel: "error", preview: { host: "127.0.0.1", port } });
  const { port: taken } = server.httpServer.address();
  return { url: `http://127.0.0.1:${taken}${base}`, close: () => server.close() };
}
