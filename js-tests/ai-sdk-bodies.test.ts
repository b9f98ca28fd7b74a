// What goes over the wire is what the providers' own packages have types for: recorded bodies are compiled against them.
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StrategyName } from "tool-search/ai-sdk";
import { withToolSearch } from "tool-search/ai-sdk";
import { expect, it } from "vitest";
import { agent } from "./support/agent.js";
import { majors, runTurn } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { providerServer } from "./support/provider-server.js";
import type { WireName } from "./support/wires.js";

const TYPES: Record<WireName, string> = {
  anthropic: 'import("@anthropic-ai/sdk/resources/messages").MessageCreateParams',
  "openai-chat": 'import("openai/resources/chat/completions").ChatCompletionCreateParams',
  "openai-responses": 'import("openai/resources/responses/responses").ResponseCreateParams',
};
const pairs: [StrategyName, WireName][] = [
  ["append", "anthropic"],
  ["append", "openai-chat"],
  ["append", "openai-responses"],
  ["anthropic", "anthropic"],
  ["openai", "openai-responses"],
  ["bridge", "anthropic"],
  ["bridge", "openai-chat"],
];

it("sends bodies that the providers' packages take", async () => {
  const lines: string[] = [];
  for (const major of majors.slice(1)) {
    for (const [strategy, wire] of pairs) {
      const searchToolName = strategy === "openai" ? "tool_search" : "toolSearch";
      const { search, tools } = await agent({ searchToolName });
      const call = (name: string) => (strategy === "bridge" ? { call: "callTool", input: { name, arguments: {} } } : { call: name });
      const server = await providerServer(wire, [
        [{ call: searchToolName, input: { query: "select:merge,notepad" } }],
        [call("mcp__forge__merge"), { call: "clock" }, call("mcp__post__send_mail")],
        "done",
      ]);
      const model = modelOn(major.major, wire, server.url);
      const settings = { ...withToolSearch(search.session(), { strategy, tools, system: "Be brief." }), providerOptions: { openai: { store: false } } };
      await runTurn(major, "generateText", { model, messages: [{ role: "user", content: "go" }], ...settings });
      await server.close();
      expect(server.requests).toHaveLength(3);
      for (const { body } of server.requests) {
        // The provider for ai 6 leaves `strict` out, without which the API decides; the types want it said.
        if (wire === "openai-responses") body["tools"] = body["tools"].map((tool: object) => ("name" in tool ? { strict: null, ...tool } : tool));
        lines.push(`// ${major.name}, ${strategy}`, `(${JSON.stringify(body)}) satisfies ${TYPES[wire]};`);
      }
    }
  }
  const here = dirname(fileURLToPath(import.meta.url));
  const file = join(here, `bodies-${process.pid}.ts`);
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node", "--ignoreConfig"];
  try {
    await writeFile(file, `${lines.join("\n")}\nexport {};\n`);
    const compiled = await promisify(execFile)(process.execPath, [join(dirname(manifest), "bin", "tsc"), ...options, file], { cwd: here }).catch((error) => error);
    expect(compiled.stdout).toBe("");
  } finally {
    await rm(file, { force: true });
  }
}, 60_000);
