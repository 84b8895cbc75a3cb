"""Recognition of other universities: the school's documents do not answer questions about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from school.catalog import Catalog
from school.name_patterns import name_pattern
from vietnamese.data_files import yaml_beside
from vietnamese.patterns import any_of
from vietnamese.syllables import is_syllable
from vietnamese.text import clean, fold

_IN_FULL = r"(?:truong )?(?:dai hoc|dh|hoc vien|cao dang)"
_KIND = rf"(?:{_IN_FULL}|truong)"
_OWN_KIND = re.compile(rf"^{_KIND} ")
_KIND_IN_ENGLISH = r"(?:university|college|institute|academy)"
_IN_ENGLISH = re.compile(
    r"\b(?:(?:[A-Z][\w&.\-]*\s+)+(?:University|College|Institute|Academy)\b"
    r"|(?:University|College|Institute|Academy)\s+of\s+[A-Z]\w*)"
)
"""A university's name in English, by its capitals: "Harvard University", "University of Economics"."""

_PLACE = re.compile(r"^(?:co so|phan hieu|khu|campus)(?: \d+)? ")
"""The words before the name of a campus: "Phân hiệu Quảng Ngãi"."""

_WORD = re.compile(r"[^\W_]+")
_POINTING = frozenset(["The", "This", "My", "Our", "Your", "Is", "Does", "Can", "Which", "What", "Any"])


@dataclass(frozen=True, slots=True)
class OwnNames:
    """The names of the school itself, of its campuses and offices, and of the subjects that it teaches."""

    school: tuple[str, ...] = ()
    campuses: tuple[str, ...] = ()
    offices: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    @classmethod
    def of(cls, catalog: Catalog) -> OwnNames:
        """Return the names that the catalogue gives."""
        school = catalog.school
        return cls(
            _given((school.name, school.name_en, school.short, *school.aliases)),
            _given(name for campus in school.campuses for name in (campus.name, *campus.aliases)),
            _given(name for office in catalog.offices for name in office.names),
            _given(name for each in (*catalog.majors, *catalog.courses) for name in each.names),
        )


def _given(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, frozenset[str]]:
    """Return the lists of names of the file, folded."""
    keys, lists = "named in_full known alone not_behind", yaml_beside(__file__, "institutions.yml")
    return {key: frozenset(map(_words, lists[key])) for key in keys.split()}


def known_institutions() -> frozenset[str]:
    """Return the short forms and names, folded, that mean another university wherever they stand."""
    return _listed()["known"]


class Institutions:
    """Finds the names of other universities; none for a folder that does not name its own school.

    A listed name is no other university when the school's own names have it: "Đại học Bách khoa – Đại học Đà Nẵng" is
    also called "trường Bách khoa", and a faculty may be called "Trường Kinh tế".
    """

    def __init__(self, own: OwnNames) -> None:
        listed = _listed()
        same = [set(map(_words, group)) for group in yaml_beside(__file__, "institutions.yml")["same"]]
        names = {_words(name) for name in own.school}
        cores = {_OWN_KIND.sub("", name) for name in names if _OWN_KIND.match(name)}
        twins = {twin for group in same if group & (names | cores) for twin in group}
        named = {name for name in listed["named"] if not _has(names, rf"{_KIND} {name}")} - twins
        in_full = {name for name in listed["in_full"] if not _has(names, rf"{_IN_FULL} {name}")} - twins
        known = {name for name in listed["known"] if not _has(names, name)} - twins
        others = {*names, *map(_words, (*own.campuses, *own.offices, *own.subjects))}
        alone = {name for name in listed["alone"] if not _has(others, name)} - twins
        self._alone = re.compile(rf"(?<!\w)(?<!\d )(?:{any_of(alone)})\b")
        self._not_behind = re.compile(rf"\b(?:{any_of(listed['not_behind'])}) $")
        spelled = {name for name in known if is_syllable(name)}
        self._foreign = re.compile(
            rf"\b(?:(?:{_KIND} )?(?:{any_of(known - spelled)})|{_KIND} (?:{any_of(named)})"
            rf"|{_IN_FULL} (?:{any_of(in_full)}))\b"
        )
        self._capitals = re.compile(rf"\b(?:{any_of({name.upper() for name in spelled})})\b")
        in_words = cores | (twins & listed["named"])
        self._school = _any((*own.school, *_initials(names), *(twins - listed["named"])), *_of_kind(in_words))
        # "Trường Cần Thơ" may be the campus there; "Đại học Cần Thơ" is not.
        places = (f"truong {_PLACE.sub('', _words(name))}" for name in own.campuses)
        # Students call the Trường Công nghệ thông tin và Truyền thông "trường công nghệ thông tin".
        begun = (found[0] for name in own.offices for found in self._foreign.finditer(_words(name)))
        self._part = _any((*own.campuses, *own.offices, *places, *begun))
        self._named = bool(own.school)

    def foreign(self, text: str) -> str | None:
        """Return the name of another university as it stands in `text`; None when the question is about this one."""
        folded = fold(text)
        other = list(self._other(text, folded))
        school = (found.span() for found in self._school.finditer(folded))
        names_own = any(not any(_holds(name, own, more=True) for name in other) for own in school)
        return None if names_own else self._another(text)

    def within_own(self, text: str) -> str:
        """Return `text`; when it asks this school about another one, as on a change, with that as "trường khác"."""
        if (name := self._another(text)) is None:
            return text
        marked, rules = fold(text.replace(name, "@")), yaml_beside(__file__, "institutions.yml")
        asks_own = any(re.search(fold(each).format(name="(?:truong )?@"), marked) for each in rules["ours"])
        return text.replace(name, rules["another"]) if asks_own else text

    def _another(self, text: str) -> str | None:
        """Return the first name of another university; None when there is none, or the school's own is not known."""
        folded = fold(text)
        own = [found.span() for pattern in (self._school, self._part) for found in pattern.finditer(folded)]
        names = sorted(
            name for name in self._other(text, folded) if not any(_holds(each, name) for each in own)
        )
        return text[slice(*names[0])] if names and self._named else None

    def _other(self, text: str, folded: str) -> Iterator[tuple[int, int]]:
        """Yield the places of names that may be another university's."""
        for found in self._foreign.finditer(folded):
            yield found.span()
        for found in self._alone.finditer(folded):
            if not self._not_behind.search(folded[: found.start()]):
                yield found.span()
        if any(char.islower() for char in text):
            # "NEU", but not "neu": without diacritics that is a word.
            for found in self._capitals.finditer(text):
                yield found.span()
            for found in _IN_ENGLISH.finditer(text):
                # A name of two words at least: "The University" and "My College" are this one.
                if found[0].split()[0] not in _POINTING:
                    yield found.span()


def _words(name: str) -> str:
    """Return the folded name with one blank between its words and without signs."""
    return " ".join(_WORD.findall(fold(clean(name))))


def _has(names: Iterable[str], pattern: str) -> bool:
    return any(re.search(rf"\b{pattern}\b", name) for name in names)


def _holds(outer: tuple[int, int], inner: tuple[int, int], *, more: bool = False) -> bool:
    """Return whether one place in a text covers another; with `more` it must be longer."""
    return outer[0] <= inner[0] and inner[1] <= outer[1] and (not more or outer != inner)


def _initials(names: Iterable[str]) -> Iterator[str]:
    """Yield the initials of `names`: "ĐHCT" for "Đại học Cần Thơ", with and without "trường"."""
    for name in names:
        words = name.removeprefix("truong ").split()
        if _OWN_KIND.match(name) and len(words) > 2:
            yield "".join(word[0] for word in words)


def _of_kind(cores: Iterable[str]) -> Iterator[str]:
    """Yield the patterns of a university called by one of `cores`, in Vietnamese and in English."""
    for core in cores:
        name = name_pattern(core)
        yield f"{_KIND} {name}"
        yield f"{name} {_KIND_IN_ENGLISH}"
        yield f"{_KIND_IN_ENGLISH} of {name}"


def _any(names: Iterable[str], *patterns: str) -> re.Pattern[str]:
    """Return the pattern of any of `names` or `patterns`, the longest first; it matches nothing when there are none."""
    found = {*filter(None, map(name_pattern, names)), *patterns}
    return re.compile(rf"\b(?:{'|'.join(sorted(found, key=lambda p: (-len(p), p))) or '(?!)'})\b")
