"""Hostile input on every way in costs no 5xx, no traceback, no time without end, and no other student's message."""

from __future__ import annotations

from pathlib import Path

import pytest
from entry_points import BATCHED, SETTINGS, HostileDoor, entry_points
from hypothesis import HealthCheck, given, settings

CASES = 300
BATCHES = 30
"""Of ten requests each."""


NEEDS_RASAS_ENVIRONMENT = pytest.param("internal", marks=pytest.mark.stack)


@pytest.mark.parametrize("name", [*sorted({*entry_points()} - {"internal"}), NEEDS_RASAS_ENVIRONMENT])
def test_fault_10_hostile_input_costs_nothing(name: str, tmp_path: Path) -> None:
    point = entry_points()[name]
    played = 0
    with HostileDoor(tmp_path, **SETTINGS.get(name, {})) as door:
        # The same inputs at each run: what is found is found by everybody. benchmarks/fuzz.py tries others.
        @settings(
            max_examples=BATCHES if name in BATCHED else CASES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(point.cases())
        def play(case: object) -> None:
            nonlocal played
            played += len(door.play(point, case))
            assert not door.faults, door.faults.pop()

        play()
    assert not door.faults
    assert played >= CASES
