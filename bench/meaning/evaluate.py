"""What an asset does: by meaning alone, added to the words' scores, in other languages, and for what no tool does.

python evaluate.py ASSET [--lexical FOLDER] [--catalogs FOLDER...]; the folder of lexical answers is written by lexical.mjs.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from pack import Lookup, unpack
from student import FIELD_WEIGHTS
from texts import HERE, catalogs
from words import IS_UNSPACED, fields, words

# As in src/meaning: what a cosine of 1 adds to a score, and how near a tool must be that no word finds.
WEIGHT = 20
FLOOR = 0.4


class Asset:
    def __init__(self, file):
        self.entries, codes, self.scales = unpack(file.read_bytes())
        self.vectors = codes.astype(np.float32) * self.scales[:, None]
        self.lookup = Lookup(self.entries)

    def tools(self, tools):
        rows = []
        for tool in tools:
            by_field = fields(tool)
            rows.append(unit(sum(weight * unit(self._sum(by_field[name])) for name, weight in FIELD_WEIGHTS.items())))
        return np.array(rows)

    def query(self, text):
        """The vector of a query, and the share of its words that have an entry of their own."""
        known = unknown = 0
        for word in words(text):
            found = self.lookup(word)
            if IS_UNSPACED.match(word) or word in self.lookup.ids:
                known += sum(self.scales[entry] > 0 for entry in found)
            else:
                unknown += 1
        return unit(self._sum(words(text))), known / (known + unknown) if known else 0

    def _sum(self, words):
        entries = [entry for word in words for entry in self.lookup(word)]
        return self.vectors[entries].sum(0)


def unit(vector):
    return vector / max(np.linalg.norm(vector), 1e-9)


def measures(scores, gold):
    """R@1, R@5 and the reciprocal place of the first right tool; equals by place, and 0 is no match."""
    at = sorted(int((scores > scores[g]).sum() + (scores[:g] == scores[g]).sum()) for g in gold if scores[g] > 0)
    share = [sum(place < k for place in at) / len(gold) for k in (1, 5)]
    return [*share, 1 / (at[0] + 1) if at else 0]


def fused(lexical, cosines, share, weight=WEIGHT, floor=FLOOR):
    return lexical + np.where((lexical > 0) | (cosines * share >= floor), weight * np.maximum(cosines, 0), 0)


def labelled(asset, folder):
    means = []
    for file in sorted(folder.glob("*.json")):
        data = json.loads(file.read_text())
        vectors = asset.tools(data["tools"])
        rows = []
        for query in data["queries"]:
            if not query["gold"]:
                continue
            lexical, exact = np.zeros(len(vectors)), np.zeros(len(vectors))
            for place, score, tier in query["lex"]:
                lexical[place], exact[place] = score, 1e6 * (tier.lower() == "exact")
            vector, share = asset.query(query["query"])
            cosines = vectors @ vector
            kinds = (lexical + exact, np.maximum(cosines, 0), fused(lexical, cosines, share) + exact)
            rows.append([measures(kind, query["gold"]) for kind in kinds])
        means.append(np.mean(rows, 0))
        print(f"{file.stem:26} {line(means[-1])}")
    print(f"{'mean':26} {line(np.mean(means, 0))}")


def line(rows):
    named = zip(("words", "meaning", "both"), rows)
    return "   ".join(f"{name} " + "/".join(f"{one:.3f}" for one in row) for name, row in named)


def languages(asset):
    head, *rows = [one.split("\t") for one in (HERE / "requests.tsv").read_text("utf8").splitlines()]
    vectors = asset.tools([{"name": row[0], "description": row[1]} for row in rows])
    for column, language in list(enumerate(head))[2:]:
        found = []
        for gold, row in enumerate(rows):
            if row[column]:
                vector, share = asset.query(row[column])
                cosines = vectors @ vector
                found.append([*measures(np.maximum(cosines, 0), [gold]), cosines[gold] * share >= FLOOR])
        r1, r5, mrr, above = np.mean(found, 0)
        print(f"{language:11} {len(found)} requests: R@1 {r1:.2f}, R@5 {r5:.2f}, MRR {mrr:.2f}; above the floor {above:.0%}")


def unrelated(asset, folders):
    tools = list(catalogs(folders))
    vectors = asset.tools(tools)
    nearest = []
    for text in (HERE / "unrelated.txt").read_text("utf8").splitlines():
        vector, share = asset.query(text)
        cosines = vectors @ vector * share
        nearest.append((cosines.max(), text, tools[cosines.argmax()]["name"]))
    nearest.sort(reverse=True)
    print(f"{len(nearest)} unrelated queries, {len(tools)} tools: {sum(one[0] >= FLOOR for one in nearest)} find one")
    for near, text, name in nearest[:5]:
        print(f"  {near:.2f} {text} → {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asset", type=Path)
    parser.add_argument("--lexical", type=Path)
    parser.add_argument("--catalogs", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    asset = Asset(options.asset)
    if options.lexical:
        labelled(asset, options.lexical)
    languages(asset)
    if options.catalogs:
        unrelated(asset, options.catalogs)


if __name__ == "__main__":
    main()
