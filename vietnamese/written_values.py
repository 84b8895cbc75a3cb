"""Values that a message gives: "18 tín", "gpa 3,3", "85 đrl", "25 điểm khối B00", "8.5 triệu", "rẻ nhất".

The units and their words stand in `written_values.yml`, with the form that their values usually have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import either
from vietnamese.text import fold, lower_char

MONEY, COMBINATION, LETTER, SCALE, NUMBER = "money", "combination", "letter", "scale", "number"
ADMISSION_WAY = "admission_way"
"""Units with a form of their own: an amount in đồng, a group of exam subjects, a letter grade, the scale of grades, a
number alone, a way of admission."""

MOST_DIGITS = 12
"""A longer number is an account or a phone number."""

_NUMBER = either(r"(?P<number>(?<![\w.,/-])-?\d+(?:(?:[.,]| phẩy )\d+)*)")
_DECIMAL = r"(?P<number>(?<![\w.,/-])\d+[.,]\d+)"
_HALF = either(r"(?P<half> rưỡi)?")
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[.,]\d{3})+")
_SAID_COMMA = re.compile(either(" phẩy "))
_GRADED_CREDITS = re.compile(
    either(
        r"(?<![\w+])(?P<letter>[abcdf])(?P<plus>\+)?\s*[:=]?\s*\d{1,2}\s*(?:tín chỉ|tín|tc|credits?)(?!\w)"
    )
)
"""A course with its grade before its credits. A single "a 3 tín" may begin a sentence ("dạ a 3 tín"), two do not."""

_REACHED = re.compile(
    r"(?i:(?<!\w)(?:được|đạt|lên|duoc|dat|len|đc|dc|get|a grade of))\s+(?P<letter>[ABCDF])(?P<plus>\+)?(?![\w+])"
)
"""A grade to be reached, in a capital: "được B". Small, it may be a word: "được a", "được d" (được ạ, được đ)."""

_ALTERNATIVES = re.compile(
    r"(?<!\w)[abcdf]\+?\s+(?:hay|hoặc|hoac|or)\s+(?:(?:là|la|điểm|diem)\s+)*[abcdf](?:\+|(?!\w))"
)
"""Grades that are asked about, not given: "7,9 là B hay B+"."""

_COMBINATION = re.compile(
    either(r"(?:(?P<cue>tổ hợp|khối)\s*)?(?<!\w)(?P<letter>[abcdvh])(?P<digits>\d{1,2})?(?!\w)")
)
_LETTER = re.compile(
    either(
        r"(?:(?P<cue>điểm chữ|điểm|tín|tín chỉ|tc|grade)\s+)?(?<!\w)(?P<letter>[abcdf])(?P<plus>\+)?(?![\w+])"
    )
)

_SPECIFIC, _GENERAL, _SCALE, _ALONE, _WAY = 1.0, 0.9, 0.15, 0.1, 0.05
"""The worth of a reading: with a unit, with an everyday word, as a scale ("hệ 4" in "3,2 hệ 4" is a unit), alone, as a
way ("học bạ" in "học bạ 25" is a unit)."""

_BEHIND = 0.01
"""The lead of a reading with the unit behind its number over one with the unit before it."""

_PER_CREDIT = re.compile(
    either(
        r"(?<!\w)(?:1|một)\s*(?:tín chỉ|tín|tc|credit)\s+(?:giá |là |hết |thì |hiện |giờ )*"
        r"(?:bao nhiêu|bn|bnh|nhiêu|nhiu|mấy tiền)(?!\w)"
        r"|(?<!\w)(?:học phí|đơn giá|giá|tiền)\s+(?:của\s+)?(?:1|một)\s*(?:tín chỉ|tín|tc|credit)(?!\w)"
    )
)
"""A price is asked for, no number of credits is given: "1 tín bao nhiêu", "học phí 1 tín chỉ"."""

_CALENDAR_YEARS = range(2000, 2101)

_HIGHEST_MARK = 10

_HIGHEST_OF_A_NOUN = 6
"""The highest number of a noun's ("năm 6")."""

_NUMBER_NEXT = re.compile(either(r"\s*(?:là|được|đc|dc|:|=)?\s*\d"))

_CLAUSE_END = re.compile(either(r"[,;](?!\d)|\n|(?<!\w)(?:và|còn|and)(?!\w)"))
"""The end of the words for one course in a list of marks."""

_UNUSUAL = 0.2
"""The loss of a reading whose number has not the form of its unit: of "3.4 rl 78" the conduct mark is 78."""

_GENERAL_UNITS = ("points", "people")
"""Units with everyday words, which give way to others: "điểm", "phòng"."""

_CREDITS = ("credits", "repeated_credits", "failed_credits", "dropped_credits")

_LACKING = re.compile(
    either(r"(?<!\w)(?:thiếu|hụt|kém)(?:\s+(?:có|mỗi|mất|đúng|chừng|khoảng|tầm|đâu|chỉ|tới|đến|cỡ|hẳn))*\s+$")
)
"""Before a number that says by how much something falls short: "thiếu có 0.05", "thiếu 2 điểm rèn luyện"."""

_ADDED = re.compile(r"\d+(?:[.,]\d+)?(?:\s*\+\s*\d+(?:[.,]\d+)?)+(?=\s*=\s*\d)")
"""What is added up before its sum: "62+4+2 = 68" is 68."""

_COURSES = either(
    r"(?P<courses>\s*(?:\d{1,2}|một|hai|ba)\s*(?:môn|học phần|courses?)(?:\s+f)?,?(?:\s+(?:tổng cộng|tổng|in all))?)"
)
"""Courses between a verb and their credits: "học lại 3 môn F tổng 9 tín", "rút bớt 1 môn 3 tín"."""

_COUNTED_COURSES = re.compile(either(r"\d\s*(?:môn|học phần)\s*$"))
"""Before the F of failed courses, which no grade is asked of: "học lại 3 môn F"."""

_SMALL_CHANGE = 100
"""From this number on "đ" is đồng, below it points."""


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A value in `start`..`end` of a text: a number of `unit`, or a word's value."""

    unit: str
    value: float | str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Found:
    """A possible reading; `at` is the place of the value itself, `worth` ranks it."""

    value: WrittenValue
    at: int
    worth: float


def units() -> frozenset[str]:
    """Return the names of all units."""
    return frozenset((*_wording().numbers, *_wording().words, MONEY, COMBINATION, LETTER, NUMBER))


def word_values(unit: str) -> tuple[str, ...]:
    """Return the values of a unit of words ("highest", "lowest"); empty for a unit of numbers."""
    return tuple(value for value, _ in _wording().words.get(unit, ()))


def is_worded(unit: str) -> bool:
    """Return whether the values of a unit are words or codes ("lowest", "B00", "B+") instead of numbers."""
    return unit in (COMBINATION, LETTER) or unit in _wording().words


def written_values(text: str, names: Iterable[tuple[int, int]] = ()) -> tuple[WrittenValue, ...]:
    """Return the values in `text`, in their order; each part of the text belongs to one value.

    `names` are places of names ("k51", "15/9"), in which no number stands alone.
    """
    lowered = "".join(map(lower_char, text))
    taken = list(names)
    prices = [found.span() for found in _PER_CREDIT.finditer(lowered)]
    found = [*_numbers(lowered), *_letters(lowered, text), *_words(lowered)]
    # "Năm 4 k49" is no amount.
    found = [one for one in found if one.value.unit != MONEY or not _overlaps(one.value, taken)]
    # "D25" may be the name of a cohort.
    found += [one for one in _combinations(lowered) if not _overlaps(one.value, taken)]
    told = [*taken, *((one.value.start, one.value.end) for one in found)]
    credits = [one.value.start for one in found if one.value.unit == "credits"]
    found += [
        one
        for one in _numbers_alone(lowered, told, _marked_clauses(lowered, credits))
        if not _overlaps(one.value, taken)
    ]
    given = [one.value for one in _best(found)]
    given = [v for v in given if not any(start <= v.start < end for start, end in prices)]
    given = list(_as_meant(lowered, given))
    return tuple(_of_all_courses(lowered, given))


def _overlaps(value: WrittenValue, places: Iterable[tuple[int, int]]) -> bool:
    return any(start < value.end and value.start < end for start, end in places)


def _as_meant(text: str, values: Iterable[WrittenValue]) -> Iterator[WrittenValue]:
    """Yield the values without those that the words before them make another thing of."""
    added = [found.span() for found in _ADDED.finditer(text)]
    for value in values:
        before = text[: value.start]
        if _overlaps(value, added):
            continue
        if not is_worded(value.unit) and _LACKING.search(before):
            continue
        if (value.unit, value.value) == (LETTER, "F") and _COUNTED_COURSES.search(before):
            continue
        yield value


def _of_all_courses(text: str, values: Sequence[WrittenValue]) -> Iterator[WrittenValue]:
    """Yield the values with the credits of each course times the number of courses: "3 môn, mỗi môn 3 tín"."""
    courses = [v.value for v in values if v.unit == "courses" and v.value != 1]
    for value in values:
        is_of_each = value.unit in _CREDITS and _wording().each_course.search(text[: value.start])
        if is_of_each and len(courses) == 1 and isinstance(value.value, float):
            yield replace(value, value=value.value * float(courses[0]))
        else:
            yield value


def _best(found: Sequence[_Found]) -> list[_Found]:
    """Return the readings that do not overlap and are worth most together; of equal ones, the longer."""
    ordered = sorted(found, key=lambda one: (one.value.end, one.value.start))
    best: list[tuple[float, int, list[_Found]]] = [(0.0, 0, [])]
    ends = [0]
    for one in ordered:
        place = max(i for i, end in enumerate(ends) if end <= one.value.start)
        worth, length, chosen = best[place]
        with_it = (worth + one.worth, length + one.value.end - one.value.start, [*chosen, one])
        best.append(max(best[-1], with_it, key=lambda way: (round(way[0], 6), way[1])))
        ends.append(one.value.end)
    return best[-1][2]


def _numbers(text: str) -> Iterator[_Found]:
    wording = _wording()
    scales = [found.span() for _, pattern in wording.words[SCALE] for found in pattern.finditer(text)]
    for unit, patterns in wording.numbers.items():
        worth = _GENERAL if unit in _GENERAL_UNITS else _SPECIFIC
        for pattern in patterns:
            for match in pattern.finditer(text):
                number = _read(match["number"], thousands=False)
                # The number of "hệ 4" names the scale.
                is_scale = any(start < match.start("number") < end for start, end in scales)
                if number is None or is_scale:
                    continue
                if unit == "points" and match[0].endswith(("đ", "d")) and number >= _SMALL_CHANGE:
                    continue
                is_small = number <= _HIGHEST_OF_A_NOUN and match.start() == match.start("number")
                # "Năm 3 gpa 3.4": the number behind the unit is its value.
                is_another = unit == "points" or _NUMBER_NEXT.match(text, match.end()) is not None
                if is_small and is_another and wording.numbered.search(text[: match.start()]):
                    continue
                # "Gpa học kỳ 1": the number is the period's.
                if match.start() < match.start("number") and wording.period.search(
                    text[: match.end("number")]
                ):
                    continue
                groups = match.groupdict()
                number += 0.5 if groups.get("half") else 0.0
                # "gpa 3 tín A" gives credits: the word behind a number is nearer to it, words around it the nearest.
                behind = _BEHIND if match.start() == match.start("number") else 0.0
                behind += 2 * _BEHIND if "around" in groups else 0.0
                if not behind and number in _CALENDAR_YEARS:
                    continue
                unusual = 0.0 if _has_form(number, wording.forms[unit]) else _UNUSUAL
                # The term of "gpa học kỳ 1 2.8" and the courses of "rút 1 môn 3 tín" are values of their own.
                has_another = any(groups.get(name) for name in ("period", "courses"))
                start = match.start("number") if has_another else match.start()
                value = WrittenValue(unit, number, start, match.end())
                yield _Found(value, match.start("number"), worth + behind - unusual)
    for match in wording.money.finditer(text):
        number = _read(match["number"], thousands=True)
        times = wording.times.get(fold(match["times"]))
        if number is None or times is None or (times == 1 and number < _SMALL_CHANGE):
            continue
        if match["rest"]:  # "8tr5" is 8.5 million
            number += int(match["rest"]) / 10 ** len(match["rest"])
        amount = (number + (0.5 if match["half"] or match["more"] else 0.0)) * times
        yield _Found(WrittenValue(MONEY, amount, *match.span()), match.start("number"), _SPECIFIC)


def _marked_clauses(text: str, credits: Sequence[int]) -> list[tuple[int, int]]:
    """Return the clauses with one course each, in a list of several: "toán 8 4 tín, lý 7 3 tín"."""
    ends = [*(found.start() for found in _CLAUSE_END.finditer(text)), len(text)]
    clauses = [
        (start, end)
        for start, end in zip([0, *ends], ends, strict=False)
        if sum(start <= place < end for place in credits) == 1
    ]
    return clauses if len(clauses) > 1 else []


def _numbers_alone(
    text: str, told: Sequence[tuple[int, int]], marked: Sequence[tuple[int, int]]
) -> Iterator[_Found]:
    for match in _ALONE_NUMBER.finditer(text):
        number = _read(match["number"], thousands=True)
        is_whole = match["number"].isdigit()
        if number is None or number in _CALENDAR_YEARS:
            continue
        # The noun beside a course's mark is its name.
        is_mark = number <= _HIGHEST_MARK and any(start <= match.start() < end for start, end in marked)
        if is_mark or not (is_whole and _is_of_a_noun(text, *match.span(), told)):
            yield _Found(WrittenValue(NUMBER, number, *match.span()), match.start(), _ALONE)


def _is_of_a_noun(text: str, start: int, end: int, told: Sequence[tuple[int, int]]) -> bool:
    """Return whether a whole number counts or numbers a noun: "2 bằng", "lớp 12", unlike "em được 85 thì".

    `told` are the places of names and values; a number may stand beside them.
    """
    before, behind = text[:start].rstrip(), text[end:].lstrip()
    begins, ends = {place[0] for place in told}, {place[1] for place in told}
    if before[-1:].isalnum() and len(before) not in ends and not _wording().between.search(before):
        return True
    is_word = behind[:1].isalpha() and len(text) - len(behind) not in begins
    return is_word and not _wording().behind.match(behind)


_ALONE_NUMBER = re.compile(rf"(?<!:){_NUMBER}{_HALF}(?![\w/%-]|[.,:]\w)")


def _combinations(text: str) -> Iterator[_Found]:
    for match in _COMBINATION.finditer(text):
        digits = match["digits"]
        if not match["cue"] and (digits is None or len(digits) < 2):
            continue
        code = f"{match['letter'].upper()}{(digits or ('1' if match['letter'] == 'd' else '0')).zfill(2)}"
        yield _Found(WrittenValue(COMBINATION, code, *match.span()), match.start("letter"), _SPECIFIC)


def _letters(text: str, typed: str) -> Iterator[_Found]:
    graded = list(_GRADED_CREDITS.finditer(text))
    reached = () if typed.isupper() else _REACHED.finditer(typed)
    for match in (*(graded if len(graded) > 1 else ()), *reached):
        grade = match["letter"].upper() + (match["plus"] or "")
        place = (match.start("letter"), match.end("plus" if match["plus"] else "letter"))
        yield _Found(WrittenValue(LETTER, grade, *place), place[0], _SPECIFIC)
    asked = [found.span() for found in _ALTERNATIVES.finditer(text)]
    for match in _LETTER.finditer(text):
        if any(start <= match.start("letter") < end for start, end in asked):
            continue
        # "a" alone is a word; no Vietnamese word is written "f".
        if not (match["cue"] or match["plus"] or match["letter"] == "f"):
            continue
        grade = match["letter"].upper() + (match["plus"] or "")
        place = (match.start("letter"), match.end())
        yield _Found(WrittenValue(LETTER, grade, *place), place[0], _SPECIFIC)


def _words(text: str) -> Iterator[_Found]:
    for unit, values in _wording().words.items():
        for value, pattern in values:
            for match in pattern.finditer(text):
                worth = {SCALE: _SCALE, ADMISSION_WAY: _WAY}.get(unit, _SPECIFIC)
                yield _Found(WrittenValue(unit, value, *match.span()), match.start(), worth)


def _read(written: str, *, thousands: bool) -> float | None:
    """Return the number of "3,3", "3.3", "1.100.000"; "480.000" is a large number only when `thousands`."""
    if sum(char.isdigit() for char in written) > MOST_DIGITS:
        return None
    written = _SAID_COMMA.sub(",", written)
    separators = len(re.findall(r"[.,]", written))
    try:
        if separators > 1 or (separators and thousands and _THOUSANDS.fullmatch(written)):
            return float(re.sub(r"[.,]", "", written)) if _THOUSANDS.fullmatch(written) else None
        return float(written.replace(",", "."))
    except ValueError:  # digits of another script that float does not know
        return None


def amount_in(text: str) -> float | None:
    """Return the first number of a text in Vietnamese notation: "480.000 đồng/tín chỉ", "15,4 triệu đồng"."""
    match = re.search(r"-?\d+(?:[.,]\d+)*", text)
    if match is None or (number := _read(match[0], thousands=True)) is None:
        return None
    behind = re.match(r"\s*(\w+)", text[match.end() :].lower())
    times = _wording().times.get(fold(behind[1]), 1) if behind else 1
    return number * times


def _has_form(number: float, form: Mapping[str, float]) -> bool:
    """Return whether a number is within the limits of a unit, and whole where its numbers are."""
    is_within = form.get("least", 0) <= number <= form.get("most", math.inf)
    return is_within and (number.is_integer() or not form.get("whole"))


@dataclass(frozen=True)
class _Wording:
    """The lists of `written_values.yml` as patterns.

    `times` multiply an amount of money, by folded word; `between` finds a filler at the end of a text, `behind` a word
    at its beginning that no number counts, `numbered` a noun at its end that has a number, `period` a term or a year at
    its end with its number.
    """

    numbers: Mapping[str, Sequence[re.Pattern[str]]]
    forms: Mapping[str, Mapping[str, float]]
    money: re.Pattern[str]
    times: Mapping[str, int]
    between: re.Pattern[str]
    behind: re.Pattern[str]
    numbered: re.Pattern[str]
    period: re.Pattern[str]
    each_course: re.Pattern[str]
    words: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]


@lru_cache(maxsize=1)
def _wording() -> _Wording:
    lists: Mapping[str, Any] = yaml_beside(__file__, "written_values.yml")
    fillers = _any_of(lists["between"])
    period = rf"(?:{_any_of(lists['periods'])})\s*[1-9]"
    between = rf"\s*(?:(?P<period>{period})(?![\w.,])\s*|(?:{fillers})(?!\w)\s*|[=:~]\s*){{0,3}}"
    numbers: dict[str, list[re.Pattern[str]]] = {}
    for unit, places in lists["units"].items():
        numbers[unit] = []
        if cues := places.get("before"):
            numbers[unit].append(
                re.compile(rf"(?<!\w)(?:{_any_of(cues)})(?!\w){between}{_NUMBER}{_HALF}(?![\w/%-]|[.,]\w)")
            )
        spoken = [cue for cue in places.get("after", ()) if not cue.startswith("/")]
        if spoken:
            # "15 tháng 9" is a date, "2 kỳ 1" none of ours.
            rest = r"(?!\w)(?!\s*\d)" if unit in ("months", "days") else r"(?!\w)"
            numbers[unit].append(re.compile(rf"{_NUMBER}{_HALF}\s*(?:{_any_of(spoken)}){rest}"))
        if around := places.get("around"):
            before, after = _any_of(around["before"]), _any_of(around["after"])
            led = rf"(?P<around>(?<!\w)(?:{before})(?!\w){_COURSES}?{between})"
            numbers[unit].append(re.compile(rf"{led}{_NUMBER}\s*(?:{after})(?!\w)"))
        if slashes := [cue for cue in places.get("after", ()) if cue.startswith("/")]:
            ends = "|".join(re.escape(cue) for cue in sorted(slashes, key=len, reverse=True))
            numbers[unit].append(re.compile(rf"{_DECIMAL}\s*(?:{ends})(?![\w.,])"))
    times = {fold(word): int(factor) for factor, listed in lists["money"].items() for word in listed}
    every = _any_of([word for listed in lists["money"].values() for word in listed])
    return _Wording(
        numbers,
        {unit: places.get("form", {}) for unit, places in lists["units"].items()},
        re.compile(
            rf"{_NUMBER}{_HALF}\s*(?P<times>{every})(?P<rest>\d{{1,3}})?{_HALF.replace('half', 'more')}(?!\w)"
        ),
        times,
        re.compile(rf"(?<!\w)(?:{fillers}|{_any_of(lists['before_a_number'])})$"),
        re.compile(rf"(?:{_any_of(lists['behind_a_number'])})(?!\w)"),
        re.compile(rf"(?<!\w)(?:{_any_of(lists['numbered'])})\s+$"),
        re.compile(rf"(?<!\w){period}$"),
        re.compile(rf"(?<!\w)(?:{_any_of(lists['each_course'])}){between}$"),
        {
            unit: [
                (str(value), re.compile(rf"(?<!\w)(?:{_any_of(listed)})(?!\w)"))
                for value, listed in values.items()
            ]
            for unit, values in lists["words"].items()
        },
    )


def _any_of(phrases: Iterable[str]) -> str:
    longest = sorted(phrases, key=len, reverse=True)
    return "|".join(r"\s+".join(either(re.escape(part)) for part in phrase.split()) for phrase in longest)
