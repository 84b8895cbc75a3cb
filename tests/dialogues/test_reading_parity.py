"""The chat reads a message as the command line does."""

from __future__ import annotations

import pytest
from reading_parity import differences, faq_wordings, project_messages

FEWEST_MESSAGES = 3_000

EVERY = 20
"""Of the FAQ's wordings, one in so many is read here; all of them by `benchmarks/reading_parity.py`."""


@pytest.mark.e5
@pytest.mark.stack
def test_the_chat_and_the_command_line_read_messages_alike() -> None:
    wordings = faq_wordings()
    others = set(wordings) - set(wordings[::EVERY])
    messages = [text for text in project_messages() if text not in others]

    assert len(messages) >= FEWEST_MESSAGES
    assert differences(messages) == []
