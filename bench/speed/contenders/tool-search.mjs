import { ToolSearch } from "tool-search";

/** As the README has it: the public API, everything by default. The index is built by the first search. */
export function build(catalog) {
  return indexed(added(catalog));
}

/** What there is before the first search by words. */
export function added({ servers }) {
  const engine = new ToolSearch();
  for (const [server, tools] of servers) engine.add(tools, { server });
  return engine;
}

/** The same from bytes as they come off the wire, a `tools/list` result a server. */
export function buildFromJson(wire) {
  const engine = new ToolSearch();
  for (const [server, bytes] of wire) engine.addJson(bytes, { server });
  return indexed(engine);
}

function indexed(engine) {
  engine.search("anything");
  return { search: (query) => engine.search(query).matches, free: () => engine.free() };
}
