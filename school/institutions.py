"""Other universities: a question about one of them has no answer here, however alike the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from school.catalog import School
from vietnamese.syllables import is_syllable
from vietnamese.text import clean, fold

_NAMES = Path(__file__).with_name("institutions.yml")
_IN_FULL = r"(?:truong )?(?:dai hoc|dh|hoc vien|cao dang)"
_KIND = rf"(?:{_IN_FULL}|truong)"
_OWN_KIND = re.compile(rf"^{_KIND} ")
_IN_ENGLISH = re.compile(
    r"\b(?:(?:[A-Z][\w&.\-]*\s+)+(?:University|College|Institute|Academy)\b"
    r"|(?:University|College|Institute|Academy)\s+of\s+[A-Z]\w*)"
)
"""A university's name in English, by its capitals: "Harvard University", "University of Economics"."""


_POINTING = frozenset(["The", "This", "My", "Our", "Your", "Is", "Does", "Can", "Which", "What", "Any"])


@dataclass(frozen=True, slots=True)
class _Listed:
    """The lists of the file, folded."""

    named: frozenset[str]
    in_full: frozenset[str]
    known: frozenset[str]


@lru_cache(maxsize=1)
def _listed() -> _Listed:
    lists = yaml.safe_load(_NAMES.read_text(encoding="utf-8"))
    return _Listed(**{key: frozenset(fold(clean(name)) for name in names) for key, names in lists.items()})


def known_institutions() -> frozenset[str]:
    """The short forms and names, folded, that mean another university wherever they stand."""
    return _listed().known


class Institutions:
    """Tells whether a question names another university. Silent for a folder that does not name its own school."""

    def __init__(self, school: School) -> None:
        own = {fold(name) for name in (school.name, school.name_en, school.short, *school.aliases) if name}
        cores = {_OWN_KIND.sub("", name) for name in own if _OWN_KIND.match(name)}
        self._own = (
            re.compile(rf"\b(?:{_alternatives(own)}|{_KIND} (?:{_alternatives(cores)}))\b") if own else None
        )
        listed = _listed()
        # A short form that is part of the school's own names is no stranger.
        known = {name for name in listed.known if not any(name in mine.split() for mine in own)}
        spelled = {name for name in known if is_syllable(name)}
        self._foreign = re.compile(
            rf"\b(?:{_KIND} (?:{_alternatives(listed.named)})|{_IN_FULL} (?:{_alternatives(listed.in_full)})"
            rf"|{_alternatives(known - spelled)})\b"
        )
        self._capitals = re.compile(rf"\b(?:{_alternatives({name.upper() for name in spelled})})\b")

    def foreign(self, text: str) -> str | None:
        """The other university's name as it stands in `text`, or None."""
        folded = fold(text)
        if self._own is None or self._own.search(folded):
            return None
        match = self._foreign.search(folded)
        if match is None and any(char.islower() for char in text):
            # "NEU", but not "neu": without diacritics that is a word.
            match = self._capitals.search(text) or self._named_in_english(text)
        return text[match.start() : match.end()] if match else None

    @staticmethod
    def _named_in_english(text: str) -> re.Match[str] | None:
        """A name of two words at least before "University": "The University" and "My College" are this one."""
        match = _IN_ENGLISH.search(text)
        return None if match is None or match[0].split()[0] in _POINTING else match


def _alternatives(names: Iterable[str]) -> str:
    """A pattern for any of `names`, the longest first; one that matches nothing when there are none."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(map(re.escape, longest_first)) or r"(?!)"
