"""Recognition of fields of study that the school does not teach, so that nobody is told another major's numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.text import clean, fold
from vietnamese.written_phrases import WrittenPhrases

_TELLING_LETTERS = 3
"""A single word of more letters names a field by itself."""

_STUDIED_WORDS = 3
"""The most words between "tốt nghiệp" and the field that it speaks of."""

_SIGNS = re.compile(r"[^\w]+")


def absent_fields(texts: Iterable[str], subjects: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names, folded, of the fields that no text of a school and none of its `subjects` names in any way.

    Texts and names are compared with their diacritics: "hộp góp ý khoa" names no "y khoa". A name that is an everyday
    word counts in a text only behind "ngành" or "khoa": "tham vấn tâm lý" teaches no psychology.
    """
    said = yaml_beside(__file__, "fields_of_study.yml")
    own = [_without_signs(text) for text in subjects]
    taught, written = WrittenPhrases(own), WrittenPhrases((*own, *map(_without_signs, texts)))
    leads = [*said["majors"], *said["faculties"]]

    def is_named(name: str) -> bool:
        plain = _without_signs(name)
        if name not in said["everyday"]:
            return written.has(plain)
        return taught.has(plain) or any(written.has(f"{lead} {plain}") for lead in leads)

    absent: list[str] = []
    for names in said["fields"]:
        if not any(map(is_named, filter(_tells, names))):
            absent += map(_plain, names)
    return tuple(dict.fromkeys(absent))


class FieldsOfStudy:
    """Finds the fields that a school does not teach in messages that ask about them.

    Args:
        absent: the names of the fields (`absent_fields`).
        subjects: the names of what the school teaches: who names one of them asks about that, too.
    """

    def __init__(self, absent: Iterable[str], subjects: Iterable[str]) -> None:
        said = yaml_beside(__file__, "fields_of_study.yml")
        majors, faculties, cues, kinds, studied, everyday, behind, offered = (
            [_plain(word) for word in said[key]]
            for key in ("majors", "faculties", "cues", "kinds", "studied", "everyday", "behind", "offered")
        )
        absent = list(absent)
        self._lead, self._offered = majors[0], offered[0]
        self._written = frozenset(_without_signs(name) for names in said["fields"] for name in names)
        long = [name for name in absent if _tells(name)]
        telling = [name for name in long if name not in everyday]
        before = rf"(?:(?:{any_of((*majors, *kinds))}) )*"
        self._own = re.compile(rf"\b(?:{any_of(map(_plain, subjects))})\b")
        self._fields = [
            re.compile(rf"\b(?:{any_of((*majors, *cues))}) {before}(?P<field>{any_of(telling)})\b"),
            re.compile(rf"\b(?:{any_of((*majors, *faculties))}) {before}(?P<field>{any_of(long)})\b"),
            re.compile(rf"\b(?:{any_of(majors)}) (?P<field>{any_of(absent)})\b(?! te\b)"),
            re.compile(
                rf"\b(?:{any_of(faculties)}) (?P<field>{any_of(absent)})(?=$| (?:{any_of(behind)})\b)"
            ),
            re.compile(rf"^(?P<field>{any_of(telling)}) (?:{any_of(offered)})\b"),
        ]
        self._studied = re.compile(rf"\b(?:{any_of(studied)})(?: \w+){{0,{_STUDIED_WORDS}}} ?$")

    def absent(self, text: str) -> str | None:
        """Return the field that `text` asks about and the school does not teach, folded; None for another message."""
        written = _without_signs(text)
        plain = fold(written)
        for pattern in self._fields:
            for found in pattern.finditer(plain):
                if (
                    not self._studied.search(plain[: found.start()])
                    and not self._names_own(plain, found)
                    and self._is_so_written(written, plain, found)
                ):
                    return found["field"]
        return None

    def absent_named(self, name: str) -> str | None:
        """Return the field that a name is of, folded, when the school does not teach it: "báo chí"."""
        return self.absent(f"{self._lead} {name}")

    def absent_alone(self, name: str) -> str | None:
        """Return the untaught field, folded, that a message consists of and whose name means no more; else None."""
        return self.absent(f"{name} {self._offered}")

    def _is_so_written(self, written: str, plain: str, found: re.Match[str]) -> bool:
        """Return whether a field has its own diacritics in the text, or none at all: "ngành gồm" is not "ngành gốm"."""
        own = written[slice(*found.span("field"))] if len(written) == len(plain) else found["field"]
        return own == found["field"] or own in self._written

    def _names_own(self, plain: str, found: re.Match[str]) -> bool:
        """Return whether a text names what is taught beside a field or around it, not within it: "luật quốc tế"."""
        start, end = found.span("field")
        return any(
            own.end() <= start or end <= own.start() or (own.start() <= start and end <= own.end())
            for own in self._own.finditer(plain)
        )


def without_name(text: str, name: str) -> str:
    """Return `text` without the folded `name` of a field or a school, and without the word "ngành" before it."""
    folded = fold(text)
    found = re.search(rf"(?:\b(?:chuyen )?nganh )?\b{re.escape(name)}\b", folded)
    if found is None or len(folded) != len(text):
        return text
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


def _tells(name: str) -> bool:
    """Return whether a folded name means a field wherever it stands; "y" also stands for "ý" and in "y tế"."""
    return " " in name or len(name) > _TELLING_LETTERS


def _without_signs(text: str) -> str:
    """Return the text in lower case, with one blank between its words and without signs."""
    return _SIGNS.sub(" ", clean(text).lower()).strip()


def _plain(text: str) -> str:
    return fold(_without_signs(text))
