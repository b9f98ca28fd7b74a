// How the module's memory grows.
import { expect, it } from "vitest";

it("grows in few steps where it is large, since an engine looks through its whole heap each time", async () => {
  const { Instance } = WebAssembly;
  const memories = [];
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args);
      if (this.exports.memory) memories.push(this.exports.memory);
    }
  };
  const { ToolSearch } = await import("tool-search");
  const search = new ToolSearch();
  WebAssembly.Instance = Instance;
  const [memory] = memories;
  const inputSchema = { type: "object", properties: {} };
  const sizes = new Set();
  for (let server = 0; memory.buffer.byteLength < 128 << 20; server++) {
    const tools = Array.from({ length: 100 }, (_, i) => ({ name: `tool_${i}`, description: `Of ${server}. ${"more ".repeat(800)}`, inputSchema }));
    search.add(tools, { server: `server-${server}` });
    if (memory.buffer.byteLength > 64 << 20) sizes.add(memory.buffer.byteLength);
  }
  search.free();
  // A quarter at a time, and what it took to see that it grew.
  expect(sizes.size).toBeLessThan(10);
});
