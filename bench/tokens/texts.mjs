// Definitions as providers are sent them, with their exact number of tokens.
import { readFile } from "node:fs/promises";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readServers } from "../speed/catalogs.mjs";

/**
 * @typedef {object} Text
 * @property {string} server
 * @property {"other" | "zh" | "ja" | "ko"} script By the characters that a tenth of it or more is written in.
 * @property {string} text
 * @property {number} tokens By o200k_base.
 */

/** The definitions in `own.jsonl`, written for this, and those of the catalogs in `folder`, if there is one. @returns {Promise<Text[]>} */
export async function readTexts(folder) {
  const lines = (await readFile(new URL("own.jsonl", import.meta.url), "utf8")).trim().split("\n");
  const own = lines.map((line) => JSON.parse(line)).map(({ server, name, description, parameters }) => {
    const properties = Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, { type: "string", description: text }]));
    return textOf(server, { name, description, inputSchema: { type: "object", properties, required: Object.keys(parameters).slice(0, 1) } });
  });
  const servers = (await readServers(folder)) ?? new Map();
  return [...own, ...[...servers].flatMap(([server, tools]) => tools.map((tool) => textOf(server, tool)))];
}

function textOf(server, { name, description, inputSchema }) {
  const schema = inputSchema && Object.keys(inputSchema).length > 0 ? inputSchema : { type: "object", properties: {} };
  const text = JSON.stringify({ name, ...(description ? { description } : {}), input_schema: schema });
  // Names of special tokens are text, like all else that a server writes.
  return { server, script: scriptOf(text), text, tokens: countTokens(text, { disallowedSpecial: new Set() }) };
}

function scriptOf(text) {
  const count = (pattern) => text.match(pattern)?.length ?? 0;
  const [han, kana, hangul] = [/\p{scx=Han}/gu, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu, /\p{sc=Hangul}/gu].map(count);
  if (han + kana + hangul < text.length / 10) return "other";
  if (hangul > han + kana) return "ko";
  return kana > han / 5 ? "ja" : "zh";
}
