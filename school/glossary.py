"""Short forms of the school, searched for both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from school.catalog import GlossaryEntry
from vietnamese.chat_spelling import ChatSpelling
from vietnamese.text import fold

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class _Form:
    """One spelling: its folded words, and the terms that it leads to."""

    words: tuple[str, ...]
    spelling: str
    leads_to: tuple[str, ...]
    is_term: bool


@dataclass(frozen=True, slots=True)
class _Hit:
    form: _Form
    start: int
    end: int


class Glossary:
    """Looks up every short form and term of `entries` in one pass over the words of a text.

    A short form matches as it is written, in any case, or typed without its diacritics ("dkhp" for "ĐKHP"); a
    word that has other diacritics is another word ("đã" is not "ĐA"). Longer forms win over shorter ones.
    """

    def __init__(self, entries: Iterable[GlossaryEntry] = ()) -> None:
        self._forms: dict[str, list[_Form]] = {}
        for entry in filter(is_searched, entries):
            for short in dict.fromkeys((entry.short, *entry.also)):
                _add(self._forms, short, entry.full)
            # "biết" is no reason to look for "BT": a term of one word is too common to say anything.
            for full in (full for full in entry.full if " " in full):
                _add(self._forms, full, (entry.short,), is_term=True)
        for forms in self._forms.values():
            forms.sort(key=lambda form: -len(form.words))

    def expansions(self, text: str) -> tuple[str, ...]:
        """Return other wordings of parts of `text`: full terms for its short forms, short forms for its terms.

        Each stands once, in the order of the text; wordings that the text already has are left out.
        """
        found: dict[str, None] = {}
        folded = f" {' '.join(_WORD.findall(fold(text)))} "
        for hit in _hits(text, self._forms):
            for term in hit.form.leads_to:
                if f" {' '.join(_WORD.findall(fold(term)))} " not in folded:
                    found.setdefault(term)
        return tuple(found)


def is_searched(entry: GlossaryEntry) -> bool:
    """Return whether the readings of `entry` are searched for: all but those of chat spelling with one reading."""
    return entry.kind == "abbreviation" or len(entry.full) > 1


def own_chat_spelling(entries: Iterable[GlossaryEntry]) -> ChatSpelling:
    """Return the writer-out of chat spelling for a school with the glossary `entries`."""
    entries = tuple(entries)
    return ChatSpelling(
        own={short: e.full[0] for e in entries if not is_searched(e) for short in (e.short, *e.also)},
        taken=[short for entry in entries if is_searched(entry) for short in (entry.short, *entry.also)],
    )


def _add(
    forms: dict[str, list[_Form]],
    spelling: str,
    leads_to: Sequence[str],
    *,
    is_term: bool = False,
) -> None:
    spelling = spelling.lower()
    words = tuple(_WORD.findall(fold(spelling)))
    if words:
        forms.setdefault(words[0], []).append(_Form(words, spelling, tuple(leads_to), is_term))


def _hits(text: str, forms: dict[str, list[_Form]]) -> Iterator[_Hit]:
    """Yield the longest form at each place of `text`, from left to right, with all of its readings."""
    folded = fold(text)
    spans = [match.span() for match in _WORD.finditer(folded)]
    words = [folded[start:end] for start, end in spans]
    place = 0
    while place < len(words):
        length = 0
        for form in forms.get(words[place], ()):
            size = len(form.words)
            if size < length or tuple(words[place : place + size]) != form.words:
                continue
            start, end = spans[place][0], spans[place + size - 1][1]
            if _is_spelling_of(text[start:end].lower(), form):
                length = size
                yield _Hit(form, start, end)
        place += length or 1


def _is_spelling_of(typed: str, form: _Form) -> bool:
    """Return whether the typed diacritics are those of the form; a term of several words may have some wrong."""
    if form.is_term and len(form.words) > 1:
        return True
    return typed.isascii() or _WORD.findall(typed) == _WORD.findall(form.spelling)
