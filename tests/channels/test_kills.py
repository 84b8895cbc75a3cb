"""Each server is killed once while students write; benchmarks/kills.py does it a hundred times."""

from __future__ import annotations

import asyncio

import kills
import pytest

pytestmark = pytest.mark.stack

PROCESSES = 3
STUDENTS = 8


def test_no_message_is_lost_doubled_or_reordered_when_the_servers_are_killed() -> None:
    walk, verdict = asyncio.run(kills.run(PROCESSES, seed=1, count=STUDENTS))

    assert {kill.process for kill in walk.kills} == {"channels", "rasa", "actions"}
    assert verdict.told == []
