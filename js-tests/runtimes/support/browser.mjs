import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
import { leaveOut, require, serve, supervised } from "./tools.mjs";

let launched;
afterAll(async () => (await launched)?.close());

/**
 * Opens a page in headless Chromium and resolves to what it sets as `globalThis.outcome`. Every project's page does: to the golden answers, or
 * to what was thrown.
 */
export async function outcomeAt(url, context) {
  const { path, missing } = inject("browsers").chromium;
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

/** Nothing but what the tests serve is reached: browsers ask their makers for this and that. */
const ONLY_LOOPBACK = {
  "network.proxy.type": 1,
  ...Object.fromEntries(["http", "ssl"].flatMap((kind) => [[`network.proxy.${kind}`, "127.0.0.1"], [`network.proxy.${kind}_port`, 9]])),
  "network.proxy.no_proxies_on": "127.0.0.1",
};

/** How the other browsers show a page, with a folder of their own. */
const SHOW = {
  firefox: async (path, url, folder) => {
    const preferences = Object.entries(ONLY_LOOPBACK).map((entry) => `user_pref(${entry.map((part) => JSON.stringify(part)).join(", ")});\n`);
    await writeFile(join(folder, "user.js"), preferences.join(""));
    return [path, ["--headless", "--no-remote", "--profile", folder, url]];
  },
  webkit: async (path, url) => ["xvfb-run", ["--auto-servernum", path, "--private", url]],
};
const SHOWING_MS = 60_000;

/** The same of a page of the project `browser` in `chromium`, `firefox` or `webkit`, served with these headers. */
export async function outcomeIn(engine, page, context, headers) {
  if (engine === "chromium") return outcomeAt(`${await serve(".", headers)}/browser/${page}`, context);
  const { path, missing } = inject("browsers")[engine];
  if (missing) leaveOut(context, missing);
  const folder = await mkdtemp(join(inject("scratch"), `${engine}-`));
  let post;
  const posted = new Promise((resolve) => (post = resolve));
  // Nothing drives these: the page is shown in a frame of one that posts what it sets.
  const url = `${await serve(".", headers, post)}/browser/report.html?${page}`;
  const [command, args] = await SHOW[engine](path, url, folder);
  const { child, stop } = supervised(command, args, { env: { ...process.env, HOME: folder, TMPDIR: folder } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let late;
  const failed = new Promise((_, reject) => {
    child.on("close", () => reject(new Error(`${command} ended:\n${output}`)));
    late = setTimeout(() => reject(new Error(`The page set no outcome.\n${output}`)), SHOWING_MS);
  });
  try {
    return JSON.parse(await Promise.race([posted, failed]));
  } finally {
    clearTimeout(late);
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
