// @ts-check

/** Shorter values ("1", "on") are no secrets, and leaving them out would make messages unreadable. */
const SHORTEST = 4;

/**
 * Makes a function that takes secret values out of a text: errors and what servers write on stderr may repeat them.
 * @param {Iterable<string | undefined>} values
 * @returns {(text: string) => string}
 */
export function redactor(values) {
  /** @type {Set<string>} */
  const secrets = new Set();
  for (const value of values) {
    // "Bearer abc", "user:pass" and lists are secrets as a whole and in their parts.
    for (const part of [value ?? "", ...(value ?? "").split(/[\s,;:=]+/)]) {
      if (part.length < SHORTEST) continue;
      for (const form of [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)]) secrets.add(form);
    }
  }
  for (const harmless of ["Bearer", "Basic", "true", "false", "http", "https", "application/json"]) secrets.delete(harmless);
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((safe, secret) => safe.replaceAll(secret, "***"), text);
}
