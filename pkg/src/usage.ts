import { ToolSearchError } from "./errors.js";

/** How often one tool was used. */
export interface ToolUses {
  /** How often conversations loaded it, be it by a search, by a call or by `activate`. */
  loaded: number;
  /** How often it was called: how often `resolve` said "ready". */
  called: number;
}

/** How often tools were used: counts by callable name and nothing else, in the order of names. Plain JSON. */
export interface ToolUsage {
  version: 1;
  tools: Record<string, ToolUses>;
}

/**
 * Adds up what several processes counted, or one at several times. Tools that no catalog has are kept.
 *
 * @throws ToolSearchError `invalid_option` for what is no usage
 */
export function mergeUsage(...usages: ToolUsage[]): ToolUsage {
  const sum = new UsageCounter();
  for (const usage of usages) for (const [name, uses] of readUsage(usage)) sum.add(name, uses);
  return sum.usage();
}

/** What was read from JSON, as pairs. @internal */
export function readUsage(usage: unknown): [name: string, uses: ToolUses][] {
  const bad = (what: string) => new ToolSearchError("invalid_option", `A usage is what \`usage()\` gave, { version: 1, tools: {…} }; ${what}.`);
  if (!isObject(usage) || usage["version"] !== 1) throw bad("this one is not of version 1");
  const { tools } = usage;
  if (!isObject(tools)) throw bad("this one has no `tools`");
  return Object.entries(tools).map(([name, uses]) => {
    const { loaded, called } = isObject(uses) ? uses : {};
    if (!isCount(loaded) || !isCount(called)) throw bad(`the counts of ${JSON.stringify(name.slice(0, 128))} are not whole numbers`);
    return [name, { loaded, called }];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Counts uses by callable name. @internal */
export class UsageCounter {
  readonly #uses = new Map<string, ToolUses>();

  add(name: string, { loaded = 0, called = 0 }: Partial<ToolUses>): void {
    const uses = this.#uses.get(name) ?? { loaded: 0, called: 0 };
    // Sums of counts stay counts.
    uses.loaded = Math.min(uses.loaded + loaded, Number.MAX_SAFE_INTEGER);
    uses.called = Math.min(uses.called + called, Number.MAX_SAFE_INTEGER);
    this.#uses.set(name, uses);
  }

  usage(): ToolUsage {
    const names = [...this.#uses.keys()].sort();
    return { version: 1, tools: Object.fromEntries(names.map((name) => [name, { ...(this.#uses.get(name) as ToolUses) }])) };
  }
}
