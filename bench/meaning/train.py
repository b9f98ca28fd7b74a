"""Trains the vectors of `tool-search/meaning` and writes the asset. README.md says how to run it."""

import argparse
import os
import time
from pathlib import Path
from random import Random

import numpy as np
from scipy.sparse import vstack

from asks import framed, matches, paraphrases, plain_name, request, sentences
from foreign import foreign_entries
from pack import Lookup, pack, quantize
from student import FIELD_WEIGHTS, Pairs, Regression, Strangers, Tools, bags, train, unit
from teacher import Teacher
from texts import catalogs, training_texts, vocabulary, wordnet
from words import fields, words

# Sentences of WordNet that no tool answers.
STRANGERS = 20000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalogs", nargs="+", type=Path, help="folders of catalogs: *.json, or */catalog.jsonl")
    parser.add_argument("--out", type=Path, default=Path("meaning.bin"))
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/tool-search-meaning")
    parser.add_argument("--entries", type=int, default=17300, help="English words and pieces")
    parser.add_argument("--pieces", type=int, default=4700, help="how many of the entries are pieces of words")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--bits", type=int, default=4, choices=(4, 8))
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--pairs", type=float, default=0.2, help="weight of the pairs of requests and tools")
    parser.add_argument("--strangers", type=float, default=1.5, help="weight of the sentences that are no requests")
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--paraphrases", type=int, default=6, help="how often each paraphrase is seen in an epoch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()

    def log(message):
        print(f"{time.monotonic() - started:6.0f} s  {message}", flush=True)

    tools, glosses = list(catalogs(options.catalogs)), list(wordnet())
    teacher = Teacher(options.cache, options.threads)
    entries = vocabulary(teacher.words, tools, glosses, options.entries, options.pieces)
    lookup = Lookup(entries)
    texts = training_texts(tools, glosses, options.seed)
    log(f"{len(tools)} tools, {len(entries)} entries, {len(texts)} texts")

    of_texts = teacher.embed(texts, log)
    of_entries = teacher.embed([entry.removeprefix("##") for entry in entries], log)
    mean = of_texts.mean(0)
    spread, axes = np.linalg.eigh(np.cov((of_texts - mean).T))
    axes = axes[:, ::-1][:, : options.width].astype(np.float32)

    def project(rows):
        return unit((rows - mean) @ axes)[0]

    log(f"{options.width} axes keep {spread[::-1][: options.width].sum() / spread.sum():.0%} of the teacher's variance")

    random = Random(options.seed)
    said = [(framed(random, phrase), means) for phrase, means in paraphrases() for _ in range(options.paraphrases)]
    meant = teacher.embed([means for _, means in said]) + 0.5 * teacher.embed([text for text, _ in said])
    whole = [at for at, entry in enumerate(entries) if not entry.startswith("##")]
    text_bags = bags([words(text) for text in texts], lookup, len(entries))
    seen = np.flatnonzero(text_bags.getnnz(1) > 0)
    regression = Regression(
        vstack([
            text_bags[seen],
            bags([[entries[at]] for at in whole], lookup, len(entries)),
            bags([words(text) for text, _ in said], lookup, len(entries)),
        ]).tocsr(),
        np.concatenate([project(of_texts[seen]), project(of_entries[whole]), project(meant)]),
    )

    described = [tool for tool in tools if sentences(tool.get("description") or "")]
    read = [fields(tool) for tool in described]
    by_field = {name: bags([one[name] for one in read], lookup, len(entries)) for name in FIELD_WEIGHTS}
    likeness = teacher.embed([f"{plain_name(tool)}: {sentences(tool['description'])[0]}" for tool in described])
    of_tools = Tools(by_field, likeness)
    asked = [(request(random, tool), place) for place, tool in enumerate(described)]
    asked += matches(random, described, options.paraphrases)
    requests = bags([words(text) for text, _ in asked], lookup, len(entries))
    pairs = Pairs(requests, [place for _, place in asked], of_tools, options.temperature)

    strange = sorted({example for _, _, examples in glosses for example in examples if 3 <= example.count(" ") < 20})
    random.shuffle(strange)
    strange = strange[:STRANGERS]
    strange_bags = bags([words(text) for text in strange], lookup, len(entries))
    strangers = Strangers(strange_bags, teacher.embed(strange, log), of_tools)
    log(f"{len(texts)} texts, {len(said)} paraphrases, {len(asked)} pairs, {len(strange)} strangers")
    tasks = [(regression, 1.0), (pairs, options.pairs), (strangers, options.strangers)]

    # Rare words say more; pieces of words say little.
    frequency = np.asarray((text_bags > 0).sum(0)).ravel()
    weight = np.log((len(texts) + 1) / (frequency + 5)) * np.where([entry.startswith("##") for entry in entries], 0.3, 1)
    vectors = (project(of_entries) * weight[:, None]).astype(np.float32)
    train(vectors, tasks, options.epochs, options.batch, options.rate, options.seed, log)

    codes, scales = quantize(vectors, options.bits)
    entries, codes, scales = foreign_entries(entries, codes, scales, tools, glosses)
    data = pack(entries, codes, scales, options.bits)
    options.out.write_bytes(data)
    log(f"{options.out}: {len(entries)} entries, {len(data)} bytes")


if __name__ == "__main__":
    main()
