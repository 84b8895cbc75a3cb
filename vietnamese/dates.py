"""Days, months and weeks that a message names: "15/9", "ngày 15 tháng 9", "hnay", "thứ 2 tuần sau", "cuối tháng".

dateparser does not serve here: it gives a day for a month or a week, reads scores and fractions as dates ("3/4 điểm",
"24/7"), takes "năm 2" for a day, and does not know "hnay", "mai", "cn này" or "cuối tháng".

Values are ISO 8601: a day "2026-12-15", a month "2026-12", a range of days "2026-12-01/2026-12-07".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from vietnamese import relative_dates, written_dates
from vietnamese.data_files import yaml_beside
from vietnamese.date_values import DateMatch, date_pattern

_READERS = {**vars(written_dates), **vars(relative_dates)}


@dataclass(frozen=True, slots=True)
class DateMention:
    """`start`..`end` of a text names the ISO `value`."""

    start: int
    end: int
    value: str


def find_dates(folded: str, lowered: str, today: date) -> list[DateMention]:
    """Return the dates in a text, in its order; of overlapping ones only the longest.

    `folded` and `lowered` are the text without and with its diacritics, in lower case, as long as each other.
    """
    found: list[DateMention] = []
    for reader, form in yaml_beside(__file__, "dates.yml")["forms"]:
        for match in date_pattern(form).finditer(folded):
            if (value := _READERS[f"read_{reader}"](DateMatch(match, lowered, today))) is not None:
                found.append(DateMention(match.start(), match.end(), value))
    chosen: list[DateMention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return sorted(chosen, key=lambda m: m.start)
