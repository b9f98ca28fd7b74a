import { expect, it } from "vitest";
import { numberIn } from "./page.mjs";

/** Servers, the gateway, and the picture of the context window that follows them. */
export function catalog(demo) {
  const headline = (page) => page.getByRole("heading", { level: 1 });
  const bar = (page, name) => page.getByRole("img", { name });

  it("shows what the development servers cost, and what their names cost", async () => {
    const { page, faults } = await demo.open();
    const [full, first] = (await headline(page).textContent()).match(/\d[\d,]+/g).map(numberIn);
    expect(full).toBeGreaterThan(50_000);
    expect(first).toBeLessThan(0.2 * full);
    expect(await page.getByRole("switch").count()).toBeGreaterThanOrEqual(8);
    // Both pictures begin with what the headline says.
    expect(numberIn((await bar(page, /^Every definition/).getAttribute("aria-label")).split("Definitions")[1])).toBe(full);
    expect(await bar(page, /^With tool search/).getAttribute("aria-label")).toContain("Names of deferred tools");
    expect(faults).toEqual([]);
  });

  it("follows the switches at once, down to nothing", async () => {
    const { page, faults } = await demo.open();
    const before = await headline(page).textContent();
    await page.getByRole("switch", { name: /hostinger/ }).click();
    await expect.poll(() => headline(page).textContent()).not.toBe(before);
    await page.getByRole("button", { name: "None" }).click();
    await headline(page).filter({ hasText: "No tools yet" }).waitFor();
    await page.getByRole("switch", { name: /slack/ }).focus();
    await page.keyboard.press("Space");
    await headline(page).filter({ hasText: "few enough to send" }).waitFor();
    expect(await page.getByText("below the threshold of 10%").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("moves the threshold and the window with their sliders, by keyboard too", async () => {
    const { page, faults, shoot } = await demo.open();
    const threshold = page.getByRole("slider", { name: /Threshold/ });
    await threshold.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await page.getByText("13%, 26,000 tokens").waitFor();
    await threshold.fill("50");
    const window = page.getByRole("slider", { name: /Context window/ });
    await window.fill("239");
    await page.getByText("below the threshold of 50%").waitFor();
    await window.fill("0");
    await page.getByText("does not fit").first().waitFor();
    await shoot("does-not-fit");
    expect(faults).toEqual([]);
  });

  it("takes a gateway of ten thousand tools, and typing goes on meanwhile", { timeout: 120_000 }, async () => {
    const { page, faults, shoot } = await demo.open();
    await page.getByRole("combobox", { name: /gateway/ }).selectOption({ label: "10,400 tools" });
    const query = page.getByRole("searchbox", { name: "Query" });
    // The worker has a large catalog to take in; the page does not wait for it.
    await query.fill("");
    await query.pressSequentially("refund an invoice");
    expect(await query.inputValue()).toBe("refund an invoice");
    await headline(page).filter({ hasText: /^[1-9],\d{3},\d{3} tokens/ }).waitFor({ timeout: 60_000 });
    await page.getByText("mcp__gateway__billing_get_refund").first().waitFor();
    await page.getByText(/in 11,0\d\d tools/).waitFor();
    await shoot("gateway");
    expect(faults).toEqual([]);
  });
}
