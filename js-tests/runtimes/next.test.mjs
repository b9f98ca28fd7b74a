// Next.js with both of its bundlers: routes on Node and on the edge, a client component on the server and in the browser.
// The example's route is built with them.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { outcomeAt } from "./support/browser.mjs";
import { serveModel, toolNames } from "./support/model.mjs";
import { exec, golden, project, start, textAt } from "./support/tools.mjs";

const LONG = 900_000;

beforeAll(async () => {
  for (const path of ["app/api", "catalog.json"]) await cp(join(project("next-edge"), path), join(project("next"), path), { recursive: true });
});

describe.each(["turbopack", "webpack"])("Next.js with %s", (bundler) => {
  let url;
  let model;

  it("builds and starts", { timeout: LONG }, async () => {
    await rm(join(project("next"), ".next"), { recursive: true, force: true });
    await exec("next", ["build", `--${bundler}`], "next");
    model = await serveModel([
      ["toolSearch", { query: "send a mail" }],
      ["mcp__mail__send_mail", { to: "ann@example.com", text: "Hello" }],
      "Sent.",
    ]);
    const env = { MODEL_URL: model.modelUrl, TOOLS_URL: model.toolsUrl, MODEL: "m", MODEL_KEY: "x" };
    url = await start("next", ["start", "--hostname", "127.0.0.1", "--port", "0"], "next", env);
  });

  it.each(["node", "edge"])("answers in the %s route", async (route) => {
    expect(await textAt(`${url}/${route}`)).toBe(golden);
  });

  it("answers in a client component", async (context) => {
    expect(await outcomeAt(`${url}/client`, context)).toBe(golden);
  });

  it("runs the example, a chat on the edge", async () => {
    const user = (id, text) => ({ id, role: "user", parts: [{ type: "text", text }] });
    const turn = async (messages) => {
      const response = await fetch(`${url}/api/chat`, { method: "POST", body: JSON.stringify({ messages }) });
      return (await response.text()).split("\n\n").filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));
    };
    const parts = await turn([user("1", "Say hello to Ann.")]);
    const said = parts.filter(({ type }) => type === "text-delta").map(({ delta }) => delta);
    expect(said.join("")).toBe("Sent.");
    expect(model.calls).toEqual([["mail/send_mail", { to: "ann@example.com", text: "Hello" }]]);
    const { messageMetadata } = parts.find(({ type }) => type === "finish");
    expect(messageMetadata.tools.activated).toContain("mcp__mail__send_mail");

    const reply = { id: "2", role: "assistant", metadata: messageMetadata, parts: [{ type: "text", text: "Sent." }] };
    await turn([user("1", "Say hello to Ann."), reply, user("3", "Thank you.")]);
    expect(toolNames(model.requests[3])).toEqual(toolNames(model.requests[2]));
  });
});
