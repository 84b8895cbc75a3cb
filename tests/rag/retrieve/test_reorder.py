"""Candidates are ranked anew by a mix of their score and of how likely their topic is."""

from __future__ import annotations

import pytest

from rag.pipeline import TopicRerank
from rag.retrieve.reorder import reorder_of
from rag.types import Candidate, FaqEntry, Question, Tier
from rag.understand.question import Understanding


def entry(name: str, score: float, topic: str) -> Candidate:
    return Candidate(Tier.FAQ, FaqEntry(name, f"{name}?", (), "Vậy.", topic), score)


CANDIDATES = [entry("a", 0.8, "study"), entry("b", 0.7, "tuition")]


@pytest.mark.parametrize(
    ("weight", "order", "best"), [(0.0, "ab", 0.8), (0.1, "ab", 0.74), (0.5, "ba", 0.75), (1.0, "ba", 0.8)]
)
def test_the_mix_is_linear(understanding: Understanding, weight: float, order: str, best: float) -> None:
    reorder = reorder_of(TopicRerank(rule="topic", weight=weight))
    topics = {"study": 0.2, "tuition": 0.8}

    found = reorder.reorder(understanding.understand(Question("a")), CANDIDATES, topics)

    assert "".join(candidate.item.id for candidate in found) == order
    assert found[0].score == pytest.approx(best)


def test_unclassified_nothing_changes(understanding: Understanding) -> None:
    reorder = reorder_of(TopicRerank(rule="topic", weight=0.9))

    assert reorder.reorder(understanding.understand(Question("a")), CANDIDATES, {}) == CANDIDATES
