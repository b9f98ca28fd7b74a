import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DEPTH } from "../measure.mjs";

/** @type {import("./in-process.mjs").Contender[]} */
export default [{ title: "Mastra ToolSearchProcessor", answer }];

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "mastra");
let mastra;

async function answer(tools, queries) {
  mastra ??= await load();
  const { ToolSearchProcessor, createTool } = mastra;
  const described = tools.map(({ name, description }) => [name, createTool({ id: name, description: description ?? "" })]);
  const processor = new ToolSearchProcessor({ tools: Object.fromEntries(described), search: { topK: DEPTH } });
  // What an agent does before it calls its model: the processor adds its search tool.
  const step = await processor.processInputStep({ messageList: { addSystem() {} }, tools: {}, messages: [] });
  const search = (query) => step.tools.search_tools.execute({ query }, {});
  const answers = [];
  for (const query of queries) {
    await search(query);
    const begin = performance.now();
    const { results } = await search(query);
    answers.push({ names: results.map(({ name }) => name), microseconds: (performance.now() - begin) * 1000 });
  }
  return answers;
}

/** It brings 130 MB and 150 packages, more than the whole of this project's own tools: not part of `npm install`. */
async function load() {
  const require = createRequire(join(folder, "package.json"));
  const entry = (path) => {
    try {
      return pathToFileURL(require.resolve(path)).href;
    } catch {
      throw new Error("not installed, for its size: `npm ci --prefix bench/quality/mastra` adds it");
    }
  };
  const [{ ToolSearchProcessor }, { createTool }] = await Promise.all(["@mastra/core/processors", "@mastra/core/tools"].map((path) => import(entry(path))));
  return { ToolSearchProcessor, createTool };
}
