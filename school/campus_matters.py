"""Recognition of things of a campus of which a school has published nothing: "hồ bơi mở cửa mấy giờ".

Such a question has all but one word in common with what is published of other things, the hours of the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import naming_words
from vietnamese.patterns import any_of
from vietnamese.text import clean, fold, words
from vietnamese.written_phrases import WrittenPhrases

_IN_PASSING = re.compile(r"\([^()]*,[^()]*\)")
"""A list of examples names a thing in passing: "khu dùng chung (phòng tự học, phòng giặt, nhà ăn)"."""


_WORDS_BETWEEN = 2
"""The most words between "có" and the thing that it asks for: "có cái hồ bơi"."""


def unpublished_matters(published: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the things of a campus of which nothing is said in what a school has `published`.

    That is its documents, the questions that it answers, and the answers; not how students ask.
    """
    return _not_in(_IN_PASSING.sub(" ", text) for text in published)


def matters_in_passing(published: Iterable[str], unpublished: Iterable[str]) -> tuple[str, ...]:
    """Return those of the `unpublished` names whose things a school names at least in what it has `published`."""
    # In all other texts the unpublished names were looked for already.
    unnamed = set(_not_in(filter(_IN_PASSING.search, published)))
    return tuple(name for name in unpublished if name not in unnamed)


def _not_in(texts: Iterable[str]) -> tuple[str, ...]:
    told = WrittenPhrases(map(_plain, texts))
    absent: list[str] = []
    for names in yaml_beside(__file__, "campus_matters.yml")["matters"]:
        if not any(told.has(_plain(name)) for name in names):
            absent += names
    return tuple(absent)


def is_told(thing: str, texts: Iterable[str]) -> bool:
    """Return whether one of `texts` names a thing, by any of its names; `thing` may lack its diacritics."""
    groups = yaml_beside(__file__, "campus_matters.yml")["matters"]
    names = {name for group in groups if fold(thing) in map(fold, map(_plain, group)) for name in group}
    return any(_line(name) in _line(text) for text in texts for name in names)


class CampusMatters:
    """Finds the unpublished things of a campus in messages about them alone.

    Args:
        absent: the names of the things (`unpublished_matters`).
        in_passing: those of them that are named at least (`matters_in_passing`).
    """

    def __init__(self, absent: Iterable[str], in_passing: Iterable[str] = ()) -> None:
        absent = tuple(absent)
        self._in_passing = frozenset(map(fold, map(_plain, in_passing)))
        said = yaml_beside(__file__, "campus_matters.yml")
        beside, places = said["beside"].split(), said["places"].split()
        self._written = re.compile(rf"\b(?:{any_of(map(_plain, absent))})\b")
        self._bare = re.compile(rf"\b(?:{any_of(fold(_plain(name)) for name in absent)})\b")
        self._beside = frozenset(beside), frozenset(map(fold, beside))
        self._places = frozenset((*places, *map(fold, places)))
        self._leads_to_it = re.compile(rf"\b(?:{any_of(said['leads'])})(?: \w+){{0,{_WORDS_BETWEEN}}} $")

    def absent(self, text: str) -> str | None:
        """Return the thing that `text` is about, in its own words; None when the text names another matter, too.

        A place is none where the thing is asked for: "ktx có hồ bơi không".
        """
        plain = _plain(text)
        is_bare = plain == fold(plain)
        found = (self._bare if is_bare else self._written).search(plain)
        if found is None:
            return None
        rest = naming_words(f"{plain[: found.start()]} {plain[found.end() :]}")
        others = {word for word in rest if len(word) > 1 and not word.isdigit()} - self._beside[is_bare]
        is_named = fold(found[0]) in self._in_passing
        if not is_named and self._leads_to_it.search(plain[: found.start()]):
            others -= self._places
        return None if others else found[0]


def _plain(text: str) -> str:
    return " ".join(words(clean(text).lower()))


def _line(text: str) -> str:
    return f" {_plain(text)} "
