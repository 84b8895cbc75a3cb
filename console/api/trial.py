"""A conversation tried on what is live, as a student of some cohort and major; nothing of it is recorded."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, HTTPException

from console.accounts import Account
from console.api import answers
from console.api.dependencies import Console, Parts, Reader, RefusedRequestError
from console.api.drafts import engine_to_ask
from console.api.kept_fields import kept_in
from console.api.models import Asked, QuickDraft
from console.api.turn_views import added_by_context, named_trace
from console.audit import FIRST_TRIAL
from console.chat import Heard
from console.roles import Right
from rag.reply_record import record_of
from rag.types import Reply
from school.catalog import Catalog

SHOWN_INTENTS = 3

_NOT_ASKED = {"decision": "", "source": "", "topic": "", "confidence": 0.0, "answer_id": ""}
"""The fields of a turn that the engine fills, where it was not asked."""

router = APIRouter()


@router.post("/try", response_model=answers.Trial)
def try_question(body: Asked, account: Reader, console: Parts) -> Mapping[str, Any]:
    """Return what the chat says to a message, and why.

    Of a message that it takes for talk, `said` is that, without a `decision`; the engine was not asked then. `drafted`
    is what it would say with the draft, which is for editors alone; None without one.
    """
    engine = console.publisher.live.engine()
    catalog = engine.catalog
    check_profile(body.profile, catalog)
    drafted = None if body.draft is None else _drafted(body, body.draft, account, console)
    heard = console.chat(engine, body.question, body.profile, body.before)
    console.audit.note_once(account.login, FIRST_TRIAL)
    record = dict(record_of(heard.reply)) if heard.reply is not None else {}
    searched = {name: record.pop(name, empty) for name, empty in _NOT_ASKED.items()}
    read = heard.reading
    return {
        "said": _told(heard, catalog),
        "drafted": drafted,
        "turn": {
            **searched,
            **{"id": 0, "turn_id": 0, "at": time.time(), "channel": "", "intent": heard.intent, "good": None},
            "question": body.question,
            "trace": named_trace(
                {
                    **record,
                    "resolved": added_by_context(record, searched["answer_id"], is_first=not body.before),
                    "profile": body.profile,
                    "mentions": [(each.entity, each.value) for each in read.mentions],
                    "intents": dict(list(read.intents.items())[:SHOWN_INTENTS]),
                    "normalized": read.normalized,
                },
                catalog,
                {topic.id: topic.name for topic in engine.topics},
            ),
        },
    }


def _drafted(body: Asked, number: int, account: Account, console: Console) -> Sequence[Mapping[str, Any]]:
    """Return what the chat would say with a kept draft.

    Raises RefusedRequestError, KeptDraftError, HTTPException when what the draft changes is gone.
    """
    if Right.PUBLISH not in account.rights:
        raise RefusedRequestError("forbidden", account.login)
    draft = kept_in(console.kept_drafts.get(number))
    if not isinstance(draft, QuickDraft):
        told = (
            "a draft of a document, a topic or the catalogue needs a build: check it, or invite testers to it"
        )
        raise HTTPException(422, {"error": "needs_build", "message": told})
    engine = engine_to_ask(console, draft)
    heard = console.chat(engine, body.question, body.profile, body.before)
    return _told(heard, engine.catalog)


def check_profile(profile: Mapping[str, str], catalog: Catalog) -> None:
    """Raises HTTPException for a dimension or a value that the school does not have."""
    for dimension, value in profile.items():
        if catalog.dimension(dimension) is None or (
            catalog.ids(dimension) and value not in catalog.ids(dimension)
        ):
            told = f"the school has no {dimension} {value!r}"
            raise HTTPException(422, {"error": "invalid", "message": told})


def _told(heard: Heard, catalog: Catalog) -> Sequence[Mapping[str, Any]]:
    parts = (heard.reply.parts or (heard.reply,)) if heard.reply is not None else ()
    return [_said(part, catalog) for part in parts] or [_talk("\n\n".join(heard.said))]


def _said(part: Reply, catalog: Catalog) -> Mapping[str, Any]:
    specs = (catalog.dimension(missing) for missing in part.decision.missing)
    return {
        "question": part.question,
        "decision": part.decision.kind.value,
        "text": part.text,
        "asks": [spec.name for spec in specs if spec is not None],
        "options": [option.title for option in part.options],
    }


def _talk(text: str) -> Mapping[str, Any]:
    return {"question": "", "decision": "", "text": text, "asks": [], "options": []}
