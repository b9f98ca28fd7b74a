// `types-ai-sdk.ts` with the types of the oldest release of each supported major of `ai`, and recorded requests with those of the providers' packages.
import { withToolSearch, type StrategyName } from "tool-search/ai-sdk";
import { expect, it } from "vitest";
import { agent } from "./support/agent.js";
import { majors, runTurn } from "./support/ai-sdk-majors.js";
import { modelOn } from "./support/ai-sdk-models.js";
import { compile, declarationsOf } from "./support/compile.js";
import { providerServer } from "./support/provider-server.js";
import type { WireName } from "./support/wires.js";

it.each(["ai5-oldest", "ai6-oldest", "ai7-oldest"])(
  "keeps the types of the caller's tools with %s",
  async (name) => {
    // Without the SDK's own faults in strictness, so that ours would show.
    const output = await compile(
      { file: "types-ai-sdk.ts" },
      { paths: { ai: declarationsOf(name) }, skipLibCheck: false, exactOptionalPropertyTypes: false },
    );
    expect(output.split("\n").filter((line) => /pkg\/|types-ai-sdk/.test(line))).toEqual([]);
  },
  60_000,
);

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
      const settings = {
        ...withToolSearch(search.session(), { strategy, tools, system: "Be brief." }),
        providerOptions: { openai: { store: false } },
      };
      await runTurn(major, "generateText", { model, messages: [{ role: "user", content: "go" }], ...settings });
      await server.close();
      expect(server.requests).toHaveLength(3);
      for (const { body } of server.requests) {
        // The provider for ai 6 leaves `strict` out, without which the API decides; the types want it said.
        if (wire === "openai-responses")
          body["tools"] = body["tools"].map((tool: object) => ("name" in tool ? { strict: null, ...tool } : tool));
        lines.push(`// ${major.name}, ${strategy}`, `(${JSON.stringify(body)}) satisfies ${TYPES[wire]};`);
      }
    }
  }
  expect(await compile({ text: `${lines.join("\n")}\nexport {};\n` })).toBe("");
}, 60_000);
