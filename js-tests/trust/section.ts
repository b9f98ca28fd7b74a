// What a prompt and a reply say, read by someone who knows nothing but the words of the core (rules E1 to E3).

/** A name as it is shown: one word, or a JSON string. */
export const IS_NAME = /^(?:"[^"]*"|[^\s",]+)$/;

export function readName(shown: string): string {
  if (!IS_NAME.test(shown)) throw new Error(`no name: ${JSON.stringify(shown)}`);
  return shown.startsWith('"') ? (JSON.parse(shown) as string) : shown;
}

export const readNames = (list: string): string[] => list.split(", ").map(readName);

export interface Section {
  builtin: Group;
  servers: (Group & { heading: string; instructions?: string })[];
}

interface Group {
  names: string[];
  /** How many tools are not named. */
  more: number;
}

/** Reads a deferred section; throws at the first line that is none of those that it may have. */
export function readSection(section: string, searchTool = "toolSearch"): Section {
  const lines = section.split("\n");
  const head = [
    "## Deferred Tools",
    "",
    `The tools named here exist, but their parameters are not loaded. Before you call one, call ${searchTool}:`,
    '- {"query": "select:NAME,NAME"} loads tools by name.',
    '- {"query": "what you need"} finds and loads tools by what they do; +word must match.',
    "A loaded tool can be called from your next step on. Do not search for it again.",
  ];
  if (lines.splice(0, head.length).join("\n") !== head.join("\n")) throw new Error("another head");
  if (lines.pop() !== "") throw new Error("no end of line at the end");
  const builtin: Group = { names: [], more: 0 };
  const servers: Section["servers"] = [];
  let group: Group = builtin;
  let prefix = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const heading = /^### Server: (.+)$/.exec(line)?.[1];
    if (line === "") {
      // A part begins behind each empty line.
      const next = lines[at + 1] ?? "";
      if (!(at === 0 || next.startsWith("### Server: ") || /^\d+ more tools of \d+ more servers/.test(next))) throw new Error("an empty line");
    } else if (lines[at - 1] === "" && heading !== undefined) {
      group = { names: [], more: 0, heading } as Section["servers"][number];
      servers.push(group as Section["servers"][number]);
      prefix = "";
      const said = /^Instructions of this server: (.+)$/.exec(lines[at + 1] ?? "")?.[1];
      if (said !== undefined) (group as Section["servers"][number]).instructions = said, at++; // prettier-ignore
      const start = /^Every name begins with (\S+)$/.exec(lines[at + 1] ?? "")?.[1];
      if (start !== undefined) (prefix = start), at++; // prettier-ignore
    } else {
      const more = /^(?:… and (\d+) more; search them by what they do\.|(\d+) tools?, not listed; words to search them by: .*|(\d+) more tools of \d+ more servers are not listed; search them by what they do\.)$/.exec(line);
      if (more) group.more += Number(more[1] ?? more[2] ?? more[3]);
      else group.names.push(prefix + readName(line));
    }
  }
  return { builtin, servers };
}

/** What may stand in no text that a model is sent, but for the line breaks of the core: control and invisible characters, and what draws in another order. */
export const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{DI}\p{Bidi_C}]/u;
