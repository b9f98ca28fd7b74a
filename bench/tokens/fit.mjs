#!/usr/bin/env node
// How well the token estimate does, and its weights fitted anew. See ../README.md.
//   npm run bench:tokens [-- --catalogs FOLDER]
import { parseArgs } from "node:util";
import { explain } from "../../scripts/lib/steps.mjs";
import { setup } from "../../scripts/setup.mjs";
import { mean } from "../quality/measure.mjs";
import { REAL } from "../speed/catalogs.mjs";
import { FEATURES, features } from "./features.mjs";

const FOLDS = 5;
/** Relative errors below this weigh like this: the fit minimises their absolute values, and those of the best texts are chance. */
const SMALL = 0.01;

try {
  const { values } = parseArgs({ options: { catalogs: { type: "string", default: REAL } } });
  await setup();
  await main(values.catalogs);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

async function main(folder) {
  const [{ estimateTokens }, { readTexts }] = await Promise.all([import("tool-search"), import("./texts.mjs")]);
  const texts = (await readTexts(folder)).map((text) => ({ ...text, counts: features(text.text) }));
  console.log(`${texts.length} definitions of ${new Set(texts.map(({ server }) => server)).size} servers, exactly by o200k_base\n`);

  const weights = fit(texts);
  print("Fitted on these, in the form of src/tokens.rs", FEATURES.map((name, at) => `(self.${name}, ${weights[at].toFixed(3)}),`));
  print(`Cross-validated: ${FOLDS} folds by server, each estimated by a fit to the others`, errors(texts, crossValidated(texts)));
  const shipped = texts.map(({ text }) => estimateTokens(text));
  print("As the package estimates", errors(texts, shipped));
  print("Characters divided by four", errors(texts, texts.map(({ text }) => text.length / 4)));
  print("Speed", [`estimateTokens(text): ${speed(estimateTokens, texts)} MB/s`]);

  const off = texts.filter((text, at) => Math.abs(weigh(text, weights) - shipped[at]) > 1 + 0.002 * shipped[at]);
  if (off.length > 0) throw new Error(`src/tokens.rs and this fit differ in ${off.length} texts: other weights, or other features.`);
}

/**
 * The weights with the least mean of absolute relative errors: least squares, again and again, each text weighed by one over its error of the
 * time before.
 */
function fit(texts) {
  let weights;
  for (let round = 0; round < 12; round++) {
    const errorOf = (text) => (weights ? Math.max(SMALL, Math.abs(weigh(text, weights) / text.tokens - 1)) : 1);
    weights = leastSquares(texts.map(({ counts, tokens }) => counts.map((count) => count / tokens)), texts.map((text) => 1 / errorOf(text)));
  }
  return weights;
}

/** The `x` with the least sum of `importance` times the square of `row · x - 1`, by Gauss' elimination. */
function leastSquares(rows, importance) {
  const size = rows[0].length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const [at, row] of rows.entries()) {
    for (let i = 0; i < size; i++) {
      if (row[i] === 0) continue;
      const scaled = importance[at] * row[i];
      for (let j = 0; j < size; j++) matrix[i][j] += scaled * row[j];
      matrix[i][size] += scaled;
    }
  }
  for (let i = 0; i < size; i++) {
    // What no text has gets no weight.
    matrix[i][i] += 1e-9;
    for (let other = 0; other < size; other++) {
      if (other === i) continue;
      const factor = matrix[other][i] / matrix[i][i];
      for (let j = i; j <= size; j++) matrix[other][j] -= factor * matrix[i][j];
    }
  }
  return matrix.map((row, i) => row[size] / row[i]);
}

function crossValidated(texts) {
  const servers = [...new Set(texts.map(({ server }) => server))];
  const foldOf = new Map(servers.map((server, at) => [server, at % FOLDS]));
  const estimates = new Array(texts.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(texts.filter(({ server }) => foldOf.get(server) !== fold));
    for (const [at, text] of texts.entries()) if (foldOf.get(text.server) === fold) estimates[at] = weigh(text, weights);
  }
  return estimates;
}

function weigh({ counts, tokens }, weights) {
  return tokens === 0 ? 0 : Math.max(1, counts.reduce((sum, count, at) => sum + count * weights[at], 0));
}

function errors(texts, estimates) {
  const names = { all: () => true, zh: "zh", ja: "ja", ko: "ko", other: "other" };
  return Object.entries(names).flatMap(([name, script]) => {
    const places = [...texts.keys()].filter((at) => name === "all" || texts[at].script === script);
    if (places.length === 0) return [];
    const relative = places.map((at) => Math.abs(estimates[at] / texts[at].tokens - 1)).sort((a, b) => a - b);
    const sum = (of) => places.reduce((total, at) => total + of(at), 0);
    const inTotal = sum((at) => estimates[at]) / sum((at) => texts[at].tokens) - 1;
    const most = `95% of them at most ${percent(relative[Math.floor(relative.length * 0.95)])}, the worst ${percent(relative.at(-1))}`;
    return [`${name.padEnd(6)}${String(places.length).padStart(6)}  ${percent(mean(relative))} a tool, ${percent(inTotal)} in total; ${most}`];
  });
}

function percent(share) {
  return `${(share * 100).toFixed(1)}%`;
}

/** Through the package, text as JavaScript has it; the best of ten. */
function speed(estimate, texts) {
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const seconds = Array.from({ length: 10 }, () => {
    const start = performance.now();
    for (const { text } of texts) estimate(text);
    return (performance.now() - start) / 1_000;
  });
  return (bytes / 1e6 / Math.min(...seconds)).toFixed(0);
}

function print(title, lines) {
  console.log(`${title}\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}
