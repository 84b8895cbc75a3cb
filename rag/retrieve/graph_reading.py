"""The patterns that a message asks by, about which entity, and how it goes on with the question before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rag.graph.types import local_id, node_id
from rag.retrieve.entity_lookup import SHORTENED, Link, Word, place_named, words_of
from rag.retrieve.graph_entities import OF_DIMENSION, GraphEntities
from rag.retrieve.graph_findings import GraphFinder
from rag.retrieve.graph_frame import frame
from rag.retrieve.graph_patterns import UNEXPLAINED, Fit, fits, patterns, unexplained

MOST_FINDINGS = 3
"""The most things that one message asks of the graph."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message that goes on with an earlier question: the patterns it fits, its words in full, and it as a text."""

    fits: tuple[Fit, ...]
    said: Sequence[Word]
    question: str


class GraphReader:
    """Reads messages. Thread-safe."""

    def __init__(self, entities: GraphEntities, finder: GraphFinder) -> None:
        self._entities = entities
        self._finder = finder

    def chosen(self, said: Sequence[Word], today: date, known: Mapping[str, str] | None = None) -> list[Fit]:
        """Return the patterns that a message asks by, about one subject; empty when none."""
        links = self._entities.links(said)
        place = place_named(said)
        links = [self._entities.in_force(link, today) for link in links]
        by_subject: list[tuple[float, list[Fit]]] = []
        for subject in self._subjects(said, links, known or {}):
            found = fits(said, links, subject, place)
            if (taken := _together(found)) and (p := self.probability(said, taken)) > 0:
                by_subject.append((p + 0.002 * len(taken[0].cues), taken))
        if not by_subject:
            return []
        by_subject.sort(key=lambda one: -one[0])
        return by_subject[0][1]

    def _subjects(
        self, said: Sequence[Word], links: Sequence[Link], known: Mapping[str, str]
    ) -> Iterator[Link]:
        """Yield what a message may be about: its entities, the clause that it names, the student's own values, and the
        school."""
        yield from links
        text = " ".join(word.folded for word in said)
        of_student = frame().own.search(text) is not None
        for dimension, kind in OF_DIMENSION.items() if of_student else ():
            own = node_id(kind, known.get(dimension, ""))
            if own in self._entities.nodes and all(link.kind != kind for link in links):
                yield Link(len(said), len(said), (own,), SHORTENED)
        school = self._entities.school
        is_named = any(f" {name} " in f" {text} " for name in self._entities.school_names)
        if school is not None and (is_named or frame().school.search(text)):
            yield Link(len(said), len(said), (school.id,), 1.0)
        place = place_named(said)
        documents = [node for link in links if link.kind == "Document" for node in link.nodes]
        if place is not None and documents:
            for document in documents[:1]:
                clause = self._clause(document, place.locator)
                if clause is not None:
                    yield Link(place.start, place.end, (clause,), min(1.0, _score_of(links, document)))

    def _clause(self, document: str, locator: str) -> str | None:
        clause = node_id("Clause", f"{local_id(document)}#{locator}")
        return clause if self._entities.store.run("node", id=clause) else None

    def probability(self, said: Sequence[Word], taken: Sequence[Fit]) -> float:
        """Return the probability that a message asks by the patterns `taken`."""
        left = self._entities.left(said, taken)
        link = min(fit.subject.score for fit in taken)
        weight = min(fit.pattern.weight for fit in taken)
        meant = 1.0 if len(taken[0].subject.nodes) == 1 else 0.9
        return float(round(weight * link * meant * UNEXPLAINED ** len(left), 6))

    def leaves_out(self, said: Sequence[Word], kind: str) -> bool:
        """Return whether a message may ask, by a structural pattern, of an entity of a type that it leaves out: "ai
        ký" of a paper."""
        if len(said) > frame().most_words:
            return False
        text = " ".join(["X", *(word.folded for word in _rest(said))])
        asked = (each for each in patterns() if each.structural and kind in each.of)
        return any(cue.search(text) for pattern in asked for cue in pattern.asks)

    def continued(self, said: Sequence[Word], before: str, today: date) -> Reading:
        """Return the reading of a message that goes on with the question `before`; without fits when it does not.

        "còn môn Hệ điều hành?" asks the same of another entity; "mấy tín chỉ?" asks something else of the same one.
        """
        earlier, links = words_of(before), self._entities.links(said)
        chosen = self.chosen(earlier, today)
        if len(said) <= frame().most_words:
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
        """Return the earlier question about the entity that a message names, when it names nothing else.

        The bare name is enough: "bảng điểm" after "bằng tốt nghiệp ai ký".
        """
        rules, subject = frame(), chosen[0].subject
        link = next((link for link in links if link.kind == subject.kind), None)
        if link is None:
            return Reading((), said, "")
        spare = unexplained(said, frozenset(range(link.start, link.end)))
        goes_on = rules.goes_on.search(" ".join(word.folded for word in said)) is not None
        if any(word not in rules.continuing for word in spare) or (spare and not goes_on):
            return Reading((), said, "")
        name = said[link.start : link.end]
        return self._read([*earlier[: subject.start], *name, *earlier[subject.end :]], today)

    def _of_the_same(
        self, said: Sequence[Word], earlier: Sequence[Word], chosen: Sequence[Fit], today: date
    ) -> Reading:
        """Return a message about the entity of the earlier question, or about what has answered it."""
        if (others := self._answered_by(chosen, earlier, said, today)) is not None:
            name = words_of(self._entities.nodes[others[0]].name)
            whole = [*name, *_rest(said)]
            subject = Link(0, len(name), others, SHORTENED)
            return Reading(tuple(_together(fits(whole, (), subject))), whole, _text(whole))
        subject_of = chosen[0].subject if chosen else next(iter(self._entities.links(earlier)), None)
        if subject_of is None:
            return Reading((), said, "")
        # The subject stands in front ("Cấu trúc dữ liệu | mấy tín chỉ"): of the school, which no word names, its name.
        named = earlier[subject_of.start : subject_of.end]
        if not named and (node := self._entities.nodes.get(subject_of.nodes[0])) is not None:
            named = words_of(node.name)
        return self._read([*named, *_rest(said)], today)

    def _read(self, whole: Sequence[Word], today: date) -> Reading:
        said = words_of(_text(whole))
        return Reading(tuple(self.chosen(said, today)), said, _text(whole))

    def _answered_by(
        self, chosen: Sequence[Fit], earlier: Sequence[Word], said: Sequence[Word], today: date
    ) -> tuple[str, ...] | None:
        """Return the entities that a pronoun means when they are what was found, not asked about: "email thầy đó"."""
        pronoun = _pronoun(said)
        if pronoun is None or not chosen:
            return None
        before, subject = chosen[0].pattern, chosen[0].subject
        meant = " ".join(word.folded for word in said[pronoun])
        for kind, cue in frame().means.items():
            if kind in before.kinds and cue.match(meant) and kind != subject.kind:
                found = self._finder.found(chosen[0], earlier, {}, today)
                rows = found.rows.get(subject.nodes[0], ()) if found is not None else ()
                nodes = tuple(row.node.id for row in rows if row.node.id in self._entities.nodes)
                return nodes if 0 < len(nodes) <= MOST_FINDINGS else None
        return None


def _text(said: Sequence[Word]) -> str:
    return " ".join(word.spelled for word in said)


def _rest(said: Sequence[Word]) -> list[Word]:
    """Return the words of a message that goes on, without its pronoun and what leads in to it."""
    rest = list(said)
    if (pronoun := _pronoun(said)) is not None:
        del rest[pronoun]
    while rest and rest[0].folded in frame().leads:
        rest.pop(0)
    return rest


def _pronoun(said: Sequence[Word]) -> slice | None:
    """Return which words of a message are a pronoun: the first of "môn này", "thầy ấy", "cô"."""
    for text, pattern in (
        (" ".join(word.folded for word in said), frame().pronoun),
        (" ".join(word.spelled for word in said), frame().teacher),
    ):
        if (found := pattern.search(text)) is not None:
            before = len(text[: found.start()].split())
            return slice(before, before + len(found[0].split()))
    return None


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
