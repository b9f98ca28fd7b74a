// BM25F as one would write it by hand for speed in JavaScript: a Map of words, postings in typed arrays, the weight of each posting worked
// out when the index is built, so that a query only adds up. No stems, no synonyms, no names in other spellings.
import { fields } from "../../quality/text.mjs";
import { LIMIT } from "../contenders.mjs";

/** In the order of `fields`: name, description, names and descriptions of parameters. */
const WEIGHTS = [3, 1, 1, 0.5];
const K1 = 1.2;
const B = 0.6;

export function build({ tools }) {
  const ids = new Map();
  const counts = []; // of the tools that have a word
  let seen = new Int32Array(1024).fill(-1); // the last tool that had a word
  let at = new Int32Array(1024); // and the posting of that
  let [words, places, weights] = [new Int32Array(4096), new Int32Array(4096), new Float32Array(4096)];
  const lengths = new Float32Array(tools.length);
  let size = 0;
  for (let place = 0; place < tools.length; place++) {
    const texts = Object.values(fields(tools[place]));
    for (let field = 0; field < texts.length; field++) {
      const weight = WEIGHTS[field];
      eachWord(texts[field], (word) => {
        lengths[place] += weight;
        let id = ids.get(word);
        if (id === undefined) {
          ids.set(word, (id = counts.length));
          counts.push(0);
          if (id === seen.length) [seen, at] = [grown(seen, -1), grown(at)];
        }
        if (seen[id] === place) {
          weights[at[id]] += weight;
          return;
        }
        if (size === words.length) [words, places, weights] = [grown(words), grown(places), grown(weights)];
        seen[id] = place;
        at[id] = size;
        counts[id]++;
        [words[size], places[size], weights[size]] = [id, place, weight];
        size++;
      });
    }
  }
  return { search: searcher(ids, ...weighed(size, words, places, weights, counts, lengths), lengths.length) };
}

/** Postings by word, each with what it adds to a score. */
function weighed(size, words, places, weights, counts, lengths) {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const starts = new Uint32Array(counts.length + 1);
  for (const [id, count] of counts.entries()) starts[id + 1] = starts[id] + count;
  const next = starts.slice();
  const idf = Float64Array.from(counts, (count) => Math.log(1 + (lengths.length - count + 0.5) / (count + 0.5)));
  const [sorted, adds] = [new Uint32Array(size), new Float32Array(size)];
  for (let posting = 0; posting < size; posting++) {
    const [id, place, weight] = [words[posting], places[posting], weights[posting]];
    const to = next[id]++;
    sorted[to] = place;
    adds[to] = (idf[id] * weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * lengths[place]) / mean));
  }
  return [starts, sorted, adds];
}

function searcher(ids, starts, places, adds, tools) {
  const scores = new Float32Array(tools);
  const touched = new Uint32Array(tools);
  const best = new Uint32Array(LIMIT);
  return (query) => {
    let count = 0;
    eachWord(query, (word) => {
      const id = ids.get(word);
      if (id === undefined) return;
      for (let posting = starts[id]; posting < starts[id + 1]; posting++) {
        const place = places[posting];
        if (scores[place] === 0) touched[count++] = place;
        scores[place] += adds[posting];
      }
    });
    let found = 0;
    for (let n = 0; n < count; n++) {
      const place = touched[n];
      const score = scores[place];
      if (found === LIMIT && score <= scores[best[LIMIT - 1]]) continue;
      let to = found < LIMIT ? found++ : LIMIT - 1;
      for (; to > 0 && scores[best[to - 1]] < score; to--) best[to] = best[to - 1];
      best[to] = place;
    }
    const matches = Array.from(best.subarray(0, found), (place) => ({ place, score: scores[place] }));
    for (let n = 0; n < count; n++) scores[touched[n]] = 0;
    return matches;
  };
}

/** Runs of letters and digits, lowercased. What is not ASCII counts as a letter. */
function eachWord(text, take) {
  const lower = text.toLowerCase();
  let start = -1;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const inside = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
    if (inside === start >= 0) continue;
    if (inside) start = at;
    else {
      take(lower.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) take(lower.slice(start));
}

function grown(array, fill = 0) {
  const larger = new array.constructor(array.length * 2).fill(fill, array.length);
  larger.set(array);
  return larger;
}
