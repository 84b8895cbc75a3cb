"""Observations of an engine that never was: its signals tell how often it is right, as far as the test wants."""

from __future__ import annotations

from typing import Any

import numpy as np

from covan.calibrating.observe import Observation
from rag.types import DOCUMENT_SOURCE, Reason


def observation(number: int, **changed: Any) -> Observation:
    given: dict[str, Any] = {
        "id": f"q{number}",
        "question": f"Câu hỏi số {number}?",
        "expected": "answer",
        "topic": "study",
        "source": DOCUMENT_SOURCE,
        "right": True,
        "confidence": 0.5,
        "signals": {"document.likeness": 0.5, "document.margin": 0.1},
        "reasons": (Reason.CONDITIONS_HOLD,),
    }
    return Observation(**(given | changed))


def school(count: int, seed: int = 1) -> list[Observation]:
    """An engine whose answers are right as often as their similarity says; the margin is noise."""
    random = np.random.default_rng(seed)
    similarity, margin = random.random(count), random.random(count)
    right = random.random(count) < 1 / (1 + np.exp(-(8 * similarity - 2)))
    return [
        observation(
            number,
            right=bool(right[number]),
            confidence=float(similarity[number]),
            signals={
                "document.likeness": float(similarity[number]),
                "document.margin": float(margin[number]),
            },
        )
        for number in range(count)
    ]
