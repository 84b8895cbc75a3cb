"""Days, months and weeks that a message names: "15/9", "ngày 15 tháng 9", "hnay", "thứ 2 tuần sau", "cuối tháng".

dateparser was tried and does not do for this: it gives a day for a month or a week, reads scores and fractions as dates
("3/4 điểm", "24/7"), takes "năm 2" for a day, and does not know "hnay", "mai", "cn này" or "cuối tháng".

Values are ISO 8601: a day "2026-12-15", a month "2026-12", a range of days "2026-12-01/2026-12-07".
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Callable, List, Match, Optional, Tuple
from typing import Pattern as Pattern_

LOOKBACK = timedelta(days=90)
"""A date without a year is the first one from so long ago on: in November "15/9" was this autumn, "15/3" will be."""

_YEARS = range(1990, 2101)
_END = r"(?![\w%])"
_MONTH_NAMES = {"gieng": 1, "chap": 12}
_WEEKDAYS = {
    "2": 0,
    "hai": 0,
    "3": 1,
    "ba": 1,
    "4": 2,
    "tu": 2,
    "5": 3,
    "nam": 3,
    "6": 4,
    "sau": 4,
    "7": 5,
    "bay": 5,
}

# What makes two numbers a date even when they could be a score or a fraction.
_DAY_CUE = re.compile(
    r"(?:ngay|hom|han|truoc|sau|tu|den|toi|vao|mung|mong|sang|trua|chieu|dem|deadline|le|nghi|qua|luc|cuoi|on|by|until"
    r"|before|after|since|from|thu \w+|t[2-7]|cn|chu nhat),? ?$"
)
# What makes them none: "được 3/4 điểm", "học kỳ 1/2026", "quyết định 15/2021", "IELTS 6/9".
_SCORE_BEFORE = re.compile(
    r"(?:diem|gpa|cpa|dat|duoc|ielts|toeic|it nhat|khoang|hon|tren|duoi|ty le|mat|giam|hoc ky|hoc ki|hk|ky|dot|lan|so|qd"
    r"|quyet dinh|thong tu|nghi dinh|tt|nd|dieu|khoan|phong|nha|lop|thang|rot)(?: la| so| cu)? ?$"
)
_COUNTED = re.compile(r"(?:\d|\b(?:mot|hai|ba|bon|nam|may|vai|ca|moi|hang|nua|bao nhieu|het)) $")
_POINTS_AFTER = re.compile(r" ?(?:(?:diem|tin|tin chi|tc|band|cau)\b|-[a-z]|/)")
_PART_AFTER = re.compile(
    r" (?:hoc phi|hp|hoc phan|so|nganh|mon|sv|sinh vien|lop|tong|khoa|chi|muc|thoi gian|bai|hoc ky|hk|ki|ky|nam|lan)\b"
)


@dataclass(frozen=True)
class DateMention:
    """`start`..`end` of a text names the ISO `value`."""

    start: int
    end: int
    value: str


def find_dates(folded: str, lowered: str, today: date) -> List[DateMention]:
    """The dates in a text, in its order and not overlapping, the longest first taken.

    `folded` and `lowered` are the text without and with its diacritics, in lower case, as long as each other.
    """
    found: List[DateMention] = []
    for pattern, value_of in _FORMS:
        for match in pattern.finditer(folded):
            if (value := value_of(match, lowered, today)) is not None:
                found.append(DateMention(match.start(), match.end(), value))
    chosen: List[DateMention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return sorted(chosen, key=lambda m: m.start)


def _iso(day: Optional[date]) -> Optional[str]:
    return None if day is None else day.isoformat()


def _range(first: Optional[date], last: Optional[date]) -> Optional[str]:
    if first is None or last is None or last < first:
        return None
    return f"{first.isoformat()}/{last.isoformat()}"


def _full_year(said: str) -> int:
    return int(said) if len(said) == 4 else 2000 + int(said)


def _day(day: int, month: int, year: Optional[str], today: date) -> Optional[date]:
    """The day that is meant; None for what is no day of the calendar."""
    if year is not None:
        return _valid(_full_year(year), month, day)
    earliest = today - LOOKBACK
    candidates = (_valid(each, month, day) for each in range(earliest.year, earliest.year + 9))
    return next((each for each in candidates if each is not None and each >= earliest), None)


def _valid(year: int, month: int, day: int) -> Optional[date]:
    if year not in _YEARS or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return date(year, month, day)


def _month(month: int, year: Optional[str], today: date) -> Optional[Tuple[int, int]]:
    """Year and month that are meant."""
    if not 1 <= month <= 12:
        return None
    if year is not None:
        return (_full_year(year), month) if _full_year(year) in _YEARS else None
    earliest = today - LOOKBACK
    return (earliest.year + (date(earliest.year, month, 1) < earliest), month)


def _later_month(today: date, months: int) -> Tuple[int, int]:
    index = today.year * 12 + today.month - 1 + months
    return index // 12, index % 12 + 1


def _said_year(match: Match[str], today: date) -> Optional[str]:
    """The year of a form that has the groups `year` ("2026") and `which` ("năm sau")."""
    if match["year"] is not None:
        return match["year"]
    which = match["which"]
    if which is None:
        return None
    return str(today.year + (0 if which in ("nay",) else -1 if which in ("ngoai", "truoc", "roi") else 1))


def _numeric(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "15/9", "15-9-2026", "15.9.2026"."""
    day, month, sign, year = int(match["day"]), int(match["month"]), match["sign"], match["year"]
    before, after = match.string[: match.start()], match.string[match.end() :]
    cue = match["cue"] is not None or _DAY_CUE.search(before) is not None
    fraction = _like_a_fraction(day, month)
    if match["cue"] is None and (
        _POINTS_AFTER.match(after) or fraction and year is None and _PART_AFTER.match(after)
    ):
        return None
    if year is None:
        if sign != "/" and match["cue"] is None:
            return None
        if not cue and (_SCORE_BEFORE.search(before) or fraction):
            return None
    elif sign == "." and len(year) == 2:
        return None
    return _iso(_day(day, month, _said_year(match, today), today))


def _like_a_fraction(one: int, other: int) -> bool:
    return (one, other) == (24, 7) or (one < other <= 5) or (one <= other and other in (4, 10))


def _iso_written(match: Match[str], lowered: str, today: date) -> Optional[str]:
    return _iso(_valid(int(match["year"]), int(match["month"]), int(match["day"])))


def _spoken(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "ngày 15 tháng 9 năm 2026", not "6 tháng 1 lần"."""
    if re.match(r" ?(?:lan|buoi|dot|luot|ky)\b", match.string[match.end() :]):
        return None
    return _iso(_day(int(match["day"]), _month_number(match["month"]), _said_year(match, today), today))


def _month_number(said: str) -> int:
    return _MONTH_NAMES.get(said) or int(said)


def _of_this_month(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "ngày 15 tháng sau", "ngày 20 này"."""
    months = {"nay": 0, "sau": 1, "toi": 1, "truoc": -1}[match["which"]]
    year, month = _later_month(today, months if match["of"] else 0)
    if not match["of"] and match["which"] == "toi" and int(match["day"]) < today.day:
        year, month = _later_month(today, 1)
    return _iso(_valid(year, month, int(match["day"])))


def _spoken_month(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "tháng 12", "tháng 9 năm ngoái", "tháng 9/2026": not "6 tháng 1 lần", not the scale "thang 10"."""
    before = match.string[: match.start()]
    typed = lowered[match.start() : match.end()]
    if re.search(
        r"(?:\d|\b(?:mot|hai|ba|may|moi|hang|trong|nua|vai|cac|bao nhieu|cuoi|dau|giua))\s$", before
    ) and not (re.search(r"(?:cuoi|dau|giua) $", before)):
        return None
    if typed.startswith("thang") and (
        (not match.string.isascii() and lowered != match.string)
        or re.search(r"(?:diem|he|gpa|theo) $", before)
    ):
        return None
    if re.match(
        r" ?(?:diem|lan|buoi|dot|trieu|tr\b|k\b|luot|nguoi|suat|ngay|mon)", match.string[match.end() :]
    ):
        return None
    said = _month(_month_number(match["month"]), _said_year(match, today), today)
    if said is None:
        return None
    part = match["part"]
    if part is not None:
        return _part_of(part, *said)
    return f"{said[0]:04d}-{said[1]:02d}"


def _part_of(part: str, year: int, month: int) -> Optional[str]:
    last = calendar.monthrange(year, month)[1]
    first, final = {"dau": (1, 10), "giua": (11, 20), "cuoi": (21, last)}[part]
    return _range(_valid(year, month, first), _valid(year, month, final))


def _relative_month(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "tháng sau", "cuối tháng", "đầu tháng này"."""
    which, part = match["which"], match["part"]
    if which is None and part is None or part is None and _COUNTED.search(match.string[: match.start()]):
        return None
    year, month = _later_month(today, {None: 0, "nay": 0, "sau": 1, "toi": 1, "truoc": -1, "roi": -1}[which])
    if part is not None:
        return _part_of(part, year, month)
    return f"{year:04d}-{month:02d}"


def _numeric_month(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "9/2026"."""
    before = match.string[: match.start()]
    if _SCORE_BEFORE.search(before) and not re.search(r"thang ?$", before):
        return None
    said = _month(int(match["month"]), match["year"], today)
    return None if said is None else f"{said[0]:04d}-{said[1]:02d}"


def _relative_day(days: int) -> Callable[[Match[str], str, date], Optional[str]]:
    return lambda match, lowered, today: _iso(today + timedelta(days=days))


def _mai(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "mai" alone: not a name, not "mãi", not "mai mốt"."""
    typed = lowered[match.start() : match.end()]
    before, after = match.string[: match.start()], match.string[match.end() :]
    sure = match["when"] is not None
    bare = lowered == match.string
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
    return _iso(today + timedelta(days=1))


def _nay(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "nay" at the beginning of a clause is today: "nay pđt có làm không"."""
    if lowered[match.start("nay") : match.end("nay")] != "nay" or lowered == match.string:
        return None
    return _iso(today)


def _after_tomorrow(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "ngày mốt", "ngày kia", not "ngày một"."""
    return (
        None if lowered[match.start() : match.end()].endswith("\u1ed9t") else _iso(today + timedelta(days=2))
    )


def _weeks(said: Optional[str]) -> int:
    return {"nay": 0, "sau": 1, "toi": 1, "truoc": -1, "roi": -1, "ke": 1, "next": 1, "this": 0, "last": -1}[
        said or "nay"
    ]


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def _week(match: Match[str], lowered: str, today: date) -> Optional[str]:
    if match["which"] is None or match["part"] is None and _COUNTED.search(match.string[: match.start()]):
        # "2 tuần rồi" is how long; "cuối tuần" alone is any of them.
        return None
    monday = _monday(today, _weeks(match["which"]))
    if match["part"] == "dau":
        return _range(monday, monday + timedelta(days=1))
    if match["part"] == "giua":
        return _range(monday + timedelta(days=2), monday + timedelta(days=3))
    if match["part"] == "cuoi":
        return _range(monday + timedelta(days=5), monday + timedelta(days=6))
    return _range(monday, monday + timedelta(days=6))


def _weekday(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "thứ 2 tuần sau", "cn này", "t6 tới"."""
    if re.search(
        r"\b(?:lan|nganh|bang|nam|trinh|cai|mon|dieu|ngu|khoa|dot|ky|so|nguoi|cau) $",
        match.string[: match.start()],
    ):
        return None
    index = _WEEKDAYS.get(match["name"] or match["short"] or "", 6)
    if match["week"] is not None:
        return _iso(_monday(today, _weeks(match["week"])) + timedelta(days=index))
    ahead = (index - today.weekday()) % 7
    if match["which"] == "roi":
        return _iso(today - timedelta(days=(today.weekday() - index) % 7 or 7))
    if match["which"] in ("toi", "sau") and ahead == 0:
        ahead = 7
    return _iso(today + timedelta(days=ahead))


def _english_weekday(match: Match[str], lowered: str, today: date) -> Optional[str]:
    index = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(match["name"][:3])
    ahead = (index - today.weekday()) % 7
    if match["which"] == "next":
        return _iso(_monday(today, 1) + timedelta(days=index))
    return _iso(today + timedelta(days=ahead))


def _from_now(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "3 ngày nữa", "hai tuần nữa"."""
    said = match["count"]
    count = int(said) if said.isdigit() else {"mot": 1, "hai": 2, "ba": 3}[said]
    days = count * (7 if match["unit"] in ("tuan", "week", "weeks") else 1)
    return _iso(today + timedelta(days=days)) if days <= 366 else None


def _span(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "từ 1/12 đến 5/12", "1-5/12", "từ ngày 1 đến ngày 5 tháng 12"."""
    month = int(match["month"])
    last = _day(int(match["last"]), month, match["year"], today)
    if last is None:
        return None
    first_month = match["first_month"]
    if first_month is None:
        return _range(_valid(last.year, month, int(match["first"])), last)
    first = _valid(last.year - (int(first_month) > month), int(first_month), int(match["first"]))
    return _range(first, last)


def _english_day(match: Match[str], lowered: str, today: date) -> Optional[str]:
    """ "September 15", "15th of Sept 2026"."""
    names = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    month = names.index(match["name"][:3]) + 1
    day = match["day"] or match["day_after"]
    sure = (
        match["year"]
        or match["suffix"]
        or match["suffix_after"]
        or re.search(r"\b(?:on|by|before|until|from|after|since|in|of) $", match.string[: match.start()])
    )
    if len(match["name"]) <= 4 and not (sure and day):
        # "may", "mar", "dec" are also syllables.
        return None
    if day is None:
        said = _month(month, match["year"], today)
        return None if said is None else f"{said[0]:04d}-{said[1]:02d}"
    return _iso(_day(int(day), month, match["year"], today))


_DAY_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_YEAR_SAID = r"(?:(?: nam |[ /\-.]{1,3})(?P<year>20\d\d)\b| (?:nam )(?P<which>nay|sau|toi|ngoai|truoc)\b)?"
_ENGLISH_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)

_FORMS: List[Tuple[Pattern_[str], Callable[[Match[str], str, date], Optional[str]]]] = [
    (
        re.compile(
            rf"(?<![\w/.,\-])(?P<cue>(?:ngay|hom|mung|mong) )?(?P<day>{_DAY_NUMBER})"
            rf" ?(?P<sign>[/\-.]) ?(?P<month>{_MONTH_NUMBER})"
            rf"(?: ?(?P=sign) ?(?P<year>20\d\d|\d\d)| nam (?P<which>nay|sau|toi|ngoai))?{_END}(?![/\-.,]\d)"
        ),
        _numeric,
    ),
    (
        re.compile(
            rf"(?<![\w/.,\-])(?P<year>20\d\d)-(?P<month>{_MONTH_NUMBER})-(?P<day>{_DAY_NUMBER}){_END}"
        ),
        _iso_written,
    ),
    (
        re.compile(
            rf"(?<![\w/.,\-])(?:(?:ngay|hom|mung|mong) )?(?P<day>{_DAY_NUMBER}) ?(?:thang|thg|th|t)[ .]?"
            rf"(?P<month>{_MONTH_NUMBER}|gieng|chap){_END}(?![/\-.,]\d\d?\b){_YEAR_SAID}"
        ),
        _spoken,
    ),
    (
        re.compile(rf"\bngay (?P<day>{_DAY_NUMBER}) (?P<of>thang )?(?P<which>nay|sau|toi|truoc){_END}"),
        _of_this_month,
    ),
    (
        re.compile(
            rf"\b(?:(?P<part>dau|giua|cuoi) )?(?:thang ?|t(?=1[0-2]\b|[89]\b))(?P<month>{_MONTH_NUMBER}|gieng|chap)"
            rf"{_END}(?![.,]\d){_YEAR_SAID}"
        ),
        _spoken_month,
    ),
    (
        re.compile(
            r"(?:\b(?P<part>dau|giua|cuoi) )?\bthang(?: (?P<which>nay|sau|toi|truoc|roi))?(?![\w]| ?\d)"
        ),
        _relative_month,
    ),
    (
        re.compile(rf"(?<![\w/.,\-])(?P<month>{_MONTH_NUMBER})[/\-](?P<year>20\d\d){_END}(?![/\-]\w)"),
        _numeric_month,
    ),
    (
        re.compile(
            rf"(?:\btu (?:ngay )?)?(?<![\w/.,\-])(?P<first>{_DAY_NUMBER})(?:[/\-](?P<first_month>{_MONTH_NUMBER}))?"
            rf" ?(?:-|–|den|toi|->|to)(?: (?:het )?(?:ngay )?)? ?(?P<last>{_DAY_NUMBER})"
            rf"(?:/| thang )(?P<month>{_MONTH_NUMBER})"
            rf"(?:(?:[/\-]| nam )(?P<year>20\d\d))?{_END}(?!/\d)"
        ),
        _span,
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
    (
        re.compile(
            rf"\b(?:(?P<day>{_DAY_NUMBER})(?P<suffix>st|nd|rd|th)?(?: of)? )?(?P<name>{_ENGLISH_MONTHS})\b"
            rf"(?: (?P<day_after>{_DAY_NUMBER})(?P<suffix_after>st|nd|rd|th)?\b)?(?:,? (?P<year>20\d\d)\b)?"
        ),
        _english_day,
    ),
]
