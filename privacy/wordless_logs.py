"""Logs without students' words: a logged exception keeps its class and its place, and loses its message.

A message may hold whatever the code was working on: `KeyError: 'my number is B2104567'`, pydantic's `input_value=...`,
the body of a request that the action server refused. Messages of `TOLD` are about the machine, and stay.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterator
from typing import Any

TOLD = frozenset(
    {
        "builtins.OSError",
        "sqlite3.OperationalError",
        # Its parameters are hidden: `hide_parameters` of every engine.
        "sqlalchemy.exc.OperationalError",
        "redis.exceptions.RedisError",
        "httpx.HTTPError",
        "aiohttp.client_exceptions.ClientConnectionError",
        "rag.errors.CovanError",
        "channels.rasa_client.RasaError",
        "rasa.shared.exceptions.RasaException",
    }
)
"""Classes, with their subclasses, whose messages hold no words of students."""

LEFT_OUT = "(its message is left out: it may hold a student's words)"

_IN_TASK = re.compile(r"exception=(\w+)\(.*\)", re.DOTALL)
"""In asyncio's report of a task whose exception nobody has looked at."""

MOST_CHAINED = 10


_QUOTED = re.compile(r'".*"', re.DOTALL)


def without_quotes(told: str) -> str:
    """Return what a platform told of a message without what it quotes: Telegram names a tag that it cannot parse."""
    return _QUOTED.sub('"…"', told)


def leave_words_out() -> None:
    """Make every log record of this process lose the messages of its exceptions, whatever formats it later."""
    make = logging.getLogRecordFactory()
    if isinstance(make, _Wordless):
        return
    logging.setLogRecordFactory(_Wordless(make))


class _Wordless:
    """A factory of log records."""

    def __init__(self, make: Any) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self._make(*args, **kwargs)
        if record.exc_info and record.exc_info[1] is not None:
            # A formatter takes the text that it finds here instead of making its own.
            record.exc_text = told(record.exc_info[1])
        if isinstance(record.msg, str):
            if record.name == "asyncio":
                record.msg = _IN_TASK.sub(rf"exception=\1 {LEFT_OUT}", record.msg)
            elif record.msg.startswith("{") and '"exception"' in record.msg:
                record.msg = _without_locals(record.msg)
        return record


def told(error: BaseException) -> str:
    """Return the traceback of an exception and of those it came from, without messages but those of `TOLD`."""
    chain = list(_chained(error))
    return "\n".join(line for each in reversed(chain) for line in _lines(each))


def _lines(error: BaseException) -> Iterator[str]:
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    classes = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    yield f"{name}: {error}" if classes & TOLD else f"{name} {LEFT_OUT}"


def _chained(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception, those of a group, and what it came from."""
    seen: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting and len(seen) < MOST_CHAINED:
        each = waiting.pop(0)
        if each is None or any(each is known for known in seen):
            continue
        seen.append(each)
        yield each
        waiting.extend(getattr(each, "exceptions", ()))
        waiting.append(each.__cause__ or (None if each.__suppress_context__ else each.__context__))


def _without_locals(message: str) -> str:
    """Return a line of structlog without its exceptions, of which it writes the messages and the local variables."""
    try:
        line = json.loads(message)
    except ValueError:
        return message
    if not isinstance(line, dict) or not isinstance(line.get("exception"), list):
        return message
    line["exception"] = [str(each.get("exc_type")) for each in line["exception"] if isinstance(each, dict)]
    return json.dumps(line, ensure_ascii=False)
