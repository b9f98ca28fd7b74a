// A chat endpoint: POST { messages } and get { messages } to append. What a conversation has loaded is in a cookie of some hundred
// bytes, and the catalog is in the bundle: any isolate anywhere serves the next turn.
import { ToolSearch } from "tool-search";
import catalog from "./catalog.bin";

const search = ToolSearch.restore(new Uint8Array(catalog), { defer: "always" });

export default {
  async fetch(request, env) {
    const { messages } = await request.json();
    const session = sessionOf(request);
    const added = await turn(session, messages, env);
    const headers = { "set-cookie": cookieOf(session.state()) };
    session.free();
    return Response.json({ messages: added }, { headers });
  },
};

/** Asks the model until it calls no more tools. Gives the messages of the turn, the model's and the tools'. */
async function turn(session, messages, env) {
  const system = { role: "system", content: `You help the customers of a shop.\n\n${session.prompt()}` };
  const added = [];
  for (;;) {
    const message = await complete([system, ...messages, ...added], session.tools("openai-chat"), env);
    added.push(message);
    if (!message.tool_calls?.length) return added;
    for (const { id, function: call } of message.tool_calls) {
      added.push({ role: "tool", tool_call_id: id, content: await answer(session, call.name, call.arguments, env) });
    }
  }
}

async function complete(messages, tools, env) {
  const response = await fetch(`${env.MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${env.MODEL_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: env.MODEL, messages, tools }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).choices[0].message;
}

async function answer(session, name, json, env) {
  if (name === session.searchToolName) return session.handle(json).text;
  const call = session.resolve(name);
  if (call.status !== "ready") return call.text;
  const response = await fetch(`${env.TOOLS_URL}/${call.server}/${call.rawName}`, { method: "POST", body: json });
  return response.text();
}

function cookieOf(state) {
  return `tools=${encodeURIComponent(JSON.stringify(state))}; Path=/; HttpOnly; Secure; SameSite=Strict`;
}

/** Goes on with the cookie's conversation. The client can write there what it wants: at worst it loads tools that it may see anyway. */
function sessionOf(request) {
  const cookie = request.headers.get("cookie")?.match(/(?:^|; )tools=([^;]*)/)?.[1];
  try {
    return search.session({ state: JSON.parse(decodeURIComponent(cookie)) });
  } catch {
    return search.session(); // there is none, or what it says is no state
  }
}
