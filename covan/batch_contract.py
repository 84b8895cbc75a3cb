"""The fixed form in which `covan answer` and the reports of `covan eval` write a reply."""

from __future__ import annotations

from typing import Any

from rag.types import Reply

WARM_UP = "học phí"
"""Asked before times are taken: the embedder loads at the first question."""


def reply_fields(reply: Reply) -> dict[str, Any]:
    """Return a reply as the batch contract writes it."""
    return {
        "decision": reply.decision.kind.value,
        "tier": reply.source,
        "answer": reply.text,
        "citations": [
            {"document_id": c.document_id, "title": c.title, "locator": c.locator, "quote": c.quote}
            | ({"page": c.page} if c.page is not None else {})
            for c in reply.citations
        ],
        "options": [{"title": option.title, "payload": dict(option.payload)} for option in reply.options],
        "confidence": round(reply.confidence, 4),
        "reasons": [reason.value for reason in reply.decision.reasons],
        "missing": list(reply.decision.missing),
        "topic": reply.topic,
        "answer_id": reply.answer_id,
        "signals": {name: round(value, 4) for name, value in reply.trace.signals.items()},
        "embed_ms": round(reply.trace.stages_ms.get("embed", 0.0), 3),
    }
