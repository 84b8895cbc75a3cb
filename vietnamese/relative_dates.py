"""Dates that count from today: "hnay", "mai", "thứ 2 tuần sau", "cuối tháng", "3 ngày nữa", "next Monday"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from vietnamese.date_values import (
    DateMatch,
    DateReader,
    iso,
    iso_month,
    iso_range,
    later_month,
    part_of_month,
    valid_day,
)

_WEEKDAY_NAMES = ("2 hai", "3 ba", "4 tu", "5 nam", "6 sau", "7 bay")
_WEEKDAYS = {name: day for day, names in enumerate(_WEEKDAY_NAMES) for name in names.split()}
_STEPS = {0: (None, "nay", "this"), 1: ("sau", "toi", "ke", "next"), -1: ("truoc", "roi", "last")}
_AHEAD = {word: step for step, words in _STEPS.items() for word in words}
"""Months or weeks that a word counts ahead."""


def read_day_of_month(found: DateMatch) -> str | None:
    """Read "ngày 15 tháng sau", "ngày 20 này"."""
    year, month = later_month(found.today, _AHEAD[found["which"]] if found["of"] else 0)
    if not found["of"] and found["which"] == "toi" and int(found["day"]) < found.today.day:
        year, month = later_month(found.today, 1)
    return iso(valid_day(year, month, int(found["day"])))


def read_month(found: DateMatch) -> str | None:
    """Read "tháng sau", "cuối tháng", "đầu tháng này"."""
    which, part = found["which"], found["part"]
    if (which is None and part is None) or (part is None and found.is_counted):
        return None
    said = later_month(found.today, _AHEAD[which])
    return part_of_month(part, *said) if part is not None else iso_month(said)


def _relative_day(days: int) -> DateReader:
    return lambda found: iso(found.today + timedelta(days=days))


def read_mai(found: DateMatch) -> str | None:
    """Read "mai" as tomorrow: not a name, not "mãi", not "mai mốt"."""
    typed = found.typed()
    before, after = found.before, found.after
    sure = found["when"] is not None
    bare = found.is_bare
    if not typed.endswith("mai") or re.match(r" (?:mot|sau|kia|dao|linh|lan|anh|huong|phuong|chi)\b", after):
        return None
    if not sure and re.search(
        r"\b(?:co|chi|ban|ten|ten la|thay|khai|be|ngo|to|hoa|cay|hai|ms|mrs|tet) $", before
    ):
        return None
    if (
        not sure
        and bare
        and before
        and not re.search(r"[,.;:!?]\s*$|\b(?:em|e|minh|den|toi|het|hom nay|ma|la) $", before)
    ):
        return None
    return iso(found.today + timedelta(days=1))


def read_nay(found: DateMatch) -> str | None:
    """Read "nay" at the beginning of a clause as today: "nay pđt có làm không"."""
    if found.typed("nay") != "nay" or found.is_bare:
        return None
    return iso(found.today)


def read_after_tomorrow(found: DateMatch) -> str | None:
    """Read "ngày mốt", "ngày kia", not "ngày một"."""
    return None if found.typed().endswith("\u1ed9t") else iso(found.today + timedelta(days=2))


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def read_week(found: DateMatch) -> str | None:
    if found["which"] is None or (found["part"] is None and found.is_counted):
        # "2 tuần rồi" is a duration; "cuối tuần" alone is any weekend.
        return None
    monday = _monday(found.today, _AHEAD[found["which"]])
    first, last = {None: (0, 6), "dau": (0, 1), "giua": (2, 3), "cuoi": (5, 6)}[found["part"]]
    return iso_range(monday + timedelta(days=first), monday + timedelta(days=last))


def read_weekday(found: DateMatch) -> str | None:
    """Read "thứ 2 tuần sau", "cn này", "t6 tới"."""
    if re.search(
        r"\b(?:lan|nganh|bang|nam|trinh|cai|mon|dieu|ngu|khoa|dot|ky|so|nguoi|cau) $",
        found.before,
    ):
        return None
    index = _WEEKDAYS.get(found["name"] or found["short"] or "", 6)
    if found["week"] is not None:
        return iso(_monday(found.today, _AHEAD[found["week"]]) + timedelta(days=index))
    ahead = (index - found.today.weekday()) % 7
    if found["which"] == "roi":
        return iso(found.today - timedelta(days=(found.today.weekday() - index) % 7 or 7))
    if found["which"] in ("toi", "sau") and ahead == 0:
        ahead = 7
    return iso(found.today + timedelta(days=ahead))


def read_english_weekday(found: DateMatch) -> str | None:
    index = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(found["name"][:3])
    ahead = (index - found.today.weekday()) % 7
    if found["which"] == "next":
        return iso(_monday(found.today, 1) + timedelta(days=index))
    return iso(found.today + timedelta(days=ahead))


def read_from_now(found: DateMatch) -> str | None:
    """Read "3 ngày nữa", "hai tuần nữa"."""
    said = found["count"]
    count = int(said) if said.isdigit() else {"mot": 1, "hai": 2, "ba": 3}[said]
    days = count * (7 if found["unit"] in ("tuan", "week", "weeks") else 1)
    return iso(found.today + timedelta(days=days)) if days <= 366 else None


read_before_yesterday = _relative_day(-2)
read_yesterday = _relative_day(-1)
read_today = _relative_day(0)
read_tomorrow = _relative_day(1)
