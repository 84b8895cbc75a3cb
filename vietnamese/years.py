"""The years that a question asks about ("điểm chuẩn 2027", "năm ngoái bao nhiêu"), and those of a text.

Years are compared by their halves, numbered from the year 0: 2026 has 4052 and 4053, the academic year 2026-2027 has
4053 and 4054.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from vietnamese.data_files import yaml_beside
from vietnamese.ellipsis import names_nothing
from vietnamese.text import fold, words

Halves = frozenset[int]

_YEAR = re.compile(r"\b(?:nam(?: hoc)?|year)\b")


@lru_cache(maxsize=4096)
def halves_named(text: str, today: date, begins: int, *, asks: bool = False) -> Halves:
    """Return the halves of the years that a text names; academic years begin in the month `begins` (1..12).

    "Năm ngoái" is the half that the last calendar and the last academic year share. Of a question (`asks`), years of
    dates do not count, nor any beside the current one ("năm ngoái em nộp rồi, năm nay nộp nữa không").
    """
    folded, begun, rules = fold(text), today.year - (today.month < begins), yaml_beside(__file__, "years.yml")
    folded = re.sub(rules["of_document"], " ", folded)
    if asks:
        folded = "" if any(_find("now", folded)) else re.sub(rules["date"], " ", folded)
    academic = [int(y[1]) for y in _find("academic", folded) if (int(y[1]) + 1) % 100 == int(y[2])]
    calendar = [int(y[1]) for y in _find("calendar", re.sub(rules["academic"], " ", folded))]
    steps = [step for key, step in (("last", -1), ("next", 1)) if any(_find(key, folded))]
    found = {2 * year + half for year in calendar for half in (0, 1)}
    found.update(2 * year + half for year in academic for half in (1, 2))
    return frozenset(found.union(2 * begun + 2 * step + (1 if begun == today.year else 2) for step in steps))


def current_halves(today: date, begins: int) -> Halves:
    """Return the halves of today's calendar year and of today's academic year, which begins in the month `begins`."""
    begun = today.year - (today.month < begins)
    return frozenset((2 * today.year, 2 * today.year + 1, 2 * begun + 1, 2 * begun + 2))


def is_mere_year(text: str) -> bool:
    """Return whether a message names a year and nothing else: "năm 2023 thì sao"."""
    rest, names = fold(text), 0
    for key in ("academic", "calendar", "last", "next"):
        for found in reversed([*_find(key, rest)]):
            rest, names = f"{rest[: found.start()]} {rest[found.end() :]}", names + 1
    rest = _YEAR.sub(" ", rest)
    return names > 0 and (not words(rest) or names_nothing(rest))


def with_last_year(text: str, today: date) -> str:
    """Return a question with "năm 2025" in place of "năm ngoái", as published texts name the year."""
    for found in reversed([*_find("last", fold(text))]):
        lead = f"{text[found.start() : found.start() + 3]} " if found[0].startswith("nam") else ""
        text = f"{text[: found.start()]}{lead}{today.year - 1}{text[found.end() :]}"
    return text


def _find(key: str, folded: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that are not the year of a person or of a decision."""
    rules = yaml_beside(__file__, "years.yml")
    for found in re.finditer(rules[key], folded):
        before, after = folded[: found.start()], folded[found.end() :]
        if not (re.search(rules["not_behind"], before) or re.match(rules["not_before"], after)):
            yield found
