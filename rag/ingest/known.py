"""The ids that knowledge files may refer to: topics, offices, and the values of the school's dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from rag.errors import Problem
from rag.ingest.entries import Entry, Place, did_you_mean, dotted
from rag.ingest.schema import CalculatorRecord, FaqRecord
from rag.messages import Message
from school.dimensions import (
    AppliesTo,
    DimensionSpec,
    ReversedRangeError,
    as_range,
    default_dimensions,
    is_range,
)


@dataclass(slots=True)
class Known:
    """Known ids by kind: "topic", "office" or the id of a dimension. A kind that no file lists has no wrong ids."""

    dimensions: tuple[DimensionSpec, ...] = field(default_factory=default_dimensions)
    ids: dict[str, set[str]] = field(default_factory=dict)

    def check(
        self, kind: str, values: Iterable[str], place: Place, problems: list[Problem], *path: str
    ) -> None:
        """Add a problem for every value that is no id of `kind`."""
        for index, value in enumerate(values):
            self._check_one(kind, value, place, problems, *path, index)

    def check_owner(self, owner: str | None, place: Place, problems: list[Problem]) -> None:
        """Add a problem when the office in charge does not exist."""
        if owner is not None:
            self.check("office", [owner], place, problems, "owner")

    def check_answer(
        self, entry: Entry[FaqRecord] | Entry[CalculatorRecord], documents: Set[str], problems: list[Problem]
    ) -> None:
        """Add a problem for the topic, the office and each source of an answer that does not exist."""
        record, place = entry.record, entry.place
        self.check("topic", [record.topic], place, problems, "topic")
        self.check_owner(record.owner, place, problems)
        for index, source in enumerate(record.sources):
            if (value := source.document) not in documents:
                hint = did_you_mean(value, documents)
                message = Message("unknown_id", kind="document", value=value, hint=hint)
                problems.append(place.problem(message, "sources", index, "document"))

    def students(
        self,
        said: Mapping[str, Sequence[str]],
        place: Place,
        problems: list[Problem],
        warnings: list[Problem],
    ) -> AppliesTo:
        """Return the students that an entry's `applies_to` names, by the keys or the ids of the dimensions."""
        allowed: dict[str, tuple[str, ...]] = {}
        for key, values in said.items():
            if (spec := self.dimension(key, place, problems, "applies_to")) is None:
                continue
            read = [
                self._value(spec, value, place, problems, warnings, ("applies_to", key, index))
                for index, value in enumerate(values)
            ]
            allowed[spec.id] = (*allowed.get(spec.id, ()), *(value for value in read if value is not None))
        return AppliesTo({dimension: values for dimension, values in allowed.items() if values})

    def assumed(self, said: Mapping[str, str], place: Place, problems: list[Problem]) -> dict[str, str]:
        """Return the values that a topic `assumes`, by dimension: ids, no ranges."""
        found = {}
        for key, value in said.items():
            if (spec := self.dimension(key, place, problems, "assumes")) is None:
                continue
            if is_range(value):
                message = Message("range_not_id", value=value, kind=spec.id)
                problems.append(place.problem(message, "assumes", key))
            elif self._check_one(spec.id, value, place, problems, "assumes", key):
                found[spec.id] = value
        return found

    def dimension(self, key: str, place: Place, problems: list[Problem], field: str) -> DimensionSpec | None:
        """Return the dimension with a key or an id; None, after adding a problem, when there is none."""
        spec = next((each for each in self.dimensions if key in (each.key, each.id)), None)
        if spec is None:
            keys = ", ".join(each.key for each in self.dimensions)
            suggestion = did_you_mean(key, [each.key for each in self.dimensions])
            message = Message(
                "unknown_dimension", field=field, key=key, hint=suggestion or Message("there_are", known=keys)
            )
            problems.append(place.problem(message, field, key))
        return spec

    def _value(
        self,
        spec: DimensionSpec,
        value: str,
        place: Place,
        problems: list[Problem],
        warnings: list[Problem],
        path: tuple[str | int, ...],
    ) -> str | None:
        """Return a value in the form of `AppliesTo`; None, after adding a problem, when it is not allowed."""
        if not spec.ordered:
            if is_range(value) and spec.id not in self.ids:
                problems.append(place.problem(Message("range_not_id", value=value, kind=spec.id), *path))
                return None
            return value if self._check_one(spec.id, value, place, problems, *path) else None
        try:
            read = as_range(value)
        except ValueError as error:
            key = "range_reversed" if isinstance(error, ReversedRangeError) else "no_range"
            why = Message(key, value=value)
            problems.append(place.problem(Message("wrong_value", what=dotted(path), why=why), *path))
            return None
        known, applies_to = self.ids.get(spec.id), AppliesTo({spec.id: (read,)})
        if known and not any(applies_to.admits(spec.id, each) for each in known):
            message = Message("empty_range", kind=spec.id, range=read)
            warnings.append(place.problem(message, *path))
        return read

    def _check_one(
        self, kind: str, value: str, place: Place, problems: list[Problem], *path: str | int
    ) -> bool:
        ids = self.ids.get(kind)
        if ids is None or value in ids:
            return True
        problems.append(
            place.problem(Message("unknown_id", kind=kind, value=value, hint=did_you_mean(value, ids)), *path)
        )
        return False


def check_entries(
    named: Sequence[str], entry_ids: Set[str], place: Place, problems: list[Problem], *path: str
) -> None:
    """Add a problem for every id that no FAQ entry has."""
    for value in named:
        if value not in entry_ids:
            hint = did_you_mean(value, entry_ids)
            problems.append(place.problem(Message("unknown_id", kind="faq", value=value, hint=hint), *path))
