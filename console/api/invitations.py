"""Invitations of testers: made and read by editors; whoever has the link chats with a draft, or with what is live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, HTTPException

from console.api import answers
from console.api.dependencies import Console, Editor, Parts
from console.api.draft_names import name_of
from console.api.drafts import (
    GONE,
    build_state,
    draft_of,
    drafted_engine,
    engine_to_ask,
    keep_builds,
    prepared,
)
from console.api.models import Draft, Fault, NewInvitation, Tested
from console.api.turn_views import text_for
from console.draft_builds import BuildState, DraftBuildError
from console.invitations import Invitation, Invitations, TesterTurn
from rag.engine import Engine
from rag.types import Matter, Question, Reason, Reply
from school.catalog import Catalog
from school.dimensions import Profile

router = APIRouter()


@router.get("/invitations", response_model=answers.InvitationList)
def invitations(_: Editor, console: Parts) -> Mapping[str, Any]:
    """Return all invitations, the newest first."""
    return {"invitations": [_listed(console, each) for each in _invitations(console).all()]}


@router.post("/invitations", status_code=201, response_model=answers.MadeInvitation)
def add_invitation(body: NewInvitation, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Make an invitation; the `token` of its link, /invited/TOKEN, is told this once.

    A draft must be one that could be published. One of a document, a topic or the catalogue is built first: its `state`
    is "building", and the link opens a chat when it is "ready".
    """
    draft, kept = body.draft, _invitations(console)
    told = draft.model_dump_json() if draft is not None else ""
    with prepared(console, draft):
        made, token = kept.add(body.title, body.days, account.login, told)
    console.audit.note(account.login, "invite", body.title, days=body.days, draft=_draft_name(told))
    return {**_listed(console, made), "token": token}


@router.delete("/invitations/{number}", status_code=204)
def remove_invitation(number: int, account: Editor, console: Parts) -> None:
    """End an invitation and forget what was asked."""
    _check(number)
    gone = _invitations(console).remove(number)
    keep_builds(console)
    console.audit.note(account.login, "remove_invitation", gone.title)


@router.get("/invitations/{number}/turns", response_model=answers.TesterTurns)
def tester_turns(number: int, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Return what testers asked and were answered, tester by tester."""
    _check(number)
    names: dict[str, int] = {}
    return {
        "turns": [
            {
                "tester": names.setdefault(tester, len(names) + 1),
                "at": at,
                "said": text_for(turn.said, account),
                "decision": turn.decision,
                "text": turn.text,
                "answer_id": turn.answer_id,
            }
            for tester, at, turn in _invitations(console).turns(number)
        ]
    }


@router.get("/invited/{token}", response_model=answers.InvitedTo)
def invited(token: str, console: Parts) -> Mapping[str, Any]:
    """Return what a tester's page shows; 404 for a link that is not known or has ended.

    `state` is "ready", "building" until the draft can be chatted with, or "failed" when it never can.
    """
    invitation = _invitations(console).of_token(token)
    school = console.publisher.live.index().dictionaries.catalog.school
    return {
        "title": invitation.title,
        "school": school.name,
        "expires_at": invitation.expires_at,
        "draft": _draft_name(invitation.draft),
        "state": _state(console, draft_of(invitation.draft)),
    }


@router.post(
    "/invited/{token}/questions",
    responses={409: {"model": Fault}, 429: {"model": Fault}},
    response_model=answers.ToldToTester,
)
def ask(token: str, body: Tested, console: Parts) -> Mapping[str, Any]:
    """Answer a tester's question, or the button that was pressed.

    `live` are the texts of the live reply, where a draft gives another one. 409 when the draft cannot be tried yet, or
    any longer.
    """
    kept = _invitations(console)
    invitation = kept.of_token(token)
    before = kept.before(invitation, body.tester)
    draft = draft_of(invitation.draft)
    engine = _engine(console, draft)
    question, profile, reply = _asked(engine, body, before)
    parts = reply.said
    asks = next((part.decision.missing[0] for part in parts if part.decision.missing), "")
    texts = "\n\n".join(part.text for part in parts if part.text)
    turn = TesterTurn(
        body.text, question, reply.decision.kind.value, texts, reply.answer_id or "", asks, profile
    )
    kept.note(invitation, body.tester, turn)
    live = _live_texts(console, body, before) if draft is not None else ()
    return {
        "said": [_said(engine.catalog, part) for part in parts],
        "live": [] if live == tuple(part.text for part in parts) else list(live),
    }


def _engine(console: Console, draft: Draft | None) -> Engine:
    return console.publisher.live.engine() if draft is None else engine_to_ask(console, draft)


def _state(console: Console, draft: Draft | None) -> BuildState:
    """Return how far a draft is for its testers; a build that was stopped begins again."""
    if draft is not None and build_state(console, draft) is BuildState.NONE:
        try:
            drafted_engine(console, draft)
        except DraftBuildError:
            return build_state(console, draft) or BuildState.FAILED
        except GONE:
            return BuildState.FAILED
        return BuildState.READY
    return build_state(console, draft)


def _live_texts(console: Console, body: Tested, before: Sequence[TesterTurn]) -> Sequence[str]:
    """Return the texts of the live reply; none for a button of an entry that only the draft has."""
    try:
        _, _, reply = _asked(console.publisher.live.engine(), body, before)
    except HTTPException:
        return ()
    return tuple(part.text for part in reply.said)


def _asked(
    engine: Engine, body: Tested, before: Sequence[TesterTurn]
) -> tuple[str, Mapping[str, str], Reply]:
    """Return the question that a tester asks, with what is known of them, and its reply.

    A value that the last reply asked for, typed or pressed, completes the question before it.
    """
    last = before[0] if before else None
    profile = dict(last.profile) if last is not None else {}
    [(name, value)] = body.option.items() if body.option else [("", "")]
    if name in ("faq", "passage"):
        try:
            reply = engine.reply_to_choice({name: value}, Profile(profile))
        except KeyError:
            told = "this answer is not there any longer"
            raise HTTPException(404, {"error": "not_found", "message": told}) from None
        return reply.question or body.text, profile, reply
    if name and (engine.catalog.dimension(name) is None or value not in engine.catalog.ids(name)):
        told = f"the school has no {name} {value!r}"
        raise HTTPException(422, {"error": "invalid", "message": told})
    if not name and last is not None and last.asks:
        name, value = last.asks, engine.named_value(last.asks, body.text) or ""
    if value and last is not None:
        profile[name] = value
        return last.asked, profile, engine.reply(Question(last.asked, profile=Profile(profile)))
    history = tuple(Matter(turn.asked, turn.answer_id or None) for turn in before if turn.asked)
    reply = engine.reply(Question(body.text, profile=Profile(profile), history=history))
    return reply.resolved or body.text, profile, reply


def _said(catalog: Catalog, part: Reply) -> Mapping[str, Any]:
    specs = (catalog.dimension(missing) for missing in part.decision.missing)
    return {
        "question": part.question,
        "decision": part.decision.kind.value,
        "text": part.text,
        "talk": Reason.SMALL_TALK in part.decision.reasons,
        "asks": [spec.name for spec in specs if spec is not None],
        "options": [
            {"title": option.title, "option": dict(option.payload)}
            for option in part.options
            if "topic" not in option.payload
        ],
        "sources": [
            {"title": cited.title, "locator": cited.locator, "quote": cited.quote} for cited in part.citations
        ],
    }


def _listed(console: Console, invitation: Invitation) -> Mapping[str, Any]:
    draft = draft_of(invitation.draft)
    return {
        **asdict(invitation),
        "draft": name_of(draft) if draft is not None else "",
        "state": build_state(console, draft),
    }


def _draft_name(told: str) -> str:
    draft = draft_of(told)
    return name_of(draft) if draft is not None else ""


def _check(number: int) -> None:
    if not 0 < number < 2**63:
        raise HTTPException(404, {"error": "no_invitation", "message": "there is no such invitation"})


def _invitations(console: Console) -> Invitations:
    return Invitations(console.database, console.clock)
