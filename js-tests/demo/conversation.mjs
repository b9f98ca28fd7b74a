import { expect, it } from "vitest";
import { numberIn } from "./page.mjs";

/** The conversation, request by request, and what it costs. */
export function conversation(demo) {
  const request = (page, number) => page.getByRole("button", { name: new RegExp(`^Request ${number}\\b`) });
  const row = (page, strategy) => page.getByRole("table", { name: /whole conversation/ }).getByRole("row", { name: new RegExp(strategy) });
  /** Tokens sent, share cached in percent, dollars. */
  async function totals(page, strategy) {
    const [sent, cached, cost] = await row(page, strategy).getByRole("cell").allTextContents();
    return { sent: numberIn(sent), cached: Number.parseFloat(cached), cost: Number(cost.replace("$", "")) };
  }
  const fates = async (page, number) => (await request(page, number).textContent()).match(/([\d,]+) kept\s*([\d,]+) lost\s*([\d,]+) new/).slice(1).map(numberIn);

  it("goes through it step by step, and loads what the model found", async () => {
    const { page, faults, shoot } = await demo.open();
    await page.getByText("Request 1 of 5").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Request 2 of 5").waitFor();
    const pieces = page.getByRole("table", { name: /Pieces of request 2/ });
    await pieces.getByRole("row", { name: /mcp__github__create_issue \d+ new/ }).waitFor();
    await pieces.getByRole("row", { name: /deferred section [\d,]+ lost/ }).waitFor();
    expect(await page.getByPlaceholder("mcp__github__create_issue, the best match").count()).toBe(1);
    await request(page, 5).click();
    await page.getByText("Request 5 of 5").waitFor();
    await page.locator("#conversation").scrollIntoViewIfNeeded();
    await shoot("conversation");
    expect(faults).toEqual([]);
  });

  it("tells what the cache keeps and loses by strategy", async () => {
    const { page, faults } = await demo.open();
    // Appending changes the array of tools, which comes first: all behind it is lost.
    const [, lost] = await fates(page, 2);
    expect(lost).toBeGreaterThan(5_000);
    for (const strategy of ["Native reference", "Bridge"]) {
      await page.getByRole("radio", { name: strategy }).check();
      await expect.poll(async () => (await fates(page, 2))[1]).toBe(0);
      const [kept, , fresh] = await fates(page, 2);
      expect(kept).toBeGreaterThan(5_000);
      expect(fresh).toBeGreaterThan(300);
    }
    const [none, append, native, bridge] = await Promise.all(["No search", "Append", "Native", "Bridge"].map((name) => totals(page, name)));
    expect(none.sent).toBeGreaterThan(5 * append.sent);
    expect(native.cost).toBeLessThan(append.cost);
    expect(bridge.cost).toBeLessThan(append.cost);
    expect(append.cost).toBeLessThan(none.cost);
    expect(native.cached).toBeGreaterThan(append.cached);
    expect(faults).toEqual([]);
  });

  it("is edited: queries, calls, steps", async () => {
    const { page, faults } = await demo.open();
    const first = page.getByRole("textbox", { name: "What the model searches for" }).first();
    await first.fill("select:create_pull_request");
    await page.getByPlaceholder("mcp__github__create_pull_request, the best match").waitFor();
    await page.getByText("1 tool loaded").first().waitFor();
    await first.fill("xylophone zither");
    await page.getByText("Nothing new was loaded").first().waitFor();
    await page.getByRole("button", { name: "Undo edits" }).click();
    await page.getByPlaceholder("mcp__github__create_issue, the best match").waitFor();

    // Calls of a tool that was not loaded, and of none.
    const called = page.getByRole("textbox", { name: "Which tool the model calls" }).first();
    await called.fill("mcp__memory__read_graph");
    await page.getByText(/It did not run\. The model is told: .*loaded now/).waitFor();
    await called.fill("no_such_tool");
    await page.getByText(/It did not run\. The model is told: .*no_such_tool/).waitFor();

    await page.getByRole("button", { name: "Undo edits" }).click();
    await page.getByRole("group", { name: "Add a step" }).getByRole("button", { name: "Answer" }).click();
    await page.getByText("Request 1 of 6").waitFor();
    await page.getByRole("button", { name: "Remove this step" }).first().click();
    await page.getByRole("button", { name: "Remove this step" }).first().click();
    await page.getByText(/Request \d of 5/).waitFor();
    expect(faults).toEqual([]);
  });

  it("plays every ready-made scenario, and sends all where nothing is deferred", async () => {
    const { page, faults } = await demo.open();
    const scenario = page.getByRole("combobox", { name: "Scenario" });
    await expect.poll(() => scenario.getByRole("option").count()).toBe(5);
    for (const title of ["A release, in two turns", "Nothing fits", "Three tools of this catalog"]) {
      await scenario.selectOption({ label: title });
      await request(page, 3).waitFor();
      expect(await page.getByText("It did not run").count()).toBe(0);
    }
    await scenario.selectOption({ label: "Report a bug" });
    await page.getByRole("slider", { name: /Context window/ }).fill("239");
    await page.getByText("Nothing is deferred, so there is no search tool").first().waitFor();
    const [none, append] = await Promise.all(["No search", "Append"].map((name) => totals(page, name)));
    expect(append).toEqual(none);
    expect(faults).toEqual([]);
  });

  it("counts with the reader's prices", async () => {
    const { page, faults } = await demo.open();
    const before = await totals(page, "Append");
    await page.getByText("Prices: Claude Sonnet 5").click();
    await page.getByRole("spinbutton", { name: /Claude Sonnet 5: \$ per million tokens of input/ }).fill("4");
    await expect.poll(async () => (await totals(page, "Append")).cost).toBeGreaterThan(1.8 * before.cost);
    await page.getByRole("button", { name: "Add a model" }).click();
    await page.getByRole("textbox", { name: "Name of model 7" }).fill("House model");
    await page.getByText("Cost so far, House model").waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await expect.poll(async () => (await totals(page, "Append")).cost).toBe(before.cost);
    expect(faults).toEqual([]);
  });
}
