import AxeBuilder from "@axe-core/playwright";
import { expect, it } from "vitest";
import { NARROW, WIDE } from "./page.mjs";

/** How it looks: both widths, both themes, for everyone. */
export function looks(demo) {
  const CASES = [
    ["wide", WIDE, "light"],
    ["wide", WIDE, "dark"],
    ["narrow", NARROW, "light"],
    ["narrow", NARROW, "dark"],
  ];

  it.each(CASES)("is accessible and fits: %s, %o, %s", async (width, viewport, colorScheme) => {
    const { page, faults, shoot } = await demo.open({ viewport, colorScheme });
    await shoot(`${width}-${colorScheme}`);
    await page.getByText("Prices: ").click();
    await page.getByText("tools loaded").first().click();
    await page.getByText("Arguments and result").first().click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("region", { name: "The exact bytes" }).getByRole("radio", { name: "Changes" }).check();
    await page.getByText(/added: /).first().waitFor();
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await shoot(`${width}-${colorScheme}-whole`, true);
    expect(faults).toEqual([]);
  });

  it("changes its colours when told to, and remembers", async () => {
    const { page, context } = await demo.open({ colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect.poll(ground).not.toBe(light);
    const again = await context.newPage();
    await again.goto(page.url());
    await again.getByRole("radio", { name: "Dark", checked: true }).waitFor({ state: "attached" });
  });

  it("is reached by keyboard in the order in which it is read", async () => {
    const { page } = await demo.open();
    const seen = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      seen.push(await page.evaluate(() => document.activeElement?.closest("section, header")?.querySelector("h2")?.textContent ?? "top"));
    }
    const order = seen.filter((name, i) => name !== seen[i - 1]);
    expect(order.slice(0, 4)).toEqual(["top", "The context window", "Catalog", "Your own tools"]);
  });
}
