// A model's provider on loopback: answers by a script over HTTP, streaming or not, and keeps every request as it came over the wire.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { wires, type Wire, type WireName } from "./wires.js";

/** One answer of the model: text, or calls of tools. Input that is a string is sent as it is, JSON or not. */
export type Answer = string | { call: string; input?: unknown }[];
/** The answers request by request; after the last, "done". */
export type Script = (Answer | ((request: WireRequest) => Answer | Promise<Answer>))[];

/** A request, with what all wires have in common taken out of it. */
export interface WireRequest {
  /** The bytes of the body. */
  text: string;
  body: Record<string, any>;
  system: string;
  /** Each tool of the array as JSON, a namespace as one. */
  tools: string[];
  /** What the tools are called; a tool without a name by its type. */
  names: string[];
  /** The results that the last turn brought, in order. A search by references or definitions is told as JSON. */
  results: { name: string; text: string }[];
}

export interface ProviderServer {
  /** For the SDKs' `baseURL`. */
  url: string;
  requests: WireRequest[];
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 until it is closed, or until nothing else keeps the process alive. */
export async function providerServer(wireName: WireName, script: Script): Promise<ProviderServer> {
  const wire = wires[wireName];
  const requests: WireRequest[] = [];
  let calls = 0;
  const nextId = () => `call_${++calls}`;
  const server = createServer((request, response) => {
    answer(wire, script, requests, nextId, request, response).catch((error: unknown) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { type: "invalid_request_error", message: String(error) } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${wire.base}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  wire: Wire,
  script: Script,
  requests: WireRequest[],
  nextId: () => string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body = JSON.parse(text) as Record<string, any>;
  const read: WireRequest = { text, body, ...wire.read(body) };
  const next = script[requests.push(read) - 1] ?? "done";
  const said = typeof next === "function" ? await next(read) : next;
  const parts =
    typeof said === "string"
      ? [{ said }]
      : said.map(({ call, input = {} }) => ({ id: nextId(), call, input: typeof input === "string" ? input : JSON.stringify(input) }));
  if (!body["stream"]) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(wire.whole(parts, body)));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  for (const event of wire.events(parts, body)) {
    if (wire.named) response.write(`event: ${event["type"]}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(wire.named ? "" : "data: [DONE]\n\n");
}

/** Where a request's tools do not begin with those of the one before, or its system prompt is another. Empty: the prefix holds. */
export function brokenPrefixes(requests: readonly Pick<WireRequest, "system" | "tools" | "names">[]): string[] {
  return requests.slice(1).flatMap(({ system, tools, names }, i) => {
    const before = requests[i] as WireRequest;
    const broken = before.tools.findIndex((tool, at) => tool !== tools[at]);
    return [
      ...(system === before.system ? [] : [`request ${i + 2}: another system prompt`]),
      ...(broken < 0 ? [] : [`request ${i + 2}: tool ${broken} is ${names[broken]}`]),
    ];
  });
}
