"""The trace of a turn: the way from the student's message to the reply, for the advisors' console.

`trace_of` returns a JSON object with what `rag.reply_record` tells of the reply (`decision` is empty when the engine
was not asked), and beside it:

- `at`, `question`, `intent`: the turn; of rejected options, the question for which they were offered;
- `normalized`: the question in everyday spelling;
- `language`, `intents` (the three most probable), `mentions`, `profile`: the reading and the student's profile;
- `vector`: the question's sentence vector, float16 in base64; empty without one; `embedder` is its model.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np
from rasa_sdk import Tracker

from actions.conversation_state import PROFILE, now
from actions.tracker import intent, language, reading, text
from rag.reply_record import record_of
from rag.types import Reason, Reply

Record = Callable[[str, str, Mapping[str, Any]], None]
"""Takes the sender, the id of the message, and the trace; must return at once."""


def trace_of(tracker: Tracker, reply: Reply | None) -> Mapping[str, Any]:
    """Return the trace of the turn that `reply` ends; None: the engine was not asked, or failed."""
    of_message = _asked(tracker, reply)
    read, (named, _) = reading(of_message), intent(of_message)
    vector = b"" if read is None or read.vector is None else np.asarray(read.vector, np.float16).tobytes()
    of_reading = {
        "at": now(tracker),
        "question": text(of_message) or (reply.question if reply is not None else ""),
        "intent": named,
        "normalized": read.normalized if read is not None else "",
        "language": language(tracker),
        "intents": dict(list(read.intents.items())[:3]) if read is not None else {},
        "mentions": [[m.entity, m.value] for m in read.mentions] if read is not None else [],
        "profile": {name: kept[0] for name, kept in (tracker.get_slot(PROFILE) or {}).items()},
        "vector": base64.b64encode(vector).decode(),
        "embedder": read.embedder if read is not None else "",
    }
    if reply is None:
        nothing = {"decision": "", "source": "", "topic": "", "confidence": 0.0, "answer_id": ""}
        return {**of_reading, **nothing}
    return {**of_reading, **record_of(reply)}


def _asked(tracker: Tracker, reply: Reply | None) -> Tracker:
    """Return the tracker at the message with the question of `reply`.

    That is the latest message, or the one whose options the student has rejected: the school has to answer that one.
    """
    if reply is None or Reason.OPTIONS_REJECTED not in reply.decision.reasons:
        return tracker
    before = (
        each.get("parse_data") or {}
        for each in reversed(tracker.events)
        if each.get("event") == "user" and each.get("text") == reply.question
    )
    asked = copy(tracker)
    asked.latest_message = {**next(before, {}), "text": reply.question}
    return asked
