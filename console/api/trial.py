"""A question tried on what is live, as a student of some cohort and major; nothing of it is recorded."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, HTTPException

from console.api.dependencies import Parts, Reader
from console.api.models import Asked
from console.api.turn_views import named_trace
from rag.reply_record import record_of
from rag.types import Reply
from school.catalog import Catalog

router = APIRouter()


@router.post("/try", response_model=None)
def try_question(body: Asked, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the reply to a question, and why it is that one."""
    catalog = console.publisher.live.index().dictionaries.catalog
    check_profile(body.profile, catalog)
    reply = console.publisher.live.ask(body.question, body.profile)
    record = dict(record_of(reply))
    searched = {name: record.pop(name) for name in ("decision", "source", "topic", "confidence", "answer_id")}
    return {
        "said": [_said(part, catalog) for part in reply.parts or (reply,)],
        "turn": {
            **searched,
            **{"id": 0, "turn_id": 0, "at": time.time(), "channel": "", "intent": "", "good": None},
            "question": body.question,
            "trace": named_trace(
                {**record, "profile": body.profile, "intents": {}, "normalized": reply.trace.normalized},
                catalog,
                {},
            ),
        },
    }


def check_profile(profile: Mapping[str, str], catalog: Catalog) -> None:
    """Raises HTTPException for a dimension or a value that the school does not have."""
    for dimension, value in profile.items():
        if catalog.dimension(dimension) is None or (
            catalog.ids(dimension) and value not in catalog.ids(dimension)
        ):
            told = f"the school has no {dimension} {value!r}"
            raise HTTPException(422, {"error": "invalid", "message": told})


def _said(part: Reply, catalog: Catalog) -> Mapping[str, Any]:
    specs = (catalog.dimension(missing) for missing in part.decision.missing)
    return {
        "question": part.question,
        "decision": part.decision.kind.value,
        "text": part.text,
        "asks": [spec.name for spec in specs if spec is not None],
        "options": [option.title for option in part.options],
    }
