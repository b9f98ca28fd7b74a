import { ToolSearch } from "tool-search";
import { expect, it } from "vitest";

/** What is really sent, and the lines to begin with. */
export function exactBytes(demo) {
  const section = (page) => page.getByRole("region", { name: "The exact bytes" });
  const view = (page, name) => section(page).getByRole("radio", { name }).check();
  const pre = (page, name) => section(page).getByRole("region", { name });
  const readTools = async (page) => JSON.parse(await pre(page, "Tools array").textContent());

  it("shows the deferred section and the reply", async () => {
    const { page, faults, shoot } = await demo.open();
    await pre(page, "Deferred section").filter({ hasText: "## Deferred Tools" }).waitFor();
    await view(page, "Reply");
    await pre(page, "Reply").filter({ hasText: /Loaded 5 tools.*\n- mcp__github__create_issue/ }).waitFor();
    await section(page).scrollIntoViewIfNeeded();
    await shoot("bytes");
    expect(faults).toEqual([]);
  });

  it("shows the tools array in each provider's format", async () => {
    const { page, faults } = await demo.open();
    await view(page, "Tools array");
    const format = section(page).getByRole("combobox", { name: "Format" });
    const shapes = {
      anthropic: (tools) => tools[0].input_schema,
      "openai-responses": (tools) => tools[0].type === "function" && tools[0].parameters,
      "openai-chat": (tools) => tools[0].function.parameters,
      gemini: (tools) => tools[0].functionDeclarations[0],
      mcp: (tools) => tools[0].inputSchema,
    };
    for (const [name, shape] of Object.entries(shapes)) {
      await format.selectOption(name);
      await expect.poll(async () => Boolean(shape(await readTools(page))), { message: name }).toBe(true);
    }
    await section(page).getByRole("checkbox", { name: "Indented" }).uncheck();
    await expect.poll(async () => (await pre(page, "Tools array").textContent()).includes("\n")).toBe(false);
    expect(faults).toEqual([]);
  });

  it("marks deferred definitions for the native strategy, and adds one tool for the bridge", async () => {
    const { page, faults } = await demo.open();
    await view(page, "Tools array");
    await page.getByRole("radio", { name: "Bridge" }).check();
    await expect.poll(async () => (await readTools(page)).map(({ name }) => name)).toEqual(["toolSearch", "callTool"]);
    await page.getByRole("radio", { name: "Native reference" }).check();
    await pre(page, "Tools array").filter({ hasText: '"defer_loading": true' }).waitFor();
    await section(page).getByText(/travel with the request/).waitFor();
    await view(page, "Reply");
    await pre(page, "Reply").filter({ hasText: '"tool_reference"' }).waitFor();
    await section(page).getByRole("combobox", { name: "Format" }).selectOption("openai-responses");
    await pre(page, "Reply").filter({ hasText: '"tool_search_output"' }).waitFor();
    await page.getByRole("radio", { name: "Bridge" }).check();
    await pre(page, "Reply").filter({ hasText: "Call with callTool. Parameters:\nmcp__github__create_issue: {" }).waitFor();
    await page.getByRole("radio", { name: "Native reference" }).check();
    await view(page, "Tools array");
    await section(page).getByRole("combobox", { name: "Format" }).selectOption("gemini");
    await section(page).getByText("The gemini format has no native tool search.").waitFor();
    expect(faults).toEqual([]);
  });

  it("shows what changed since the request before", async () => {
    const { page, faults } = await demo.open();
    await view(page, "Changes");
    await section(page).getByText("This is the first request").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    const changes = section(page).getByRole("region", { name: "Changes since the request before" });
    await changes.getByText(/added: .*mcp__github__create_issue/).first().waitFor();
    expect(await changes.getByText(/removed: /).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("copies what is shown, and the lines to begin with", async () => {
    const { page, faults, shoot } = await demo.open({ permissions: ["clipboard-read", "clipboard-write"] });
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await section(page).getByRole("button", { name: /Copy/ }).click();
    await section(page).getByText("Copied").waitFor();
    expect(await clipboard()).toMatch(/^## Deferred Tools/);
    const use = page.getByRole("region", { name: "Use it" });
    await page.getByRole("slider", { name: /Threshold/ }).fill("7");
    await use.getByText("threshold: { percent: 7 }").waitFor();
    await use.getByRole("radio", { name: "Anything else" }).check();
    await use.getByRole("button", { name: /Copy/ }).click();
    await use.getByText("Copied").waitFor();
    const code = (await clipboard()).replace('import { ToolSearch } from "tool-search";', "");
    const run = new Function("ToolSearch", "toolsByServer", "system", "messages", `${code}\nreturn request;`);
    const request = run(ToolSearch, { files: [{ name: "read_file", inputSchema: { type: "object" } }] }, "Be careful.", []);
    expect(request.tools).toEqual([{ name: "mcp__files__read_file", input_schema: { type: "object" } }]);
    await use.scrollIntoViewIfNeeded();
    await shoot("use-it");
    expect(faults).toEqual([]);
  });
}
