"""The dialogues of tests/dialogues/conversations/, said to the real Rasa and the real action server over REST."""

from __future__ import annotations

import pytest
from real_servers import RealServers
from runner import Dialogue, dialogues, play

pytestmark = pytest.mark.stack

FEWEST_DIALOGUES = 80
TURNS = range(3, 13)


@pytest.mark.parametrize("dialogue", dialogues(), ids=lambda dialogue: dialogue.id)
def test_dialogue(servers: RealServers, dialogue: Dialogue) -> None:
    played = play(dialogue, servers, sender=f"dialogue-{dialogue.id}")

    assert not played.faults, played.report()


def test_there_are_dialogues_enough_and_of_a_readable_length() -> None:
    lengths = {dialogue.id: sum(step.is_turn for step in dialogue.turns) for dialogue in dialogues()}

    assert len(lengths) >= FEWEST_DIALOGUES
    assert {name: length for name, length in lengths.items() if length not in TURNS} == {}
