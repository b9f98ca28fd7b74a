// @ts-check
// Text for people. Names, descriptions and error messages come from servers, and must not move a terminal's cursor.
import Table from "cli-table3";
import picocolors from "picocolors";

const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/**
 * One line without control characters.
 * @param {string} text
 */
export function plain(text) {
  return text.replace(UNSAFE, " ").replace(/ {2,}/g, " ").trim();
}

/**
 * One line of at most so many characters.
 * @param {string} text
 * @param {number} width
 */
export function cut(text, width) {
  const characters = [...plain(text)];
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}

/** @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/**
 * `3 tools`, `1 tool`.
 * @param {number} number
 * @param {string} noun
 * @param {string} [plural]
 */
export function counted(number, noun, plural = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/**
 * Colours where they are shown and wanted (https://no-color.org), elsewhere functions that change nothing. picocolors' own guess would
 * colour what goes into a file where `CI` is set.
 * @param {NodeJS.WriteStream} stream
 */
export function palette(stream) {
  return picocolors.createColors(Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb");
}

const BARE = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "", bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " },
};

/**
 * A table without lines: texts stand to the left, numbers to the right.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @param {ReturnType<typeof palette>} colours
 */
export function table(head, rows, colours) {
  /** @type {("left" | "right")[]} */
  const colAligns = head.map((_, column) => (typeof rows[0]?.[column] === "number" ? "right" : "left"));
  const style = { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true };
  const made = new Table({ head: head.map((text) => colours.bold(text)), colAligns, chars: BARE, style });
  for (const row of rows) made.push(row.map((cell) => (typeof cell === "number" ? grouped(cell) : plainKeepingColours(cell))));
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/**
 * Cells may have been coloured here; what came from outside was made plain before that.
 * @param {string} cell
 */
function plainKeepingColours(cell) {
  return cell.includes("\u001b[") ? cell : plain(cell);
}

/**
 * Lines of at most 100 characters.
 * @param {string} text
 * @param {string} [indent] Of every line.
 */
export function wrap(text, indent = "") {
  const lines = [indent];
  for (const word of plain(text).split(" ")) {
    const last = /** @type {string} */ (lines.at(-1));
    if (last !== indent && last.length + word.length + 1 > 100) lines.push(indent + word);
    else lines[lines.length - 1] = last === indent ? indent + word : `${last} ${word}`;
  }
  return lines.join("\n");
}
