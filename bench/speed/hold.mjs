// A new process, for memory.mjs: prints as JSON what a task makes the process hold, in bytes.
//   node --expose-gc hold.mjs TASK SIZE FOLDER
import { readCatalog, textBytes } from "./catalogs.mjs";

// The module's memory is nobody's business but the engine's; here it is taken where it is made.
const memories = [];
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...args) {
    super(...args);
    if (this.exports.memory) memories.push(this.exports.memory);
  }
};

const [task, size, folder] = process.argv.slice(2);
const catalog = await readCatalog(size, folder);
const { ToolSearch } = await import("tool-search");
const ours = await import("./contenders/tool-search.mjs");
const { build: typed } = await import("./contenders/typed-bm25.mjs");
const { build: peer } = await import("../quality/contenders/minisearch.mjs");
// What all engines share, the module with its tables, is there already.
new ToolSearch().free();

const kept = [];
const tasks = {
  "tool-search": () => growth(() => kept.push(ours.build(catalog))),
  json: () => {
    const encoder = new TextEncoder();
    const wire = [...catalog.servers].map(([server, tools]) => [server, encoder.encode(JSON.stringify({ tools }))]);
    return growth(() => kept.push(ours.buildFromJson(wire)));
  },
  "typed-bm25": () => growth(() => kept.push(typed(catalog))),
  minisearch: () => growth(() => kept.push(peer(catalog.tools))),
  sessions: () => sessions([]),
  "busy-sessions": () => sessions(catalog.tools.filter((_, at) => at % Math.ceil(catalog.tools.length / 5) === 0)),
};
console.log(JSON.stringify({ ...tasks[task](), text: textBytes(catalog) }));

/** Many more than a thousand: WebAssembly's memory grows by pages, and the first ones find room in what there is. */
function sessions(tools) {
  const engine = ours.added(catalog);
  const begin = (count) => {
    for (let left = count; left > 0; left--) {
      const session = engine.session();
      session.activate(tools.map(({ name }) => name));
      session.tools();
      kept.push(session);
    }
  };
  begin(5_000);
  const count = 20_000;
  return { ...growth(() => begin(count)), count };
}

function growth(work) {
  const before = held();
  work();
  const after = held();
  return { heap: after.heap - before.heap, wasm: after.wasm - before.wasm };
}

function held() {
  for (let n = 0; n < 3; n++) gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed + arrayBuffers, wasm: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) };
}
