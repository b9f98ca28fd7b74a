"""Requests made of what tools say of themselves: how people and models ask, and what else stands in such sentences."""

import re
from pathlib import Path

from words import all_name_words

FRAMES = [
    "{}", "{}", "{}", "please {}", "can you {}?", "could you {} for me?", "how do I {}?", "how can I {}", "I need to {}",
    "I want to {}", "I'd like to {}", "help me {}", "let's {}", "is there a way to {}?", "tool to {}",
    "we have to {} today", "go ahead and {}", "a tool that can {}", "what do I use to {}?", "show me how to {}",
    "Hey, can you {}?", "I'm trying to {}", "it's time to {}", "my boss asked me to {}", "need to {} quickly",
    "would you {}, please", "first {}, then tell me", "find a way to {}",
]
THINGS = [
    "show me the {}", "what is the {}?", "I need the {}", "give me {}", "where can I see the {}", "get {}", "list all {}",
    "tell me about the {}", "what are the {}?", "find {}", "which {} do we have?", "look up the {}",
    "how many {} are there?", "any {}?",
]
DETAILS = [
    "for John Smith", "in Tokyo", "by tomorrow at 5 pm", "for next week", "called 'test-1'", "with id 12345",
    "on March 3rd", "in New York City", "for my company", "at https://example.com/page", "from the project alpha",
    "named report.pdf", "for the user maria@example.com", "in the production environment", "since last Monday",
    "that I sent yesterday", "of our team", "for 250 dollars", "between 2020 and 2024", "with the label urgent",
    "in the folder /tmp/data", "near Paris", "as soon as possible", "before the meeting", "for customer 4711",
    "and send me the result", "using the default settings", "in English and German", "so that everybody can see it",
    "for a trip to London", "with at most 10 results", "of the main branch", "for Alice and Bob", "on my phone",
]
PARAPHRASES = Path(__file__).parent / "paraphrases.tsv"
SENTENCE = re.compile(r"(?<=[.!?。])\s+|\n+")


def sentences(text):
    return [one.strip(" \t-*#`") for one in SENTENCE.split(text) if len(one.strip()) > 3]


def imperative(text):
    """`Creates an issue.` as `create an issue`."""
    text = text.rstrip(" .!:;")
    text = text[:1].lower() + text[1:] if text[1:2].islower() else text
    first = text.split(" ", 1)[0]
    if re.fullmatch(r"[a-z]+[^su]s", first) and first not in ("access", "process", "express", "compress", "focus", "bias"):
        stem = first[:-3] + "y" if first.endswith("ies") else first[:-2] if re.search("(ss|sh|ch|x)es$", first) else first[:-1]
        text = stem + text[len(first) :]
    return text


def plain_name(tool):
    return " ".join(all_name_words(tool.get("tool") or tool["name"]))


def framed(random, core):
    return random.choice(FRAMES if random.random() < 0.8 else THINGS).format(core)


def request(random, tool):
    """One request that the tool answers, in words of its name or its first sentence."""
    said = sentences(tool.get("description") or "")
    name = plain_name(tool)
    if said and random.random() < 0.6 and len(said[0]) < 200:
        core = imperative(said[0])
    else:
        core = name
    text = framed(random, core)
    if random.random() < 0.4:
        text += " " + random.choice(DETAILS)
    return text


def matches(random, tools, most):
    """Paraphrases and the places of tools that they mean: of those whose names are what a paraphrase stands for."""
    named = {}
    for place, tool in enumerate(tools):
        parts = [part.rstrip("s") for part in plain_name(tool).split()]
        for skip in range(len(parts)):
            named.setdefault(" ".join(parts[skip:]), []).append(place)
    out = []
    for phrase, means in paraphrases():
        places = named.get(" ".join(part.rstrip("s") for part in means.split()), [])
        out += [(framed(random, phrase), place) for place in random.sample(places, min(most, len(places)))]
    return out


def paraphrases():
    """`(phrase, what it means)`: other words for common requests."""
    for line in PARAPHRASES.read_text("utf8").splitlines():
        means, phrases = line.split("\t")
        for phrase in phrases.split("; "):
            yield phrase, means
