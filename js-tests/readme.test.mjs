// The AI SDK example of the README, as it stands there, with a scripted model and the server's file from node_modules.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));

/** What the model does, request by request: a call, or at the end the text of the last result. */
function scripted(steps, requests) {
  return new MockLanguageModelV4({
    doStream: async (request) => {
      const step = steps[requests.push(request) - 1];
      const said = JSON.stringify(request.prompt.at(-1).content);
      const parts = step
        ? [{ type: "tool-call", toolCallId: `call-${requests.length}`, toolName: step[0], input: JSON.stringify(step[1]) }]
        : [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: said }, { type: "text-end", id: "t" }];
      const reason = step ? "tool-calls" : "stop";
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      const finish = { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
      return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts, finish] }) };
    },
  });
}

it("runs the AI SDK example", { timeout: 60_000 }, async () => {
  const readme = await readFile(join(here, "..", "README.md"), "utf8");
  const example = readme.match(/```js\n(import \{ Client \}[\s\S]*?)```/)?.[1] ?? "";
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const folder = await mkdtemp(join(tmpdir(), "tool-search-readme-"));
  const file = join(here, `readme-example-${process.pid}.mjs`);
  try {
    await writeFile(join(folder, "notes.md"), "Buy oats.");
    const code = example
      .replace('command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."]', `command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}, ${JSON.stringify(folder)}]`)
      // One server of a dozen tools is below every threshold.
      .replace("new ToolSearch()", 'new ToolSearch({ defer: "always" })')
      .replace("console.log(await result.text);", "export const text = await result.text;\nawait servers.close();\nawait files.close();");
    expect(code).not.toContain("npx");
    const requests = [];
    globalThis.readmeModel = scripted(
      [
        ["toolSearch", { query: "read a text file" }],
        ["mcp__files__read_text_file", { path: join(folder, "notes.md") }],
      ],
      requests,
    );
    await writeFile(file, `const model = globalThis.readmeModel;\n${code}`);
    const { text } = await import(/* @vite-ignore */ file);
    expect(text).toContain("Buy oats.");
    expect(requests.map(({ tools }) => tools.map(({ name }) => name)[0])).toEqual(["toolSearch", "toolSearch", "toolSearch"]);
    expect(requests[1].tools.map(({ name }) => name)).toContain("mcp__files__read_text_file");
  } finally {
    delete globalThis.readmeModel;
    await rm(file, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
});
