// A new process, for cold.mjs: prints the milliseconds from its input, read and parsed, to its first answer, import included.
//   node first-answer.mjs TASK FOLDER QUERY
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [task, folder, query] = process.argv.slice(2);
const isSnapshot = task === "snapshot";
const input = isSnapshot ? readFileSync(join(folder, "snapshot")) : new Map(JSON.parse(readFileSync(join(folder, "servers.json"), "utf8")));
const tools = isSnapshot ? [] : [...input].flatMap(([server, own]) => own.map((tool) => ({ ...tool, server })));

const peer = (path) => async () => (await import(path)).build(tools).search(query);
const handWritten = (path) => async () => (await import(path)).build({ tools }).search(query);
const ours = (answer) => async () => {
  const { ToolSearch } = await import("tool-search");
  const engine = new ToolSearch();
  for (const [server, own] of input) engine.add(own, { server });
  return answer(engine);
};

const TASKS = {
  snapshot: async () => (await import("tool-search")).ToolSearch.restore(input).search(query),
  empty: async () => new (await import("tool-search")).ToolSearch(),
  search: ours((engine) => engine.search(query)),
  select: ours((engine) => engine.search(`select:${tools[0].name}`)),
  plan: ours((engine) => engine.plan()),
  section: ours((engine) => engine.session().prompt()),
  tools: ours((engine) => engine.session().tools()),
  additive: handWritten("./contenders/additive.mjs"),
  "typed-bm25": handWritten("./contenders/typed-bm25.mjs"),
  minisearch: peer("../quality/contenders/minisearch.mjs"),
};

const before = process.cpuUsage();
const start = performance.now();
const answer = await TASKS[task]();
const passed = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (answer === undefined) throw new Error(`${task} has no answer`);
console.log(Math.min(passed, (user + system) / 1_000));
