"""Dates that count from today: "hnay", "mai", "thứ 2 tuần sau", "cuối tháng", "3 ngày nữa", "next Monday"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from vietnamese.date_values import (
    DAY,
    END,
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


def _of_this_month(found: DateMatch) -> str | None:
    """Read "ngày 15 tháng sau", "ngày 20 này"."""
    year, month = later_month(found.today, _AHEAD[found["which"]] if found["of"] else 0)
    if not found["of"] and found["which"] == "toi" and int(found["day"]) < found.today.day:
        year, month = later_month(found.today, 1)
    return iso(valid_day(year, month, int(found["day"])))


def _relative_month(found: DateMatch) -> str | None:
    """Read "tháng sau", "cuối tháng", "đầu tháng này"."""
    which, part = found["which"], found["part"]
    if (which is None and part is None) or (part is None and found.is_counted):
        return None
    said = later_month(found.today, _AHEAD[which])
    return part_of_month(part, *said) if part is not None else iso_month(said)


def _relative_day(days: int) -> DateReader:
    return lambda found: iso(found.today + timedelta(days=days))


def _mai(found: DateMatch) -> str | None:
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


def _nay(found: DateMatch) -> str | None:
    """Read "nay" at the beginning of a clause as today: "nay pđt có làm không"."""
    if found.typed("nay") != "nay" or found.is_bare:
        return None
    return iso(found.today)


def _after_tomorrow(found: DateMatch) -> str | None:
    """Read "ngày mốt", "ngày kia", not "ngày một"."""
    return None if found.typed().endswith("\u1ed9t") else iso(found.today + timedelta(days=2))


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def _week(found: DateMatch) -> str | None:
    if found["which"] is None or (found["part"] is None and found.is_counted):
        # "2 tuần rồi" is a duration; "cuối tuần" alone is any weekend.
        return None
    monday = _monday(found.today, _AHEAD[found["which"]])
    first, last = {None: (0, 6), "dau": (0, 1), "giua": (2, 3), "cuoi": (5, 6)}[found["part"]]
    return iso_range(monday + timedelta(days=first), monday + timedelta(days=last))


def _weekday(found: DateMatch) -> str | None:
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


def _english_weekday(found: DateMatch) -> str | None:
    index = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(found["name"][:3])
    ahead = (index - found.today.weekday()) % 7
    if found["which"] == "next":
        return iso(_monday(found.today, 1) + timedelta(days=index))
    return iso(found.today + timedelta(days=ahead))


def _from_now(found: DateMatch) -> str | None:
    """Read "3 ngày nữa", "hai tuần nữa"."""
    said = found["count"]
    count = int(said) if said.isdigit() else {"mot": 1, "hai": 2, "ba": 3}[said]
    days = count * (7 if found["unit"] in ("tuan", "week", "weeks") else 1)
    return iso(found.today + timedelta(days=days)) if days <= 366 else None


FORMS: tuple[tuple[re.Pattern[str], DateReader], ...] = (
    (
        re.compile(rf"\bngay (?P<day>{DAY}) (?P<of>thang )?(?P<which>nay|sau|toi|truoc){END}"),
        _of_this_month,
    ),
    (
        re.compile(
            r"(?:\b(?P<part>dau|giua|cuoi) )?\bthang(?: (?P<which>nay|sau|toi|truoc|roi))?(?![\w]| ?\d)"
        ),
        _relative_month,
    ),
    (
        re.compile(
            r"\b(?:(?:ngay )?hom nay|h\.?nay|bua nay|(?:sang|trua|chieu|toi|dem) nay|today|tonight)\b"
        ),
        _relative_day(0),
    ),
    (
        re.compile(r"(?:^|[,.;:!?\n] ?|\b(?:da|ad|em|oi|a|den|het) )(?P<nay>nay)\b(?! (?:la|moi|em nam))"),
        _nay,
    ),
    (re.compile(r"\b(?:hom qua|h\.?qua|bua qua|(?:sang|trua|chieu|toi) qua|yesterday)\b"), _relative_day(-1)),
    (re.compile(r"\b(?:hom kia)\b"), _relative_day(-2)),
    (re.compile(r"\bngay (?:mot|kia)\b"), _after_tomorrow),
    (re.compile(r"\b(?:nmai|ng mai|tomorrow|tmr)\b"), _relative_day(1)),
    (re.compile(r"\b(?P<when>(?:ngay|sang|trua|chieu|toi|dem|hom) )?mai\b"), _mai),
    (
        re.compile(r"\b(?:(?P<part>dau|giua|cuoi) )?tuan(?: (?P<which>nay|sau|toi|truoc|roi|ke))?\b(?! \d)"),
        _week,
    ),
    (re.compile(r"\b(?P<part>(?!))?(?P<which>next|this|last) week\b"), _week),
    (
        re.compile(
            r"\b(?:(?:thu ?(?P<name>[2-7]|hai|ba|tu|nam|sau|bay)|t(?P<short>[2-7]))|cn|chu nhat)"
            r"(?: (?:cua )?tuan (?P<week>nay|sau|toi|truoc|roi|ke)| (?P<which>nay|toi|sau|roi)(?! (?:moi|thi)))\b"
        ),
        _weekday,
    ),
    (
        re.compile(
            r"\b(?P<which>next|this|on) (?P<name>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
        ),
        _english_weekday,
    ),
    (
        re.compile(r"\b(?P<count>\d{1,3}|mot|hai|ba) (?P<unit>ngay|tuan|bua|hom) nua\b"),
        _from_now,
    ),
    (re.compile(r"\bin (?P<count>\d{1,3}) (?P<unit>days?|weeks?)\b"), _from_now),
)
