// The playground, used as a person would. One build and one browser for all; what is tested stands in demo/, by subject.
import { afterAll, beforeAll, describe } from "vitest";
import { findBrowser } from "../scripts/lib/browsers.mjs";
import { ownTools } from "./demo/own-tools.mjs";
import { catalog } from "./demo/catalog.mjs";
import { conversation } from "./demo/conversation.mjs";
import { exactBytes } from "./demo/bytes.mjs";
import { link } from "./demo/link.mjs";
import { looks } from "./demo/looks.mjs";
import { startDemo } from "./demo/page.mjs";
import { search } from "./demo/search.mjs";
import { site } from "./demo/site.mjs";

const STARTING_MS = 240_000;
const chromium = await findBrowser("chromium");
if (chromium.missing) console.warn(`\nThe playground is NOT tested: ${chromium.missing}.\n`);

describe.skipIf(chromium.missing)("the playground", { timeout: 60_000 }, () => {
  /** Filled before the first test. */
  const demo = {};
  beforeAll(async () => Object.assign(demo, await startDemo(chromium.path)), STARTING_MS);
  afterAll(() => demo.close?.());

  for (const subject of [site, catalog, ownTools, conversation, search, exactBytes, link, looks]) subject(demo);
});
