// What agents write first: points for each word of the query, added up over every tool. There is no index; texts are prepared once.
import { parameters, splitName } from "../../quality/text.mjs";
import { LIMIT } from "../contenders.mjs";

export function build({ tools }) {
  const entries = tools.map(({ name, description, inputSchema }) => {
    const parts = splitName(name).toLowerCase().split(" ");
    const text = `${parts.join(" ")} ${description ?? ""} ${parameters(inputSchema).names.join(" ")}`.toLowerCase();
    return { name, parts, full: name.toLowerCase(), text };
  });
  return { search: (query) => rank(entries, query) };
}

function rank(entries, query) {
  const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean))];
  const patterns = words.map((word) => new RegExp(`\\b${word}\\b`));
  const scored = [];
  for (const { name, parts, full, text } of entries) {
    let score = 0;
    for (const [at, word] of words.entries()) {
      if (parts.includes(word)) score += 12;
      else if (parts.some((part) => part.includes(word))) score += 6;
      else if (score === 0 && full.includes(word)) score += 3;
      if (patterns[at].test(text)) score += 2;
    }
    if (score > 0) scored.push({ name, score });
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, LIMIT);
}
