"""A log keeps where an exception was raised, and loses what it says."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator

import pytest

from privacy.wordless_logs import leave_words_out, told, without_quotes

WORDS = "B2104567"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    before = logging.getLogRecordFactory()
    leave_words_out()
    leave_words_out()
    yield caplog
    logging.setLogRecordFactory(before)


def fail() -> None:
    try:
        int(f"my number is {WORDS}")
    except ValueError as error:
        raise KeyError(WORDS) from error


def test_fault_13_an_exception_is_logged_with_its_place_and_without_its_message(
    log: pytest.LogCaptureFixture,
) -> None:
    try:
        fail()
    except KeyError:
        logging.getLogger("some").exception("A turn failed.")

    assert WORDS not in log.text
    assert "A turn failed." in log.text
    assert "KeyError" in log.text
    assert "ValueError" in log.text
    assert "in fail" in log.text


def test_fault_13_so_are_those_of_a_group_and_of_a_task_that_nobody_waited_for(
    log: pytest.LogCaptureFixture,
) -> None:
    group = ExceptionGroup("of " + WORDS, [ValueError(WORDS), TypeError("x")])
    logging.getLogger("some").error("Several failed.", exc_info=group)

    async def forgotten() -> None:
        async def fails() -> None:
            fail()

        task = asyncio.create_task(fails())
        await asyncio.sleep(0.01)
        del task

    asyncio.run(forgotten())

    assert "TypeError" in log.text
    assert "never retrieved" in log.text
    assert WORDS not in log.text


def test_fault_13_local_variables_of_structlog_are_left_out(log: pytest.LogCaptureFixture) -> None:
    line = {"event": "x", "exception": [{"exc_type": "KeyError", "frames": [{"locals": {"said": WORDS}}]}]}

    logging.getLogger("rasa").error(json.dumps(line))

    assert WORDS not in log.text
    assert "KeyError" in log.text


def test_an_exception_about_the_machine_keeps_its_message() -> None:
    assert "No space left" in told(OSError(28, "No space left on device"))


def test_fault_13_what_a_platform_quotes_of_a_message_is_left_out() -> None:
    refused = f'Bad Request: can\'t parse entities: unsupported start tag "{WORDS}" and "x" at byte offset 7'

    assert without_quotes(refused) == (
        'Bad Request: can\'t parse entities: unsupported start tag "…" at byte offset 7'
    )
