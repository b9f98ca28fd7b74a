// A catalog of any size, the same on every machine: names, descriptions and parameters in the proportions of real servers.

const VERBS = ["get", "list", "create", "update", "delete", "search", "send", "run", "export", "validate"];
const ADJECTIVES = ["", "", "", "active", "archived", "default", "pending", "shared", "failed", "recurring"];
const SYLLABLES = ["ba", "co", "di", "fe", "ga", "hu", "ka", "li", "mo", "nu", "pe", "ra", "si", "to", "va", "we", "xi", "zo"];
const THINGS = [
  "issue", "file", "message", "channel", "branch", "order", "invoice", "customer", "ticket", "report", "page", "record", "table",
  "domain", "server", "backup", "user", "group", "policy", "event", "calendar", "contact", "product", "payment", "subscription",
  "webhook", "token", "key", "secret", "deployment", "container", "cluster", "volume", "snapshot", "alert", "metric", "dashboard",
];
const PARAMETERS = ["id", "name", "limit", "cursor", "query", "status", "created_after", "owner", "label", "format", "dry_run", "timeout"];

/** Marsaglia's xorshift, 32 bits. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** @returns {{ servers: Map<string, object[]>, queries: string[] }} `count` tools, 25 a server, and 200 queries of two to four words. */
export function generate(count) {
  const random = numbers(20_04);
  const pick = (list) => list[random(list.length)];
  const invent = () => Array.from({ length: 2 + random(3) }, () => pick(SYLLABLES)).join("");
  // A larger catalog knows more things.
  const things = [...THINGS, ...Array.from({ length: Math.ceil(count / 12) }, invent)];
  const servers = new Map();
  const queries = [];
  for (let at = 0; at < count; at++) {
    const server = `${THINGS[Math.floor(at / 25) % THINGS.length]}-hub-${Math.floor(at / 25)}`;
    const [verb, adjective, thing, other] = [pick(VERBS), pick(ADJECTIVES), pick(things), pick(things)];
    const properties = {};
    for (let n = 1 + random(8); n > 0; n--) {
      properties[pick(PARAMETERS)] = { type: "string", description: `The ${pick(PARAMETERS).replace("_", " ")} of the ${pick(things)}.` };
    }
    const words = [verb, adjective, thing].filter(Boolean);
    const description = `Use this to ${words.join(" ")} entries of a ${other}. Returns the ${pick(things)} with its ${pick(things)}, ${
      random(2) ? "page by page" : "all at once"
    }; fails when the ${thing} is not there or the ${other} is locked.`;
    if (!servers.has(server)) servers.set(server, []);
    servers.get(server).push({ name: `${words.join("_")}_${at}`, description, inputSchema: { type: "object", properties } });
    if (queries.length < 200 && at % Math.max(1, Math.floor(count / 200)) === 0) {
      queries.push([...words, ...(random(2) ? [other] : [])].join(" "));
    }
  }
  return { servers, queries };
}
