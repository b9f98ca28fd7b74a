// @ts-check
// Text for a terminal. Names, descriptions and results come from servers and models, and must not move its cursor.

const WIDTH = 100;
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/**
 * One line without control characters.
 * @param {string} text
 */
export function plain(text) {
  return text.replace(UNSAFE, " ").replace(/ {2,}/g, " ").trim();
}

/**
 * @param {string} text
 * @param {number} [width]
 */
export function cut(text, width = WIDTH) {
  const characters = [...plain(text)];
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}

/** @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/**
 * A table: texts stand to the left, numbers to the right.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function table(head, rows) {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? grouped(cell) : plain(cell))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? "")].length)));
  return cells.map((row) => line(row, widths, (column) => typeof rows[0]?.[column] === "number"));
}

/**
 * @param {string[]} cells
 * @param {number[]} widths
 * @param {(column: number) => boolean} right
 */
export function line(cells, widths, right) {
  const padded = cells.map((cell, column) => {
    const text = cut(cell, widths[column]);
    const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - [...text].length));
    return right(column) ? padding + text : text + padding;
  });
  return padded.join("  ").trimEnd();
}

/**
 * Colours for a terminal that shows them; elsewhere the text as it is.
 * @param {NodeJS.WriteStream} stream
 */
export function palette(stream) {
  const coloured = Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  /** @param {number} code */
  const colour = (code) => (/** @type {string} */ text) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: colour(1), dim: colour(2), red: colour(31), green: colour(32), yellow: colour(33) };
}
