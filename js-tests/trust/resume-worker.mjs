// A thread that knows nothing but what was saved: goes on with every conversation, and says what it did.
import { parentPort, workerData } from "node:worker_threads";
import { WAYS } from "./conversation.mjs";

const { at, memories } = workerData;
const outputs = {};
for (const [way, memory] of Object.entries(memories)) {
  try {
    outputs[way] = (await WAYS[way]({ at, memory })).outputs;
  } catch (error) {
    outputs[way] = [String(error.stack)];
  }
}
parentPort.postMessage(outputs);
