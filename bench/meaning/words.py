"""The words of a text and of a tool, as the engine's `src/text` and its reader of the asset split them."""

import re
import unicodedata
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "src"
# Words of sentences that say nothing of what a tool does; they have no vectors.
STOP = frozenset(re.findall('"([a-z]+)"', (ENGINE / "text/stop.rs").read_text().partition("];")[0]))
MAX_WORD = 64
MAX_IDENTIFIER = 512
ACCENT = re.compile("[\u0300-\u036f]")
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
RUNS = re.compile(f"[{UNSPACED}]+|[^{UNSPACED}]+")
IS_UNSPACED = re.compile(f"[{UNSPACED}]")
# A word holds together over one `.`, `:`, `·` or apostrophe; `_` is in `\w`.
WORD = re.compile(r"[\w\u0300-\u036f]+(?:[.:·'’][\w\u0300-\u036f]+)*")
SEGMENT = re.compile(r"([^\W_]+)([\W_]*)")
DIGITS = re.compile(r"(.{2,}?)([0-9]+)$")
TAILS = {"s", "t", "d", "m", "re", "ll", "ve", "S"}


def fold(text):
    """NFKC without the accents of European scripts."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", ACCENT.sub("", unicodedata.normalize("NFKD", text)))


def lower(word):
    return word.lower().replace("ß", "ss").replace("ς", "σ")


def words(text):
    """The words of a text, lower case and folded, without stop words; a run of a script without spaces is one word."""
    return [word for word in all_words(text) if word not in STOP]


def name_words(name):
    """The words of a tool's, server's or parameter's name, without stop words."""
    return [word for word in all_name_words(name) if word not in STOP]


def all_words(text):
    out = []
    for run in RUNS.findall(fold(text)):
        if IS_UNSPACED.match(run):
            out.append(run)
        else:
            for word in WORD.findall(run):
                word = re.sub("^mcp__", "", word)
                _split(word, not word[:1].isupper(), out)
    return out


def all_name_words(name):
    folded = fold(re.sub("^mcp__", "", name))
    if IS_UNSPACED.search(folded):
        return all_words(folded)
    out = []
    _split(folded, True, out)
    return out


def _split(name, camel, out):
    if len(name.encode()) > MAX_IDENTIFIER:
        return
    after_apostrophe = False
    for text, between in SEGMENT.findall(name):
        tail = after_apostrophe and text in TAILS
        after_apostrophe = between.endswith(("'", "’"))
        if not tail:
            for part in _humps(text) if camel else [text]:
                _part(part, out)


def _part(text, out):
    if len(text.encode()) > MAX_WORD:
        return
    text = lower(text)
    found = DIGITS.match(text)
    if found and not re.search("[0-9]", found[1]):
        out += found.groups()
    else:
        out.append(text)


def _humps(text):
    """Parts of an identifier at its case changes: `getURLsForHTMLPage` is get URLs For HTML Page."""
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and text[end].isupper():
            end += 1
        is_lower = [c.isalpha() and not c.isupper() for c in text[end : end + 2]] + [False, False]
        if end - start > 1 and is_lower[0]:
            end = end + 1 if text[end] == "s" and not is_lower[1] else end - 1
        else:
            while end < len(text) and not text[end].isupper():
                end += 1
        while end < len(text) and text[end] in "0123456789":
            end += 1
        yield text[start:end]
        start = end


def parameters(schema):
    """The names and the descriptions of a tool's parameters, at every depth."""
    names, descriptions = [], []

    def visit(part, depth):
        if not isinstance(part, dict) or depth > 16:
            return
        if isinstance(part.get("description"), str):
            descriptions.append(part["description"])
        properties = part.get("properties")
        for name, inner in (properties if isinstance(properties, dict) else {}).items():
            names.append(name)
            visit(inner, depth + 1)
        for key in ("items", "anyOf", "oneOf", "allOf"):
            branch = part.get(key)
            for inner in branch if isinstance(branch, list) else [branch]:
                visit(inner, depth + 1)

    visit(schema, 0)
    return names, descriptions


def fields(tool):
    """A tool's texts as words: of its name, server, title, description, parameters, and what describes those."""
    names, descriptions = parameters(tool.get("inputSchema"))
    name = tool.get("tool") or tool["name"]
    return {
        "name": name_words(name),
        "server": name_words(tool.get("server") or ""),
        "title": words(tool.get("title") or (tool.get("annotations") or {}).get("title") or ""),
        "description": words(tool.get("description") or ""),
        "parameters": [word for name in names for word in name_words(name)],
        "parameter_descriptions": [word for text in descriptions for word in words(text)],
    }
