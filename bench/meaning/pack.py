"""The asset: words, their vectors and scales in one file, as `src/meaning` reads it. See README.md for the format."""

import re

import numpy as np

from words import IS_UNSPACED

MAGIC = b"TSMEAN1\n"


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def quantize(vectors, bits):
    """Codes and scales of rows, each row's largest part being the largest code; scales are 16 bits over all rows."""
    top = (1 << bits - 1) - 1
    largest = np.abs(vectors).max(1)
    unit = max(largest.max() / top / 0xFFFF, 1e-12)
    scales = np.clip(np.round(largest / top / unit), 1, 0xFFFF)
    codes = np.clip(np.round(vectors / (scales[:, None] * unit)), -top - 1, top).astype(np.int8)
    return codes, scales.astype(np.uint16)


def pack(entries, codes, scales, bits):
    order = sorted(range(len(entries)), key=lambda at: entries[at].encode())
    names = [entries[at].encode() for at in order]
    shared = [0]
    for before, name in zip(names, names[1:]):
        same = 0
        while same < min(len(before), len(name), 255) and before[same] == name[same]:
            same += 1
        shared.append(same)
    codes = codes[order]
    if bits == 4:
        nibbles = codes.astype(np.uint8) & 15
        codes = nibbles[:, 0::2] | nibbles[:, 1::2] << 4
    data = b"".join([
        MAGIC,
        np.array([len(names), codes.shape[1] * 8 // bits, bits, 0], "<u4").tobytes(),
        bytes(shared),
        bytes(len(name) - same for name, same in zip(names, shared)),
        b"".join(name[same:] for name, same in zip(names, shared)),
        scales[order].astype("<u2").tobytes(),
        codes.tobytes(),
    ])
    return data + fnv1a(data).to_bytes(8, "little")


def unpack(data):
    assert data[:8] == MAGIC and fnv1a(data[:-8]).to_bytes(8, "little") == data[-8:]
    count, width, bits, _ = (int(n) for n in np.frombuffer(data, "<u4", 4, 8))
    shared, further = data[24 : 24 + count], data[24 + count : 24 + 2 * count]
    at, entries, last = 24 + 2 * count, [], b""
    for same, more in zip(shared, further):
        last = last[:same] + data[at : at + more]
        at += more
        entries.append(last.decode())
    scales = np.frombuffer(data, "<u2", count, at)
    at += 2 * count
    if bits == 8:
        codes = np.frombuffer(data, np.int8, count * width, at)
    else:
        pairs = np.frombuffer(data, np.uint8, count * width // 2, at)
        codes = (np.stack([pairs & 15, pairs >> 4], -1).reshape(-1).astype(np.int8) ^ 8) - 8
    return entries, codes.reshape(count, width), scales


class Lookup:
    """Which entries stand for a word: itself, else its longest pieces."""

    def __init__(self, entries):
        self.entries = entries
        self.ids = {entry: at for at, entry in enumerate(entries)}
        self.longest = max(map(len, entries))
        self.known = {}

    def __call__(self, word):
        found = self.known.get(word)
        if found is None:
            found = self.known[word] = self._find(word)
        return found

    def _find(self, word):
        if word in self.ids:
            return [self.ids[word]]
        unspaced = bool(IS_UNSPACED.match(word))
        # Pieces of numbers, codes and other alphabets mean nothing.
        if not unspaced and not re.fullmatch("[a-z]+", word):
            return []
        out, start = [], 0
        while start < len(word):
            mark = "" if unspaced or start == 0 else "##"
            for end in range(min(len(word), start + self.longest), start, -1):
                entry = self.ids.get(mark + word[start:end])
                if entry is not None:
                    out.append(entry)
                    start = end
                    break
            else:
                start += 1
        return out
