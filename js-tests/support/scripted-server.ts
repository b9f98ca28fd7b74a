// A model behind loopback HTTP that answers by a script and keeps what it was sent. How it is written down is each provider's own.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { wires, type WireName } from "./wires.js";

/** A call that the model makes. Input that is a string is sent as it is, JSON or not. */
export interface ScriptedCall {
  call: string;
  input?: unknown;
}

/** What the model says: text, or calls. */
export type Said = string | ScriptedCall[];

/** One answer after the other (and "done" behind them), or each answer by what was asked. */
export type Script = readonly (Said | ((body: Body) => Said))[] | ((body: Body) => Said);

/** A request's body, parsed. */
export type Body = Record<string, any>;

export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** The bodies of all requests. */
  bodies: Body[];
}

/** The body of a response to a request that is not streamed, or the events of one that is. */
export type Write = (said: Said, body: Body, id: string, streams: boolean) => object | { event?: string; data: object | string }[];

export async function scriptedServer(script: Script, write: Write): Promise<ScriptedServer> {
  const bodies: Body[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const body = JSON.parse(text) as Body;
    const step = typeof script === "function" ? script : (script[bodies.length] ?? "done");
    bodies.push(body);
    const said = typeof step === "function" ? step(body) : step;
    const streams = body["stream"] === true || String(request.url).includes("streamGenerateContent");
    const written = write(said, body, String(bodies.length), streams);
    response.setHeader("content-type", streams ? "text/event-stream" : "application/json");
    if (!Array.isArray(written)) return response.end(JSON.stringify(written));
    for (const { event, data } of written) {
      response.write(`${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, bodies, [Symbol.asyncDispose]: close };
}

/** How a provider of {@link wires} writes it down. */
export function writeAs(name: WireName): Write {
  const wire = wires[name];
  return (said, body, id, streams) => {
    const json = ({ input = {} }: ScriptedCall) => (typeof input === "string" ? input : JSON.stringify(input));
    const parts =
      typeof said === "string" ? [{ said }] : said.map((call, i) => ({ id: `call_${id}_${i}`, call: call.call, input: json(call) }));
    if (!streams) return wire.whole(parts, body);
    const events = wire.events(parts, body);
    return wire.named ? events.map((data) => ({ event: data["type"], data })) : [...events.map((data) => ({ data })), { data: "[DONE]" }];
  };
}
