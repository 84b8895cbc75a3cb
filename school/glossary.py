"""Short forms: chat spelling is written out, abbreviations of the school are searched for both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from school.catalog import GlossaryEntry
from vietnamese.text import fold

_WORD = re.compile(r"[^\W_]+")
_CLOSES = ".,;:?!…)\"'”"


@dataclass(frozen=True, slots=True)
class _Form:
    """One spelling that is looked for: its words, folded; what it leads to."""

    words: tuple[str, ...]
    spelling: str
    leads_to: tuple[str, ...]
    teencode: bool
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
        self._abbreviations: dict[str, list[_Form]] = {}
        self._teencode: dict[str, list[_Form]] = {}
        entries = tuple(entries)
        ambiguous = {
            fold(short) for entry in entries if _searched(entry) for short in (entry.short, *entry.also)
        }
        for entry in entries:
            for short in dict.fromkeys((entry.short, *entry.also)):
                if _searched(entry):
                    _add(self._abbreviations, short, entry.full)
                elif fold(short) not in ambiguous:
                    _add(self._teencode, short, entry.full, teencode=True)
            if _searched(entry):
                # "biết" is no reason to look for "BT": a term of one word is too common to say anything.
                for full in (full for full in entry.full if " " in full):
                    _add(self._abbreviations, full, (entry.short,), is_term=True)
        for forms in (*self._abbreviations.values(), *self._teencode.values()):
            forms.sort(key=lambda form: -len(form.words))

    def expansions(self, text: str) -> tuple[str, ...]:
        """What else the text might have said: full terms for its short forms, short forms for its terms.

        Only what is not in the text already, each once, in the order of the text.
        """
        found: dict[str, None] = {}
        folded = f" {' '.join(_WORD.findall(fold(text)))} "
        for hit in _hits(text, self._abbreviations):
            for term in hit.form.leads_to:
                if f" {' '.join(_WORD.findall(fold(term)))} " not in folded:
                    found.setdefault(term)
        return tuple(found)

    def expand(self, text: str) -> str:
        """`text` followed by its `expansions`."""
        return " ".join((text, *self.expansions(text)))

    def write_out(self, text: str) -> str:
        """`text` with its chat spelling replaced: "ko" by "không"; the rest as it is."""
        shouted = not any(char.islower() for char in text)
        parts: list[str] = []
        done = 0
        for hit in _hits(text, self._teencode):
            typed = text[hit.start : hit.end]
            if not _is_chat(text, typed, hit, shouted):
                continue
            full = hit.form.leads_to[0]
            capital = typed[:1].isupper() and not shouted
            parts += [text[done : hit.start], full[:1].upper() + full[1:] if capital else full]
            done = hit.end
        return "".join((*parts, text[done:]))


def _searched(entry: GlossaryEntry) -> bool:
    """Chat spelling with several readings cannot be written out: it is searched for, like an abbreviation."""
    return entry.kind == "abbreviation" or len(entry.full) > 1


def _add(
    forms: dict[str, list[_Form]],
    spelling: str,
    leads_to: Sequence[str],
    *,
    teencode: bool = False,
    is_term: bool = False,
) -> None:
    spelling = spelling.lower()
    words = tuple(_WORD.findall(fold(spelling)))
    if words:
        forms.setdefault(words[0], []).append(_Form(words, spelling, tuple(leads_to), teencode, is_term))


def _hits(text: str, forms: dict[str, list[_Form]]) -> Iterator[_Hit]:
    """The forms in `text`, from left to right, the longest at each place, with all of its readings."""
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
    """Diacritics that were typed must be those of the form; a term of several words may have some wrong."""
    if form.is_term and len(form.words) > 1:
        return True
    return typed.isascii() or _WORD.findall(typed) == _WORD.findall(form.spelling)


def _is_chat(text: str, typed: str, hit: _Hit, shouted: bool) -> bool:
    """Whether a chat spelling is one here, and no code ("K 47", "nhóm V", "v.v.") or acronym ("NS")."""
    if typed.isupper() and not shouted and len(typed) < 4:
        return len(typed) == 2 and hit.start == 0
    if len(typed) > 1:
        return True
    before, after = text[: hit.start], text[hit.end :]
    if re.search(r"\d\s?$", before) or re.match(r"\s?\d", after):
        return False
    closed = re.match(rf"[{re.escape(_CLOSES)}]*(?:\s|$)", after)
    return (not before or before[-1].isspace()) and closed is not None
