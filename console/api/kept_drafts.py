"""Kept drafts: saved, reviewed and discarded by editors; the calls of each part's own page publish them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from console.api import answers
from console.api.dependencies import Console, Editor, Parts
from console.api.draft_names import name_of
from console.api.draft_states import PartStates, part_id_of
from console.api.faq import refuse_personal_data, students_words
from console.api.kept_fields import kept_in
from console.api.models import AnyKept, ChangedDraft, FactDraft, KeptEntry, RowVersion, SeenRow
from console.kept_drafts import KeptDraft

router = APIRouter()

Number = Annotated[int, Path(ge=1, lt=2**63)]
Kind = Literal["entry", "fact", "calculator", "document", "topic", "part"]


@router.get("/drafts", response_model=answers.KeptDraftList)
def kept_drafts(
    _: Editor, console: Parts, kind: Annotated[Sequence[Kind], Query(max_length=6)] = ()
) -> Mapping[str, Any]:
    """Return all kept drafts of some kinds (none: of all), the one that was saved last first.

    `part` tells of what a draft changes whether it is still "same" as when the draft was begun, or "changed" or "gone"
    since; of something new it is "new". `part_id` is its id, "" for something new; `section_id` is for the catalogue,
    `upload` the id of an uploaded file.
    """
    names = console.accounts.names()
    found = [(each, kept_in(each)) for each in console.kept_drafts.all()]
    wanted = [(each, draft) for each, draft in found if not kind or draft.kind in kind]
    parts, labels = PartStates(console.publisher), console.fact_labels()
    return {
        "drafts": [
            {
                **_told(each, names),
                "kind": draft.kind,
                "name": name_of(draft),
                "label": labels.of(draft.name) if isinstance(draft, FactDraft) else name_of(draft),
                "section_id": getattr(draft, "section_id", ""),
                "upload": getattr(draft, "upload", ""),
                "part_id": part_id_of(draft),
                "part": parts.state(draft),
            }
            for each, draft in wanted
        ]
    }


@router.get("/drafts/{number}", response_model=answers.KeptDraft)
def kept_draft(number: Number, _: Editor, console: Parts) -> Mapping[str, Any]:
    """Return a draft with all of its fields."""
    return _whole(console, console.kept_drafts.get(number))


@router.post("/drafts", status_code=201, response_model=answers.KeptDraft)
def keep_draft(body: AnyKept, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Keep a form as a draft. It answers nobody until it is published."""
    _refuse_personal(body)
    made = console.kept_drafts.add(body.model_dump_json(exclude_none=True), account.login)
    console.audit.note(account.login, "keep_draft", name_of(body))
    return _whole(console, made)


@router.put("/drafts/{number}", response_model=answers.KeptDraft)
def save_draft(number: Number, body: ChangedDraft, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Save a draft that was seen at `version`, which needs a review again; 409 when it has changed since."""
    _refuse_personal(body.draft)
    told = body.draft.model_dump_json(exclude_none=True)
    saved = console.kept_drafts.save(number, body.version, told, account.login)
    console.audit.note(account.login, "keep_draft", name_of(body.draft))
    return _whole(console, saved)


@router.post("/drafts/{number}/review", response_model=answers.KeptDraft)
def review_draft(number: Number, body: SeenRow, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Mark a draft that was seen at `version` as reviewed; 409 when it has changed since."""
    kept = console.kept_drafts.review(number, body.version, account.login)
    console.audit.note(account.login, "review_draft", name_of(kept_in(kept)))
    return _whole(console, kept)


@router.delete("/drafts/{number}", status_code=204)
def discard_draft(
    number: Number, version: Annotated[RowVersion, Query()], account: Editor, console: Parts
) -> None:
    """Discard a draft that was seen at `version`; 409 when it has changed since."""
    gone = console.kept_drafts.remove(number, version)
    console.audit.note(account.login, "discard_draft", name_of(kept_in(gone)))


def _whole(console: Console, kept: KeptDraft) -> Mapping[str, Any]:
    return {**_told(kept, console.accounts.names()), "draft": kept_in(kept).model_dump(exclude_none=True)}


def _told(kept: KeptDraft, names: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "id": kept.id,
        "version": kept.version,
        "state": kept.state,
        "author": names.get(kept.login, kept.login),
        "at": kept.at,
        "reviewed_by": names.get(kept.reviewed_by, kept.reviewed_by),
    }


def _refuse_personal(draft: AnyKept) -> None:
    if isinstance(draft, KeptEntry):
        refuse_personal_data(students_words(draft.fields, draft.checks, draft.follow_up))
