"""Dates that name their day or month: "15/9", "ngày 15 tháng 9", "tháng 9 năm ngoái", "từ 1/12 đến 5/12", "Sept 15"."""

from __future__ import annotations

import re

from vietnamese.date_values import (
    DateMatch,
    date_pattern,
    day_near,
    iso,
    iso_month,
    iso_range,
    month_near,
    part_of_month,
    valid_day,
)

_MONTH_NAMES = {"gieng": 1, "chap": 12}


def _said_year(found: DateMatch) -> str | None:
    """Return the year of a form with the groups `year` ("2026") and `which` ("năm sau")."""
    year: str | None = found["year"]
    if year is not None or found["which"] is None:
        return year
    return str(found.today.year + {"nay": 0, "ngoai": -1, "truoc": -1}.get(found["which"], 1))


def read_numeric(found: DateMatch) -> str | None:
    """Read "15/9", "15-9-2026", "15.9.2026"."""
    day, month, sign, year = int(found["day"]), int(found["month"]), found["sign"], found["year"]
    before, after = found.before, found.after
    cue = found["cue"] is not None or date_pattern("day_before").search(before) is not None
    fraction = _like_a_fraction(day, month)
    if found["cue"] is None and (
        date_pattern("points_after").match(after)
        or (fraction and year is None and date_pattern("part_after").match(after))
    ):
        return None
    if year is None:
        if sign != "/" and found["cue"] is None:
            return None
        if not cue and (date_pattern("score_before").search(before) or fraction):
            return None
    elif sign == "." and len(year) == 2:
        return None
    return iso(day_near(day, month, _said_year(found), found.today))


def _like_a_fraction(one: int, other: int) -> bool:
    return (one, other) == (24, 7) or (one < other <= 5) or (one <= other and other in (4, 10))


def read_iso(found: DateMatch) -> str | None:
    return iso(valid_day(int(found["year"]), int(found["month"]), int(found["day"])))


def read_spoken(found: DateMatch) -> str | None:
    """Read "ngày 15 tháng 9 năm 2026", not "6 tháng 1 lần"."""
    if re.match(r" ?(?:lan|buoi|dot|luot|ky)\b", found.after):
        return None
    return iso(day_near(int(found["day"]), _month_number(found["month"]), _said_year(found), found.today))


def _month_number(said: str) -> int:
    return _MONTH_NAMES.get(said) or int(said)


def read_spoken_month(found: DateMatch) -> str | None:
    """Read "tháng 12", "tháng 9 năm ngoái", "tháng 9/2026": not "6 tháng 1 lần", not the scale "thang 10"."""
    before = found.before
    if re.search(
        r"(?:\d|\b(?:mot|hai|ba|may|moi|hang|trong|nua|vai|cac|bao nhieu|cuoi|dau|giua))\s$", before
    ) and not (re.search(r"(?:cuoi|dau|giua) $", before)):
        return None
    if found.typed().startswith("thang") and (
        not found.is_bare or re.search(r"(?:diem|he|gpa|theo) $", before)
    ):
        return None
    if re.match(r" ?(?:diem|lan|buoi|dot|trieu|tr\b|k\b|luot|nguoi|suat|ngay|mon)", found.after):
        return None
    said = month_near(_month_number(found["month"]), _said_year(found), found.today)
    if said is None:
        return None
    return part_of_month(found["part"], *said) if found["part"] is not None else iso_month(said)


def read_numeric_month(found: DateMatch) -> str | None:
    """Read "9/2026"."""
    before = found.before
    if date_pattern("score_before").search(before) and not re.search(r"thang ?$", before):
        return None
    return iso_month(month_near(int(found["month"]), found["year"], found.today))


def read_span(found: DateMatch) -> str | None:
    """Read "từ 1/12 đến 5/12", "1-5/12", "từ ngày 1 đến ngày 5 tháng 12"."""
    month = int(found["month"])
    last = day_near(int(found["last"]), month, found["year"], found.today)
    if last is None:
        return None
    first_month = found["first_month"]
    if first_month is None:
        return iso_range(valid_day(last.year, month, int(found["first"])), last)
    first = valid_day(last.year - (int(first_month) > month), int(first_month), int(found["first"]))
    return iso_range(first, last)


def read_english_day(found: DateMatch) -> str | None:
    """Read "September 15", "15th of Sept 2026"."""
    names = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    month = names.index(found["name"][:3]) + 1
    day = found["day"] or found["day_after"]
    sure = (
        found["year"]
        or found["suffix"]
        or found["suffix_after"]
        or re.search(r"\b(?:on|by|before|until|from|after|since|in|of) $", found.before)
    )
    if len(found["name"]) <= 4 and not (sure and day):
        # "may", "mar", "dec" are also syllables.
        return None
    if day is None:
        return iso_month(month_near(month, found["year"], found.today))
    return iso(day_near(int(day), month, found["year"], found.today))
