import { createServer } from "node:http";
import { listen } from "./tools.mjs";

/**
 * Serves a scripted model behind OpenAI's chat completions, and tools that answer at once. `steps` are what the model does, request by request: a
 * tool call `[name, input]`, or a text. Resolves to the addresses, and to what was asked for so far.
 */
export async function serveModel(steps) {
  const requests = [];
  const calls = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const input = JSON.parse(body);
    if (request.url.startsWith("/tools/")) {
      calls.push([request.url.slice("/tools/".length), input]);
      response.end("done");
      return;
    }
    const step = steps[requests.push(input) - 1] ?? "There is nothing more to say.";
    const id = String(requests.length);
    const message = { role: "assistant", ...(typeof step === "string" ? { content: step } : callOf(id, step)) };
    const reason = message.tool_calls ? "tool_calls" : "stop";
    const common = { id, created: 0, model: input.model };
    if (input.stream) {
      const object = "chat.completion.chunk";
      const chunk = (delta, finish_reason) => JSON.stringify({ ...common, object, choices: [{ index: 0, delta, finish_reason }] });
      response.setHeader("content-type", "text/event-stream");
      response.end([chunk(message, null), chunk({}, reason), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""));
    } else {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...common, object: "chat.completion", choices: [{ index: 0, message, finish_reason: reason }] }));
    }
  });
  const url = await listen(server);
  return { modelUrl: `${url}/v1`, toolsUrl: `${url}/tools`, requests, calls };
}

const callOf = (id, [name, input]) => ({
  content: null,
  tool_calls: [{ index: 0, id: `call-${id}`, type: "function", function: { name, arguments: JSON.stringify(input) } }],
});

/** The names of the tools in a request. */
export const toolNames = ({ tools }) => tools.map((tool) => tool.function.name);
