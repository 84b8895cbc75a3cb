"""The language model: how it is set up, a check, a try-out, and what it has used day by day."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query

from console.api import answers
from console.api.dependencies import Administrator, Console, Editor, Parts, Reader
from console.api.models import Asked, ChosenModel
from console.api.trial import check_profile
from rag.types import Reply

router = APIRouter(prefix="/model")

UsageDays = Annotated[int, Query(ge=1, le=400)]


@router.get("", response_model=answers.ModelState)
def model(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return how the language model is set up, without secrets, and what today's calls have used.

    `configured` is null when there is none; `choice` is what may be chosen, as it is in use.
    """
    return _state(console)


@router.put("", response_model=answers.ModelState)
def choose(body: ChosenModel, account: Administrator, console: Parts) -> Mapping[str, Any]:
    """Use another model, or use it otherwise, from the next question on; null: as the settings say.

    409 with what is in use when it is another than was seen.
    """
    console.model.choose(body.choice, body.version)
    console.audit.note(account.login, "choose_model", body.choice.model if body.choice is not None else "")
    return _state(console)


@router.get("/usage", response_model=answers.ModelUsage)
def usage(_: Reader, console: Parts, days: UsageDays = 30) -> Mapping[str, Any]:
    """Return calls, tokens, cost and time of each model on each day (UTC), the latest first."""
    return {"days": console.model.usage(days)}


@router.post("/check", response_model=answers.ModelCheck)
def check(account: Editor, console: Parts) -> Mapping[str, Any]:
    """Return whether the model answers, and how fast; two short calls, paid from the day's budget."""
    told = console.model.check()
    console.audit.note(account.login, "check_model")
    return told


@router.post("/try", response_model=answers.ModelTrial)
def try_model(body: Asked, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the reply to a question with the model, and beside it what students get without one.

    Nothing of it is recorded but its cost.
    """
    access = console.model.access
    check_profile(body.profile, console.publisher.live.index().dictionaries.catalog)
    start = time.monotonic()
    reply = console.publisher.live.ask(body.question, body.profile, access)
    seconds = time.monotonic() - start
    console.audit.note(account.login, "try_model")
    parts = reply.parts or (reply,)
    calls = [call for part in parts for call in part.trace.model_calls]
    without = console.publisher.live.ask(body.question, body.profile) if calls else reply
    return {
        "reply": _said(reply),
        "without": _said(without),
        "seconds": seconds,
        "calls": calls,
        "dropped": [sentence for part in parts for sentence in part.trace.dropped],
    }


def _state(console: Console) -> Mapping[str, Any]:
    used = console.model.usage(1)
    return {
        **console.model.state(),
        "tokens_today": sum(day.prompt_tokens + day.completion_tokens for day in used),
        "cost_today": sum(day.cost for day in used),
    }


def _said(reply: Reply) -> Mapping[str, Any]:
    return {
        "decision": reply.decision.kind.value,
        "source": reply.source,
        "text": reply.text,
        "options": [option.title for option in reply.options],
        "citations": [
            {name: getattr(each, name) for name in ("document_id", "title", "locator", "quote")}
            for each in reply.citations
        ],
    }
