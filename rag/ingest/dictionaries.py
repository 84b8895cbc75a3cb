"""The school's own words: `catalog.yml`, `topics.yml` and `glossary.yml`, each of them optional."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, declared_ids, did_you_mean, read_entry, read_list, read_yaml
from rag.ingest.schema import (
    CohortRecord,
    CourseRecord,
    GlossaryRecord,
    MajorRecord,
    OfficeRecord,
    ProgramRecord,
    SchoolRecord,
    TopicRecord,
)
from school.catalog import (
    Campus,
    Catalog,
    Cohort,
    Counselling,
    Course,
    GlossaryEntry,
    Major,
    Office,
    Program,
    School,
    Topic,
)
from vietnamese.text import fold

SECTIONS = ("school", "cohorts", "majors", "programs", "courses", "offices")

N = TypeVar("N", CohortRecord, MajorRecord, ProgramRecord, CourseRecord, OfficeRecord, TopicRecord)


@dataclass(slots=True)
class Known:
    """The ids that may be referred to; None when no file says which there are, and anything goes."""

    topics: set[str] | None = None
    cohorts: set[str] | None = None
    majors: set[str] | None = None
    programs: set[str] | None = None
    offices: set[str] | None = None

    def check(
        self, kind: str, values: Iterable[str], place: Place, problems: list[Problem], *path: str
    ) -> None:
        """A problem for every value that is no id of `kind` ("topics", "majors", ...)."""
        ids: set[str] | None = getattr(self, kind)
        if ids is None:
            return
        for index, value in enumerate(values):
            if value not in ids:
                message = f"there is no {_SINGULAR[kind]} '{value}'{did_you_mean(value, ids)}"
                problems.append(place.problem(message, *path, index))


_SINGULAR = {
    "topics": "topic",
    "cohorts": "cohort",
    "majors": "major",
    "programs": "program",
    "offices": "office",
}


@dataclass(frozen=True, slots=True)
class Dictionaries:
    catalog: Catalog = field(default_factory=Catalog.empty)
    topics: tuple[Topic, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    known: Known = field(default_factory=Known)


def load_dictionaries(files: Mapping[str, Path], problems: list[Problem]) -> Dictionaries:
    """The dictionaries among `files`: "catalog", "topics" and "glossary" with their paths."""
    roots = {name: _root(path, problems) for name, path in files.items()}
    known = Known()
    catalog_place = roots.get("catalog")
    sections = _sections(catalog_place, problems)
    if catalog_place is not None:
        for kind in ("cohorts", "majors", "programs", "offices"):
            if sections.get(kind) is not None:
                setattr(known, kind, declared_ids(sections[kind]))
    topics_place = roots.get("topics")
    if topics_place is not None:
        known.topics = declared_ids(topics_place.marked.data)

    topics = (
        []
        if topics_place is None
        else _unique(read_list(TopicRecord, topics_place.marked.data, topics_place, problems), problems)
    )
    for topic in topics:
        if topic.record.office:
            known.check("offices", [topic.record.office], topic.place, problems, "office")
    catalog = Catalog.empty() if catalog_place is None else _catalog(catalog_place, sections, known, problems)
    glossary_place = roots.get("glossary")
    return Dictionaries(
        catalog,
        tuple(Topic(**dict(topic.record)) for topic in topics),
        () if glossary_place is None else _glossary(glossary_place, problems),
        known,
    )


def _root(path: Path, problems: list[Problem]) -> Place | None:
    return read_yaml(path, path.name, problems)


def _sections(place: Place | None, problems: list[Problem]) -> dict[str, object]:
    if place is None or place.marked.data is None:
        return {}
    if not isinstance(place.marked.data, dict):
        problems.append(place.problem(f"must be a mapping with the keys {', '.join(SECTIONS)}"))
        return {}
    for key in place.marked.data.keys() - set(SECTIONS):
        problems.append(place.problem(f"unknown key '{key}'{did_you_mean(key, SECTIONS)}", key))
    return dict(place.marked.data)


def _catalog(place: Place, sections: Mapping[str, object], known: Known, problems: list[Problem]) -> Catalog:
    school = School()
    if sections.get("school") is not None:
        entry = read_entry(SchoolRecord, sections["school"], place.at("school"), problems)
        if entry is not None:
            campuses = tuple(Campus(**dict(campus)) for campus in entry.record.campuses)
            counselling = tuple(Counselling(**dict(each)) for each in entry.record.counselling)
            for each in counselling:
                if each.office is not None:
                    known.check("offices", [each.office], entry.place, problems, "counselling")
            hours = entry.record.advising_hours
            school = School(
                **{
                    **dict(entry.record),
                    "campuses": campuses,
                    "counselling": counselling,
                    "advising_hours": hours and hours.value(),
                }
            )

    def section(kind: str, model: type[N]) -> list[Entry[N]]:
        return _unique(read_list(model, sections.get(kind), place.at(kind), problems), problems)

    cohorts, majors = section("cohorts", CohortRecord), section("majors", MajorRecord)
    programs, offices = section("programs", ProgramRecord), section("offices", OfficeRecord)
    courses = section("courses", CourseRecord)
    for major in majors:
        known.check("programs", major.record.programs, major.place, problems, "programs")
        if major.record.faculty:
            known.check("offices", [major.record.faculty], major.place, problems, "faculty")
    for office in offices:
        known.check("topics", office.record.handles, office.place, problems, "handles")
    for entries in (cohorts, majors, programs, courses, offices):
        _own_names(entries, problems)
    return Catalog(
        school=school,
        cohorts=tuple(Cohort(**dict(cohort.record)) for cohort in cohorts),
        majors=tuple(Major(**dict(major.record)) for major in majors),
        programs=tuple(Program(**dict(program.record)) for program in programs),
        courses=tuple(Course(**dict(course.record)) for course in courses),
        offices=tuple(Office(**dict(office.record)) for office in offices),
    )


def _unique(entries: list[Entry[N]], problems: list[Problem]) -> list[Entry[N]]:
    first: dict[str, Entry[N]] = {}
    for entry in entries:
        if (before := first.get(entry.record.id)) is None:
            first[entry.record.id] = entry
        else:
            line = before.place.line("id")
            problems.append(entry.place.problem(f"the id '{entry.record.id}' is taken (line {line})", "id"))
    return list(first.values())


def _own_names(entries: Sequence[Entry[Any]], problems: list[Problem]) -> None:
    """A name or an alias must lead to one item, also when it is typed without diacritics."""
    first: dict[str, Entry[Any]] = {}
    for entry in entries:
        names: list[tuple[str, tuple[str | int, ...]]] = [(entry.record.name, ("name",))]
        names += [(alias, ("aliases", index)) for index, alias in enumerate(entry.record.aliases)]
        for name, path in names:
            before = first.setdefault(fold(name), entry)
            if before.record.id != entry.record.id:
                message = f"'{name}' already leads to '{before.record.id}' (line {before.place.line()})"
                problems.append(entry.place.problem(message, *path))


def _glossary(place: Place, problems: list[Problem]) -> tuple[GlossaryEntry, ...]:
    entries: list[Entry[GlossaryRecord]] = read_list(GlossaryRecord, place.marked.data, place, problems)
    first: dict[tuple[str, str], Entry[GlossaryRecord]] = {}
    for entry in entries:
        short = entry.record.short
        before = first.setdefault((short.casefold(), entry.record.kind), entry)
        if before is not entry:
            where = f"line {before.place.line()}"
            message = f"'{short}' stands here again ({where}); list all that it may mean under one 'full'"
            problems.append(entry.place.problem(message, "short"))
    return tuple(GlossaryEntry(**dict(entry.record)) for entry in entries)
