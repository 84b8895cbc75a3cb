"""The dictionaries of a school: `catalog.yml`, `topics.yml` and `glossary.yml`, all optional."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag.errors import Problem
from rag.ingest.dimensions import read_dimensions, read_values
from rag.ingest.entries import (
    Entry,
    Place,
    R,
    declared_ids,
    did_you_mean,
    read_entry,
    read_list,
    read_yaml,
    unique_ids,
    unique_names,
)
from rag.ingest.known import Known
from rag.ingest.schema import (
    CohortRecord,
    CourseRecord,
    DimensionValueRecord,
    GlossaryRecord,
    MajorRecord,
    OfficeRecord,
    SchoolRecord,
    TopicRecord,
)
from rag.messages import Message
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
from school.dimensions import DimensionSpec

NO_COUNSELLING = Message("no_counselling")
EXAMPLE = re.compile(r"<[^<>]+>")
"""A place to fill in, as `covan new` writes it."""
"""An example value of `covan new`, which the school must replace."""

SECTIONS = ("school", "dimensions", "courses", "offices")

RECORDS: Mapping[
    str, tuple[type[CohortRecord | MajorRecord | DimensionValueRecord], type[Cohort | Major | Program]]
] = {
    "cohort": (CohortRecord, Cohort),
    "major": (MajorRecord, Major),
    "program": (DimensionValueRecord, Program),
}
"""The dimensions whose values have a section of their own, named by the dimension's key."""


@dataclass(frozen=True, slots=True)
class Dictionaries:
    catalog: Catalog = field(default_factory=Catalog)
    topics: tuple[Topic, ...] = ()
    glossary: tuple[GlossaryEntry, ...] = ()
    known: Known = field(default_factory=Known)
    topic_places: Mapping[str, Place] = field(default_factory=dict)
    values: Mapping[tuple[str, str], Place] = field(default_factory=dict)


def load_dictionaries(
    files: Mapping[str, Path], problems: list[Problem], warnings: list[Problem]
) -> Dictionaries:
    """Return the dictionaries of `files`, the paths of "catalog", "topics" and "glossary"."""
    roots = {name: read_yaml(path, path.name, problems) for name, path in files.items()}
    known = Known()
    catalog_place = roots.get("catalog")
    sections = _sections(catalog_place)
    if catalog_place is not None:
        warnings.extend(_examples_left(sections, catalog_place))
        known.dimensions = read_dimensions(
            sections.get("dimensions"), catalog_place.at("dimensions"), problems
        )
        _check_sections(catalog_place, known.dimensions, problems)
        lists = {
            "office": "offices",
            **{each.id: each.key for each in known.dimensions if each.id in RECORDS},
        }
        for kind, section in lists.items():
            if sections.get(section) is not None:
                known.ids[kind] = declared_ids(sections[section])
    topics_place = roots.get("topics")
    if topics_place is not None:
        known.ids["topic"] = declared_ids(topics_place.marked.data)

    topics = (
        []
        if topics_place is None
        else unique_ids(read_list(TopicRecord, topics_place.marked.data, topics_place, problems), problems)
    )
    for topic in topics:
        if topic.record.office:
            known.check("office", [topic.record.office], topic.place, problems, "office")
    catalog = Catalog() if catalog_place is None else _catalog(catalog_place, sections, known, problems)
    glossary_place = roots.get("glossary")
    return Dictionaries(
        catalog,
        tuple(
            Topic(
                **{
                    **topic.record.model_dump(exclude={"reviewed_at"}),
                    "assumes": known.assumed(topic.record.assumes, topic.place, problems),
                }
            )
            for topic in topics
        ),
        () if glossary_place is None else _glossary(glossary_place, problems),
        known,
        {topic.record.id: topic.place for topic in topics},
        {} if catalog_place is None else _places_of_values(catalog_place, sections, known.dimensions),
    )


def _places_of_values(
    place: Place, sections: Mapping[str, object], dimensions: Sequence[DimensionSpec]
) -> Mapping[tuple[str, str], Place]:
    """Return the places of the cohorts, majors and programmes, by dimension and id."""
    found = {}
    for dimension in dimensions:
        listed = sections.get(dimension.key) if dimension.id in RECORDS else None
        for index, value in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(value, dict) and "id" in value:
                found[dimension.id, str(value["id"])] = place.at(dimension.key, index)
    return found


def _examples_left(node: object, place: Place) -> Iterator[Problem]:
    """Warn of every value that still holds an example of `covan new`."""
    if isinstance(node, str) and (example := EXAMPLE.search(node)):
        yield place.problem(Message("example_left", example=example[0]))
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in children:
        yield from _examples_left(value, place.at(key))


def _sections(place: Place | None) -> dict[str, object]:
    return dict(place.marked.data) if place is not None and isinstance(place.marked.data, dict) else {}


def _check_sections(place: Place, dimensions: Sequence[DimensionSpec], problems: list[Problem]) -> None:
    known = (*SECTIONS, *(each.key for each in dimensions if each.id in RECORDS))
    if place.marked.data is None:
        return
    if not isinstance(place.marked.data, dict):
        problems.append(place.problem(Message("not_a_catalog", keys=", ".join(known))))
        return
    for key in place.marked.data.keys() - set(known):
        problems.append(place.problem(Message("unknown_key", key=key, hint=did_you_mean(key, known)), key))


def _catalog(place: Place, sections: Mapping[str, object], known: Known, problems: list[Problem]) -> Catalog:
    school = School()
    if sections.get("school") is None:
        problems.append(place.problem(NO_COUNSELLING))
    else:
        entry = read_entry(SchoolRecord, sections["school"], place.at("school"), problems)
        if entry is not None:
            campuses = tuple(Campus(**dict(campus)) for campus in entry.record.campuses)
            counselling = tuple(Counselling(**each.without_review()) for each in entry.record.counselling)
            if not counselling:
                problems.append(place.problem(NO_COUNSELLING, "school"))
            known.check_owner(entry.record.owner, entry.place, problems)
            for index, each in enumerate(entry.record.counselling):
                if each.office is not None:
                    known.check("office", [each.office], entry.place, problems, "counselling")
                known.check_owner(each.owner, entry.place.at("counselling", index), problems)
            hours = entry.record.advising_hours
            school = School(
                **{
                    **entry.record.without_review(),
                    "campuses": campuses,
                    "counselling": counselling,
                    "advising_hours": hours and hours.value(),
                }
            )

    def section(kind: str, model: type[R]) -> list[Entry[R]]:
        return unique_ids(read_list(model, sections.get(kind), place.at(kind), problems), problems)

    recorded: dict[str, list[Entry[Any]]] = {
        each.id: section(each.key, RECORDS[each.id][0]) for each in known.dimensions if each.id in RECORDS
    }
    own_ids, values = read_values(sections.get("dimensions"), place.at("dimensions"), known, problems)
    known.ids |= own_ids
    offices, courses = section("offices", OfficeRecord), section("courses", CourseRecord)
    for major in recorded.get("major", ()):
        known.check("program", major.record.programs, major.place, problems, "programs")
        if major.record.faculty:
            known.check("office", [major.record.faculty], major.place, problems, "faculty")
    for office in offices:
        known.check("topic", office.record.handles, office.place, problems, "handles")
    for entries in (*recorded.values(), courses, offices):
        unique_names(entries, problems)
        for item in entries:
            known.check_owner(item.record.owner, item.place, problems)

    def values_of(dimension: str) -> tuple[Any, ...]:
        return tuple(
            RECORDS[dimension][1](**item.record.without_review()) for item in recorded.get(dimension, ())
        )

    return Catalog(
        school=school,
        cohorts=values_of("cohort"),
        majors=values_of("major"),
        programs=values_of("program"),
        courses=tuple(Course(**course.record.without_review()) for course in courses),
        offices=tuple(Office(**office.record.without_review()) for office in offices),
        dimensions=known.dimensions,
        values=values,
    )


def _glossary(place: Place, problems: list[Problem]) -> tuple[GlossaryEntry, ...]:
    entries: list[Entry[GlossaryRecord]] = read_list(GlossaryRecord, place.marked.data, place, problems)
    first: dict[tuple[str, str], Entry[GlossaryRecord]] = {}
    for entry in entries:
        short = entry.record.short
        before = first.setdefault((short.casefold(), entry.record.kind), entry)
        if before is not entry:
            message = Message("short_again", short=short, line=before.place.line())
            problems.append(entry.place.problem(message, "short"))
    return tuple(GlossaryEntry(**dict(entry.record)) for entry in entries)
