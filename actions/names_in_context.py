"""The latest message with the bare name of a value in full, where the answer before goes by such values."""

from __future__ import annotations

import copy

from rasa_sdk import Tracker

from actions.conversation_state import LastTurn
from actions.tracker import mentioned, message_of, reading, text
from rag.engine import Engine
from vietnamese.text import fold


def with_bare_names(tracker: Tracker, engine: Engine) -> Tracker:
    """Return the tracker as if the message had been typed with the name in full; else as it is.

    "Thú y" behind the fees of another major becomes "ngành Thú y", which is read once more.
    """
    last, read = LastTurn.from_tracker(tracker), reading(tracker)
    if last is None or read is None:
        return tracker
    for dimension in dict.fromkeys((*last.depends_on, *last.compared)):
        if mentioned(tracker, dimension):
            continue
        written = engine.with_bare_name(read.normalized, dimension)
        as_typed = engine.with_bare_name(text(tracker), dimension)
        if written is None and as_typed is not None and _lists(last, dimension, engine):
            # "Duoc" behind "thu y" is no "được".
            written = as_typed
        if written is not None:
            return _reading_instead(tracker, written, engine)
    return tracker


def _lists(last: LastTurn, dimension: str, engine: Engine) -> bool:
    """Return whether the message before is nothing but a value, too."""
    before = last.typed
    return (
        fold(before) == before.lower() and engine.with_bare_name(before, dimension) is not None
    ) or engine.named_value(dimension, before) is not None


def _reading_instead(tracker: Tracker, written: str, engine: Engine) -> Tracker:
    read = engine.reader.read(written)
    other = copy.copy(tracker)
    other.latest_message = {**tracker.latest_message, **message_of(read, written)}
    return other
