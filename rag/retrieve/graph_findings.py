"""The paths of the graph that reply to a fitted pattern, under the conditions that the message sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from rag.graph.store import Found
from rag.graph.types import Node, node_id
from rag.retrieve.entity_lookup import Word
from rag.retrieve.graph_entities import OF_DIMENSION, GraphEntities
from rag.retrieve.graph_frame import frame
from rag.retrieve.graph_patterns import Fit, Pattern, frequent
from vietnamese.text import fold, words


@dataclass(frozen=True, slots=True)
class Finding:
    """The graph's reply to one pattern: about each subject, the rows found.

    `of_property` are subjects whose own property is asked for. `asked` are further conditions of the message by name: a
    semester, a role.
    """

    pattern: Pattern
    subjects: tuple[Node, ...]
    rows: Mapping[str, tuple[Found, ...]]
    asked: Mapping[str, str] = field(default_factory=dict)
    second: Node | None = None


class GraphFinder:
    """Runs the queries of patterns from their entities. Thread-safe."""

    def __init__(self, entities: GraphEntities) -> None:
        self._entities = entities

    def found(self, fit: Fit, said: Sequence[Word], known: Mapping[str, str], today: date) -> Finding | None:
        """Return the reply to a pattern; None when the graph has none. Raises GraphError."""
        pattern = fit.pattern
        asked = _asked(pattern, said, fit)
        if asked is None:
            return None
        subjects = [node for each in fit.subject.nodes if (node := self._entities.node(each)) is not None]
        subjects = self._for_student(subjects, said, known, today)
        if pattern.several:
            return self._documents(fit, said, known, today)
        if pattern.second:
            return self._between(pattern, fit, today)
        rows: dict[str, tuple[Found, ...]] = {}
        kept = []
        for subject in subjects:
            if pattern.stated_property:
                if self._states(pattern, subject, asked, rows, today):
                    kept.append(subject)
                continue
            found = self.walk(pattern, subject, today)
            found = [row for row in found if _agrees(row, asked)]
            if found or pattern.empty:
                rows[subject.id] = tuple(found)
                kept.append(subject)
        if not kept or len(kept) < len(subjects):
            return None
        return Finding(pattern, tuple(kept), rows, asked)

    def _for_student(
        self, nodes: list[Node], said: Sequence[Word], known: Mapping[str, str], today: date
    ) -> list[Node]:
        """Return those of several entities of one name that apply to the student; all when that tells nothing."""
        if len(nodes) < 2:
            return nodes
        values = {node_id(kind, known[d]) for d, kind in OF_DIMENSION.items() if known.get(d)}
        values |= {
            n for link in self._entities.links(said) if link.kind in OF_DIMENSION.values() for n in link.nodes
        }
        kept = []
        for node in nodes:
            ends = {
                row.node.id
                for row in self._entities.store.run("out.applies_to", id=node.id, today=today.isoformat())
            }
            if not ends or ends & values:
                kept.append(node)
        return kept or nodes

    def _states(
        self,
        pattern: Pattern,
        subject: Node,
        asked: Mapping[str, str],
        rows: dict[str, tuple[Found, ...]],
        today: date,
    ) -> bool:
        """Return whether an entity has the property that a pattern tells; put related rows into `rows`."""
        own, day = subject.properties, today.isoformat()
        rows[subject.id] = tuple(
            row
            for query in pattern.related
            for row in self._entities.store.run(query, id=subject.id, today=day)
        )
        if pattern.stated_property == "contact":
            has_place = bool(rows[subject.id] or own.get("location") or own.get("room"))
            has = {"place": has_place, **{key: bool(own.get(key)) for key in ("phone", "email", "hours")}}
            fields = asked.get("fields", "").split() or list(has)
            return any(has[name] for name in fields)
        if subject.type == "Clause" or (pattern.stated_property == "fee" and rows[subject.id]):
            return True
        return any(own.get(key) not in (None, "") for key in pattern.stated_by)

    def walk(self, pattern: Pattern, subject: Node, today: date) -> list[Found]:
        """Return what the steps of a pattern lead to from an entity, each node once."""
        reached = [subject.id]
        found: list[Found] = []
        for step in pattern.steps:
            found = [
                Found(each) for node in reached if "self" in step and (each := self._entities.node(node))
            ]
            for node in reached:
                for query in step:
                    if query == "self":
                        continue
                    found += self._entities.store.run(query, id=node, today=today.isoformat())
            reached = list(dict.fromkeys(each.node.id for each in found))
        of_kind = [each for each in found if not pattern.kinds or each.node.type in pattern.kinds]
        return list({each.node.id: each for each in reversed(of_kind)}.values())[::-1]

    def _between(self, pattern: Pattern, fit: Fit, today: date) -> Finding | None:
        """Return whether one of two courses must be passed before the other."""
        if fit.second is None or len(fit.subject.nodes) + len(fit.second.nodes) > 2:
            return None
        one, other = (self._entities.node(link.nodes[0]) for link in (fit.subject, fit.second))
        if one is None or other is None or one.id == other.id:
            return None
        rows = {}
        for first, second in ((one, other), (other, one)):
            before = self._entities.store.run("before.prerequisite_of", id=second.id)
            rows[first.id] = tuple(row for row in before if row.node.id == first.id)
        together = self._entities.store.run("in.corequisite_of", id=one.id, today=today.isoformat())
        together += self._entities.store.run("out.corequisite_of", id=one.id, today=today.isoformat())
        rows["together"] = tuple(row for row in together if row.node.id == other.id)
        return Finding(pattern, (one,), rows, {}, other)

    def _documents(
        self, fit: Fit, said: Sequence[Word], known: Mapping[str, str], today: date
    ) -> Finding | None:
        """Return the documents in force that are for the student's cohort, programme and major in particular."""
        links = self._entities.links(said)
        of_title = {n for link in links if link.kind == "Document" for n in range(link.start, link.end)}
        named = [said[n].folded for n in sorted(of_title) if said[n].folded not in frequent()]
        titled = [*self._entities.left(said, [fit]), *named]
        values: dict[str, str] = {}
        for dimension, kind in OF_DIMENSION.items():
            if (value := known.get(dimension)) is not None:
                values[kind] = node_id(kind, value)
        for link in links:
            if link.kind in OF_DIMENSION.values() and len(link.nodes) == 1:
                values[link.kind] = link.nodes[0]
        found: dict[str, Found] = {}
        day = today.isoformat()
        for value in values.values():
            for row in self._entities.store.run("in.applies_to", id=value, today=day):
                if row.node.type == "Document":
                    found.setdefault(row.node.id, row)
        kept = []
        for row in found.values():
            limits: dict[str, set[str]] = {}
            for end in self._entities.store.run("out.applies_to", id=row.node.id, today=day):
                limits.setdefault(end.node.type, set()).add(end.node.id)
            if all(values.get(kind) is None or values[kind] in ends for kind, ends in limits.items()):
                kept.append(row)
        # "Quy định thực tập nào áp dụng cho K51?": those about what else is said.
        kept = [row for row in kept if set(titled) <= set(map(fold, words(row.node.name)))]
        subjects = [node for value in values.values() if (node := self._entities.node(value)) is not None]
        if not kept or not subjects:
            return None
        asked = {"title": " ".join(titled)}
        return Finding(fit.pattern, tuple(subjects), {subjects[0].id: tuple(kept)}, asked)


def _asked(pattern: Pattern, said: Sequence[Word], fit: Fit) -> dict[str, str] | None:
    """Return the conditions of a message that what is found must agree with; None when a needed one is not said."""
    asked: dict[str, str] = {}
    rest = " ".join(
        word.folded for number, word in enumerate(said) if not fit.subject.start <= number < fit.subject.end
    )
    if "semester" in pattern.match:
        match = frame().semester.search(rest)
        if match is None:
            return None
        said_number = match["number"]
        number = said_number if said_number.isdigit() else str(frame().numbers.get(said_number, ""))
        if not number:
            return None
        asked["semester"] = number
    if "room" in pattern.match:
        if (match := frame().room.search(rest)) is None:
            return None
        asked["room"] = match["number"]
    if pattern.stated_property == "contact":
        fields = [name for name, cue in frame().fields.items() if cue.search(rest)]
        asked["fields"] = " ".join(fields)
    if "role" in pattern.match:
        role = next((name for name, cue in frame().roles.items() if cue.search(rest)), None)
        if role is not None:
            asked["role"] = role
    return asked


def _agrees(row: Found, asked: Mapping[str, str]) -> bool:
    if (semester := asked.get("semester")) is not None:
        own = row.of_edge.get("semester", row.node.properties.get("semester"))
        if str(own) != semester:
            return False
    if (room := asked.get("room")) is not None:
        place = row.node.properties
        located = " ".join(words(fold(f"{place.get('location', '')} {place.get('room', '')}")))
        named = {match["number"] for match in frame().room.finditer(located)}
        if room not in named:
            return False
    if (role := asked.get("role")) is not None:
        said = " ".join(
            words(fold(f"{row.node.properties.get('role', '')} {row.node.properties.get('title', '')}"))
        )
        return frame().roles[role].search(said) is not None
    return True
