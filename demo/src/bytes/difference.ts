import { diffLines } from "diff";
import type { Sent } from "../conversation/requests.ts";

/** Lines that two requests have in common, or that only one of them has. */
export interface Run {
  kind: "same" | "added" | "removed";
  lines: string[];
  /** Lines of `same` that are left out in the middle. */
  hidden: number;
}

const CONTEXT = 3;

/** What changed from one request to the next, as runs of lines. Pieces at both ends that are the same are compared by key alone. */
export function difference(before: readonly Sent[], now: readonly Sent[]): Run[] {
  let head = 0;
  while (head < before.length && head < now.length && before[head]?.key === now[head]?.key) head++;
  let tail = 0;
  while (tail < Math.min(before.length, now.length) - head && before.at(-1 - tail)?.key === now.at(-1 - tail)?.key) tail++;
  const middle = (sent: readonly Sent[]) => textOf(sent.slice(head, sent.length - tail));
  const runs = diffLines(middle(before), middle(now)).map(({ added, removed, value }): Run => {
    const lines = value.replace(/\n$/, "").split("\n");
    return added ? { kind: "added", lines, hidden: 0 } : removed ? { kind: "removed", lines, hidden: 0 } : folded(lines);
  });
  return [...unchanged(now.slice(0, head)), ...runs, ...unchanged(now.slice(now.length - tail))];
}

function unchanged(sent: readonly Sent[]): Run[] {
  // The definitions of everything are not written out only to be left out.
  const labels = sent.map(({ label, tokens }) => `${label} (${tokens.toLocaleString("en")} tokens)`);
  return labels.length > 0 ? [{ kind: "same", lines: labels, hidden: 0 }] : [];
}

function folded(lines: string[]): Run {
  const hidden = lines.length - 2 * CONTEXT;
  if (hidden <= 1) return { kind: "same", lines, hidden: 0 };
  return { kind: "same", lines: [...lines.slice(0, CONTEXT), ...lines.slice(-CONTEXT)], hidden };
}

function textOf(sent: readonly Sent[]): string {
  return sent.map(({ label, text }) => `# ${label}\n${text()}\n`).join("");
}
