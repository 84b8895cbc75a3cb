"""The dictionaries of a knowledge folder that editors change: `topics.yml` and `catalog.yml`.

A topic's version is a hash of its lines, that of a part of the catalogue a hash of its text: whoever saves says which
one they saw.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from console.faq_files import EntryText, entries_in
from console.knowledge_files import ConflictError, Edit, broken, text_and_hash
from console.yaml_places import read, slice_at, with_item, with_items, with_values, without_item
from console.yaml_text import YamlTextError
from rag.errors import CovanError
from rag.ingest.dictionaries import RECORDS
from rag.ingest.dimensions import read_dimensions
from rag.ingest.entries import Place
from rag.ingest.marked_yaml import Location, parse
from rag.ingest.schema import (
    CatalogueRecord,
    CounsellingRecord,
    CourseRecord,
    DimensionValueRecord,
    NumberedValueRecord,
    OfficeRecord,
    SchoolRecord,
    TopicRecord,
)

SCHOOL = "school"
COUNSELLING = "counselling"
COURSE, OFFICE = "course", "office"

NOT_COMPUTED = frozenset({SCHOOL, COUNSELLING, COURSE, OFFICE})
"""The sections that no calculator computes with."""

_NOT_LINES = {"campuses", "counselling", "advising_hours"}
"""The fields of the school that are not lines of text; they are edited in the file."""

TOPIC_FIELDS = tuple(name for name in TopicRecord.model_fields if name != "id")


class NoPartError(CovanError):
    """There is no such topic or part of the catalogue."""


@dataclass(frozen=True, slots=True)
class Part:
    """An item of a section: `line` counts from 1; `values` are its fields, texts and lists of texts."""

    id: str
    line: int
    text: str
    values: Mapping[str, Any]
    path: Location

    @property
    def version(self) -> str:
        return sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Section:
    """A list of the catalogue, or the school itself.

    `id` is that of a dimension, or one of this module's constants; `fields` are those of its items that can be edited.
    """

    id: str
    name: str
    name_en: str
    path: Location
    fields: Sequence[str]
    parts: Sequence[Part]
    record: type[CatalogueRecord]
    grows: bool = True
    """Whether items may be added."""


class DictionaryFiles:
    """Topics and catalogue of the knowledge folder `knowledge`."""

    def __init__(self, knowledge: Path) -> None:
        self._knowledge = knowledge

    def versions(self, files: Container[str]) -> Mapping[str, str]:
        """Return the version of each topic and item, by id, that stands in some files of the folder.

        Raises YamlTextError, KnowledgeFileError.
        """
        topics = self.topics() if self._path("topics").name in files else ()
        sections = self.sections() if self._path("catalog").name in files else ()
        return {
            **{topic.id: topic.version for topic in topics},
            **{part.id: part.version for section in sections for part in section.parts},
        }

    # --- topics -------------------------------------------------------------------------------------------------

    def topics(self) -> Sequence[EntryText]:
        """Return all topics in their order. Raises KnowledgeFileError."""
        path = self._path("topics")
        return [*entries_in(path.name, text_and_hash(path)[0])]

    def topic_changed(self, topic_id: str, version: str, fields: Mapping[str, Any]) -> Edit:
        """Return the edit of a topic that was seen at `version`.

        Raises ConflictError, YamlTextError, KnowledgeFileError.
        """
        path = self._place_of_topic(topic_id, version)
        return self._edit("topics", lambda text: with_values(text, path, fields))

    def topics_added(self, *many: Mapping[str, Any]) -> Edit:
        """Return the edit that adds topics at the end. Raises YamlTextError, KnowledgeFileError."""
        return self._edit("topics", lambda text: with_items(text, (), many))

    def topic_removed(self, topic_id: str, version: str) -> Edit:
        """Return the edit that takes away a topic that was seen at `version`.

        Raises ConflictError, YamlTextError, KnowledgeFileError.
        """
        path = self._place_of_topic(topic_id, version)
        return self._edit("topics", lambda text: without_item(text, path))

    def _place_of_topic(self, topic_id: str, version: str) -> Location:
        known = {topic.id: (place, topic) for place, topic in enumerate(self.topics())}
        place, topic = known.get(topic_id, (0, None))
        if topic is None or topic.version != version:
            raise ConflictError(topic_id, topic.text if topic is not None else "")
        return (place,)

    # --- catalogue ----------------------------------------------------------------------------------------------

    def sections(self) -> Sequence[Section]:
        """Return the sections of the catalogue that can be edited. Raises YamlTextError, KnowledgeFileError."""
        path = self._path("catalog")
        text, _ = text_and_hash(path)
        try:
            data = read(text)
        except YamlTextError as error:
            raise broken(path.name, text, error) from error
        data = data if isinstance(data, dict) else {}
        place = Place(path.name, parse(text))
        found = [
            _section(text, data, COUNSELLING, ("school", "counselling"), CounsellingRecord),
            _section(text, data, OFFICE, ("offices",), OfficeRecord),
        ]
        own = data.get("dimensions")
        rows = enumerate(own if isinstance(own, list) else ())
        at = {each.get("id"): row for row, each in rows if isinstance(each, dict)}
        for spec in read_dimensions(data.get("dimensions"), place.at("dimensions"), []):
            names = (spec.name, spec.name_en)
            if spec.id in RECORDS:
                found.append(_section(text, data, spec.id, (spec.key,), RECORDS[spec.id][0], names))
            elif spec.id in at:
                model = NumberedValueRecord if spec.ordered else DimensionValueRecord
                where = ("dimensions", at[spec.id], "values")
                found.append(_section(text, data, spec.id, where, model, names))
        found.append(_section(text, data, COURSE, ("courses",), CourseRecord))
        if isinstance(data.get("school"), dict):
            found.insert(0, _school(text, data["school"]))
        return found

    def section(self, section_id: str) -> Section:
        """Return a section. Raises NoPartError, YamlTextError, KnowledgeFileError."""
        found = next((each for each in self.sections() if each.id == section_id), None)
        if found is None:
            raise NoPartError("the catalogue has no such section")
        return found

    def changed(self, section_id: str, part_id: str, version: str, fields: Mapping[str, Any]) -> Edit:
        """Return the edit of a part that was seen at `version`. Raises ConflictError, NoPartError, YamlTextError."""
        section = self.section(section_id)
        part = _seen(section, part_id, version)
        has_id = section.grows and "id" in part.values
        _refuse_others(section, {name: value for name, value in fields.items() if name != "id" or not has_id})
        ordered = {name: fields[name] for name in ("id", *section.fields) if name in fields}
        return self._edit("catalog", lambda text: with_values(text, part.path, ordered))

    def removed(self, section_id: str, part_id: str, version: str) -> Edit:
        """Return the edit that takes away an item that was seen at `version`.

        Raises ConflictError, NoPartError, YamlTextError.
        """
        section = self.section(section_id)
        part = _seen(section, part_id, version)
        if not section.grows:
            raise NoPartError("nothing can be taken away from this section")
        return self._edit("catalog", lambda text: without_item(text, part.path))

    def added(self, section_id: str, fields: Mapping[str, Any]) -> Edit:
        """Return the edit that adds an item to a section. Raises NoPartError, YamlTextError."""
        section = self.section(section_id)
        if not section.grows:
            raise NoPartError("nothing can be added to this section")
        _refuse_others(section, {name: value for name, value in fields.items() if name != "id"})
        return self._edit("catalog", lambda text: with_item(text, section.path, fields))

    def put_together(self, section_id: str, items: Sequence[tuple[str, str, Mapping[str, Any]]]) -> Edit:
        """Return the edit that changes and adds several items: their ids, versions ("": a new one) and fields.

        Raises ConflictError when one of them is not as it was seen, NoPartError, YamlTextError.
        """
        section = self.section(section_id)
        known = {part.id: part for part in section.parts}
        if not section.grows:
            raise NoPartError("nothing can be added to this section")

        def change(text: str) -> str:
            new = []
            for item_id, version, fields in items:
                part = known.get(item_id)
                if (part.version if part is not None else "") != version:
                    raise ConflictError(item_id, part.text if part is not None else "")
                _refuse_others(section, fields)
                ordered = {name: fields[name] for name in section.fields if name in fields}
                if part is None:
                    new.append({"id": item_id, **ordered})
                else:
                    text = with_values(text, part.path, ordered)
            return with_items(text, section.path, new)

        return self._edit("catalog", change)

    def _edit(self, name: str, change: Any) -> Edit:
        path = self._path(name)
        before, made_from = text_and_hash(path)
        return Edit(path.name, change(before), made_from)

    def _path(self, name: str) -> Path:
        other = self._knowledge / f"{name}.yaml"
        return other if other.exists() else self._knowledge / f"{name}.yml"


def _seen(section: Section, part_id: str, version: str) -> Part:
    part = next((each for each in section.parts if each.id == part_id), None)
    if part is None or part.version != version:
        raise ConflictError(part_id, part.text if part is not None else "")
    return part


def _refuse_others(section: Section, fields: Mapping[str, Any]) -> None:
    others = sorted(name for name, value in fields.items() if value and name not in section.fields)
    if others:
        raise YamlTextError(f"an item of {section.id} has no {', '.join(others)}")


def _school(text: str, school: Mapping[str, Any]) -> Section:
    fields = [name for name in _fields(SchoolRecord) if name not in _NOT_LINES]
    name = str(school.get("name") or "")
    part = _part(text, ("school",), school, SCHOOL)
    own = {name: each for name, each in part.values.items() if name not in _NOT_LINES}
    return Section(
        SCHOOL,
        name,
        name,
        ("school",),
        fields,
        [Part(SCHOOL, part.line, part.text, own, part.path)],
        SchoolRecord,
        grows=False,
    )


def _section(
    text: str,
    data: Mapping[str, Any],
    section_id: str,
    path: Location,
    model: type[CatalogueRecord],
    names: tuple[str, str] = ("", ""),
) -> Section:
    node: Any = data
    for part in path:
        node = node.get(part) if isinstance(node, dict) else node[part] if isinstance(node, list) else None  # type: ignore[index]
    items = node if isinstance(node, list) else []
    parts = [
        _part(text, (*path, row), item, str(item.get("id") or row))
        for row, item in enumerate(items)
        if isinstance(item, dict)
    ]
    return Section(section_id, *names, path, _fields(model), parts, model)


def _fields(model: type[CatalogueRecord]) -> Sequence[str]:
    """Return the fields of an item but its id; those of its review are the last ones."""
    review = CatalogueRecord.model_fields
    return [*(name for name in model.model_fields if name != "id" and name not in review), *review]


def _part(text: str, path: Location, item: Mapping[str, Any], part_id: str) -> Part:
    found = slice_at(text, path)
    values = {name: value for name, value in item.items() if value is not None}
    return Part(part_id, found.line, found.text, values, path)
