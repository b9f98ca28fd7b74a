import { performance } from "node:perf_hooks";

/** Something the reader of the message can mend: shown without a stack. */
export class SetupError extends Error {
  name = "SetupError";
}

/**
 * Makes a function that runs one named piece of work and prints a line when it begins and when it ends. `begin: false` leaves out
 * the first, for work that is done one after the other; `quiet` leaves out both. To stderr, always: stdout belongs to the program
 * that is started afterwards.
 */
export function reporter({ quiet = false, begin = true } = {}) {
  const print = (line) => quiet || process.stderr.write(`${line}\n`);
  const step = async (title, work) => {
    const began = performance.now();
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
    if (begin) print(`  … ${title}`);
    try {
      const result = await work();
      print(`  ✓ ${title}  ${seconds()}`);
      return result;
    } catch (error) {
      error.step ??= `${title}, after ${seconds()}`;
      throw error;
    }
  };
  return Object.assign(step, { print });
}

/** Says what failed on stderr, with the whole output of the command if one did. */
export function explain(error) {
  if (error.step) console.error(`  ✗ ${error.step}`);
  if (error.output !== undefined) console.error(`\n${error.output.trimEnd()}\n\n${error.message}`);
  else console.error(error instanceof SetupError ? error.message : (error.stack ?? String(error)));
}
