"""Letters: their frame, which stands around the questions and says nothing of what is asked.

"Kính gửi phòng đào tạo, em là Lan, MSSV 24110045, sinh viên K50 ngành Marketing. Em xin hỏi mấy vấn đề sau: 1. ...
Em xin cảm ơn." A search for all of it finds who writes instead of what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.text import fold, words

_CLAUSE = re.compile(r"[^,;:.!?\n]*(?:[.](?!\s|\Z)[^,;:.!?\n]*)*(?:[,;:.!?\n]+\s*|\Z)")
"""A stretch up to a comma, a colon or the end of a sentence; a dot within a number ends none."""

_WORD = re.compile(r"[^\W_]+")
_FEWEST_WORDS = 2
"""So few words are all that is left of a message without a question."""


@dataclass(frozen=True, slots=True)
class _Frame:
    salutation: re.Pattern[str]
    introduction: re.Pattern[str]
    number: re.Pattern[str]
    announcement: re.Pattern[str]
    closing: re.Pattern[str]
    numbering: re.Pattern[str]
    small: re.Pattern[str]
    greeted: re.Pattern[str]


@lru_cache(maxsize=1)
def _frame() -> _Frame:
    lists = yaml_beside(__file__, "letters.yml")
    listed = {name: re.compile(rf"\b(?:{any_of(lists[name])})\b") for name in ("small", "greeted")}
    return _Frame(**listed, **{name: re.compile(lists[name]) for name in lists if name not in listed})


Places = Sequence[tuple[int, int]]
"""Stretches of a text by start and end."""


def without_frame(text: str, named: Callable[[str], Places] = lambda _: ()) -> str:
    """Return `text` without the salutation, the writer's introduction, what announces questions, and the closing.

    `named` finds the values of the profile, which an introduction may hold. `text` is unchanged when it has no such
    frame, or when too little would be left.
    """
    places = cache(lambda: named(text))  # to find them takes longer than all else here
    clauses = [found for found in _CLAUSE.finditer(text) if found[0].strip()]
    first, last = 0, len(clauses)
    while first < last and _opens(clauses[first], places, is_first=first == 0):
        first += 1
    while last > first and _frame().closing.fullmatch(_said(clauses[last - 1][0])):
        last -= 1
    rest = [clause for clause in clauses[first:last] if not _announces(clause[0])]
    if len(rest) == len(clauses):
        return text
    left = "".join(clause[0] for clause in rest).strip(" ,;:\n")
    # "I'm cohort 51, Computer Science, advanced program" is no letter, but a reply.
    says_more = not all(_names_only(clause, places()) for clause in rest)
    return left if says_more and len(words(left)) >= _FEWEST_WORDS else text


def introduces_only(text: str, named: Places) -> bool:
    """Return whether a message greets and says who writes, and nothing else: "Chào Covan, em là sinh viên k50".

    `named` are the places of the values of the profile.
    """
    clauses = (_said(found[0]) for found in _CLAUSE.finditer(text))
    return states_only(text, named) and any(map(_frame().introduction.match, clauses))


def states_only(text: str, named: Places) -> bool:
    """Return whether a message has nothing but what stands at the places `named`, greetings, and words of an
    introduction: "dạ em sv k49, tích lũy 95 tín"."""
    clauses = [found for found in _CLAUSE.finditer(text) if found[0].strip()]
    return all("?" not in clause[0] and _names_only(clause, named, is_greeting=True) for clause in clauses)


def without_numbering(question: str) -> str:
    """Return a question without the number or the dash before it: "2) Hạn nộp?"."""
    numbered = _frame().numbering.match(fold(question).lower())
    return question[numbered.end() :] if numbered and len(fold(question)) == len(question) else question


def is_numbering(text: str) -> bool:
    """Return whether `text` is nothing but the number of a question: "1."."""
    return _frame().numbering.fullmatch(f"{fold(text.strip()).lower()} ") is not None


def _opens(clause: re.Match[str], named: Callable[[], Places], *, is_first: bool) -> bool:
    """Return whether a clause belongs to the opening of a letter; behind it, values of the profile alone do, too."""
    frame, said = _frame(), _said(clause[0])
    if "?" in clause[0]:
        return False
    if is_first and frame.salutation.fullmatch(said):
        return clause[0].rstrip()[-1:] in ",:.!\n" and len(said.split()) <= _LONGEST_SALUTATION
    if _announces(clause[0]):
        return True
    introduction = frame.introduction.match(said)
    if introduction is None and is_first:
        return False
    return bool(clause[0].rstrip()[-1:] in ",.;:\n") and _names_only(clause, named())


def _announces(clause: str) -> bool:
    return clause.rstrip().endswith(":") and _frame().announcement.fullmatch(_said(clause)) is not None


_LONGEST_SALUTATION = 12
"""Words of the longest salutation: "Kính gửi Phòng Đào tạo và quý thầy cô Khoa Kinh tế"."""


def _names_only(clause: re.Match[str], named: Places, *, is_greeting: bool = False) -> bool:
    """Return whether a clause has nothing but names of persons, values of the profile, and numbers of students.

    With `is_greeting`, words that greet, and those for parents and guests, are such words too.
    """
    begin, end = clause.span()
    places = [(start - begin, stop - begin) for start, stop in named if begin <= start and stop <= end]
    left, folded = list(clause[0]), fold(clause[0]).lower()
    if len(folded) != len(left):
        return False
    frame = _frame()
    for pattern in (frame.number, frame.small, *([frame.greeted] if is_greeting else [])):
        places += [found.span() for found in pattern.finditer(folded)]
    for start, stop in places:
        left[start:stop] = " " * (stop - start)
    return all(word[0].isupper() for word in _WORD.findall("".join(left)))


def _said(clause: str) -> str:
    return " ".join(words(fold(clause)))
