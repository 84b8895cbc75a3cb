"""Probabilities of topics, for texts whose topic the classifier may never have learned."""

from __future__ import annotations

from collections.abc import Mapping

UNKNOWN = 1.0
"""The probability of an unclassified topic: it neither favours nor rejects a text."""


def topic_probability(scores: Mapping[str, float], topic: str | None) -> float:
    """Return the probability in 0..1 that a message is about `topic`.

    `scores` are the classifier's probabilities by topic id. A text without a topic, and a topic that is not among the
    classifier's, count as `UNKNOWN`.
    """
    return UNKNOWN if topic is None else scores.get(topic, UNKNOWN)
