"""The chat reads every message as the command line does."""

from __future__ import annotations

import pytest
from reading_parity import differences, project_messages

FEWEST_MESSAGES = 3_000


@pytest.mark.e5
@pytest.mark.stack
def test_the_chat_and_the_command_line_read_every_message_alike() -> None:
    messages = project_messages()

    assert len(messages) >= FEWEST_MESSAGES
    assert differences(messages) == []
