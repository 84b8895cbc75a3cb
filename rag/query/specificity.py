"""Query specificity: the particular words of a question, and the kinds of things that it leaves open.

"ngành này có cơ hội gì" leaves open the field and the chances. A query is general when its words are (Cronen-Townsend,
Zhou & Croft, 2002). Lists name the general words, because a small collection lacks the statistics.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.stopwords import STOPWORDS, says_something
from vietnamese.text import fold, words

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Specificity:
    """The specificity of a question.

    `particular`: its specific words, in order, in lower case. `unnamed`: the kinds of things without a name ("ngành",
    "chương trình đào tạo"). `pointing`: whether one of them has a demonstrative ("ngành này").
    """

    particular: tuple[str, ...]
    unnamed: tuple[str, ...]
    pointing: bool


def specificity(question: str) -> Specificity:
    """Return the specificity of a question (NFC, in plain wording)."""
    spelled = [(token, word[0].isupper()) for word in _WORD.findall(question) for token in words(word)]
    tokens = [token for token, _ in spelled]
    capitals = [capital for _, capital in spelled]
    bare = all(token == fold(token) for token in tokens)
    lists = _phrases(bare)
    particular: list[str] = []
    unnamed: list[str] = []
    pointing = False
    referent: str | None = None
    place = 0
    while place < len(tokens):
        kind, length = _longest(tokens, place, lists)
        phrase = tokens[place : place + length]
        # "phòng Đào tạo" is an office, "phòng đào tạo" may be any; where all words have capitals they tell nothing.
        if referent is not None and kind != "referents" and not all(capitals) and capitals[place]:
            kind = "name"
        if kind in ("name", "compounds", None):
            # The words after a kind of thing are its name.
            particular += phrase
            referent = None
        else:
            if referent is not None:
                unnamed.append(referent)
                pointing = pointing or kind == "pointers"
            referent = _spelled(" ".join(phrase), bare) if kind == "referents" else None
        place += length
    if referent is not None:
        unnamed.append(referent)
    return Specificity(tuple(particular), tuple(dict.fromkeys(unnamed)), pointing)


def _longest(tokens: Sequence[str], place: int, lists: dict[str, str]) -> tuple[str | None, int]:
    """Return the list and the length in words of the longest phrase at `place`; (None, 1) for a word of no list."""
    for length in range(min(_LONGEST, len(tokens) - place), 0, -1):
        kind = lists.get(" ".join(tokens[place : place + length]))
        if kind is not None:
            return kind, length
    return ("stopwords" if tokens[place] in STOPWORDS else None), 1


_LONGEST = 4


@lru_cache(maxsize=2)
def _phrases(bare: bool) -> dict[str, str]:
    """Return the list of each phrase; the first list that has it counts.

    Typed without diacritics, "ban" is more often "bạn" than an office, so there the general lists come first.
    """
    lists: dict[str, list[str]] = yaml_beside(__file__, "specificity.yml")
    bare_stopwords = [word for word in map(fold, STOPWORDS) if not says_something(word)]
    order = (
        (*_GENERAL, "pointers", "stopwords", "referents") if bare else ("referents", "pointers", *_GENERAL)
    )
    found: dict[str, str] = {}
    for kind in order:
        for phrase in bare_stopwords if kind == "stopwords" else lists[kind]:
            spelled = " ".join(words(phrase))
            found.setdefault(fold(spelled) if bare else spelled, kind)
    return found


_GENERAL = ("everybody", "abstract", "everyday", "compounds")


def _spelled(phrase: str, bare: bool) -> str:
    """Return a referent with the diacritics of the list."""
    if not bare:
        return phrase
    referents: list[str] = yaml_beside(__file__, "specificity.yml")["referents"]
    return next((one for one in referents if fold(one) == phrase), phrase)
