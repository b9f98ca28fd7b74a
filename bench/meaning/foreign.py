"""Entries for other languages: their common words for tools have the vectors of the English words."""

from pathlib import Path

import numpy as np

from texts import frequencies
from words import IS_UNSPACED, words

TABLE = Path(__file__).parent / "words.tsv"
# A word that so many tools and entries of WordNet have is English.
ENGLISH = 8
# Words of sentences that say nothing, which pieces of English words would make noise of.
SILENT = """
der die das den dem des ein eine einen einem einer eines und oder mit von vom zum zur für fur aus bei nach über uber
unter ich du er sie es wir ihr mich mir dich dir uns euch mein meine meinen meinem meiner dein deine deinen unser unsere
bitte kann kannst könnte könntest möchte mochte möchtest will willst soll ist sind war wie was wer wo wann welche
welcher welches im am an auf ab um zu nicht noch auch nur mal gibt hat haben wird werden ins beim durch gegen ohne le la
les un une des du de d l au aux et ou avec pour par sur dans sous chez je tu il elle nous vous ils elles me te se mon ma
mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces qui que quoi quel quelle quels quelles où
comment est sont était fait faire peux peut pouvez voudrais veux plaît plait moi toi merci s'il y en ne pas qu'est c'est
el los las unos unas del al y o con para por sobre en mi mis tu tus su sus nuestro nuestra yo él ella nosotros ustedes
me te se lo que qué cual cuál cuáles quien quién donde dónde cómo como cuando cuándo es son está están hay fue puedo
puedes puede podrías quiero quisiera necesito favor gracias este esta estos estas ese esa no
"""


def foreign_entries(entries, codes, scales, tools, glosses):
    """The entries with those of the table; where English uses a word of the table too, English keeps it."""
    places = {entry: place for place, entry in enumerate(entries)}
    in_tools, in_glosses = frequencies([tool for tool in tools if str(tool.get("description")).isascii()], glosses)

    def is_foreign(word):
        return in_tools[word] + in_glosses[word] < ENGLISH and (len(word) > 1 or IS_UNSPACED.match(word))

    # Copies of rows cost nothing in the compressed file. A word of several rows of the table means the first.
    new = {}
    for line in TABLE.read_text("utf8").splitlines():
        english, *others = line.split("\t")
        means = next((places[word] for word in english.split() if word in places), None)
        for word in words(" ".join(others)):
            if means is not None and is_foreign(word):
                new.setdefault(word, (codes[means], scales[means]))
    for word in words(SILENT):
        if is_foreign(word):
            new[word] = (np.zeros_like(codes[0]), 0)
    keep = [place for place, entry in enumerate(entries) if entry not in new]
    added = sorted(new)
    return (
        [entries[place] for place in keep] + added,
        np.concatenate([codes[keep], [new[word][0] for word in added]]),
        np.concatenate([scales[keep], [new[word][1] for word in added]]).astype(np.uint16),
    )
