"""A reply as a JSON object that tells the way to it, for the advisors' console.

`record_of` returns `decision`, `source`, `topic`, `confidence` in 0..1 and `answer_id`, by which the console searches
(`decision` and `source` are empty when the message asks nothing), and beside them:

- `resolved`: the question in full with what the conversation adds;
- `reasons`, `missing`: the decision's reasons, and the dimensions it asks for;
- `signals`, `thresholds`, `stages_ms`, `notes`: as in `rag.types.Trace`;
- `candidates`: `source`, `id`, `title`, `locator`, `document_id`, `text`, `score` and `scores` of the best ones;
- `citations`: `document_id`, `title`, `locator`, `quote`;
- `preset`, `index_version`: the versions that answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag.types import Candidate, DecisionKind, FaqEntry, Passage, Reply

MOST_CANDIDATES = 6
MOST_TEXT_CHARS = 300
"""Characters of a candidate's text; the console shows the beginning."""


def record_of(reply: Reply) -> Mapping[str, Any]:
    """Return the record of a reply; of a message with several questions, of the one without an answer."""
    parts = reply.parts or (reply,)
    asked = [part for part in parts if not part.decision.asks_nothing]
    # That is what the school wants to know.
    unanswered = (part for part in asked if part.decision.kind is DecisionKind.NO_ANSWER)
    part = next(unanswered, (asked or parts)[0])
    return {
        "decision": part.decision.kind.value if asked else "",
        "source": part.source if asked else "",
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
