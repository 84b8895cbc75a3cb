"""The catalogue of a school: its cohorts, majors, programmes, courses and offices; its topics and short forms.

`rag.ingest.load` reads and checks the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time
from typing import ClassVar, Literal, get_args

from school.dimensions import DimensionSpec, default_dimensions
from vietnamese.language_detection import Language

GlossaryKind = Literal["abbreviation", "teencode"]


@dataclass(frozen=True, slots=True)
class Campus:
    """A place where the school teaches."""

    name: str
    address: str = ""
    aliases: tuple[str, ...] = ()
    map_url: str = ""


@dataclass(frozen=True, slots=True)
class Counselling:
    """A contact for students in trouble, at the school or in the country.

    `office`, the id of an office, supplies the name and phone that are empty here. `hours` are the times to call,
    `note` the matters to call about.
    """

    office: str | None = None
    name: str = ""
    name_en: str = ""
    phone: str = ""
    hours: str = ""
    hours_en: str = ""
    note: str = ""
    note_en: str = ""


Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)


@dataclass(frozen=True, slots=True)
class Span:
    """The time from `begins` until `ends`, in local time."""

    begins: time
    ends: time


@dataclass(frozen=True, slots=True)
class AdvisingHours:
    """The hours in which advisors answer students.

    `week` lists the working days, each with its spans in order; `closed` lists days off. `timezone` is a name of the
    IANA database.
    """

    timezone: str
    week: tuple[tuple[Weekday, tuple[Span, ...]], ...]
    closed: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True)
class School:
    """The school's names and contact data; empty where the folder gives none.

    `bot_name` is the bot's name for itself. `year_begins` is the month (1..12) in which an academic year begins;
    `counselling` is in the order of display; `map_url` is a map of `address`.
    """

    id: str = ""
    name: str = ""
    name_en: str = ""
    short: str = ""
    aliases: tuple[str, ...] = ()
    address: str = ""
    campuses: tuple[Campus, ...] = ()
    phone: str = ""
    email: str = ""
    website: str = ""
    hours: str = ""
    counselling: tuple[Counselling, ...] = ()
    year_begins: int = 9
    map_url: str = ""
    advising_hours: AdvisingHours | None = None
    bot_name: str = ""

    @property
    def time_zone(self) -> str:
        """Return the time zone of its advisors; empty when the school gives none."""
        return self.advising_hours.timezone if self.advising_hours else ""


class Named:
    """An entry of the catalogue that students call by several names."""

    __slots__ = ()
    name_fields: ClassVar[tuple[str, ...]] = ("name", "name_en")
    aliases: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The entry's names, then its aliases; a missing name is empty."""
        return (*(getattr(self, field) for field in self.name_fields), *self.aliases)


@dataclass(frozen=True, slots=True)
class Cohort(Named):
    """Students who entered together; `id` is the cohort's number ("47"), `year` the year they entered."""

    id: str
    name: str
    year: int | None = None
    aliases: tuple[str, ...] = ()
    name_en: str = ""


@dataclass(frozen=True, slots=True)
class Major(Named):
    """A field of study; `programs` are the ids of the programmes that offer it, `years` its designed length."""

    id: str
    name: str
    name_en: str = ""
    code: str = ""
    faculty: str = ""
    programs: tuple[str, ...] = ()
    years: float | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DimensionValue(Named):
    """A value of a dimension that the school has added: a campus, a level.

    Few students have a `rare` value, and they say so: an answer that holds for all others is given without asking.
    """

    name_fields: ClassVar[tuple[str, ...]] = ("name", "short", "name_en")

    id: str
    name: str
    short: str = ""
    name_en: str = ""
    aliases: tuple[str, ...] = ()
    rare: bool = False


@dataclass(frozen=True, slots=True)
class Program(DimensionValue):
    """A way of studying a major: standard, high-quality, part-time."""


@dataclass(frozen=True, slots=True)
class Course(Named):
    """A course that students ask about by name; `code` is its name in timetables."""

    name_fields: ClassVar[tuple[str, ...]] = ("name", "name_en", "code")

    id: str
    name: str
    name_en: str = ""
    code: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Office(Named):
    """An office of the school; `handles` are the ids of the topics that it answers for."""

    id: str
    name: str
    name_en: str = ""
    phone: str = ""
    email: str = ""
    location: str = ""
    hours: str = ""
    map_url: str = ""
    aliases: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """An advising topic; `name` labels a quick-reply button, `office` is the id of the office that helps further.

    `assumes` are the values, by dimension, of those who ask about it and have not said theirs.
    """

    id: str
    name: str
    name_en: str = ""
    description: str = ""
    office: str = ""
    examples: tuple[str, ...] = ()
    assumes: Mapping[str, str] = field(default_factory=dict, hash=False)

    def called(self, language: Language) -> str:
        """Return the topic's name in `language`; the Vietnamese one without an English one."""
        return (self.name_en if language == "en" else "") or self.name


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A short form and its `full` terms, several when it is ambiguous.

    `also` are other spellings of the short form. Entries of kind `teencode` are everyday words of chat ("ko", "dc"),
    which are rewritten in the question; abbreviations are terms of the school, searched for in both forms.
    """

    short: str
    full: tuple[str, ...]
    also: tuple[str, ...] = ()
    kind: GlossaryKind = "abbreviation"


@dataclass(frozen=True, slots=True)
class Catalog:
    """The school's own names; every part may be empty.

    `dimensions` are in the order in which a student is asked for them. `values` holds the values of the dimensions
    that the school has added, by the dimension's id.
    """

    school: School = School()
    cohorts: tuple[Cohort, ...] = ()
    majors: tuple[Major, ...] = ()
    programs: tuple[Program, ...] = ()
    courses: tuple[Course, ...] = ()
    offices: tuple[Office, ...] = ()
    dimensions: tuple[DimensionSpec, ...] = field(default_factory=default_dimensions)
    values: Mapping[str, tuple[DimensionValue, ...]] = field(default_factory=dict)

    @property
    def dimension_ids(self) -> tuple[str, ...]:
        """The ids of the school's dimensions, in the order in which a student is asked for them."""
        return tuple(each.id for each in self.dimensions)

    def dimension(self, dimension: str) -> DimensionSpec | None:
        """Return the spec of `dimension`; None when the school has no such dimension."""
        return next((each for each in self.dimensions if each.id == dimension), None)

    def items(self, dimension: str) -> tuple[Cohort | Major | Program | DimensionValue, ...]:
        """Return the values that a student's `dimension` may have, in the order of the file."""
        recorded: Mapping[str, tuple[Cohort | Major | Program, ...]] = {
            "cohort": self.cohorts,
            "major": self.majors,
            "program": self.programs,
        }
        return recorded[dimension] if dimension in recorded else self.values.get(dimension, ())

    def ids(self, dimension: str) -> tuple[str, ...]:
        """Return the ids of the values of `dimension`, in the order of the file."""
        return tuple(item.id for item in self.items(dimension))

    def possible(self, dimension: str, known: Mapping[str, str]) -> tuple[str, ...]:
        """Return the values of `dimension` that a student with the values `known` may have.

        A major narrows down the programmes, and a programme the majors, where the catalogue says which go together.
        """
        if dimension == "program":
            major = next((each for each in self.majors if each.id == known.get("major")), None)
            if major is not None and major.programs:
                return tuple(value for value in self.ids(dimension) if value in major.programs)
        if dimension == "major" and (program := known.get("program")) is not None:
            return tuple(each.id for each in self.majors if not each.programs or program in each.programs)
        return self.ids(dimension)

    def excluded(self, known: Mapping[str, str], said: Mapping[str, str]) -> frozenset[str]:
        """Return the dimensions of `known` whose value a student with the values `said` cannot have.

        Who is in the high-quality programme and asks of a major that has none does not mean that programme.
        """
        beside = (d for d in known if d not in said)
        return frozenset(d for d in beside if said and known[d] not in self.possible(d, said))

    def implied(self, known: Mapping[str, str]) -> dict[str, str]:
        """Return the values that a student with the values `known` must have, too: a major with one programme."""
        possible = {d: self.possible(d, known) for d in self.dimension_ids if d not in known}
        return {d: values[0] for d, values in possible.items() if len(values) == 1 < len(self.ids(d))}

    def rare(self, dimension: str) -> frozenset[str]:
        """Return the ids of the values of `dimension` that few students have."""
        return frozenset(i.id for i in self.items(dimension) if isinstance(i, DimensionValue) and i.rare)

    def name(self, dimension: str, value: str, language: Language = "vi") -> str:
        """Return the name of a value for a button; the value itself when the catalogue does not have it.

        The Vietnamese name stands in for a missing English one.
        """
        item = next((item for item in self.items(dimension) if item.id == value), None)
        if item is None:
            return value
        return (item.name_en if language == "en" else "") or item.name

    @property
    def counselling(self) -> tuple[Counselling, ...]:
        """The contacts for students in trouble, each with the name and phone of its office filled in."""
        return tuple(self._with_office(each) for each in self.school.counselling)

    def _with_office(self, named: Counselling) -> Counselling:
        office = self.office(named.office) if named.office is not None else None
        if office is None:
            return named
        return replace(
            named,
            name=named.name or office.name,
            name_en=named.name_en or office.name_en,
            phone=named.phone or office.phone,
        )

    def office(self, office_id: str) -> Office | None:
        return next((office for office in self.offices if office.id == office_id), None)
