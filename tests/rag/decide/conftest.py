"""The calibration of a school."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rag.decide.calibration import Calibration, Counts


@pytest.fixture
def calibration() -> Calibration:
    return Calibration(
        preset="covan",
        index_version="abc",
        made_at=datetime(2026, 11, 20, 8, 0, tzinfo=UTC),
        risk=0.05,
        delta=0.1,
        threshold=0.8,
        by_topic={"tuition": 0.6, "housing": None},
        counts=Counts(questions=400, proposed=380, answered=250, wrong=6),
    )
