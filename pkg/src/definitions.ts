import type { Engine } from "../wasm/core.js";
import { guard, ToolSearchError } from "./errors.js";
import type { Format, ToolDefinition } from "./types.js";

/** What stands for the search tool among the ids of definitions. @internal */
export const SEARCH_TOOL = 0xffffffff;

/** @internal */
export interface Info {
  name: string;
  rawName: string;
  server?: string;
  description?: string;
}

/** What JavaScript keeps of the definitions of one engine, by their ids: the callers' own objects, and what was made of texts. @internal */
export class Definitions {
  readonly #engine: () => Engine;
  readonly #objects = new Map<number, ToolDefinition>();
  /** By id: ids are small, and most queries ask for some. */
  readonly #infos: (Info | undefined)[] = [];
  readonly #composed = new Map<Format, Map<number, unknown>>();
  /** How often an id was dropped: it may stand for another definition since. */
  readonly #drops = new Map<number, number>();

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  /** Notes the object that a definition came as. */
  keep(id: number, tool: ToolDefinition): void {
    this.#objects.set(id, tool);
    // The same definition may be another object now, with other functions on it.
    this.#composed.get("mcp")?.delete(id);
  }

  /** Forgets what ids stood for. */
  drop(ids: readonly number[]): void {
    for (const id of ids) {
      this.#objects.delete(id);
      delete this.#infos[id];
      this.#drops.set(id, (this.#drops.get(id) ?? 0) + 1);
      for (const composed of this.#composed.values()) composed.delete(id);
    }
  }

  /** The definition as it was added: the very object, or one made of its text. */
  object(id: number): ToolDefinition {
    let object = this.#objects.get(id);
    if (!object) {
      object = read(guard(() => this.#engine().definition(id))) as ToolDefinition;
      this.#objects.set(id, object);
    }
    return object;
  }

  /** What there is to say of a tool. */
  info(id: number): Info {
    return (this.#infos[id] ??= JSON.parse(guard(() => this.#engine().info(id)) ?? "{}") as Info);
  }

  /** A tool as a request carries it: the caller's own object as "mcp", in other formats a copy that is the caller's to change. */
  tool(id: number, format: Format): unknown {
    let composed = this.#composed.get(format);
    if (!composed) this.#composed.set(format, (composed = new Map()));
    let tool = composed.get(id);
    if (!tool) {
      if (format === "mcp" && id !== SEARCH_TOOL) tool = this.#named(id);
      else tool = read(guard(() => this.#engine().compose(id, format)));
      composed.set(id, tool);
    }
    return format === "mcp" ? tool : { ...(tool as object) };
  }

  /**
   * The caller's object under its callable name; of one that says itself how it is written, what it has written. One that cannot be
   * read any more shall not keep the others from being sent.
   */
  #named(id: number): ToolDefinition {
    const object = this.object(id);
    const { name } = this.info(id);
    try {
      if (object.name === name) return object;
      if (!("toJSON" in object)) return { ...object, name };
    } catch {
      // As after toJSON.
    }
    return read(guard(() => this.#engine().compose(id, "mcp"))) as ToolDefinition;
  }

  /** A number for the definition that an id stands for now. Ids are given again, these are not. */
  life(id: number): number {
    return id + (this.#drops.get(id) ?? 0) * 2 ** 32;
  }

  clear(): void {
    this.#infos.length = 0;
    this.#objects.clear();
    this.#composed.clear();
  }
}

/** What was added is JSON; what a snapshot brought may only look like it, if somebody made it so. */
function read(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "{}");
  } catch {
    throw new ToolSearchError("invalid_snapshot", "A definition is no JSON: the snapshot it came from was not made by `snapshot()`.");
  }
}
