// Chromium without a bundler: the files of the package as they are.
import { describe, expect, it } from "vitest";
import { outcomeAt } from "./support/browser.mjs";
import { golden, serve } from "./support/tools.mjs";

const policy = (scripts) => ({ "content-security-policy": `default-src 'self'; script-src ${scripts}` });

describe("a page", () => {
  it("imports it by a plain script", async (context) => {
    expect(await outcomeAt(`${await serve(".")}/browser/index.html`, context)).toBe(golden);
  });

  it("imports it in a worker", async (context) => {
    expect(await outcomeAt(`${await serve(".")}/browser/worker.html`, context)).toBe(golden);
  });

  it("needs 'wasm-unsafe-eval' of a content security policy, and nothing else", async (context) => {
    const url = await serve(".", policy("'self' 'wasm-unsafe-eval'"));
    expect(await outcomeAt(`${url}/browser/index.html`, context)).toBe(golden);
  });

  it("says what is wrong where the policy forbids it", async (context) => {
    const url = await serve(".", policy("'self'"));
    expect(await outcomeAt(`${url}/browser/index.html`, context)).toEqual({ name: "ToolSearchError", code: "no_module" });
  });
});
