"""Short forms of the school, searched for both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import log

from school.abbreviations import spells
from school.catalog import GlossaryEntry
from vietnamese.chat_spelling import ChatSpelling
from vietnamese.data_files import yaml_beside
from vietnamese.lexicon import START
from vietnamese.text import fold, words

_WORD = re.compile(r"[^\W_]+")

_LEAST_LEAD = log(10)
"""How much more probable than the others, as a logarithm, one of several readings must be among its neighbours."""

_MOST_BESIDE = 3
"""Short forms with several readings that are read together when they stand side by side: "đk hp tn"."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One spelling: its folded words, and the terms that it leads to."""

    words: tuple[str, ...]
    spelling: str
    leads_to: tuple[str, ...]
    is_term: bool

    @property
    def is_ambiguous(self) -> bool:
        """Whether these are the initials of several terms; "GPA" is no Vietnamese word's."""
        several = len(self.leads_to) > 1 and not self.is_term
        return several and all(
            spells([fold(word[0]) for word in term.split()], list("".join(self.words)))
            for term in self.leads_to
        )


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

    def written_out(self, text: str, log_probability: Callable[[Sequence[str]], float]) -> str:
        """Return `text` with the short forms of several readings in full where their neighbours tell which it is.

        "xét tn" is "xét tốt nghiệp", "đk hp" "đăng ký học phần". `log_probability` is that of words after their first.
        Beside a short form, words that only go with one reading tell ("đk khi nào", "đăng ký hp"); where the neighbours
        do not tell, they do so anywhere in the message (`term_cues.yml`).
        """
        spans = [match.span() for match in _WORD.finditer(text)]
        hits = [hit for hit in _hits(text, self._forms) if hit.form.is_ambiguous]
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        parts: list[str] = []
        done = 0
        for group in _side_by_side(hits, starts, ends):
            first, last = starts.index(group[0].start), ends.index(group[-1].end)
            before = words(text[slice(*spans[first - 1])])[-1:] if first else [START]
            behind = words(text[slice(*spans[last + 1])])[:1] if last + 1 < len(spans) else []
            around = text[: spans[first][0]], text[spans[last][1] :]
            told, is_told_at_once = _told_by_cues(group, text, around)
            likely = () if is_told_at_once else _most_probable(group, before, behind, log_probability)
            terms = likely or told
            for hit, term in zip(group, terms, strict=False):
                parts += [text[done : hit.start], term]
                done = hit.end
        return "".join((*parts, text[done:]))


def _side_by_side(hits: Sequence[_Hit], starts: Sequence[int], ends: Sequence[int]) -> list[list[_Hit]]:
    """Return the hits in groups of neighbours."""
    groups: list[list[_Hit]] = []
    for hit in hits:
        is_next = groups and ends.index(groups[-1][-1].end) + 1 == starts.index(hit.start)
        if is_next and len(groups[-1]) < _MOST_BESIDE:
            groups[-1].append(hit)
        else:
            groups.append([hit])
    return groups


def _most_probable(
    group: Sequence[_Hit],
    before: Sequence[str],
    behind: Sequence[str],
    log_probability: Callable[[Sequence[str]], float],
) -> tuple[str, ...]:
    """Return the readings of neighbouring short forms; empty when other ones are nearly as probable."""
    ranked = sorted(
        (
            (log_probability([*before, *(w for term in terms for w in words(term)), *behind]), terms)
            for terms in product(*(hit.form.leads_to for hit in group))
        ),
        reverse=True,
    )
    return ranked[0][1] if ranked[0][0] - ranked[1][0] >= _LEAST_LEAD else ()


def _told_by_cues(group: Sequence[_Hit], text: str, around: tuple[str, str]) -> tuple[tuple[str, ...], bool]:
    """Return the reading of a single short form that words of the text go with, and with no other, else nothing.

    `around` is the text before and behind it; the second value tells whether such words stand right beside it.
    """
    if len(group) != 1:
        return (), False
    said, before, behind = (" ".join(_WORD.findall(fold(part).lower())) for part in (text, *around))
    known = ((term, _cues().get(fold(term).lower())) for term in group[0].form.leads_to)
    meant = [(term, cue) for term, cue in known if cue and cue.search(said)]
    if len(meant) != 1:
        return (), False
    [(term, cue)] = meant
    return (term,), cue.match(behind) is not None or any(m.end() == len(before) for m in cue.finditer(before))


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, re.Pattern[str]]:
    return {
        term: re.compile(rf"\b(?:{cues})\b") for term, cues in yaml_beside(__file__, "term_cues.yml").items()
    }


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
    typed = tuple(_WORD.findall(fold(spelling)))
    if typed:
        forms.setdefault(typed[0], []).append(_Form(typed, spelling, tuple(leads_to), is_term))


def _hits(text: str, forms: dict[str, list[_Form]]) -> Iterator[_Hit]:
    """Yield the longest form at each place of `text`, from left to right, with all of its readings."""
    folded = fold(text)
    spans = [match.span() for match in _WORD.finditer(folded)]
    typed = [folded[start:end] for start, end in spans]
    place = 0
    while place < len(typed):
        length = 0
        for form in forms.get(typed[place], ()):
            size = len(form.words)
            if size < length or tuple(typed[place : place + size]) != form.words:
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
