// The built page in the system's Chromium, watched: whoever opens it hears of errors and of requests that go anywhere else.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { buildDemo, serveDemo } from "tool-search-demo/build";

const SCREENSHOTS = fileURLToPath(new URL("../../demo/screenshots/", import.meta.url));
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 780 };

/** Builds and serves the page and starts the browser. */
export async function startDemo(executablePath) {
  await buildDemo({ quiet: true });
  await mkdir(SCREENSHOTS, { recursive: true });
  const server = await serveDemo();
  // Where tests run as root, Chromium starts without its sandbox only; the page is ours.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return {
    /**
     * Opens the page and waits until it is there. `fragment` is what follows the address; `route` answers for one of the page's files,
     * `[pattern, body]`.
     */
    open: async ({ fragment = "", url = server.url, viewport = WIDE, route, ...options } = {}) => {
      const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
      const page = await context.newPage();
      const faults = watch(page, new URL(url).origin);
      if (route) await page.route(route[0], (asked) => asked.fulfill({ contentType: "application/json", body: route[1] }));
      await page.goto(url + fragment);
      await page.getByRole("heading", { level: 1 }).filter({ hasText: /tokens of tools|No tools/ }).waitFor();
      await page.locator("figure svg").waitFor();
      return { page, context, faults, shoot: (name, fullPage = false) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage }) };
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

function watch(page, origin) {
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:") faults.push(`request: ${url}`);
  });
  page.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
  return faults;
}

/** The whole number in a text such as "134,804 tokens". */
export function numberIn(text) {
  return Number(text.match(/\d[\d,]*/)?.[0].replaceAll(",", ""));
}
