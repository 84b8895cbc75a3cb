"""The trace of one question, which its stages fill, and the reply in which it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter

from rag.query.ambiguity import Ambiguity
from rag.types import (
    NO_SOURCE,
    Candidate,
    Card,
    Citation,
    Compared,
    Decision,
    DecisionKind,
    Matter,
    Option,
    Reason,
    Reply,
    Trace,
)
from school.dimensions import Profile
from school.reading import Reading
from vietnamese.years import Halves


@dataclass
class QueryTrace:
    """Collects the trace of a reply, stage by stage. `known`, `filled`, `compared`, `untold`: the question's.

    `is_compared`: the reply is one of several, for values that are compared.
    `rejected` is the family of the question's rejected answer, `history` and `is_behind` are those of `Lookup`.
    """

    reading: Reading
    profile: Profile
    preset: str
    index_version: str
    notes: list[str] = field(default_factory=list)
    stages_ms: dict[str, float] = field(default_factory=dict)
    signals: dict[str, float] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    known: Mapping[str, float | str] = field(default_factory=dict)
    filled: Mapping[str, float | str] = field(default_factory=dict)
    compared: Compared = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    is_compared: bool = False
    rejected: str | None = None
    history: tuple[Matter, ...] = ()
    is_behind: bool = False
    years: Halves = frozenset()
    undated_holds: bool = True
    """Whether an item that names no year may answer: not for the fee of a year that is not the current one."""
    topic: str | None = None
    ambiguity: Ambiguity | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent inside to the stage `name`."""
        start = perf_counter()
        yield
        self.stages_ms[name] = self.stages_ms.get(name, 0.0) + 1000 * (perf_counter() - start)

    def note(self, note: str) -> None:
        """Add a note, once."""
        if note not in self.notes:
            self.notes.append(note)

    def went_by(self, source: str, thresholds: Mapping[str, float]) -> None:
        """Add the thresholds of a source's gate."""
        self.thresholds |= {f"{source}.{name}": value for name, value in thresholds.items()}

    def answered(
        self,
        best: Candidate,
        confidence: float,
        text: str,
        citations: tuple[Citation, ...],
        depends_on: tuple[str, ...] = (),
        cards: tuple[Card, ...] = (),
        *,
        curated: bool,
        values: Mapping[str, float | str] | None = None,
    ) -> Reply:
        """Return the reply with the answer `text`, chosen by the dimensions `depends_on` of the profile."""
        return Reply(
            decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
            source=best.source,
            curated=curated,
            text=text,
            citations=citations,
            options=(),
            confidence=confidence,
            trace=self._trace(),
            topic=self.topic,
            answer_id=best.item.id,
            question=self.reading.text,
            depends_on=depends_on,
            cards=cards,
            values=values or {},
        )

    def asked_back(
        self,
        decision: Decision,
        source: str,
        options: Sequence[Option],
        confidence: float,
        values: Mapping[str, float | str] | None = None,
    ) -> Reply:
        """Return the reply that asks the student back; `values` are those that the student need not give again."""
        reply = self._unanswered(decision, source, options, confidence, self.topic)
        return replace(reply, values=values) if values else reply

    def gave_up(
        self, reasons: tuple[Reason, ...], options: Sequence[Option] = (), confidence: float = 0.0
    ) -> Reply:
        """Return the reply without an answer."""
        topic = self.topic if Reason.TOPIC_MISMATCH not in reasons else None
        return self._unanswered(
            Decision(DecisionKind.NO_ANSWER, reasons), NO_SOURCE, options, confidence, topic
        )

    def _unanswered(
        self,
        decision: Decision,
        source: str,
        options: Sequence[Option],
        confidence: float,
        topic: str | None,
    ) -> Reply:
        return Reply(
            decision=decision,
            source=source,
            text="",
            citations=(),
            options=tuple(options),
            confidence=confidence,
            trace=self._trace(),
            topic=topic,
            question=self.reading.text,
        )

    def _trace(self) -> Trace:
        return Trace(
            normalized=self.reading.normalized,
            preset=self.preset,
            index_version=self.index_version,
            signals=dict(self.signals),
            thresholds=dict(self.thresholds),
            candidates=tuple(self.candidates),
            stages_ms=dict(self.stages_ms),
            notes=tuple(self.notes),
        )
