"""A plug-in as another package would bring it: an answer source, a gate, a reranker and a loader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rag.answer_sources.source import Found, Lookup, Resources
from rag.decide.gate import Chosen, Signals, Verdict, gate_of
from rag.ingest.loaders import Loading, RawDocument
from rag.pipeline import Rule, SourceRule
from rag.types import Candidate, Citation, Passage, Reason
from school.dimensions import AppliesTo
from school.reading import Reading


@dataclass(frozen=True)
class Bell:
    """The only thing that the source knows: when the bell rings."""

    id: str = "bell"
    topic: str | None = None
    applies_to: AppliesTo = AppliesTo()  # noqa: RUF009


class BellSource:
    """Answers each question that has the word of its settings."""

    name = "bell"
    curated = False
    specific = False
    searched_after: tuple[str, ...] = ()

    def __init__(self, rule: SourceRule, resources: Resources) -> None:
        self.gate = gate_of(rule.gate, self.name, resources.chosen)
        self._word = rule.settings["word"]

    def search(self, lookup: Lookup, count: int | None = None) -> Found:
        rings = self._word in lookup.said.asked.lower()
        return Found((Candidate(self.name, Bell(), 1.0, meta={"bell": "main"}),) if rings else ())

    def signals(
        self, candidates: Sequence[Candidate], rivals: Sequence[Candidate], topics: Mapping[str, float]
    ) -> Signals:
        return Signals(similarity=candidates[0].score, margin=1.0, topic=1.0)

    def answer(self, candidates: Sequence[Candidate], asked: str) -> tuple[str, tuple[Citation, ...]]:
        return "Chuông reo lúc 7 giờ.", (Citation("bell", "Lịch chuông", "", "7:00"),)


class PatientRule(Rule):
    rule: Literal["patient"]
    at_least: float


class PatientGate:
    rule_type = PatientRule

    def __init__(self, rule: PatientRule, source: str, chosen: Chosen) -> None:
        self.thresholds: Mapping[str, float] = {"at_least": rule.at_least}

    def judge(self, signals: Signals) -> Verdict:
        is_open = signals.similarity >= self.thresholds["at_least"]
        return Verdict(() if is_open else (Reason.SIMILARITY_LOW,), signals.similarity)


class ShortestRule(Rule):
    rule: Literal["shortest"]


class ShortestFirst:
    rule_type = ShortestRule

    def __init__(self, rule: ShortestRule, ranking: Any) -> None:
        pass

    def rerank(
        self, question: Reading, candidates: Sequence[Candidate], topics: Mapping[str, float]
    ) -> list[Candidate]:
        return sorted(candidates, key=lambda c: len(c.item.text) if isinstance(c.item, Passage) else 0)


class SubtitleLoader:
    suffixes = (".srt",)

    def load(self, path: Path) -> Loading:
        return Loading((RawDocument(path.read_text(encoding="utf-8").partition("\n")[2]),))
