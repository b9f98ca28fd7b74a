// Where WebAssembly cannot be compiled: Cloudflare's workerd, Vercel's edge runtime.
import { describe, expect, it } from "vitest";
import { exec, golden, start, textAt } from "./support/tools.mjs";

describe("workerd", () => {
  it("runs it by wrangler, also before the first request", async () => {
    const url = await start("wrangler", ["dev", "--ip", "127.0.0.1", "--port", "0"], "worker");
    expect(await textAt(url)).toBe(golden);
  });
});

describe("Vercel's edge runtime", () => {
  it("runs it without compiling anything", async () => {
    expect(await exec(process.execPath, ["run.mjs"], "edge-vm")).toBe(golden);
  });
});
