import { afterAll, inject } from "vitest";
import { leaveOut, require } from "./tools.mjs";

let launched;
afterAll(async () => (await launched)?.close());

/**
 * Opens a page in headless Chromium and resolves to what it sets as `globalThis.outcome`. Every project's page does: to the golden answers, or
 * to what was thrown.
 */
export async function outcomeAt(url, context) {
  const { path, missing } = inject("chromium");
  if (missing) leaveOut(context, missing);
  launched ??= require("playwright-core").chromium.launch({ executablePath: path });
  const page = await (await launched).newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.outcome !== undefined, undefined, { timeout: 30_000 });
    return await page.evaluate(() => globalThis.outcome);
  } catch (error) {
    throw new Error(`${error.message}\n${said.join("\n")}`, { cause: error });
  } finally {
    await page.close();
  }
}
