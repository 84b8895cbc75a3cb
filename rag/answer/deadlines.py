"""Deadlines: the days until which something must be done, by the words of an answer.

The words of deadlines.yml mark a sentence about a deadline. A card goes into a calendar, so its day must have a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise

from rag.types import Deadline
from vietnamese.data_files import yaml_beside
from vietnamese.text import NO_ABBREVIATION

LONGEST_TEXT = 200
"""The longest text of a card, in characters; a longer sentence is shortened at the end of a clause."""

LEFT_OUT = "…"

_SENTENCE_END = re.compile(rf"(?<=[.!?]){NO_ABBREVIATION}\s+(?=\S)")
_CLAUSE_END = re.compile(r"[,;](?=\s)|(?<!\d)\s[–—-]\s|\s[–—-]\s(?!\d)")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)]|[a-zđ][.)])\s+")
_HEADING = re.compile(r"^\s*(?:#{1,6}|>)\s*")
_MARKUP = re.compile(r"(?<!!)\[([^\[\]\n]+)\]\([^()\s]*\)|[*`]|(?<!\w)_|_(?!\w)")
_NUMERIC = re.compile(r"(?<![\d/.])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/])")
_SPELLED = re.compile(r"(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2})\s*(?:,|năm)\s*(\d{4})(?!\d)", re.IGNORECASE)
_YEARLESS = re.compile(r"(?<![\d/.])(\d{2}|(?<=ngày )\d)/(\d{1,2})(?![\d/])")
"""A day of every year. "1/3" alone is a share."""

_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])")
_FROM = re.compile(r"\b(?:từ|kể từ|from)(?:\s+ngày)?\s+$", re.IGNORECASE)
_UNTIL = re.compile(r"\s*(?:[-–—]|đến\b|to\b|until\b)", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|và|hoặc|and|or)\s*(?:ngày\s*)?", re.IGNORECASE)
_TABLE_ROW = re.compile(r"^\s*\|")


@dataclass(frozen=True, slots=True)
class _Day:
    """A day of the calendar, at `start:end` of a sentence."""

    start: int
    end: int
    date: date


def deadlines_in(text: str, near: date | None = None) -> list[Deadline]:
    """Return the deadlines of a Markdown text, each once, in its order.

    A line that ends with a colon ("Hạn nộp đơn:") leads in to the list below it. With `near`, days of every year count,
    too ("31/10"), each in the year in which it is nearest to that date.
    """
    found: dict[tuple[str, date], Deadline] = {}
    lead = ""
    for line in text.split("\n"):
        if not line.strip() or _TABLE_ROW.match(line):
            continue
        plain, is_item = _plain(line), _ITEM.match(line) is not None
        for sentence in _SENTENCE_END.split(plain):
            for deadline in _of_sentence(sentence.strip(), lead if is_item else "", near):
                found.setdefault((deadline.text, deadline.date), deadline)
        if not is_item:
            is_lead = plain.endswith(":") and (_cues(plain) or _words().to_do.search(plain))
            lead = plain if is_lead else ""
    return list(found.values())


def beginnings_in(text: str, near: date) -> list[Deadline]:
    """Return the days on which something begins by the words of a Markdown text, in its order, as `deadlines_in`."""
    sentences = (
        sentence
        for line in text.split("\n")
        if not _TABLE_ROW.match(line)
        for sentence in _SENTENCE_END.split(_plain(line))
    )
    return [
        Deadline(_CLAUSE_END.split(sentence[: day.end])[-1].strip(), day.date)
        for sentence in sentences
        for day in _days(sentence, near)
        if _words().begins.search(sentence[: day.start])
    ]


def _of_sentence(sentence: str, lead: str, near: date | None) -> Iterator[Deadline]:
    """Yield the deadlines of a sentence; `lead` is the line that leads in to its list, `near` as for `deadlines_in`."""
    if _words().not_in.search(sentence):
        return
    borders = [0, *(found.end() for found in _CLAUSE_END.finditer(sentence)), len(sentence)]
    clauses = list(pairwise(borders))
    cues, every = _cues(sentence), _days(sentence, near)
    colon = next((sentence.find(":", cue) for cue in cues if ":" in sentence[cue:]), len(sentence))
    due: list[_Day] = []
    for clause in clauses:
        days = [day for day in every if clause[0] <= day.start < clause[1]]
        due += _due(sentence, clause, days, cues, lead)
        due += [
            day for day in days if day.start > colon and day not in due and not _begins_a_span(sentence, day)
        ]
    begin, end = 0, 0
    for day in due:
        clause_end = next(clause[1] for clause in clauses if day.end <= clause[1])
        if day.start >= end:  # two days of a clause share its words
            begin, end = end, clause_end if any(other.start >= clause_end for other in due) else len(sentence)
        said = _text(sentence, (begin, end), day, clauses)
        if not any(begin <= cue < end for cue in cues):
            is_whole = not begin and (not lead or bool(_cues(lead)))
            said = _led(lead or sentence[: colon + 1] if lead or begin > colon else "", said, whole=is_whole)
        yield Deadline(said, day.date, is_before=_words().too_late.search(sentence[: day.start]) is not None)


def _led(lead: str, said: str, *, whole: bool) -> str:
    """Return `said` behind the words that make a deadline of it."""
    return " ".join(filter(None, (lead, "" if whole or not lead else LEFT_OUT, said)))


def _due(
    sentence: str, clause: tuple[int, int], days: Sequence[_Day], cues: Sequence[int], lead: str
) -> Iterator[_Day]:
    """Yield the days of a clause that are deadlines by its words, or by those of the line that leads in to it."""
    reached, before_is_due, is_open, led = clause[0], False, False, bool(_cues(lead))
    for day in days:
        between, begins = sentence[reached : day.start], _begins_a_span(sentence, day)
        is_due = (
            led
            or is_open
            or any(reached <= cue < day.start for cue in cues)
            or _words().right_before.search(between) is not None
            or (before_is_due and _JOINED.fullmatch(between) is not None)
            or (len(days) == 1 and any(day.end <= cue < clause[1] for cue in cues))
        )
        if is_due := is_due and not begins:
            yield day
        is_open = begins and _words().to_do.search(f"{lead} {between}") is not None
        reached, before_is_due = day.end, is_due


def _begins_a_span(sentence: str, day: _Day) -> bool:
    """Return whether a day is the first of "from … until …"."""
    return bool(_FROM.search(sentence[: day.start]) or _UNTIL.match(sentence[day.end :]))


def _text(sentence: str, part: tuple[int, int], day: _Day, clauses: Sequence[tuple[int, int]]) -> str:
    """Return a sentence from `part[0]` to `part[1]`, shortened to the clauses next to `day`."""
    begin, end = part
    if end - begin > LONGEST_TEXT:
        inside = [clause for clause in clauses if begin <= clause[0] and clause[1] <= end]
        begin, end = next(clause for clause in inside if clause[0] <= day.start < clause[1])
        for clause in reversed([each for each in inside if each[1] <= begin]):
            begin = clause[0] if end - clause[0] <= LONGEST_TEXT else begin
        for clause in [each for each in inside if each[0] >= end]:
            end = clause[1] if clause[1] - begin <= LONGEST_TEXT else end
    if end - begin > LONGEST_TEXT:  # one clause, and a long one
        begin = max(begin, sentence.find(" ", max(begin, day.end - LONGEST_TEXT), day.start))
        end = min(end, max(day.end, sentence.rfind(" ", 0, begin + LONGEST_TEXT)))
    said = sentence[begin:end].strip(" ,;–—-")
    left_out = LEFT_OUT if begin > part[0] else ""
    return f"{left_out}{said}{LEFT_OUT if end < part[1] else ''}"


def _plain(line: str) -> str:
    """Return a line of Markdown as plain text."""
    return " ".join(_MARKUP.sub(r"\1", _ITEM.sub("", _HEADING.sub("", line))).split())


def _days(sentence: str, near: date | None) -> list[_Day]:
    found: list[_Day] = []
    if near is not None:
        for match in _YEARLESS.finditer(sentence):
            found += _nearest(match, near)
    for match in _NUMERIC.finditer(sentence):
        found += _day(match, match[4], match[3], match[1])
    for match in _SPELLED.finditer(sentence):
        found += _day(match, match[3], match[2], match[1])
    for match in _ISO.finditer(sentence):
        found += _day(match, match[1], match[2], match[3])
    day_first, month_first = _words().english_days
    for match in day_first.finditer(sentence):
        found += _day(match, match[3], _words().months[match[2].lower()], match[1])
    for match in month_first.finditer(sentence):
        found += _day(match, match[3], _words().months[match[1].lower()], match[2])
    return sorted(found, key=lambda day: day.start)


def _day(match: re.Match[str], year: str, month: str | int, day: str) -> list[_Day]:
    try:
        return [_Day(match.start(), match.end(), date(int(year), int(month), int(day)))]
    except ValueError:  # no day of the calendar
        return []


def _nearest(match: re.Match[str], near: date) -> list[_Day]:
    """Return the day of every year, in the year in which it is nearest to a date."""
    years = (near.year - 1, near.year, near.year + 1)
    days = [day for year in years for day in _day(match, str(year), match[2], match[1])]
    return sorted(days, key=lambda day: abs(day.date - near))[:1]


def _cues(sentence: str) -> list[int]:
    """Return the places of the words that make a deadline of a day in their clause."""
    known = _words()
    masked = known.others.sub(lambda other: "." * len(other[0]), sentence)
    return [found.start() for found in known.cues.finditer(masked)]


@dataclass(frozen=True, slots=True)
class _Words:
    """The lists of deadlines.yml as patterns; `english_days` are "5 May 2027" and "May 5, 2027"."""

    cues: re.Pattern[str]
    right_before: re.Pattern[str]
    too_late: re.Pattern[str]
    begins: re.Pattern[str]
    to_do: re.Pattern[str]
    others: re.Pattern[str]
    not_in: re.Pattern[str]
    months: Mapping[str, int]
    english_days: tuple[re.Pattern[str], re.Pattern[str]]


@lru_cache(maxsize=1)
def _words() -> _Words:
    lists = yaml_beside(__file__, "deadlines.yml")
    month = "|".join(lists["months"])
    return _Words(
        cues=_any_of(lists["cues"]),
        right_before=_right_before(lists["right_before"]),
        too_late=_right_before(lists["too_late"]),
        begins=_right_before(lists["begins"]),
        to_do=_any_of(lists["to_do"]),
        others=_any_of(lists["others"]),
        not_in=_any_of(lists["not_in"]),
        months=lists["months"],
        english_days=(
            re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+({month}),?\s+(\d{{4}})\b", re.IGNORECASE),
            re.compile(rf"\b({month})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.IGNORECASE),
        ),
    )


def _right_before(phrases: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a text that ends with one of `phrases`."""
    return re.compile(rf"{_any_of(phrases).pattern}\s+$", re.IGNORECASE)


def _any_of(phrases: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    found = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first)
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)", re.IGNORECASE)
