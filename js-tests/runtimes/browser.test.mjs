// Browsers without a bundler: the files of the package as they are.
import { describe, expect, it } from "vitest";
import { outcomeIn } from "./support/browser.mjs";
import { golden } from "./support/tools.mjs";

const policy = (scripts) => ({ "content-security-policy": `default-src 'self'; script-src ${scripts}` });

describe.for(["chromium", "firefox", "webkit"])("a page in %s", (engine) => {
  it("imports it by a plain script", async (context) => {
    expect(await outcomeIn(engine, "index.html", context)).toBe(golden);
  });

  it("imports it in a worker", async (context) => {
    expect(await outcomeIn(engine, "worker.html", context)).toBe(golden);
  });

  it("needs 'wasm-unsafe-eval' of a content security policy, and nothing else", async (context) => {
    expect(await outcomeIn(engine, "index.html", context, policy("'self' 'wasm-unsafe-eval'"))).toBe(golden);
  });

  it("says what is wrong where the policy forbids it", async (context) => {
    expect(await outcomeIn(engine, "index.html", context, policy("'self'"))).toEqual({ name: "ToolSearchError", code: "no_module" });
  });
});
