"""Canned replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from console.api import answers
from console.api.dependencies import Parts, Replier
from console.api.models import ChangedCannedReply, NewCannedReply, RowVersion

router = APIRouter()

Id = Annotated[int, Path(ge=1, lt=2**63)]


@router.get("/canned-replies", response_model=answers.CannedReplyList)
def canned_replies(_: Replier, console: Parts) -> Mapping[str, Any]:
    """Return all canned replies by title."""
    return {"replies": console.canned_replies.all()}


@router.post("/canned-replies", status_code=201, response_model=answers.MadeRow)
def add_canned_reply(body: NewCannedReply, account: Replier, console: Parts) -> Mapping[str, Any]:
    """Store a canned reply."""
    made = console.canned_replies.add(body.title, body.text, account.login)
    console.audit.note(account.login, "add_canned_reply", str(made), title=body.title)
    return {"id": made}


@router.put("/canned-replies/{number}", status_code=204)
def change_canned_reply(number: Id, body: ChangedCannedReply, account: Replier, console: Parts) -> None:
    """Change a canned reply that was seen at `version`; 409 with the one of now when it has changed since."""
    console.canned_replies.change(number, body.version, body.title, body.text, account.login)
    console.audit.note(account.login, "change_canned_reply", str(number), title=body.title)


@router.delete("/canned-replies/{number}", status_code=204)
def delete_canned_reply(
    number: Id, version: Annotated[RowVersion, Query()], account: Replier, console: Parts
) -> None:
    """Delete a canned reply that was seen at `version`."""
    title = console.canned_replies.delete(number, version)
    console.audit.note(account.login, "delete_canned_reply", str(number), title=title)
