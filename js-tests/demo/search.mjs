import { expect, it } from "vitest";

/** Search as you type, and why. */
export function search(demo) {
  it("ranks as you type, says why and how long it took, beside the plain scorer", async () => {
    const { page, faults, shoot } = await demo.open();
    const section = page.getByRole("region", { name: "Search, as the model does" });
    await page.getByRole("searchbox", { name: "Query" }).fill("buy a domain name");
    await section.getByText("mcp__hostinger__domains_purchaseNewDomainV1").first().waitFor();
    const [ours, plain] = await section.getByRole("list").all();
    expect(await ours.getByRole("listitem").first().textContent()).toContain("purchaseNewDomain");
    expect(await plain.getByRole("listitem").first().textContent()).not.toContain("purchaseNewDomain");
    const why = await ours.getByRole("row").allTextContents();
    expect(why.some((text) => /^domain\s*name/.test(text.trim()))).toBe(true);
    expect((await section.getByText(/µs/).allTextContents()).length).toBe(2);
    expect(await section.getByText(/\d µs in \d+ tools/).count()).toBe(1);
    await section.scrollIntoViewIfNeeded();
    await shoot("search");

    const second = section.locator("details").nth(1);
    await second.locator("summary").focus();
    await page.keyboard.press("Enter");
    await second.getByRole("table").waitFor();
    expect(faults).toEqual([]);
  });

  it("shows what knowing what words mean changes, and puts that into the lines to go on with", async () => {
    const { page, faults, shoot } = await demo.open();
    const section = page.getByRole("region", { name: "Search, as the model does" });
    await page.getByRole("searchbox", { name: "Query" }).fill("staff");
    await section.getByText("No match.").nth(1).waitFor();
    await section.getByRole("radio", { name: "By words and meaning" }).check();
    await section.getByText("by meaning").first().waitFor({ timeout: 30_000 });
    const [ours] = await section.getByRole("list").all();
    expect(await ours.getByRole("listitem").first().textContent()).toMatch(/members|users/);
    expect(await section.getByText("No match.").count()).toBe(1);
    expect(await section.getByRole("heading", { level: 3 }).allTextContents()).toEqual(["tool-search, with meaning", "tool-search, by words alone"]);
    expect(await page.getByText('import { meaning } from "tool-search/meaning";').count()).toBeGreaterThan(0);
    await section.scrollIntoViewIfNeeded();
    await shoot("meaning");
    expect(faults).toEqual([]);
  });

  it("says what is missing, ambiguous, doubtful or no query at all", async () => {
    const { page, faults } = await demo.open();
    const query = page.getByRole("searchbox", { name: "Query" });
    const section = page.getByRole("region", { name: "Search, as the model does" });
    await query.fill("select:create_issue,no_such_thing");
    await section.getByText(/Not found: no_such_thing/).waitFor();
    await section.getByText(/create_issue is ambiguous: mcp__github__create_issue, mcp__gitlab__create_issue/).waitFor();
    await query.fill("");
    await section.getByText("No match.").first().waitFor();
    await query.fill("xylophone zither");
    await section.getByText("No match.").first().waitFor();
    expect(faults).toEqual([]);
  });
}
