"""Conversations that were handed over to a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from console.api.dependencies import Parts, Replier
from console.api.models import Written

router = APIRouter()


@router.get("/inbox")
def inbox(_: Replier, console: Parts) -> Mapping[str, Any]:
    """Return the conversations that were handed over, those that wait longest first."""
    with console.advisors() as api:
        return {"conversations": [each.model_dump(mode="json") for each in api.queue("all")]}


@router.get("/inbox/{number}")
def inbox_conversation(number: int, _: Replier, console: Parts) -> Mapping[str, Any]:
    """Return a conversation with its messages."""
    with console.advisors() as api:
        return api.conversation(number).model_dump(mode="json")


@router.post("/inbox/{number}/take", status_code=204)
def take(number: int, account: Replier, console: Parts) -> None:
    """Take a conversation: nobody else can answer it then."""
    with console.advisors() as api:
        api.take(number, account.name)
    console.audit.note(account.login, "take", str(number))


@router.post("/inbox/{number}/reply", status_code=202)
def reply(number: int, body: Written, account: Replier, console: Parts) -> Mapping[str, Any]:
    """Answer the student."""
    with console.advisors() as api:
        message = api.reply(number, account.name, body.text)
    console.audit.note(account.login, "reply", str(number))
    return {"message": message}


@router.post("/inbox/{number}/give-back", status_code=204)
def give_back(number: int, account: Replier, console: Parts) -> None:
    """Let the bot answer again."""
    with console.advisors() as api:
        api.give_back(number, account.name)
    console.audit.note(account.login, "give_back", str(number))
