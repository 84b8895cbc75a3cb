"""Text as it must be before Rasa or the embedder sees it. The same rules as `rag.text`, which Rasa's process cannot import."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import List, Tuple

MAX_MESSAGE_CHARS = 2_000
"""Longer than anything a student types, short enough to embed at once."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_CLUSTER = re.compile("[^\u0300-\u036f]?[\u0300-\u036f]*", re.DOTALL)
_MARKS = re.compile(r"([\u0300-\u036f]{2})[\u0300-\u036f]+")
_BLANK = re.compile(r"[^\S\n]+")


def clean(text: str, limit: int) -> str:
    """`text` as NFKC without surrogates, control and bidirectional characters, at most `limit` characters long.

    The limit holds before and after NFKC: U+FDFA alone becomes eighteen characters, which overflows a buffer of the
    embedder when it does the normalising itself.
    """
    text = _CONTROL.sub("", _SURROGATE.sub("", text[: 4 * limit]))
    # No script that we read piles up marks; a pile of them costs the embedder seconds, and Rasa everybody's turn.
    text = _MARKS.sub(r"\1", unicodedata.normalize("NFKC", text))
    return _BLANK.sub(" ", text).strip()[:limit].rstrip()


@dataclass(frozen=True)
class Folded:
    """A text in NFC, as typed and folded, one character for one, and where each of its characters came from.

    `folded` and `lowered` are as long as each other; character `i` of them is `text[starts[i]:ends[i]]` of the original.
    """

    lowered: str
    folded: str
    starts: Tuple[int, ...]
    ends: Tuple[int, ...]


def fold(text: str) -> Folded:
    """`text` in lower case and without diacritics, whatever normal form it was typed in."""
    lowered: List[str] = []
    folded: List[str] = []
    starts: List[int] = []
    ends: List[int] = []
    for cluster in _CLUSTER.finditer(text):
        for char in unicodedata.normalize("NFC", cluster[0]):
            lower = char.lower()
            lowered.append(lower if len(lower) == 1 else char)
            folded.append(_folded(char))
            starts.append(cluster.start())
            ends.append(cluster.end())
    return Folded("".join(lowered), "".join(folded), tuple(starts), tuple(ends))


def _folded(char: str) -> str:
    if char in "đĐ":
        return "d"
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


def rules_fingerprint() -> str:
    """A hash of this file: lets Rasa's training cache see when the rules have changed."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
