// Rule H3 in the module, whose numbers have 32 bits where those of the tests of the core have 64.
import { expect, it } from "vitest";
import { ToolSearch } from "tool-search";

const HEAD = 52;
/** What goes round when it is added to, multiplied or taken for a length, and what is just another number. */
const NUMBERS = [0, 1, 0x3fff_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

it("reads no index whose segments have more tools than there are, though their sum goes round to the right number", () => {
  const engine = indexed();
  const bytes = engine.snapshot();
  // Behind the words in each name there is how many segments there are, and then the one.
  const words = lists([2, 2]);
  const at = Buffer.from(bytes).lastIndexOf(concat(words, lists([1], [2]))) + words.length;
  const empty = (tools: number) => lists([tools], [], [], [], [], []);
  const forged = sealed(concat(bytes.slice(0, at), lists([3]), empty(2 ** 31), empty(2 ** 31), bytes.slice(at + 8)));
  expect(sealed(bytes)).toEqual(bytes);

  const scores = (search: ToolSearch) => search.search("create issue").matches.map(({ score }) => score);
  expect(scores(ToolSearch.restore(forged))).toEqual(scores(engine));
});

it("survives any number anywhere behind the definitions", { timeout: 60_000 }, () => {
  const genuine = indexed().snapshot();
  // Every third byte with the next number: each list meets all of them at each of its bytes sooner or later.
  for (let at = definitionsEnd(genuine), turn = 0; at + 4 <= genuine.length; at += 3, turn++) {
    const forged = Uint8Array.from(genuine);
    const number = NUMBERS[turn % NUMBERS.length]!;
    new DataView(forged.buffer).setUint32(at, number, true);
    try {
      use(ToolSearch.restore(sealed(forged)));
    } catch (error) {
      expect(error, `${number} at ${at}`).toMatchObject({ code: "invalid_snapshot" });
    }
  }
});

function indexed(): ToolSearch {
  const engine = new ToolSearch();
  engine.add([{ name: "create_issue", description: "Creates an issue" }, { name: "list_issues" }], { server: "tracker" });
  engine.search("issue");
  return engine;
}

/** Everything that reads the catalog and its index, changes both, and writes them. */
function use(engine: ToolSearch): void {
  const queries = ["create issues", "issu", "+issue list", "server:tracker", "tracker.list_issues"];
  const ask = () => queries.forEach((query) => engine.search(query, { explain: true }));
  ask();
  engine.session().prompt();
  engine.session({ defer: "never" }).tools();
  engine.add([{ name: "add_comment", description: "Comments on an issue" }], { server: "comments" });
  ask();
  engine.removeServer("tracker");
  ask();
  ToolSearch.restore(engine.snapshot()).free();
  engine.free();
}

/** Lists of numbers as a snapshot has them: how many, then each, in four bytes. */
function lists(...all: number[][]): Uint8Array {
  return new Uint8Array(Uint32Array.from(all.flatMap((list) => [list.length, ...list])).buffer);
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, HEAD));
}

function definitionsEnd(bytes: Uint8Array): number {
  return HEAD + Number.parseInt(headOf(bytes).slice(43, 51), 16);
}

/** The same with the checksum that belongs to it, as src/snapshot.rs makes it. */
function sealed(bytes: Uint8Array): Uint8Array {
  const [head, end] = [headOf(bytes), definitionsEnd(bytes)];
  const sum = step(sumOf(bytes.subarray(HEAD, end)), sumOf(bytes.subarray(end)));
  const line = `${head.slice(0, 26)}${sum.toString(16).padStart(16, "0")}${head.slice(42)}`;
  return concat(new TextEncoder().encode(line), bytes.subarray(HEAD));
}

function sumOf(bytes: Uint8Array): bigint {
  const lanes = Array<bigint>(8).fill(1n);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < whole; at += 8) lanes[(at / 8) % 8] = step(lanes[(at / 8) % 8]!, view.getBigUint64(at, true));
  const rest = bytes.subarray(whole).reduce((sum, byte) => step(sum, BigInt(byte)), BigInt(bytes.length));
  return lanes.reduce(step, rest);
}

function step(sum: bigint, word: bigint): bigint {
  const product = BigInt.asUintN(64, (sum ^ word) * 0x9e3779b97f4a7c15n);
  return BigInt.asUintN(64, product << 29n) | (product >> 35n);
}
