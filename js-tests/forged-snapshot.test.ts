// Rule H3 in the module, whose numbers have 32 bits where those of the tests of the core have 64.
import { expect, it } from "vitest";
import { ToolSearch } from "tool-search";

const HEAD = 52;

it("reads no index whose segments have more tools than there are, though their sum goes round to the right number", () => {
  const engine = new ToolSearch();
  engine.add([{ name: "create_issue", description: "Creates an issue" }, { name: "list_issues" }], { server: "tracker" });
  engine.search("issue");
  const bytes = engine.snapshot();
  // Behind the words in each name there is how many segments there are, and then the one.
  const words = numbers([2, 2]);
  const at = Buffer.from(bytes).lastIndexOf(concat(words, numbers([1], [2]))) + words.length;
  const empty = (tools: number) => numbers([tools], [], [], [], [], []);
  const forged = sealed(concat(bytes.slice(0, at), numbers([3]), empty(2 ** 31), empty(2 ** 31), bytes.slice(at + 8)));
  expect(sealed(bytes)).toEqual(bytes);

  const scores = (search: ToolSearch) => search.search("create issue").matches.map(({ score }) => score);
  expect(scores(ToolSearch.restore(forged))).toEqual(scores(engine));
});

/** Lists of numbers as a snapshot has them: how many, then each, in four bytes. */
function numbers(...lists: number[][]): Uint8Array {
  return new Uint8Array(Uint32Array.from(lists.flatMap((list) => [list.length, ...list])).buffer);
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** The same with the checksum that belongs to it, as src/snapshot.rs makes it. */
function sealed(bytes: Uint8Array): Uint8Array {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD));
  const end = HEAD + Number.parseInt(head.slice(43, 51), 16);
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
