"""The trace of a turn: the way from the student's message to the reply, for the advisors' console.

`trace_of` returns a JSON object with `at`, `question`, `decision` (empty when the engine was not asked), `source`,
`topic`, `intent`, `confidence` in 0..1 and `answer_id`, by which the console searches, and beside them:

- `normalized`, `resolved`: the question in everyday spelling, and in full with what the conversation adds;
- `language`, `intents` (the three most probable), `mentions`, `profile`: the reading and the student's profile;
- `vector`: the question's sentence vector, float16 in base64; empty without one; `embedder` is its model;
- `reasons`, `missing`: the decision's reasons, and the dimensions it asks for;
- `signals`, `thresholds`, `stages_ms`, `notes`: as in `rag.types.Trace`;
- `candidates`: `source`, `id`, `title`, `locator`, `document_id`, `text`, `score` and `scores` of the best ones;
- `citations`: `document_id`, `title`, `locator`, `quote`;
- `preset`, `index_version`: the versions that answered.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from rasa_sdk import Tracker

from actions.conversation_state import PROFILE, now
from actions.tracker import intent, language, reading, text
from rag.types import Candidate, DecisionKind, FaqEntry, Passage, Reply

Record = Callable[[str, str, Mapping[str, Any]], None]
"""Takes the sender, the id of the message, and the trace; must return at once."""

MOST_CANDIDATES = 6
MOST_TEXT_CHARS = 300
"""Characters of a candidate's text; the console shows the beginning."""


def trace_of(tracker: Tracker, reply: Reply | None) -> Mapping[str, Any]:
    """Return the trace of the turn that `reply` ends; None: the engine was not asked, or failed."""
    read = reading(tracker)
    named, _ = intent(tracker)
    vector = b"" if read is None or read.vector is None else np.asarray(read.vector, np.float16).tobytes()
    of_reading = {
        "at": now(tracker),
        "question": text(tracker) or (reply.question if reply is not None else ""),
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
    parts = reply.parts or (reply,)
    # Of several questions, the one without an answer: that is what the school wants to know.
    unanswered = (part for part in parts if part.decision.kind is DecisionKind.NO_ANSWER)
    part = next(unanswered, parts[0])
    return {
        **of_reading,
        "decision": part.decision.kind.value,
        "source": part.source,
        "topic": reply.topic or part.topic or "",
        "confidence": part.confidence,
        "answer_id": part.answer_id or "",
        "resolved": reply.resolved,
        "reasons": [reason.value for reason in part.decision.reasons],
        "missing": list(part.decision.missing),
        "signals": {name: float(value) for name, value in part.trace.signals.items()},
        "thresholds": {name: float(value) for name, value in part.trace.thresholds.items()},
        "stages_ms": {name: round(float(ms), 2) for name, ms in part.trace.stages_ms.items()},
        "notes": list(part.trace.notes),
        "candidates": [_candidate(each) for each in part.trace.candidates[:MOST_CANDIDATES]],
        "citations": [
            {name: getattr(each, name) for name in ("document_id", "title", "locator", "quote")}
            for each in part.citations
        ],
        "preset": part.trace.preset,
        "index_version": part.trace.index_version,
    }


def _candidate(candidate: Candidate) -> Mapping[str, Any]:
    item = candidate.item
    shown = {"title": "", "locator": "", "document_id": "", "text": ""}
    if isinstance(item, FaqEntry):
        shown |= {"title": item.question, "text": item.answer[:MOST_TEXT_CHARS]}
    elif isinstance(item, Passage):
        shown |= {"title": item.title, "locator": item.locator, "document_id": item.document_id}
        shown["text"] = item.text[:MOST_TEXT_CHARS]
    return {
        "source": candidate.source,
        "id": item.id,
        "score": round(float(candidate.score), 4),
        "scores": {name: round(float(value), 4) for name, value in candidate.scores.items()},
        **shown,
    }
