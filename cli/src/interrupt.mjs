// @ts-check
// What Ctrl-C does while servers run.

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
/** Milliseconds that the end of all servers may take; then they are killed. */
const PATIENCE = 5_000;

/** The exit status of a command that a signal ended. */
export const INTERRUPTED = 130;

/** Thrown when a signal ended the work. */
export class Interrupted extends Error {}

/**
 * Does work whose end must be waited for. The first signal aborts it, a second one ends the process at once, and its servers with it.
 * Before and after the work, signals do as always.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws Interrupted
 */
export async function interruptible(work) {
  const controller = new AbortController();
  const exit = () => process.exit(INTERRUPTED);
  const interrupt = () => {
    if (controller.signal.aborted) exit();
    controller.abort(new Interrupted());
    setTimeout(exit, PATIENCE).unref();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const result = await work(controller.signal);
    controller.signal.throwIfAborted();
    return result;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
