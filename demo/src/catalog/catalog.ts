// The catalog behind the page: its sources, and an engine over those that are switched on.
import { ToolSearch, ToolSearchError, type ToolSearchOptions } from "tool-search/slim";
import { gateway } from "./gateway.ts";
import { readOwn } from "./own.ts";
import type { CatalogView, Choice, OwnReport, OwnText, ServersFile, ServerTools, SourceRow } from "./types.ts";

export class Catalog {
  #servers: ServerTools[] = [];
  #failed: ServersFile["failed"] = [];
  #own: ServerTools[] = [];
  #gateways = new Map<number, ServerTools>();
  #tokens = new WeakMap<ServerTools, number>();
  #engine = new ToolSearch();
  #snapshot: Uint8Array | undefined;

  /** Takes the servers of this build. */
  setServers({ servers, failed }: ServersFile): void {
    this.#servers = servers;
    this.#failed = failed;
  }

  setOwn(texts: readonly OwnText[]): OwnReport {
    const { servers, report } = readOwn(texts);
    this.#own = servers;
    return report;
  }

  /** Makes the catalog anew from what is switched on. */
  choose(choice: Choice): CatalogView {
    this.#engine.free();
    this.#engine = new ToolSearch();
    this.#snapshot = undefined;
    const faults: string[] = [];
    const sources = this.#chosen(choice);
    const on = sources.filter(({ server, row }) => row.on && this.#add(server, faults));
    return {
      sources: sources.map(({ row }) => row),
      failed: this.#failed,
      size: this.#engine.size,
      servers: on.length,
      faults,
    };
  }

  /** The engine with the package's defaults. */
  get engine(): ToolSearch {
    return this.#engine;
  }

  /** Another over the same catalog, with other options; the caller's to free. */
  with(options: ToolSearchOptions): ToolSearch {
    this.#snapshot ??= this.#engine.snapshot();
    return ToolSearch.restore(this.#snapshot, options);
  }

  #chosen({ off, gateway: size }: Choice): { server: ServerTools; row: SourceRow }[] {
    const of = (kind: SourceRow["kind"]) => (server: ServerTools) => {
      const { name, tools } = server;
      const id = `${kind}:${name}`;
      return { server, row: { id, name, kind, tools: tools.length, tokens: this.#tokensOf(server), on: !off.includes(id) } };
    };
    const big = size > 0 ? [this.#gateway(size)] : [];
    return [...this.#servers.map(of("server")), ...big.map(of("gateway")), ...this.#own.map(of("own"))];
  }

  #gateway(size: number): ServerTools {
    let made = this.#gateways.get(size);
    if (!made) this.#gateways.set(size, (made = { name: "gateway", tools: gateway(size) }));
    return made;
  }

  /** Its own tools never replace a server of that name: the second one is called otherwise. */
  #add({ name, tools, instructions }: ServerTools, faults: string[]): boolean {
    try {
      const taken = this.#engine.names().some((callable) => callable.startsWith(`mcp__${name}__`));
      this.#engine.add(tools, { server: taken ? `${name}-own` : name, instructions });
      return true;
    } catch (error) {
      if (!(error instanceof ToolSearchError)) throw error;
      faults.push(`${name}: ${error.message}`);
      return false;
    }
  }

  /** Of the definitions in full, under their callable names. */
  #tokensOf(server: ServerTools): number {
    let tokens = this.#tokens.get(server);
    if (tokens === undefined) {
      const engine = new ToolSearch();
      engine.add(server.tools, { server: server.name });
      tokens = engine.plan().tokens.full;
      engine.free();
      this.#tokens.set(server, tokens);
    }
    return tokens;
  }
}
