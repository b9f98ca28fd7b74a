import { wrap } from "comlink";
import type { Playground } from "./api.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

/** Resolves when the package runs; nothing may be asked of it before. Rejects where it cannot. */
export const started = new Promise<void>((resolve, reject) => {
  worker.addEventListener("message", ({ data }) => (data === "started" ? resolve() : reject(new Error(String(data)))), { once: true });
  worker.addEventListener("error", ({ message }) => reject(new Error(message || "its script could not be loaded")), { once: true });
});

/** The package, in its own thread. */
export const playground = wrap<Playground>(worker);

/**
 * Runs one call at a time and, of those asked for meanwhile, only the last: a slider or a key held down never makes a queue.
 * `apply` gets each answer that is still wanted.
 */
export function newest<Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>, apply: (answer: Answer) => void) {
  let waiting: Args | undefined;
  let busy = false;
  return async (...args: Args): Promise<void> => {
    waiting = args;
    if (busy) return;
    busy = true;
    try {
      while (waiting) {
        const next: Args = waiting;
        waiting = undefined;
        const answer = await call(...next);
        if (!waiting) apply(answer);
      }
    } finally {
      busy = false;
    }
  };
}
