// Takes the pictures of the README anew: npm run demo:pictures
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { findBrowser } from "../scripts/lib/browsers.mjs";
import { buildDemo, serveDemo } from "./build.mjs";

const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url));
const VIEW = { width: 1200, height: 800 };
/** Width of the animation, and how its frames are written: text must stay readable, a few hundred kilobytes must do. */
const ANIMATION = { width: 960, quality: 76, effort: 6 };

const { path, missing } = await findBrowser("chromium");
if (missing) throw new Error(missing);
await buildDemo();
await mkdir(FOLDER, { recursive: true });
const server = await serveDemo();
const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
try {
  await still();
  await animation();
} finally {
  await browser.close();
  await server.close();
}

async function open(options) {
  // Without motion, so that every picture shows the end of a change.
  const page = await browser.newPage({ viewport: VIEW, colorScheme: "light", reducedMotion: "reduce", ...options });
  await page.goto(server.url);
  await page.locator("figure svg").waitFor();
  return page;
}

async function still() {
  const page = await open({ deviceScaleFactor: 2 });
  const picture = await page.screenshot();
  await writeFile(`${FOLDER}playground.png`, await sharp(picture).png({ palette: true, colours: 128 }).toBuffer());
}

async function animation() {
  const page = await open();
  const frames = [];
  const delay = [];
  const shoot = async (milliseconds) => {
    frames.push(await sharp(await page.screenshot()).resize({ width: ANIMATION.width }).toBuffer());
    delay.push(milliseconds);
  };
  const settled = () => page.waitForTimeout(400); // what is asked of the worker, and drawn

  await shoot(2_200);
  for (const name of ["hostinger", "gitlab", "notion", "playwright"]) {
    await page.getByRole("switch", { name }).click();
    await settled();
    await shoot(500);
  }
  await shoot(900);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await settled();
  await shoot(900);

  await page.getByRole("radio", { name: "Native reference" }).check({ force: true });
  await page.locator("#conversation").evaluate((section) => section.scrollIntoView());
  await settled();
  await shoot(1_600);
  for (let request = 2; request <= 3; request++) {
    await page.getByRole("button", { name: "Next" }).click();
    await settled();
    await shoot(1_200);
  }

  const query = page.getByRole("searchbox", { name: "Query" });
  await query.fill("");
  await page.locator("#search").evaluate((section) => section.scrollIntoView());
  for (const word of ["buy", " a domain", " name"]) {
    await query.pressSequentially(word);
    await settled();
    await shoot(600);
  }
  await shoot(2_200);
  const written = await sharp(frames, { join: { animated: true } }).webp({ ...ANIMATION, delay, loop: 0 }).toBuffer();
  await writeFile(`${FOLDER}playground.webp`, written);
}
