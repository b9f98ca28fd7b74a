import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { serveDemo } from "tool-search-demo/build";
import { bringCatalogs } from "tool-search-demo/catalogs";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../demo/dist/", import.meta.url));

/** The static files: how large, where from, without what. */
export function site(demo) {
  it("is less than 400 kB, compressed, and 150 without the package's module; catalogs apart", async () => {
    const sizes = {};
    for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name === "servers.json") continue;
      sizes[entry.name] = gzipSync(await readFile(join(entry.parentPath, entry.name))).length;
    }
    const sum = (names) => names.reduce((total, name) => total + sizes[name], 0);
    // Word vectors come when they are switched on.
    const names = Object.keys(sizes).filter((name) => !name.startsWith("meaning-"));
    expect(sum(names), JSON.stringify(sizes)).toBeLessThan(400_000);
    expect(sum(names.filter((name) => !name.endsWith(".wasm"))), JSON.stringify(sizes)).toBeLessThan(150_000);
  });

  it("works under any path, and offline once it is open", async () => {
    const server = await serveDemo({ base: "/a/deep/path/" });
    try {
      const { page, context, faults } = await demo.open({ url: server.url });
      await context.setOffline(true);
      await page.getByRole("searchbox").fill("write a file");
      await page.getByText("mcp__filesystem__write_file").first().waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("radio", { name: "Reply" }).check();
      await page.getByRole("radio", { name: "Bridge" }).check();
      await page.getByText("Request 2 of 5").waitFor();
      expect(faults).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it("forbids the browser every request to elsewhere", async () => {
    const { page } = await demo.open();
    const blocked = await page.evaluate(() => fetch("https://example.com/").then(() => "sent", () => "blocked"));
    expect(blocked).toBe("blocked");
  });

  it("is built without servers that cannot be had, and says so", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tool-search-demo-"));
    try {
      const absent = { name: "absent", package: "no-such-server" };
      const content = await bringCatalogs({ file: join(folder, "servers.json"), servers: [absent] });
      expect(content).toMatchObject({ servers: [], failed: [{ name: "absent", reason: expect.stringContaining("not installed") }] });
      const { page, shoot } = await demo.open({ route: ["**/servers.json", JSON.stringify(content)] });
      await page.getByText(/absent could not be had when this page was built: the package no-such-server is not installed/).waitFor();
      await page.getByRole("switch", { name: /gateway/ }).waitFor();
      await page.getByRole("heading", { level: 1, name: /tokens of tools in every request/ }).waitFor();
      await page.getByPlaceholder(/mcp__gateway__.*refund/).waitFor();
      await shoot("without-servers");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
