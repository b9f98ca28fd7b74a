"""What the student is trained on: texts of tool catalogs, WordNet's glosses and examples, and requests made of them."""

import json
import math
import os
import re
from collections import Counter
from pathlib import Path
from random import Random

from asks import plain_name, request, sentences
from pack import Lookup
from words import all_name_words, fields, parameters, words

HERE = Path(__file__).parent
WORDNET = Path(os.environ.get("WORDNET", "/usr/share/wordnet"))


def catalogs(folders):
    """The tools of catalogs: of `*.json` with `tools`, or of `catalog.jsonl` in folders."""
    for folder in map(Path, folders):
        for file in sorted(folder.glob("*.json")):
            data = json.loads(file.read_text("utf8"))
            server = (data.get("server") or {}).get("name") or file.stem
            for tool in data.get("tools") or []:
                yield {"server": server, **tool}
        for file in sorted(folder.glob("*/catalog.jsonl")):
            for line in file.read_text("utf8").splitlines():
                if line.strip():
                    yield json.loads(line)


def wordnet(folder=WORDNET):
    """`(lemmas, gloss, examples)` of each synset."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            data, _, gloss = line.partition(" | ")
            columns = data.split()
            lemmas = [re.sub(r"\(.*\)$", "", lemma).replace("_", " ") for lemma in columns[4 : 4 + 2 * int(columns[3], 16) : 2]]
            pieces = [piece.strip() for piece in re.split(r";\s*(?=\")|;\s+", gloss)]
            examples = [piece.strip('" ') for piece in pieces if piece.startswith('"')]
            yield lemmas, "; ".join(piece for piece in pieces if not piece.startswith('"')).strip(), examples


def frequencies(tools, glosses):
    """In how many tools, and in how many entries of WordNet, each word stands."""
    in_tools, in_glosses = Counter(), Counter()
    for tool in tools:
        in_tools.update(set().union(*fields(tool).values()))
    for lemmas, gloss, examples in glosses:
        in_glosses.update(set(words(" ; ".join([*lemmas, gloss, *examples]))))
    return in_tools, in_glosses


def vocabulary(teacher_words, tools, glosses, size, pieces):
    """The student's entries: what tools say, then what English says, then the teacher's pieces of words."""
    in_tools, in_glosses = frequencies(tools, glosses)
    rank = {word: at for at, word in enumerate(w for w in teacher_words if re.fullmatch("[a-z][a-z0-9]*", w))}

    def worth(word):
        common = 12 * (1 - rank[word] / len(rank)) ** 2 if word in rank else 0
        return common + 3 * math.log1p(in_tools[word]) + math.log1p(in_glosses[word])

    plain = {word for word in rank.keys() | in_tools.keys() | in_glosses.keys() if re.fullmatch("[a-z][a-z0-9]{1,23}", word)}
    plain = {word for word in plain if not re.fullmatch("[a-z]?[0-9a-f]*[0-9][0-9a-f]*", word) or in_tools[word] > 20}
    kept = sorted(plain, key=lambda word: (-worth(word), word))[: size - pieces]
    # What is left of the size is for the pieces that the words without an entry fall into most.
    lookup, used = Lookup(kept + [word for word in teacher_words if re.fullmatch("##[a-z]{1,12}", word)]), Counter()
    for word in plain.difference(kept):
        used.update(lookup.entries[at] for at in lookup(word)[1:])
    return kept + [word for word, _ in sorted(used.items(), key=lambda item: (-item[1], item[0]))[:pieces]]


def training_texts(tools, glosses, seed):
    """What the teacher is asked about: texts of tools, requests for them, English words, glosses and sentences."""
    texts, of_parameters = set(), set()
    for tool in tools:
        # Of its own, so that a tool's texts do not depend on the others.
        random = Random(f"{seed} {tool.get('server')} {tool['name']}")
        name, said = plain_name(tool), sentences(tool.get("description") or "")
        server = " ".join(all_name_words(tool.get("server") or ""))
        texts.add(name)
        if server and random.random() < 0.3:
            texts.add(f"{server} {name}")
        if said:
            texts.update([f"{name}: {said[0]}", said[0], " ".join(said)[:400]])
            if len(said) > 1:
                texts.add(random.choice(said[1:]))
        texts.update(request(random, tool) for _ in range(2))
        names, descriptions = parameters(tool.get("inputSchema"))
        of_parameters.update(description[:200] for description in descriptions)
        if names:
            texts.add(" ".join(" ".join(all_name_words(one)) for one in names[:8]))
    random = Random(seed)
    glosses = [entry for entry in glosses if any(len(lemma) < 24 and lemma.islower() for lemma in entry[0])]
    of_glosses = [f"{lemmas[0]}: {gloss}"[:200] if at % 2 else gloss[:200] for at, (lemmas, gloss, _) in enumerate(glosses)]
    examples = {example for _, _, examples in glosses for example in examples if 3 <= example.count(" ") < 30}
    for kind, share in ((of_parameters, 0.8), (of_glosses, 0.4), (examples, 0.6)):
        kind = sorted(set(kind))
        random.shuffle(kind)
        texts.update(kind[: int(len(kind) * share)])
    return sorted(text for text in texts if text.strip())
