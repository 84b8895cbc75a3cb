"""The ways to write a number of an ordered dimension: "k47", "khóa 47", "K47, 48", "khóa 2021", "batch 2024"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from school.dimensions import DimensionSpec
from school.surface_forms import NAME, SurfaceForm
from vietnamese.text import fold

# "k 48 tín chỉ" may be "không, 48 tín chỉ"; "k48" and "khóa 48" are nothing else.
_NO_AMOUNT = r"(?! ?(?:(?:tin chi|tc|trieu|nghin|ngan|dong|diem)\b|%))"
# "2021-2022" is a school year; "khóa 2021-2025" is when a cohort studies.
_NO_SCHOOL_YEAR = r"(?! ?[-–/] ?20\d\d)"
_JOINED = r"(?:, ?|[-–/&]| (?:(?:va|hay|hoac|voi) )?)"
_MOST_JOINED = 6
_GOES_ON = r" (?:thi|khac|co|hoc(?! phan)|deu|giong|phai|nganh|dong)\b"
_ENTERED = (
    r"(?:(?:sv|sinh vien|em|minh) tuyen sinh|trung tuyen|nhap hoc|vao hoc|vao truong)(?: tu| vao)?(?: nam)?"
)


# "Khóa 10 buổi" lasts so long.
_NO_MEASURE = r"(?! ?(?:buoi|ngay|tuan|thang|gio|phut|nam|lan|mon|hoc phan|nguoi|em|ban|k)\b)"
_FAR = 15
"""A number that is further from those of the school is hardly a value that its students speak of."""

_SMALLEST = 10
"""Smaller numbers mean other things, too: "B1" may be a level of the school, and is one of a language."""


class NumberedForms:
    """Makes the forms of the numbers of one ordered dimension; `numbers` are all of its values."""

    def __init__(self, dimension: DimensionSpec, numbers: Collection[str]) -> None:
        self._entity = dimension.id
        cues = sorted({fold(cue) for cue in dimension.cues}, key=lambda cue: (-len(cue), cue))
        self._cues = [re.escape(cue) for cue in cues]
        self._letters = [re.escape(fold(letter)) for letter in dimension.letters]
        widths = (rf"\d{{{width}}}" for width in sorted({len(number) for number in numbers}))
        self._digits = f"(?:{'|'.join(widths)})"
        self._numbers = sorted(map(int, numbers))
        self._own_name = re.compile(rf"(?:{'|'.join((*self._cues, *self._letters)) or '(?!)'}) ?(\d+)|(\d+)")

    @property
    def pattern(self) -> str:
        """The pattern of any number of the dimension behind its letter or one of its cues, in folded text."""
        return rf"(?:{'|'.join((*self._letters, *self._cues))}) ?{self._digits}"

    def covers(self, name: str, number: str, year: int | None) -> bool:
        """Return whether `forms` makes the forms of `name` too: "Khóa 47" is nothing but the number 47."""
        found = self._own_name.fullmatch(fold(name))
        return found is not None and (found[1] or found[2]) in (number, str(year))

    def forms(self, number: str, year: int | None) -> Iterator[SurfaceForm]:
        """Return the forms of `number`, whose students entered in `year` when that is known."""
        for pattern in self._of_number(re.escape(number)):
            yield SurfaceForm(pattern, self._entity, number, number)
        if year is not None:
            for pattern in self._of_year(year):
                yield SurfaceForm(pattern, self._entity, number, str(year))

    def unlisted(self, years: Collection[int]) -> Iterator[SurfaceForm]:
        """Return the forms of the numbers near those of the school that are none of its values: "k43", "khóa 43".

        `years` are those in which the students of its values entered: "khóa 2012".
        """
        number = _either(n for n in _others(self._numbers) if re.fullmatch(self._digits, n))
        letters, cues = "|".join(self._letters), "|".join(self._cues)
        no_value = f"{_NO_AMOUNT}{_NO_SCHOOL_YEAR}{_NO_MEASURE}"
        if letters:
            yield SurfaceForm(rf"\b(?:{letters})[.\-]?{number}\b", self._entity, "", "")
        between = rf"(?:(?:{letters})[.\-]?)?" if letters else ""
        yield SurfaceForm(rf"\b(?:{cues}) ?{between}{number}\b{no_value}", self._entity, "", "")
        if years:
            year = _either(_others(sorted(years)))
            yield SurfaceForm(rf"\b(?:{cues}) (?:nam )?{year}\b{no_value}", self._entity, "", "")

    def _of_number(self, number: str) -> Iterator[str]:
        cues, letters = "|".join(self._cues), "|".join(self._letters)
        if letters:
            yield rf"\b(?:{letters})[.\-]?{number}\b"
            yield rf"\b(?:{letters}) {number}\b{_NO_AMOUNT}"
        between = rf"(?:{letters})? ?" if letters else ""
        yield rf"\b(?:{cues}) ?(?:hoc |thu |so |tuyen sinh )?{between}{number}\b"
        # "K47, 48 và 49", "k47-49": the number alone is one of several.
        leads = "|".join((*self._letters, *(f"{cue} " for cue in self._cues)))
        several = rf"\b(?:{leads}){self._digits}(?:{_JOINED}{self._digits}){{0,{_MOST_JOINED}}}?{_JOINED}"
        goes_on = rf"(?=\W*$|{_GOES_ON}|{_JOINED}{self._digits}\b)"
        yield rf"{several}(?P<{NAME}>{number})\b{goes_on}"

    def _of_year(self, year: int) -> Iterator[str]:
        cues = "|".join(self._cues)
        yield rf"\b(?:{cues}) (?:hoc |nam |tuyen sinh (?:nam )?|vao (?:nam )?)?{year}\b(?: ?[-–] ?20\d\d\b)?"
        yield rf"\b(?:sv|sinh vien) (?:(?:{cues}) )?(?:nam )?{year}\b{_NO_SCHOOL_YEAR}"
        yield rf"\b{_ENTERED} {year}\b{_NO_SCHOOL_YEAR}"
        yield rf"\b(?:class of|intake) {year}\b{_NO_SCHOOL_YEAR}"
        if self._letters:
            yield rf"\b(?:{'|'.join(self._letters)}){year}\b"


def _others(numbers: Sequence[int]) -> Iterator[str]:
    """Yield the numbers near ascending ones that are none of them."""
    near = range(max(numbers[0] - _FAR, _SMALLEST), numbers[-1] + _FAR)
    return (str(number) for number in near if number not in numbers)


def _either(numbers: Iterable[str]) -> str:
    return rf"(?:{'|'.join(numbers) or '(?!)'})"
