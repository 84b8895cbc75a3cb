"""The whole walk of a question: understand -> retrieve -> decide -> answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import perf_counter

from rag.answer.curated import CuratedAnswers
from rag.answer.extract import extract
from rag.decide.clarify import missing_dimension, profile_options, reading_options, rivals, siblings
from rag.decide.gate import Signals, failures, faq_signals, passage_signals
from rag.decide.validity import admits, valid
from rag.errors import IndexUnusableError
from rag.knowledge.catalog import Catalog, Topic
from rag.knowledge.index import Index, current_version, open_index
from rag.pipeline import Pipeline, Thresholds, load_pipeline
from rag.retrieve.embedder import E5Embedder, Embedder
from rag.retrieve.faq import FaqRetriever
from rag.retrieve.passages import PassageRetriever
from rag.types import (
    Candidate,
    Citation,
    Decision,
    DecisionKind,
    Dimension,
    FaqEntry,
    Option,
    Passage,
    Profile,
    Question,
    Reason,
    Reply,
    Tier,
    Trace,
)
from rag.understand.question import Understanding, Understood

TRACED_CANDIDATES = 5


@dataclass
class _Walk:
    """What is noted on the way, for the trace."""

    question: Question
    understood: Understood
    stages_ms: dict[str, float] = field(default_factory=dict)
    signals: dict[str, float] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    topic: str | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.stages_ms[name] = self.stages_ms.get(name, 0.0) + 1000 * (perf_counter() - start)

    def saw(self, tier: str, signals: Signals, thresholds: Thresholds) -> None:
        for name in ("similarity", "margin", "topic"):
            self.signals[f"{tier}.{name}"] = getattr(signals, name)
        for name, value in thresholds.model_dump().items():
            self.thresholds[f"{tier}.{name}"] = value


class Engine:
    """Answers questions from one index with one pipeline. Thread-safe; nothing in it changes after opening."""

    def __init__(
        self,
        index: Index,
        pipeline: Pipeline,
        embedder: Embedder,
        today: Callable[[], date] = date.today,
    ) -> None:
        words = index.dictionaries
        self._index = index
        self._pipeline = pipeline
        self._embedder = embedder
        self._today = today
        self._understanding = Understanding(words.catalog, words.glossary, words.abbreviations)
        self._faq = FaqRetriever(index, pipeline.faq)
        self._passages = PassageRetriever(index, pipeline.retrieval)
        self._curated = CuratedAnswers(index.passages)
        self._entries = {entry.id: entry for entry in index.faq}

    @classmethod
    def open(cls, index: Path, preset: str = "covan", embedder: Embedder | None = None) -> Engine:
        """Raises IndexUnusableError or SettingsError."""
        embedder = embedder or E5Embedder()
        return cls(open_index(index, embedder), load_pipeline(preset), embedder)

    @property
    def index_version(self) -> str:
        return self._index.manifest.version

    @property
    def catalog(self) -> Catalog:
        return self._index.dictionaries.catalog

    @property
    def topics(self) -> tuple[Topic, ...]:
        return self._index.dictionaries.topics

    def named_value(self, dimension: Dimension, text: str) -> str | None:
        """The value that a short reply to "which cohort / programme / major?" names: "luật" is a major there.

        None when it names none, or several.
        """
        return self._understanding.named_value(dimension, text)

    def reply(self, question: Question) -> Reply:
        """Answer, ask back, or say that there is no answer. `question.text` may be anything at all."""
        start = perf_counter()
        understood = self._understanding.understand(question)
        walk = _Walk(question, understood)
        walk.stages_ms["understand"] = 1000 * (perf_counter() - start)
        if understood.is_empty:
            return self._no_answer(walk, (Reason.EMPTY_QUESTION,))
        if understood.foreign:
            walk.notes.append(f"about another school: {understood.foreign}")
            return self._no_answer(walk, (Reason.FOREIGN_SCHOOL,))
        faq, passages = self._retrieve(walk)
        return self._from_faq(walk, faq) or self._from_passages(walk, passages, faq)

    def reply_to_choice(self, faq_id: str, profile: Profile) -> Reply:
        """The reply after a student chose a reading. Raises KeyError for an entry that is not (any longer) there."""
        chosen = self._entries[faq_id]
        question = Question(chosen.question, profile=profile)
        walk = _Walk(question, self._understanding.understand(question))
        walk.topic = chosen.topic
        family = [entry for entry in self._index.faq if entry.family == chosen.family]
        family.sort(key=lambda entry: entry is not chosen)
        walk.candidates = [Candidate(Tier.FAQ, entry, 1.0) for entry in family]
        group = valid(walk.candidates, profile, self._today())
        if not group:
            return self._no_answer(walk, (Reason.NOT_APPLICABLE,))
        return self._ask_profile(walk, group) or self._answer_faq(walk, group[0], 1.0)

    def search(self, text: str, count: int) -> list[str]:
        """Ids of documents, ranked by their best passage, at most `count`."""
        said = self._understanding.understand(Question(text))
        if said.is_empty or not self._index.passages:
            return []
        ranked = self._passages.retrieve(said, self._embedder.query(said.asked), len(self._index.passages))
        found = dict.fromkeys(c.item.document_id for c in ranked if isinstance(c.item, Passage))
        return list(found)[:count]

    def _retrieve(self, walk: _Walk) -> tuple[list[Candidate], list[Candidate]]:
        said, today = walk.understood, self._today()
        with walk.stage("embed"):
            vector = self._embedder.query(said.asked)
        with walk.stage("passages"):
            passages = self._passages.retrieve(
                said, vector, admits=lambda passage: admits(passage, said.profile, today)
            )
        with walk.stage("faq"):
            asked_for = self._faq.retrieve(said.asked, vector, passages)
            faq = valid(asked_for, said.profile, today)
        if (asked_for or self._index.passages) and not faq and not passages:
            walk.notes.append("nothing found holds for this student today")
        walk.candidates = faq[:TRACED_CANDIDATES] + passages[:TRACED_CANDIDATES]
        return faq, passages

    def _from_faq(self, walk: _Walk, candidates: Sequence[Candidate]) -> Reply | None:
        """A reply from the curated tier, or None when it has nothing sure to say."""
        if not candidates:
            return None
        limits, thresholds = self._pipeline.clarify, self._pipeline.gate.faq
        with walk.stage("decide"):
            group = siblings(candidates, limits.sibling_margin)
            signals = faq_signals(candidates[0], rivals(candidates, group), walk.question.topic_scores)
            walk.saw("faq", signals, thresholds)
            walk.topic = candidates[0].item.topic
            failed = failures(signals, thresholds)
        if not failed:
            return self._ask_profile(walk, group) or self._answer_faq(walk, candidates[0], signals.similarity)
        if failed == (Reason.MARGIN_LOW,):
            options = reading_options(
                [candidates[0], *rivals(candidates, group)], thresholds.margin, limits.max_options
            )
            if len(options) > 1:
                return self._clarify(walk, (*failed, Reason.SEVERAL_READINGS), options, signals.similarity)
        return None

    def _from_passages(self, walk: _Walk, candidates: Sequence[Candidate], faq: Sequence[Candidate]) -> Reply:
        if not candidates:
            reason = Reason.NOT_APPLICABLE if walk.notes else Reason.NOTHING_FOUND
            return self._offer(walk, (reason,), faq) or self._no_answer(walk, (reason,), faq)
        with walk.stage("decide"):
            signals = passage_signals(candidates, walk.question.topic_scores)
            walk.saw("document", signals, self._pipeline.gate.document)
            failed = failures(signals, self._pipeline.gate.document)
        if failed:
            return self._offer(walk, failed, faq) or self._no_answer(walk, failed, faq, signals.similarity)
        walk.topic = candidates[0].item.topic or walk.topic
        group = siblings(candidates, self._pipeline.clarify.sibling_margin)
        if asked := self._ask_profile(walk, group):
            return asked
        with walk.stage("answer"):
            text, citations = extract(candidates, self._pipeline.extract)
        return self._answer(walk, candidates[0], signals.similarity, text, citations)

    def _offer(self, walk: _Walk, failed: tuple[Reason, ...], faq: Sequence[Candidate]) -> Reply | None:
        """The nearest FAQ entries as a choice, when they are near enough to be what was meant."""
        limits = self._pipeline.clarify
        if not faq or faq[0].score < limits.offer:
            return None
        options = reading_options(
            faq, faq[0].score - limits.offer + limits.sibling_margin, limits.max_options
        )
        return self._clarify(walk, (*failed, Reason.SEVERAL_READINGS), options, faq[0].score)

    def _ask_profile(self, walk: _Walk, group: Sequence[Candidate]) -> Reply | None:
        dimension = missing_dimension(group, walk.understood.profile)
        if dimension is None:
            return None
        options = profile_options(dimension, group, self.catalog)
        decision = Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), (dimension,))
        return self._unanswered(walk, decision, group[0].source, options, group[0].score, walk.topic)

    def _answer_faq(self, walk: _Walk, best: Candidate, confidence: float) -> Reply:
        assert isinstance(best.item, FaqEntry)
        with walk.stage("answer"):
            citations = self._curated.citations(best.item)
        walk.topic = best.item.topic
        return self._answer(walk, best, confidence, best.item.answer, citations)

    def _clarify(
        self, walk: _Walk, reasons: tuple[Reason, ...], options: tuple[Option, ...], confidence: float
    ) -> Reply:
        decision = Decision(DecisionKind.CLARIFY, reasons)
        return self._unanswered(walk, decision, Tier.FAQ, options, confidence, walk.topic)

    def _no_answer(
        self,
        walk: _Walk,
        reasons: tuple[Reason, ...],
        faq: Sequence[Candidate] = (),
        confidence: float = 0.0,
    ) -> Reply:
        """Says that there is no answer; offers the topics that the nearest FAQ entries are about."""
        near = dict.fromkeys(candidate.item.topic for candidate in faq)
        names = {topic.id: topic.name for topic in self.topics}
        offered = [topic for topic in near if topic in names][: self._pipeline.clarify.max_options - 2]
        options = tuple(Option(names[topic], {"topic": topic}) for topic in offered if topic)
        decision = Decision(DecisionKind.NO_ANSWER, reasons)
        topic = walk.topic if Reason.TOPIC_MISMATCH not in reasons else None
        return self._unanswered(walk, decision, Tier.NONE, options, confidence, topic)

    def _answer(
        self,
        walk: _Walk,
        best: Candidate,
        confidence: float,
        text: str,
        citations: tuple[Citation, ...],
    ) -> Reply:
        return Reply(
            decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
            tier=best.source,
            text=text,
            citations=citations,
            options=(),
            confidence=confidence,
            trace=self._trace(walk),
            topic=walk.topic,
            answer_id=best.item.id,
        )

    def _unanswered(
        self,
        walk: _Walk,
        decision: Decision,
        tier: Tier,
        options: tuple[Option, ...],
        confidence: float,
        topic: str | None,
    ) -> Reply:
        return Reply(
            decision=decision,
            tier=tier,
            text="",
            citations=(),
            options=options,
            confidence=confidence,
            trace=self._trace(walk),
            topic=topic,
        )

    def _trace(self, walk: _Walk) -> Trace:
        return Trace(
            normalized=walk.understood.plain,
            preset=self._pipeline.name,
            index_version=self.index_version,
            signals=dict(walk.signals),
            thresholds=dict(walk.thresholds),
            candidates=tuple(walk.candidates),
            stages_ms=dict(walk.stages_ms),
            notes=tuple(walk.notes),
        )


class LiveEngine:
    """The engine of the current index: opened at the first use, and again when a new index was swapped in."""

    def __init__(self, index: Path, preset: str = "covan", embedder: Embedder | None = None) -> None:
        self._path = index
        self._preset = preset
        self._embedder = embedder or E5Embedder()
        self._lock = threading.Lock()
        self._engine: Engine | None = None

    def current(self) -> Engine:
        """An index that cannot be used changes nothing; raises IndexUnusableError when there never was another."""
        version = current_version(self._path)
        engine = self._engine
        if engine is not None and version in (engine.index_version, None):
            return engine
        with self._lock:
            if self._engine is None or self._engine.index_version != version:
                try:
                    self._engine = Engine.open(self._path, self._preset, self._embedder)
                except IndexUnusableError:
                    if self._engine is None:
                        raise
            return self._engine
