import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";

/** The state of the page in its address. */
export function link(demo) {
  const fragmentOf = (page) => page.evaluate(() => location.hash);
  const packed = (value) => `#s=${deflateRawSync(Buffer.from(JSON.stringify(value))).toString("base64url")}`;

  it("restores everything from a link", async () => {
    const { page } = await demo.open({ permissions: ["clipboard-read", "clipboard-write"] });
    expect(await fragmentOf(page)).toBe("");
    await page.getByRole("switch", { name: /hostinger/ }).click();
    await page.getByRole("slider", { name: /Threshold/ }).fill("20");
    await page.getByRole("radio", { name: "Bridge" }).check();
    await page.getByRole("textbox", { name: "What the model searches for" }).first().fill("select:create_issue_note");
    await page.getByRole("searchbox").fill("take a screenshot");
    await page.getByRole("button", { name: /Copy link/ }).click();
    await page.getByText("Copied").waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());

    const { page: other, faults } = await demo.open({ fragment: new URL(address).hash });
    expect(await other.getByRole("switch", { name: /hostinger/ }).isChecked()).toBe(false);
    expect(await other.getByRole("slider", { name: /Threshold/ }).inputValue()).toBe("20");
    expect(await other.getByRole("radio", { name: "Bridge" }).isChecked()).toBe(true);
    expect(await other.getByRole("textbox", { name: "What the model searches for" }).first().inputValue()).toBe("select:create_issue_note");
    expect(await other.getByRole("searchbox").inputValue()).toBe("take a screenshot");
    await other.getByPlaceholder("mcp__gitlab__create_issue_note, the best match").waitFor();
    expect(faults).toEqual([]);
  });

  it("carries the reader's own tools only when asked to", async () => {
    const { page } = await demo.open();
    await page.getByRole("textbox", { name: "Your own tools" }).fill('[{"name": "water_plants"}]');
    await page.getByRole("button", { name: "Use these tools" }).click();
    await page.getByRole("switch", { name: /mine/ }).waitFor();
    await expect.poll(() => fragmentOf(page)).not.toBe("");
    const { page: without } = await demo.open({ fragment: await fragmentOf(page) });
    expect(await without.getByRole("switch", { name: /mine/ }).count()).toBe(0);
    const before = await fragmentOf(page);
    await page.getByRole("checkbox", { name: "Put them into the link" }).check();
    await expect.poll(() => fragmentOf(page)).not.toBe(before);
    const { page: other } = await demo.open({ fragment: await fragmentOf(page) });
    await other.getByRole("switch", { name: /mine/ }).waitFor();
  });

  it("falls back to the defaults for links that say nothing", async () => {
    const { page, faults } = await demo.open({ fragment: packed({ threshold: 33 }) });
    const threshold = page.getByRole("slider", { name: /Threshold/ });
    await expect.poll(() => threshold.inputValue()).toBe("33");
    // A place on the page is no link.
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("searchbox").fill("rename a file");
    await page.getByText("mcp__filesystem__move_file").first().waitFor();
    expect(await threshold.inputValue()).toBe("33");
    const links = {
      "not base64": "#s=%%%",
      "not compressed": "#s=aGVsbG8",
      "other types": packed({ off: 3, contextWindow: "huge", threshold: null, steps: [{ kind: "nonsense" }], prices: [], own: [1], at: 1e9 }),
      "a list": packed([1, 2]),
      "too much": packed({ threshold: 44, query: "x".repeat(20_000_000) }),
      markup: packed({ query: "<img src=x onerror=alert(1)>", scenario: "<b>" }),
    };
    for (const [name, fragment] of Object.entries(links)) {
      // Another link that is opened in its place is followed as well.
      await page.evaluate((hash) => (location.hash = hash), packed({ threshold: 33 }));
      await expect.poll(() => threshold.inputValue(), { message: `before ${name}` }).toBe("33");
      await page.evaluate((hash) => (location.hash = hash), fragment);
      await expect.poll(() => threshold.inputValue(), { message: name }).toBe("10");
    }
    await page.getByText("Request 1 of 5").waitFor();
    expect(faults).toEqual([]);
  });
}
