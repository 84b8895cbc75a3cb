"""Kept drafts of FAQ entries: saved, reviewed and discarded by editors; `console.api.faq` publishes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from console.api.dependencies import Console, Editor, Parts
from console.api.drafts import name_of
from console.api.faq import refuse_personal_data
from console.api.models import ChangedDraft, KeptEntry, RowVersion, SeenRow
from console.entry_drafts import EntryDrafts, KeptDraft

router = APIRouter()

Number = Annotated[int, Path(ge=1, lt=2**63)]


@router.get("/faq/drafts")
def entry_drafts(_: Editor, console: Parts) -> Mapping[str, Any]:
    """Return all kept drafts, the one that was saved last first.

    `entry` tells of a changed entry whether it is still "same" as when the draft was begun, or "changed" or "gone"
    since; of a new one it is "new".
    """
    names = console.accounts.names()
    kept = [(each, KeptEntry.model_validate_json(each.draft)) for each in _drafts(console).all()]
    wanted = {draft.entry_id for _, draft in kept}
    entries = (entry for entry in console.publisher.files.entries() if entry.id in wanted)
    versions = {entry.id: entry.version for entry in entries}
    return {
        "drafts": [
            {
                **_told(each, names),
                "question": name_of(draft),
                "entry_id": draft.entry_id,
                "entry": _entry_state(draft, versions),
            }
            for each, draft in kept
        ]
    }


@router.get("/faq/drafts/{number}")
def entry_draft(number: Number, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return a draft with all of its fields."""
    return _whole(console, _drafts(console).get(number))


@router.post("/faq/drafts", status_code=201)
def keep_draft(body: KeptEntry, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Keep a form as a draft. It answers nobody until it is published."""
    _refuse_personal(body)
    made = _drafts(console).add(body.model_dump_json(), account.login)
    console.audit.note(account.login, "keep_draft", name_of(body))
    return _whole(console, made)


@router.put("/faq/drafts/{number}")
def save_draft(number: Number, body: ChangedDraft, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Save a draft that was seen at `version`, which needs a review again; 409 when it has changed since."""
    _refuse_personal(body.draft)
    saved = _drafts(console).save(number, body.version, body.draft.model_dump_json(), account.login)
    console.audit.note(account.login, "keep_draft", name_of(body.draft))
    return _whole(console, saved)


@router.post("/faq/drafts/{number}/review")
def review_draft(number: Number, body: SeenRow, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Mark a draft that was seen at `version` as reviewed; 409 when it has changed since."""
    kept = _drafts(console).review(number, body.version, account.login)
    console.audit.note(account.login, "review_draft", _name(kept))
    return _whole(console, kept)


@router.delete("/faq/drafts/{number}", status_code=204)
def discard_draft(
    number: Number, version: Annotated[RowVersion, Query()], account: Editor, console: Parts
) -> None:
    """Discard a draft that was seen at `version`; 409 when it has changed since."""
    gone = _drafts(console).remove(number, version)
    console.audit.note(account.login, "discard_draft", _name(gone))


def _whole(console: Console, kept: KeptDraft) -> Mapping[str, Any]:
    draft = KeptEntry.model_validate_json(kept.draft)
    return {**_told(kept, console.accounts.names()), "draft": draft.model_dump()}


def _told(kept: KeptDraft, names: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "id": kept.id,
        "version": kept.version,
        "state": kept.state,
        "author": names.get(kept.login, kept.login),
        "at": kept.at,
        "reviewed_by": names.get(kept.reviewed_by, kept.reviewed_by),
    }


def _entry_state(draft: KeptEntry, versions: Mapping[str, str]) -> str:
    if not draft.entry_id:
        return "new"
    now = versions.get(draft.entry_id)
    if now is None:
        return "gone"
    return "same" if now == draft.seen else "changed"


def _refuse_personal(draft: KeptEntry) -> None:
    refuse_personal_data([draft.fields.question, *draft.fields.variants, *draft.checks])


def _name(kept: KeptDraft) -> str:
    return name_of(KeptEntry.model_validate_json(kept.draft))


def _drafts(console: Console) -> EntryDrafts:
    return EntryDrafts(console.database, console.clock)
