"""The schema of the graph: `schema.yml`, and what the `graph.yml` of a school adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rag.errors import Problem
from rag.graph.types import Edge, Node, Value, kind_of
from rag.ingest.entries import Place, read_entry, read_yaml
from rag.ingest.schema import Lines, MaybeLine, Record
from rag.messages import Message
from vietnamese.data_files import yaml_beside

PropertyKind = Literal["text", "number", "date"]
_TYPE = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?")


class TypeRecord(Record):
    means: MaybeLine = ""
    properties: Mapping[str, PropertyKind] = {}


class RelationRecord(Record):
    means: MaybeLine = ""
    sources: Annotated[tuple[str, ...], Field(alias="from", min_length=1)]
    targets: Annotated[tuple[str, ...], Field(alias="to", min_length=1)]


class SchemaRecord(Record):
    """`schema.yml`, and `graph.yml` of a school.

    `distinct` are groups of nodes (`covan graph merges` shows their ids) that are never merged with one another.
    """

    types: Mapping[str, TypeRecord] = {}
    relations: Mapping[str, RelationRecord] = {}
    distinct: tuple[Lines, ...] = ()


@dataclass(frozen=True, slots=True)
class Ends:
    """The types of nodes that a relation may lead from and to."""

    sources: frozenset[str]
    targets: frozenset[str]


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """The types of nodes, each with its properties, and the relations, each with its ends.

    `distinct` are groups of nodes that are never merged with one another.
    """

    types: Mapping[str, Mapping[str, PropertyKind]]
    relations: Mapping[str, Ends]
    distinct: tuple[frozenset[str], ...] = ()

    def node_fault(self, node: Node) -> Message | None:
        """Return why a node does not fit; None when it does. Its properties are checked one by one by `value`."""
        if node.type not in self.types:
            return Message("graph_unknown_type", type=node.type, known=", ".join(self.types))
        return None

    def edge_fault(self, edge: Edge) -> Message | None:
        """Return why an edge does not fit; None when it does."""
        ends = self.relations.get(edge.relation)
        if ends is None:
            return Message("graph_unknown_relation", relation=edge.relation, known=", ".join(self.relations))
        for end, allowed in ((edge.source, ends.sources), (edge.target, ends.targets)):
            if kind_of(end) not in allowed:
                return Message(
                    "graph_wrong_end", relation=edge.relation, end=end, allowed=", ".join(sorted(allowed))
                )
        return None

    def value(self, kind: str, name: str, given: object) -> Value | Message:
        """Return the value of a property of a type as its kind; a message when it has none or another one."""
        wanted = self.types.get(kind, {}).get(name)
        if wanted is None:
            known = ", ".join(self.types.get(kind, {}))
            return Message("graph_unknown_property", name=name, type=kind, known=known)
        text = str(given).strip()
        if wanted == "number":
            if not _NUMBER.fullmatch(text):
                return Message("graph_no_number", name=name, value=text)
            number = float(text)
            return int(number) if number.is_integer() else number
        if wanted == "date":
            try:
                return date.fromisoformat(text).isoformat()
            except ValueError:
                return Message("not_a_date", value=text)
        return text

    def extended(self, record: SchemaRecord, place: Place, problems: list[Problem]) -> GraphSchema:
        """Return the schema with what `record` adds; a wrong name and an unknown end are problems."""
        types = {name: dict(properties) for name, properties in self.types.items()}
        for name, added in record.types.items():
            if not _TYPE.fullmatch(name):
                problems.append(place.problem(Message("graph_bad_type", name=name), "types", name))
                continue
            own = types.setdefault(name, {})
            for key, wanted in added.properties.items():
                if own.setdefault(key, wanted) != wanted:
                    message = Message("graph_property_again", name=key, type=name, kind=own[key])
                    problems.append(place.problem(message, "types", name, "properties", key))
        relations = dict(self.relations)
        for name, wanted_ends in record.relations.items():
            if not _NAME.fullmatch(name):
                problems.append(place.problem(Message("graph_bad_relation", name=name), "relations", name))
                continue
            unknown = sorted({*wanted_ends.sources, *wanted_ends.targets} - types.keys())
            if unknown:
                message = Message("graph_unknown_type", type=", ".join(unknown), known=", ".join(types))
                problems.append(place.problem(message, "relations", name))
                continue
            before = relations.get(name, Ends(frozenset(), frozenset()))
            relations[name] = Ends(
                before.sources | set(wanted_ends.sources), before.targets | set(wanted_ends.targets)
            )
        return GraphSchema(types, relations, (*self.distinct, *map(frozenset, record.distinct)))


def base_schema() -> GraphSchema:
    """Return the schema that every school has."""
    record = SchemaRecord.model_validate(yaml_beside(__file__, "schema.yml"))
    return GraphSchema(
        {name: dict(each.properties) for name, each in record.types.items()},
        {
            name: Ends(frozenset(each.sources), frozenset(each.targets))
            for name, each in record.relations.items()
        },
    )


def school_schema(path: Path | None, problems: list[Problem]) -> GraphSchema:
    """Return the schema with what the `graph.yml` at `path` adds (None: nothing); its faults are problems."""
    schema = base_schema()
    if path is None:
        return schema
    place = read_yaml(path, path.name, problems)
    if place is None or place.marked.data is None:
        return schema
    entry = read_entry(SchemaRecord, place.marked.data, place, problems)
    return schema if entry is None else schema.extended(entry.record, place, problems)


def allowed_ids(
    schema: GraphSchema, relation: str, local: str, nodes: Mapping[str, Node], end: Literal["from", "to"]
) -> list[str]:
    """Return the ids of the nodes that `local` may mean at an end of a relation."""
    ends = schema.relations.get(relation)
    if ends is None:
        return []
    kinds: Iterable[str] = sorted(ends.targets if end == "to" else ends.sources)
    return [found for kind in kinds if (found := f"{kind}:{local}") in nodes]
