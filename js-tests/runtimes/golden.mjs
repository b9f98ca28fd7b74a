/**
 * The answers to the searches of `tests/golden/cases.json` and `services.json`, given as a list, as text, one line a fact and scores by their
 * bits: what every runtime must give alike, to the byte. `tests/golden.rs` writes the same in Rust. Needs nothing but the language, so that it
 * runs anywhere.
 */
export function answers(ToolSearch, meaning, sets) {
  return sets.map((set) => answersOf(ToolSearch, meaning, set)).join("\n");
}

function answersOf(ToolSearch, meaning, { catalog, searches }) {
  const engines = new Map();
  const engineOf = (options) => {
    const key = JSON.stringify(options);
    if (!engines.has(key)) {
      const engine = new ToolSearch({ ...options, meaning: options.meaning && meaning });
      for (const { tools, ...options } of catalog) engine.add(tools, options);
      engines.set(key, engine);
    }
    return engines.get(key);
  };
  return searches
    .map((search) => {
      const { query, ranking, meaning, ...options } = search;
      const engine = engineOf({ ranking, meaning });
      const asked = JSON.stringify(search);
      try {
        return [asked, ...lines(engine.search(query, options))];
      } catch (error) {
        if (error.name !== "ToolSearchError") throw error;
        return [asked, `  error ${error.code}`];
      }
    })
    .map((block) => `${block.join("\n")}\n`)
    .join("\n");
}

function lines({ kind, confidence, more, matches, missing, direct, ambiguous, suggestions }) {
  return [
    `  ${kind}, confidence ${confidence}, ${more} more`,
    ...matches.map(({ name, tier, score }) => `  ${bits(score)} ${tier} ${name}`),
    ...missing.map((name) => `  missing ${name}`),
    ...direct.map((name) => `  direct ${name}`),
    ...suggestions.map((name) => `  suggestion ${name}`),
    ...ambiguous.map(({ name, candidates }) => `  ambiguous ${name}: ${candidates.join(" ")}`),
  ];
}

/** A number's 64 bits in hexadecimal. */
function bits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}
