"""Messages that the model was unsure of, and their labels."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, HTTPException

from console.accounts import Account
from console.api import answers
from console.api.dependencies import Console, Editor, Parts, Reader, ReadIn
from console.api.faq import refuse_personal_data
from console.api.models import Labels, SetAside
from console.api.turn_views import Days, text_for
from console.nlu_files import Label, Part, compared, example_hash
from console.nlu_review import MOST_SHOWN, unsure_messages
from console.personal_data import MASK, has_personal_data
from console.tables import reviewed
from console.versions import headline
from school.intents import GENERAL_INTENTS, intent_of

REVIEW_DAYS = 90

router = APIRouter()


@router.get("/nlu", response_model=answers.Review)
def unsure(account: Reader, console: Parts, language: ReadIn, days: Days = REVIEW_DAYS) -> Mapping[str, Any]:
    """Return the messages whose intent the model was unsure of, those of the most students first.

    `parts` has the names that the model found; `intents` are those that a message may have, by their topic's name.
    """
    with console.database.connect() as db:
        done = list(db.scalars(sa.select(reviewed.c.trace_id)))
    index = console.publisher.live.index()
    found = unsure_messages(console.turns.unsure(days, done), console.nlu.known().keys())
    shown = found[:MOST_SHOWN]
    parts = console.names.parts([text_for(each.text, account) for each in shown], index)
    return {
        "messages": [
            {
                "parts": [{"text": part.text, "entity": part.entity} for part in own],
                "guesses": each.intents,
                "students": each.students,
                "times": len(each.traces),
                "last_at": each.last_at,
                "traces": each.traces,
                "personal": has_personal_data(each.text),
            }
            for each, own in zip(shown, parts, strict=True)
        ],
        "count": len(found),
        "topics": {intent_of(topic.id): topic.called(language) for topic in index.dictionaries.topics},
        "general": GENERAL_INTENTS,
        "dimensions": [
            {"id": kind.id, "name": kind.name, "name_en": kind.name_en or kind.name}
            for kind in index.dictionaries.catalog.dimensions
        ],
    }


@router.post("/nlu/labels", response_model=answers.Labelled)
def label(body: Labels, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Add labelled messages to the examples, as one version; 409 with the reasons when one has another intent.

    409 also with the names that the catalogue does not know as they are marked, unless the editor knows of it.
    """
    labels = [
        Label([Part(part.text, part.entity) for part in each.parts], each.intent) for each in body.labels
    ]
    refuse_personal_data((each.text for each in labels), lambda text: has_personal_data(text) or MASK in text)
    unlike = () if body.confirms_names else console.names.unlike(labels, console.publisher.live.index())
    if unlike:
        told = f"the catalogue does not know these as marked: {', '.join(each.text for each in unlike)}"
        fault = {"error": "unlike_names", "message": told, "detail": {"names": list(map(asdict, unlike))}}
        raise HTTPException(409, fault)
    known = console.nlu.known()
    files, commit = console.publisher.publish_examples(
        lambda: console.nlu.edits(labels),
        (account.name, account.login),
        headline([each.example for each in labels]),
    )
    _note_reviewed(console, [trace for each in body.labels for trace in each.traces], account)
    by_intent = Counter(each.intent for each in labels)
    examples: dict[str, list[str]] = {}
    for each in labels:
        if compared(each.example) not in known:
            examples.setdefault(each.intent, []).append(example_hash(each.example))
    console.audit.note(
        account.login, "label", ", ".join(files), intents=dict(by_intent), examples=examples, commit=commit
    )
    return {"files": list(files), "commit": commit}


@router.post("/nlu/aside", status_code=204)
def set_aside(body: SetAside, account: Editor, console: Parts) -> None:
    """Take turns out of the review without a label."""
    _note_reviewed(console, body.traces, account)
    console.audit.note(account.login, "no_label", count=len(body.traces))


def _note_reviewed(console: Console, traces: Sequence[int], account: Account) -> None:
    """Note that some turns are reviewed."""
    wanted = [trace for trace in dict.fromkeys(traces) if 0 < trace < 2**63]
    with console.database.begin() as db:
        known = set(db.scalars(sa.select(reviewed.c.trace_id).where(reviewed.c.trace_id.in_(wanted))))
        rows = [
            {"trace_id": trace, "login": account.login, "at": time.time()}
            for trace in wanted
            if trace not in known
        ]
        if rows:
            db.execute(reviewed.insert(), rows)
