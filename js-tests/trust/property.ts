// Properties over generated input, the same in every run. `SEED=n` tries others.
import fc from "fast-check";
import { vi } from "vitest";

// A machine that is busy takes its time.
vi.setConfig({ testTimeout: 120_000 });

const seed = Number(process.env["SEED"] ?? 1);

/** Holds a property to so many inputs; ten times as many with a seed of one's own. */
export function holds<T>(runs: number, input: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(input, property as (value: T) => void), { seed, numRuns: process.env["SEED"] ? runs * 10 : runs });
}
