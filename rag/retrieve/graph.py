"""Retrieval from the knowledge graph: what a message asks of it, and the paths that answer.

A message is understood by its entities (`entity_lookup`) and its words (`graph_patterns`); the queries of the pattern
are then run from the entity. Nothing is embedded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from rag.graph.store import Found, GraphStore
from rag.graph.types import Node, Table, local_id, node_id
from rag.retrieve.entity_lookup import SHORTENED, EntityLookup, Link, Word, place_named, words_of
from rag.retrieve.graph_patterns import (
    UNEXPLAINED,
    Fit,
    Pattern,
    filler,
    fits,
    frequent,
    of_id,
    patterns,
    unexplained,
)
from vietnamese.data_files import yaml_beside
from vietnamese.text import fold, words

MOST_FINDINGS = 3
"""The most things that one message asks of the graph."""

OF_DIMENSION: Mapping[str, str] = {"cohort": "Cohort", "major": "Major", "program": "Program"}
"""The types of nodes that values of the student's dimensions are."""

SURELY = 0.9
"""A wording that is understood with this probability needs no other one."""

SURE = 0.6
"""A message that asks something of the graph by itself with this probability goes on with nothing."""


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


@dataclass(frozen=True, slots=True)
class Understood:
    """The patterns that a message asks of the graph, with the probability that this is meant and answered rightly.

    `question` is the message in full, with what the conversation adds.
    """

    findings: tuple[Finding, ...]
    probability: float
    question: str = ""
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A message that goes on with an earlier question: the patterns it fits, its words in full, and it as a text."""

    fits: tuple[Fit, ...]
    said: Sequence[Word]
    question: str


class GraphRetriever:
    """Answers messages from an opened graph. Immutable once made, so thread-safe."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        every = list(store.entities())
        self._nodes = {node.id: node for node in every}
        self._lookup = EntityLookup(every, frequent())

    @property
    def tables(self) -> Mapping[str, Table]:
        return self._store.tables

    def node(self, node: str) -> Node | None:
        """Return a node; a clause is looked up in the store. Raises GraphError."""
        if node in self._nodes:
            return self._nodes[node]
        found = self._store.run("node", id=node)
        return found[0].node if found else None

    def mentioned(self, text: str) -> list[str]:
        """Return the ids of the entities that a text names for sure, each once."""
        links = self._lookup.links(words_of(text))
        return list(dict.fromkeys(n for link in links if link.score >= 0.9 for n in link.nodes))

    def beside(self, entity: str, today: date) -> list[Node]:
        """Return the entities one step away from an entity, or mentioned with it by a clause. Raises GraphError."""
        day = today.isoformat()
        found = self._store.run("entities_beside", id=entity, today=day)
        for query in ("out.belongs_to", "in.responsible_for", "in.prerequisite_of", "out.prerequisite_of"):
            found += self._store.run(query, id=entity, today=day)
        return list({each.node.id: each.node for each in found if each.node.type != "Clause"}.values())

    def clauses_about(self, entity: str, today: date) -> list[Found]:
        """Return the clauses that mention an entity. Raises GraphError."""
        return self._store.run("clauses_about", id=entity, today=today.isoformat())

    def understand(
        self,
        texts: Sequence[str],
        known: Mapping[str, str],
        today: date,
        history: Sequence[str] = (),
    ) -> Understood | None:
        """Return what a message asks, by the likeliest of its wordings `texts`; None when it asks nothing of the graph.

        `known` are the student's values by dimension. `history` are earlier questions of the conversation, the latest
        first: "còn môn này?" goes on with one. Raises GraphError.
        """
        best: Understood | None = None
        read: list[list[str]] = []
        for text in texts:
            said = [word.spelled for word in words_of(text)]
            if said in read or (best is not None and best.probability > SURELY):
                continue
            read.append(said)
            found = self._understood(text, known, today, history)
            if found is not None and (best is None or found.probability > best.probability):
                best = found
        return best

    def _understood(
        self, text: str, known: Mapping[str, str], today: date, history: Sequence[str]
    ) -> Understood | None:
        said: Sequence[Word] = words_of(text)
        chosen = self._chosen(said, today, known)
        question = text
        if history and not (chosen and self._probability(said, chosen) > SURE):
            continued = self._continued(said, history[0], today)
            if continued.fits:
                chosen, said, question = list(continued.fits), continued.said, continued.question
        if not chosen:
            return None
        probability = self._probability(said, chosen)
        fits_of = [
            *chosen,
            *(replace(fit, pattern=of_id(fit.pattern.also)) for fit in chosen if fit.pattern.also),
        ]
        findings = []
        for fit in fits_of:
            finding = self._found(fit, said, known, today)
            if finding is not None:
                findings.append(finding)
        if not findings or len(findings) < len({fit.pattern.id for fit in fits_of if fit.cues}) / 2:
            return None
        titled = " ".join(finding.asked.get("title", "") for finding in findings).split()
        left = [word for word in self._left(said, fits_of) if word not in titled]
        if titled:
            probability = min(fit.subject.score for fit in fits_of) * fits_of[0].pattern.weight
            probability *= UNEXPLAINED ** len(left)
        signals = {
            "link": min(fit.subject.score for fit in fits_of),
            "unexplained": float(len(left)),
            "parts": float(len(findings)),
        }
        return Understood(tuple(findings), probability, question, signals)

    # --- which patterns -------------------------------------------------------------------------------------------

    def _chosen(self, said: Sequence[Word], today: date, known: Mapping[str, str] | None = None) -> list[Fit]:
        """Return the patterns that a message asks by, about one subject; empty when none."""
        links = self._links(said)
        place = place_named(said)
        links = [self._in_force(link, today) for link in links]
        by_subject: list[tuple[float, list[Fit]]] = []
        for subject in self._subjects(said, links, known or {}):
            found = fits(said, links, subject, place)
            if (taken := _together(found)) and (p := self._probability(said, taken)) > 0:
                by_subject.append((p + 0.002 * len(taken[0].cues), taken))
        if not by_subject:
            return []
        by_subject.sort(key=lambda one: -one[0])
        return by_subject[0][1]

    def _in_force(self, link: Link, today: date) -> Link:
        """Return a link to documents without those that are no longer in force, unless none is."""
        if link.kind != "Document" or len(link.nodes) == 1:
            return link
        ends = {node: self._nodes[node].provenance.effective_to for node in link.nodes}
        kept = tuple(node for node, end in ends.items() if end is None or end >= today)
        return replace(link, nodes=kept or link.nodes)

    def _links(self, said: Sequence[Word]) -> list[Link]:
        """Return the links of a message, without an everyday word that may be a name ("nhung", "nhúng")."""
        return [
            link
            for link in self._lookup.links(said)
            if link.length > 1
            or said[link.start].spelled != said[link.start].folded
            or said[link.start].folded not in filler()
        ]

    def _subjects(
        self, said: Sequence[Word], links: Sequence[Link], known: Mapping[str, str]
    ) -> Iterator[Link]:
        """Yield what a message may be about: its entities, the clause that it names, and the student's own values."""
        yield from links
        of_student = _rules().own.search(" ".join(word.folded for word in said)) is not None
        for dimension, kind in OF_DIMENSION.items() if of_student else ():
            own = node_id(kind, known.get(dimension, ""))
            if own in self._nodes and all(link.kind != kind for link in links):
                yield Link(len(said), len(said), (own,), SHORTENED)
        place = place_named(said)
        documents = [node for link in links if link.kind == "Document" for node in link.nodes]
        if place is not None and documents:
            for document in documents[:1]:
                clause = self._clause(document, place.locator)
                if clause is not None:
                    yield Link(place.start, place.end, (clause,), min(1.0, _score_of(links, document)))

    def _clause(self, document: str, locator: str) -> str | None:
        clause = node_id("Clause", f"{local_id(document)}#{locator}")
        return clause if self._store.run("node", id=clause) else None

    def _probability(self, said: Sequence[Word], taken: Sequence[Fit]) -> float:
        left = self._left(said, taken)
        link = min(fit.subject.score for fit in taken)
        weight = min(fit.pattern.weight for fit in taken)
        meant = 1.0 if len(taken[0].subject.nodes) == 1 else 0.9
        return float(round(weight * link * meant * UNEXPLAINED ** len(left), 6))

    def _left(self, said: Sequence[Word], taken: Sequence[Fit]) -> list[str]:
        """Return the telling words of a message that nothing explains: no pattern, and no name of what it is about."""
        named: set[str] = set()
        for node in taken[0].subject.nodes:
            if (known := self._nodes.get(node)) is not None:
                for name in (known.name, *known.names):
                    named |= set(map(fold, words(name)))
        explained = frozenset().union(*(fit.explained for fit in taken))
        return [word for word in unexplained(said, explained) if word not in named]

    def _continued(self, said: Sequence[Word], before: str, today: date) -> Reading:
        """Return the reading of a message that goes on with the question `before`; without fits when it does not.

        "còn môn Hệ điều hành?" asks the same of another entity; "mấy tín chỉ?" asks something else of the same one.
        """
        earlier, links = words_of(before), self._links(said)
        chosen = self._chosen(earlier, today)
        if len(said) <= _rules().most_words:
            if links and chosen:
                return self._of_another(said, links, earlier, chosen, today)
            if not links:
                return self._of_the_same(said, earlier, chosen, today)
        return Reading((), said, before)

    def _of_another(
        self,
        said: Sequence[Word],
        links: Sequence[Link],
        earlier: Sequence[Word],
        chosen: Sequence[Fit],
        today: date,
    ) -> Reading:
        """Return the earlier question about the entity that a message names, when it names nothing else."""
        rules, subject = _rules(), chosen[0].subject
        link = next((link for link in links if link.kind == subject.kind), None)
        if link is None or not rules.goes_on.search(" ".join(word.folded for word in said)):
            return Reading((), said, "")
        spare = unexplained(said, frozenset(range(link.start, link.end)))
        if any(word not in rules.continuing for word in spare):
            return Reading((), said, "")
        name = said[link.start : link.end]
        return self._read([*earlier[: subject.start], *name, *earlier[subject.end :]], today)

    def _of_the_same(
        self, said: Sequence[Word], earlier: Sequence[Word], chosen: Sequence[Fit], today: date
    ) -> Reading:
        """Return a message about the entity of the earlier question, or about what has answered it."""
        folded = " ".join(word.folded for word in said)
        if (others := self._answered_by(chosen, folded, today)) is not None:
            name = words_of(self._nodes[others[0]].name)
            whole = [*name, *_rest(said)]
            subject = Link(0, len(name), others, SHORTENED)
            return Reading(tuple(_together(fits(whole, (), subject))), whole, _text(whole))
        subject_of = chosen[0].subject if chosen else next(iter(self._links(earlier)), None)
        if subject_of is None:
            return Reading((), said, "")
        # The subject stands in front: "Cấu trúc dữ liệu | mấy tín chỉ".
        return self._read([*earlier[subject_of.start : subject_of.end], *_rest(said)], today)

    def _read(self, whole: Sequence[Word], today: date) -> Reading:
        said = words_of(_text(whole))
        return Reading(tuple(self._chosen(said, today)), said, _text(whole))

    def _answered_by(self, chosen: Sequence[Fit], folded: str, today: date) -> tuple[str, ...] | None:
        """Return the entities that a pronoun means when they are what was found, not asked about: "email thầy đó"."""
        pronoun = _rules().pronoun.search(folded)
        if pronoun is None or not chosen:
            return None
        before, subject = chosen[0].pattern, chosen[0].subject
        for kind, cue in _rules().means.items():
            if kind in before.kinds and cue.match(pronoun[0]) and kind != subject.kind:
                asked = self.node(subject.nodes[0])
                found = self._walk(before, asked, today) if asked is not None else []
                nodes = tuple(row.node.id for row in found if row.node.id in self._nodes)
                return nodes if 0 < len(nodes) <= MOST_FINDINGS else None
        return None

    # --- what is found --------------------------------------------------------------------------------------------

    def _found(self, fit: Fit, said: Sequence[Word], known: Mapping[str, str], today: date) -> Finding | None:
        pattern = fit.pattern
        asked = _asked(pattern, said, fit)
        if asked is None:
            return None
        subjects = [node for each in fit.subject.nodes if (node := self.node(each)) is not None]
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
            found = self._walk(pattern, subject, today)
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
        values |= {n for link in self._links(said) if link.kind in OF_DIMENSION.values() for n in link.nodes}
        kept = []
        for node in nodes:
            ends = {
                row.node.id for row in self._store.run("out.applies_to", id=node.id, today=today.isoformat())
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
            row for query in pattern.related for row in self._store.run(query, id=subject.id, today=day)
        )
        if pattern.stated_property == "contact":
            has_place = bool(rows[subject.id] or own.get("location") or own.get("room"))
            has = {"place": has_place, **{key: bool(own.get(key)) for key in ("phone", "email", "hours")}}
            fields = asked.get("fields", "").split() or list(has)
            return any(has[name] for name in fields)
        if subject.type == "Clause" or (pattern.stated_property == "fee" and rows[subject.id]):
            return True
        return any(own.get(key) not in (None, "") for key in pattern.stated_by)

    def _walk(self, pattern: Pattern, subject: Node, today: date) -> list[Found]:
        """Return what the steps of a pattern lead to from an entity, each node once."""
        reached = [subject.id]
        found: list[Found] = []
        for step in pattern.steps:
            found = [Found(each) for node in reached if "self" in step and (each := self.node(node))]
            for node in reached:
                for query in step:
                    if query == "self":
                        continue
                    found += self._store.run(query, id=node, today=today.isoformat())
            reached = list(dict.fromkeys(each.node.id for each in found))
        of_kind = [each for each in found if not pattern.kinds or each.node.type in pattern.kinds]
        return list({each.node.id: each for each in reversed(of_kind)}.values())[::-1]

    def _between(self, pattern: Pattern, fit: Fit, today: date) -> Finding | None:
        """Return whether one of two courses must be passed before the other."""
        if fit.second is None or len(fit.subject.nodes) + len(fit.second.nodes) > 2:
            return None
        one, other = (self.node(link.nodes[0]) for link in (fit.subject, fit.second))
        if one is None or other is None or one.id == other.id:
            return None
        rows = {}
        for first, second in ((one, other), (other, one)):
            before = self._store.run("before.prerequisite_of", id=second.id)
            rows[first.id] = tuple(row for row in before if row.node.id == first.id)
        together = self._store.run("in.corequisite_of", id=one.id, today=today.isoformat())
        together += self._store.run("out.corequisite_of", id=one.id, today=today.isoformat())
        rows["together"] = tuple(row for row in together if row.node.id == other.id)
        return Finding(pattern, (one,), rows, {}, other)

    def _documents(
        self, fit: Fit, said: Sequence[Word], known: Mapping[str, str], today: date
    ) -> Finding | None:
        """Return the documents in force that are for the student's cohort, programme and major in particular."""
        links = self._links(said)
        of_title = {n for link in links if link.kind == "Document" for n in range(link.start, link.end)}
        named = [said[n].folded for n in sorted(of_title) if said[n].folded not in frequent()]
        titled = [*self._left(said, [fit]), *named]
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
            for row in self._store.run("in.applies_to", id=value, today=day):
                if row.node.type == "Document":
                    found.setdefault(row.node.id, row)
        kept = []
        for row in found.values():
            limits: dict[str, set[str]] = {}
            for end in self._store.run("out.applies_to", id=row.node.id, today=day):
                limits.setdefault(end.node.type, set()).add(end.node.id)
            if all(values.get(kind) is None or values[kind] in ends for kind, ends in limits.items()):
                kept.append(row)
        # "Quy định thực tập nào áp dụng cho K51?": those about what else is said.
        kept = [row for row in kept if set(titled) <= set(map(fold, words(row.node.name)))]
        subjects = [node for value in values.values() if (node := self.node(value)) is not None]
        if not kept or not subjects:
            return None
        asked = {"title": " ".join(titled)}
        return Finding(fit.pattern, tuple(subjects), {subjects[0].id: tuple(kept)}, asked)


def _text(said: Sequence[Word]) -> str:
    return " ".join(word.spelled for word in said)


def _rest(said: Sequence[Word]) -> list[Word]:
    """Return the words of a message that goes on, without its pronoun and what leads in to it."""
    rules, rest = _rules(), list(said)
    pronoun = rules.pronoun.search(" ".join(word.folded for word in said))
    if pronoun is not None:
        before = len(" ".join(word.folded for word in said)[: pronoun.start()].split())
        del rest[before : before + len(pronoun[0].split())]
    while rest and rest[0].folded in rules.leads:
        rest.pop(0)
    return rest


def _score_of(links: Sequence[Link], node: str) -> float:
    return max((link.score for link in links if node in link.nodes), default=0.0)


def _together(found: Sequence[Fit]) -> list[Fit]:
    """Return the fits that a message asks together: the one with most cues, and those with other cues besides."""
    order = {pattern.id: number for number, pattern in enumerate(patterns())}
    ranked = sorted(found, key=lambda fit: (-len(fit.cues), order[fit.pattern.id]))
    taken: list[Fit] = []
    used: frozenset[int] = frozenset()
    for fit in ranked:
        if len(taken) >= MOST_FINDINGS:
            break
        new = fit.cues - used
        if not taken or (new == fit.cues and new):
            taken.append(fit)
            used |= fit.cues
    return taken


def _asked(pattern: Pattern, said: Sequence[Word], fit: Fit) -> dict[str, str] | None:
    """Return the conditions of a message that what is found must agree with; None when a needed one is not said."""
    asked: dict[str, str] = {}
    rest = " ".join(
        word.folded for number, word in enumerate(said) if not fit.subject.start <= number < fit.subject.end
    )
    if "semester" in pattern.match:
        match = _rules().semester.search(rest)
        if match is None:
            return None
        said_number = match["number"]
        number = said_number if said_number.isdigit() else str(_rules().numbers.get(said_number, ""))
        if not number:
            return None
        asked["semester"] = number
    if "room" in pattern.match:
        if (match := _rules().room.search(rest)) is None:
            return None
        asked["room"] = match["number"]
    if pattern.stated_property == "contact":
        fields = [name for name, cue in _rules().fields.items() if cue.search(rest)]
        asked["fields"] = " ".join(fields)
    if "role" in pattern.match:
        role = next((name for name, cue in _rules().roles.items() if cue.search(rest)), None)
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
        named = {match["number"] for match in _rules().room.finditer(located)}
        if room not in named:
            return False
    if (role := asked.get("role")) is not None:
        said = " ".join(
            words(fold(f"{row.node.properties.get('role', '')} {row.node.properties.get('title', '')}"))
        )
        return _rules().roles[role].search(said) is not None
    return True


@dataclass(frozen=True, slots=True)
class _Rules:
    goes_on: re.Pattern[str]
    pronoun: re.Pattern[str]
    continuing: frozenset[str]
    leads: frozenset[str]
    most_words: int
    own: re.Pattern[str]
    semester: re.Pattern[str]
    room: re.Pattern[str]
    numbers: Mapping[str, int]
    roles: Mapping[str, re.Pattern[str]]
    means: Mapping[str, re.Pattern[str]]
    fields: Mapping[str, re.Pattern[str]]


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    data = yaml_beside(__file__, "graph_frame.yml")
    return _Rules(
        goes_on=re.compile(data["goes_on"]),
        pronoun=re.compile(data["pronoun"]),
        continuing=frozenset(data["continuing"].split()),
        leads=frozenset(data["leads"].split()),
        most_words=data["most_words"],
        own=re.compile(data["own"]),
        semester=re.compile(data["semester"]),
        room=re.compile(data["room"]),
        numbers=dict(data["numbers"]),
        roles={name: re.compile(rf"\b(?:{cue})") for name, cue in data["roles"].items()},
        means={kind: re.compile(rf"(?:{cue})\b") for kind, cue in data["means"].items()},
        fields={name: re.compile(rf"\b(?:{cue})") for name, cue in data["fields"].items()},
    )
