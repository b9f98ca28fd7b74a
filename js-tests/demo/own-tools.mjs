import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const tool = (name, more) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object", properties: { id: { type: "string" } } }, ...more });

/** The reader's own catalog: pasted, opened, valid, broken, hostile. */
export function ownTools(demo) {
  async function paste(page, given) {
    await page.getByRole("textbox", { name: "Your own tools" }).fill(typeof given === "string" ? given : JSON.stringify(given));
    await page.getByRole("button", { name: "Use these tools" }).click();
  }

  it("takes every shape of a list", async () => {
    const { page, faults } = await demo.open();
    const shapes = {
      result: { tools: [tool("result_tool")] },
      response: { jsonrpc: "2.0", id: 1, result: { tools: [tool("response_tool")] } },
      chat: [{ type: "function", function: { name: "chat_tool", parameters: { type: "object" } } }],
      responses: [{ type: "function", name: "responses_tool", parameters: { type: "object" } }],
      anthropic: [{ name: "anthropic_tool", input_schema: { type: "object" } }],
      set: { mcpServers: { mine: { tools: [tool("set_tool")] } } },
    };
    for (const [name, given] of Object.entries(shapes)) {
      await paste(page, given);
      await page.getByText(/1 tool taken in\./).waitFor();
      await page.getByRole("searchbox").fill(`${name}_tool`);
      await page.getByText(`mcp__mine__${name}_tool`).first().waitFor();
    }
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => page.getByRole("switch", { name: /mine/ }).count()).toBe(0);
    expect(await page.getByRole("switch", { name: /github/ }).isChecked()).toBe(true);
    expect(faults).toEqual([]);
  });

  it("opens and drops files, one for each server, and makes a conversation of their tools", async () => {
    const { page, faults, shoot } = await demo.open();
    const folder = await mkdtemp(join(tmpdir(), "tool-search-demo-"));
    try {
      await writeFile(join(folder, "garden.json"), JSON.stringify({ tools: [tool("water_plants"), tool("cut_grass")] }));
      await writeFile(join(folder, "kitchen.json"), JSON.stringify([tool("boil_eggs")]));
      await page.locator("input[type=file]").setInputFiles([join(folder, "garden.json"), join(folder, "kitchen.json")]);
      await page.getByText(/3 tools taken in\./).waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
    await page.getByRole("switch", { name: /garden/ }).waitFor();
    await page.getByRole("switch", { name: /kitchen/ }).waitFor();
    // The numbers are those of the reader's tools alone.
    await page.getByText(/^3 tools of 2 servers/).waitFor();
    expect(await page.getByRole("switch", { name: /github/ }).isChecked()).toBe(false);
    expect(await page.getByRole("combobox", { name: "Scenario" }).inputValue()).toBe("own");
    await page.getByRole("textbox", { name: "What the model searches for" }).first().waitFor();
    await shoot("own-tools");

    // Dropped on the page, they take the place of the others.
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "shed.json", { type: "application/json" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, JSON.stringify([tool("find_rake")]));
    await page.getByRole("switch", { name: /shed/ }).waitFor();
    expect(await page.getByRole("switch", { name: /kitchen/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("says which tool is unusable and why, and takes the others", async () => {
    const { page, faults, shoot } = await demo.open();
    await paste(page, [tool("good"), tool("bad_schema", { inputSchema: 3 }), { description: "no name" }, tool("good"), tool("x".repeat(200))]);
    await page.getByText(/1 tool taken in, the rest left out\./).waitFor();
    const faultsShown = await page.getByRole("region", { name: "Your own tools" }).getByRole("listitem").allTextContents();
    expect(faultsShown).toEqual([
      expect.stringMatching(/tool 2 "bad_schema": .*inputSchema/),
      expect.stringMatching(/tool 3: /),
      expect.stringMatching(/tool 4 "good": .*name/),
      expect.stringMatching(/tool 5 "x+…": .*128/),
    ]);
    await shoot("own-tools-faults");
    expect(faults).toEqual([]);
  });

  it("explains what is no list of tools", async () => {
    const { page, faults } = await demo.open();
    const cases = [
      ['{"tools": [', /not JSON/],
      ["{}", /neither a tools\/list result/],
      ["hello", /not JSON/],
      ["17", /neither a tools\/list result/],
      [{ mcpServers: { github: { command: "npx" } } }, /"github" is only named there/],
    ];
    for (const [given, message] of cases) {
      await paste(page, given);
      await page.getByRole("region", { name: "Your own tools" }).getByText(message).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it("shows markup in names and descriptions as text", async () => {
    const { page, faults } = await demo.open();
    const evil = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
    await paste(page, {
      [`<b>server</b>`]: { tools: [tool("plain", { description: evil, title: evil })], instructions: `</script><h1>${evil}` },
      ["__proto__x"]: { tools: [tool("constructor", { inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') })] },
    });
    await page.getByText(/2 tools taken in\./).waitFor();
    await page.getByRole("switch", { name: "<b>server</b>" }).waitFor();
    await page.getByRole("searchbox").fill("plain");
    await page.getByText(/onerror/).first().waitFor();
    expect(await page.locator("main img:not([role]), main script, main b").count()).toBe(0);
    expect(await page.title()).toBe("tool-search playground");
    expect(faults).toEqual([]);
  });

  it("takes five megabytes", { timeout: 120_000 }, async () => {
    const { page, faults } = await demo.open();
    const many = Array.from({ length: 2_500 }, (_, i) => tool(`tool_${i}`, { description: `Counts sheep ${i}. `.repeat(120) }));
    const text = JSON.stringify({ tools: many });
    expect(text.length).toBeGreaterThan(5_000_000);
    await page.getByRole("textbox", { name: "Your own tools" }).evaluate((field, pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
    await page.getByText(/2,500 tools taken in\./).waitFor({ timeout: 60_000 });
    expect(await page.getByText("Put them into the link").count()).toBe(0);
    await page.getByRole("searchbox").fill("tool_77");
    await page.getByText("mcp__mine__tool_77", { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });
}
