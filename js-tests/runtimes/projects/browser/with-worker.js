const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
  globalThis.outcome = data;
};
worker.onerror = ({ message }) => {
  globalThis.outcome = message;
};
