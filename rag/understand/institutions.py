"""Other universities: a question about one of them has no answer here, however alike the words."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import yaml

from rag.knowledge.catalog import School
from rag.text import clean, fold

_NAMES = Path(__file__).with_name("institutions.yml")
_KIND = r"(?:truong(?: dai hoc| dh| cao dang)?|dai hoc|dh|hoc vien|cao dang)"


@lru_cache(maxsize=1)
def _names() -> tuple[frozenset[str], frozenset[str]]:
    listed = yaml.safe_load(_NAMES.read_text(encoding="utf-8"))
    return (
        frozenset(fold(clean(name)) for name in listed["named"]),
        frozenset(fold(clean(name)) for name in listed["known"]),
    )


class Institutions:
    """Tells whether a question names another university. Silent for a folder that does not name its own school."""

    def __init__(self, school: School) -> None:
        own = {fold(name) for name in (school.name, school.name_en, school.short, *school.aliases) if name}
        self._own = _whole_words(own) if own else None
        named, known = _names()
        # A short form that is part of the school's own names is no stranger.
        known = frozenset(name for name in known if not any(name in mine.split() for mine in own))
        self._foreign = re.compile(rf"\b(?:{_KIND} (?:{_alternatives(named)})|{_alternatives(known)})\b")

    def foreign(self, text: str) -> str | None:
        """The other university's name as it stands in `text`, or None."""
        folded = fold(text)
        if self._own is None or self._own.search(folded):
            return None
        match = self._foreign.search(folded)
        return text[match.start() : match.end()] if match else None


def _alternatives(names: frozenset[str] | set[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _whole_words(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_alternatives(names)})\b")
