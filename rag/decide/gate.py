"""The gate: answer only when similarity, margin and topic all hold (the rule of ChatCVHT), else say why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.pipeline import Thresholds
from rag.types import Candidate, Passage, Reason

COSINE_FLOOR, COSINE_CEILING = 0.80, 0.92
"""Cosines of E5 between a question and a passage live between these: unrelated and the very words."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the gate sees of the best candidate; each in 0..1.

    `similarity`: how like the question it is. `margin`: how far ahead of the next one that would say something else.
    `topic`: the probability that the question is about the candidate's topic; 1 when nobody classified it.
    """

    similarity: float
    margin: float
    topic: float


def failures(signals: Signals, thresholds: Thresholds) -> tuple[Reason, ...]:
    """The conditions that do not hold, in the order similarity, margin, topic; none when the gate is open.

    From the similarity `sure` on, the candidate is practically what was asked, and only similarity counts.
    """
    if signals.similarity < thresholds.similarity:
        return (Reason.SIMILARITY_LOW,)
    if signals.similarity >= thresholds.sure:
        return ()
    failed = []
    if signals.margin < thresholds.margin:
        failed.append(Reason.MARGIN_LOW)
    if signals.topic < thresholds.topic:
        failed.append(Reason.TOPIC_MISMATCH)
    return tuple(failed)


def faq_signals(best: Candidate, rivals: Sequence[Candidate], topics: Mapping[str, float]) -> Signals:
    """Signals of the best FAQ entry; `rivals` are the entries that would answer something else, best first."""
    margin = best.score - rivals[0].score if rivals else 1.0
    return Signals(best.score, max(margin, 0.0), _topic(best, topics))


def passage_signals(candidates: Sequence[Candidate], topics: Mapping[str, float]) -> Signals:
    """Signals of the best passage, the first of `candidates`; clauses of the same article are no rivals."""
    best = candidates[0]
    rivals = (c for c in candidates[1:] if _parent(c) != _parent(best))
    margin = best.score - next((rival.score for rival in rivals), 0.0)
    cosine = (best.scores["cosine"] - COSINE_FLOOR) / (COSINE_CEILING - COSINE_FLOOR)
    similarity = 0.5 * best.scores["coverage"] + 0.5 * min(max(cosine, 0.0), 1.0)
    return Signals(similarity, max(margin, 0.0), _topic(best, topics))


def _parent(candidate: Candidate) -> str:
    assert isinstance(candidate.item, Passage)
    return candidate.item.parent


def _topic(candidate: Candidate, topics: Mapping[str, float]) -> float:
    topic = candidate.item.topic
    return 1.0 if not topics or topic is None else topics.get(topic, 0.0)
