import { expose } from "comlink";
import { initSync } from "tool-search/slim";
import wasm from "tool-search/core.wasm?url";
import { Playground } from "./api.ts";

// The module as a file of its own: inside the script, as text, it would be a third larger.
try {
  const response = await fetch(wasm);
  initSync(await response.arrayBuffer());
  expose(new Playground());
  postMessage("started");
} catch (error) {
  postMessage(`failed: ${error instanceof Error ? error.message : String(error)}`);
}
