// The examples of docs/, page by page as they stand there, over the providers' own SDKs and a scripted model.
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { drivers, type Driver } from "./support/drivers.js";
import { scriptedServer, writeAs, type Body, type Said } from "./support/scripted-server.js";

const here = dirname(fileURLToPath(import.meta.url));
const driver = (name: RegExp) => drivers.find((one) => name.test(one.name)) as Driver<unknown[]>;

/** Enough of them for the threshold. */
const tools = Array.from({ length: 200 }, (_, i) => ({
  name: i === 7 ? "create_issue" : `tool_${i}`,
  description: i === 7 ? "Open a new issue" : "Does what nobody asks for. ".repeat(30),
  inputSchema: { type: "object", properties: { title: { type: "string" } } },
}));

/** Searches, calls what was found, and is done. */
const answer = ({ sent }: Driver<unknown[]>, search: string) => (body: Body): Said => {
  const { results } = sent(body);
  if (results.length === 0) return [{ call: search, input: { query: "open an issue" } }];
  return results.join().includes("mcp__github__create_issue") ? [{ call: "mcp__github__create_issue", input: { title: "Slow" } }] : "Done.";
};

/** Runs all examples of a page as one module, and gives the calls that they made of the server's tools. */
async function run(page: string, url: string) {
  const text = await readFile(join(here, "..", "docs", page), "utf8");
  const examples = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) =>
    // What stands behind an expression is its value.
    code.replace(/^(.+); \/\/ (true|".*"|\{\})$/gm, "expectEqual($1, $2);"),
  );
  const calls: { name: string; arguments: unknown }[] = [];
  const github = { callTool: async (call: (typeof calls)[number]) => (calls.push(call), { content: [{ type: "text", text: "opened" }] }) };
  const runTool = ({ rawName, input }: { rawName: string; input: unknown }) => github.callTool({ name: rawName, arguments: input });
  const expectEqual = (value: unknown, stated: unknown) => expect(value).toEqual(stated);
  const file = join(here, `docs-example-${process.pid}-${page}.mjs`);
  const env = { ...process.env };
  Object.assign(globalThis, { docs: { tools, github, runTool, expectEqual } });
  for (const name of ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"]) process.env[name] = url;
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"]) process.env[name] = "key";
  try {
    const known = "const { tools, github, runTool, expectEqual } = globalThis.docs;\nconst console = { log() {} };\n";
    await writeFile(file, `${known}${examples.join("\n")}\nexport { session };\n`);
    return { calls, ...(await import(/* @vite-ignore */ file)) };
  } finally {
    process.env = env;
    Reflect.deleteProperty(globalThis, "docs");
    await rm(file, { force: true });
  }
}

const issue = { name: "create_issue", arguments: { title: "Slow" } };

it.each([
  ["anthropic.md", /anthropic, append/],
  ["gemini.md", /genai 2/],
])("runs the examples of %s", async (page, name) => {
  const provider = driver(name);
  await using server = await provider.server(answer(provider, "toolSearch"));
  const { calls, session } = await run(page, server.url);
  // The loop, and the single call; three requests of the loop, and a stream.
  expect(calls).toEqual([issue, issue]);
  expect(server.bodies).toHaveLength(4);
  expect(session.activated).toContain("mcp__github__create_issue");
});

it("runs the examples of openai.md", async () => {
  const isChat = (body: Body) => "messages" in body;
  const answers = { chat: answer(driver(/openai 6, chat/), "tool_search"), responses: answer(driver(/openai 6, responses, append/), "tool_search") };
  await using server = await scriptedServer(
    (body) => answers[isChat(body) ? "chat" : "responses"](body),
    (said, body, ...rest) => writeAs(isChat(body) ? "openai-chat" : "openai-responses")(said, body, ...rest),
  );
  const { calls, session } = await run("openai.md", server.url);
  // Both loops, and the single call.
  expect(calls).toEqual([issue, issue, issue]);
  expect(server.bodies.map(isChat)).toEqual([false, false, false, true, true, true]);
  expect(session.activated).toContain("mcp__github__create_issue");
});
