"""Cleaning of text (bounded, NFC), and the forms in which it is compared."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

PAUSE = re.compile(r"[,.;:!?\n]")
"""A mark at which a clause of a message ends."""

MAX_QUESTION_CHARS = 2_000
"""Length at which a question is cut: short enough to embed in one window or two."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_MARKS = re.compile(r"([\u0300-\u036f]{2})[\u0300-\u036f]+")
_BLANK = re.compile(r"[^\S\n]+")
_MARK = re.compile("[\u0300-\u036f]")
_CLUSTER = re.compile("[^\u0300-\u036f]?[\u0300-\u036f]*", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")

_SHORT = ("GS", "PGS", "TS", "ThS", "KS", "BS", "CN", "TP", "Tp", "Q", "P", "Mr", "Ms", "Dr")

NO_ABBREVIATION = "".join(rf"(?<!\b{short}\.)" for short in _SHORT)
"""Look-behinds that reject a full stop after a title or a short form ("PGS. TS. Nguyễn An", "TP. Cần Thơ")."""


def clean(text: str, limit: int | None = None) -> str:
    """Return `text` without characters that break or deceive later stages, at most `limit` characters long.

    It removes lone surrogates, control and bidirectional characters; applies NFKC (compatibility ligatures such as
    U+FDFA would otherwise grow eighteen-fold inside the embedder's buffer), which also is NFC; folds runs of blanks.
    The limit is applied both before and after NFKC, so that no input is expensive.
    """
    if limit is not None:
        text = text[: 4 * limit]
    text = _CONTROL.sub("", _SURROGATE.sub("", text))
    # Vietnamese stacks at most two marks; a pile of them costs the embedder seconds.
    text = _MARKS.sub(r"\1", unicodedata.normalize("NFKC", text))
    text = _BLANK.sub(" ", text).strip()
    return text if limit is None else text[:limit].rstrip()


def before_cleaning(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the characters from `start` to `end` of `clean(text)` stand in `text` itself."""
    first, behind = (_first_behind(text, place) for place in (start, end))
    return first, first + len(text[first:behind].rstrip())


def _first_behind(text: str, place: int) -> int:
    """Return the offset in `text` of the character at `place` of the clean text; its length past the end."""
    prefixes = range(len(text) + 1)
    return bisect_right(prefixes, place, key=lambda length: len(clean(text[:length]))) - 1


def _fold_char(char: str) -> str:
    if char in "đĐ":
        return "d"
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


class _FoldTable(dict[int, str]):
    def __missing__(self, key: int) -> str:
        self[key] = folded = _fold_char(chr(key))
        return folded


_FOLD = _FoldTable()


def fold(text: str) -> str:
    """Return `text` in lower case without diacritics, one character for one character.

    `text` must be NFC (see `clean`): a decomposed accent would stand as a character of its own.
    """
    return text.translate(_FOLD)


def fold_each(texts: Sequence[str]) -> list[str]:
    """Return each of `texts` as `fold` does, at once: a collection has a million words."""
    return fold("\0".join(texts)).split("\0") if texts else []


@dataclass(frozen=True)
class Folded:
    """A text in NFC, lower-case and folded, one character for one, and where each character came from.

    `folded` and `lowered` have the same length; their character `i` is `text[starts[i]:ends[i]]` of the original.
    """

    lowered: str
    folded: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def fold_with_offsets(text: str) -> Folded:
    """Return `text` in lower case and without diacritics, from any normal form."""
    if _MARK.search(text) is None:
        joined = "".join(map(_composed_lower, text))
        if len(joined) == len(text):
            return Folded(joined, fold(joined), tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    lowered: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        for char in unicodedata.normalize("NFC", cluster[0]):
            lowered.append(lower_char(char))
            starts.append(cluster.start())
            ends.append(cluster.end())
    joined = "".join(lowered)
    return Folded(joined, fold(joined), tuple(starts), tuple(ends))


@lru_cache(maxsize=4096)
def _composed_lower(char: str) -> str:
    return lower_char(unicodedata.normalize("NFC", char))


def lower_char(char: str) -> str:
    """Return `char` in lower case when that is one character too, else `char`."""
    lower = char.lower()
    return lower if len(lower) == 1 else char


def words(text: str) -> list[str]:
    """Return the syllables, numbers and codes of `text` in lower case, in order, without punctuation.

    The tone of "oa", "oe" and "uy" stands on the first vowel, as it is mostly typed: "khoá" and "khóa" are one word.
    """
    # A collection has a million words, and few of them end so.
    return [_one_tone(word) if word[-2:] in _OLD_TONE else word for word in _WORD.findall(text.lower())]


def _one_tone(word: str) -> str:
    """Return a word that ends in one of `_OLD_TONE` as it is mostly typed."""
    return word if word.startswith("qu") else word[:-2] + _OLD_TONE[word[-2:]]


_OLD_TONE = {
    "oá": "óa", "oà": "òa", "oả": "ỏa", "oã": "õa", "oạ": "ọa",
    "oé": "óe", "oè": "òe", "oẻ": "ỏe", "oẽ": "õe", "oẹ": "ọe",
    "uý": "úy", "uỳ": "ùy", "uỷ": "ủy", "uỹ": "ũy", "uỵ": "ụy",
}  # fmt: skip


def without_places(text: str, places: Iterable[tuple[int, int]]) -> str:
    """Return `text` with a blank instead of each of its `places`, given by start and end."""
    for start, end in sorted(places, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
