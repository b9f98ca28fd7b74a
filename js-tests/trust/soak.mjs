// A long life of one engine: sessions begun and freed, searches, servers replaced by others. Memory must return to where it was.
//   npm run soak              10,000 sessions, 1,000,000 searches, 10,000 replacements; prints the curve
//   npm run soak -- 10        a tenth of it
import { ToolSearch } from "tool-search";

const STEPS = 20;
const WORDS = "create list delete update find send read write issue message file branch release note user team table page".split(" ");
const word = (n) => WORDS[((n % WORDS.length) + WORDS.length) % WORDS.length];

/** Twenty tools of a server; other ones in each round, with words that were never there. */
const tools = (server, round) =>
  Array.from({ length: 20 }, (_, n) => ({
    name: `${word(n + server)}_${word(n + server + 1)}_${(round + n) % 50}`,
    description: `${word(n)} the ${word(n + 5)} of a ${word(server)}, number ${round}`,
    inputSchema: { type: "object", properties: { [word(n)]: { type: "string", description: `${word(n + 2)} x${round}` } } },
  }));

/** Bytes of JavaScript's own objects, and of the modules' memories and other buffers, after everything that can be let go was. */
function memory() {
  globalThis.gc();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external + arrayBuffers };
}

/** Lives so long, and gives the memory after each of twenty equal steps. */
async function soak({ sessions, searches, replacements }) {
  const search = new ToolSearch({ defer: "always" });
  for (let server = 0; server < 25; server++) search.add(tools(server, 0), { server: `server-${server}` });
  const queries = Array.from({ length: 100 }, (_, n) => [`${word(n)} ${word(n + 3)}`, `${word(n)} a ${word(n * 5)} nobodys`, `select:${word(n)}_${word(n + 1)}_0`, `server-${n % 25}`][n % 4]);
  const curve = [];
  const counts = { sessions: 0, searches: 0, replacements: 0 };
  const each = { sessions: sessions / STEPS, searches: searches / STEPS, replacements: replacements / STEPS };
  for (let step = 0; step < STEPS; step++) {
    for (let n = 0; n < each.searches; n++) search.search(queries[n % queries.length]);
    for (let n = 0; n < each.replacements; n++) search.add(tools(n % 25, step * each.replacements + n), { server: `server-${n % 25}` });
    for (let n = 0; n < each.sessions; n++) {
      const session = search.session();
      session.handle({ query: queries[n % queries.length] });
      session.tools("anthropic");
      session.announce();
      // Every other one is left to the garbage.
      if (n % 2 === 0) session.free();
    }
    for (const what of Object.keys(counts)) counts[what] += each[what];
    // Finalisers run between tasks.
    for (let n = 0; n < 3; n++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    curve.push({ ...counts, ...memory() });
  }
  return curve;
}

/** How far memory may be above where it was after a fifth of the life. Its index is made anew now and then, and its parts vary in size. */
const SLACK = { heap: 1 << 20, outside: 1 << 20 };

/** What grew, in words; empty when nothing did. */
function grown(curve) {
  const [before, after] = [curve[STEPS / 5 - 1], curve[STEPS - 1]];
  return Object.keys(SLACK).filter((what) => after[what] > before[what] + SLACK[what]);
}

function print(curve) {
  const number = (value, width) => Math.round(value).toLocaleString("en").padStart(width);
  console.log(" sessions   searches replaced   heap KB  outside KB");
  for (const { sessions, searches, replacements, heap, outside } of curve) {
    console.log(`${number(sessions, 9)} ${number(searches, 10)} ${number(replacements, 8)} ${number(heap / 1024, 9)} ${number(outside / 1024, 11)}`);
  }
}

const part = 1 / Number(process.argv[2] ?? 1);
const curve = await soak({ sessions: 10_000 * part, searches: 1_000_000 * part, replacements: 10_000 * part });
print(curve);
for (const what of grown(curve)) {
  console.error(`Memory grew: ${what}.`);
  process.exitCode = 1;
}
