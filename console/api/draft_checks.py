"""Before publishing what goes live with a whole build: which of the school's checked questions it answers otherwise.

The school is read with the draft aside, and the questions are asked of it and of what is live. An editor may leave
meanwhile: the check is kept until the draft is published or discarded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path

from console.api import answers
from console.api.dependencies import Console, Editor, Parts
from console.api.draft_names import name_of
from console.api.draft_sets import reviewed
from console.api.drafts import (
    CheckableDraft,
    build_state,
    checked_draft_of,
    drafted_engine,
    keep_builds,
    prepared,
)
from console.api.faq import told_checked
from console.api.models import (
    CheckedDraft,
    DocumentDraft,
    DraftSet,
    KeptEntry,
    PartDraft,
    RemovalDraft,
    SeenDrafts,
)
from console.draft_checks import DraftCheck, Note, Progress, place, place_of_removal

router = APIRouter()

Number = Annotated[int, Path(ge=1, lt=2**63)]


@router.get("/try/drafts", response_model=answers.DraftChecks)
def draft_checks(account: Editor, console: Parts) -> Mapping[str, Any]:
    """Return the checks of one's own drafts, the latest first, and the number of checked `questions` of the school.

    `step` is "building" while the school is read with the draft, "asking" while `asked` of `questions` are asked, then
    "done" with the `checked` ones that change, or "failed" with why in `told`. `outdated`: the school has changed
    since. A check that a stop of the console has ended begins again.
    """
    return {
        "questions": len(console.publisher.files.checked()),
        "checks": [_told(console, each) for each in console.checks.of(account.login)],
    }


@router.post("/try/drafts", status_code=202, response_model=answers.DraftCheck)
def check_draft(body: CheckedDraft, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Begin to check a draft of a document, a topic or a part of the catalogue, or that one of these goes.

    The draft must be one that could be published; nothing is written into the school. The check takes the place of
    one's own earlier one of the same thing.
    """
    with prepared(console, body.draft):
        told = body.draft.model_dump_json()
        made = console.checks.add(account.login, _place(body.draft), told, body.version)
    return _told(console, made)


@router.post("/try/drafts/set", status_code=202, response_model=answers.DraftCheck)
def check_drafts(body: SeenDrafts, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Begin to check several reviewed drafts together, in the place of one's own earlier check of some.

    409 with both texts of each part that has changed since its draft was begun.
    """
    draft = reviewed(console, body.drafts)
    with prepared(console, draft):
        made = console.checks.add(account.login, _place(draft), draft.model_dump_json(exclude_none=True), "")
    return _told(console, made)


@router.delete("/try/drafts/{number}", status_code=204)
def drop_check(number: Number, account: Editor, console: Parts) -> None:
    """End a check of one's own, and forget it."""
    console.checks.remove(number, account.login)


def _place(draft: CheckableDraft) -> str:
    """Return what a draft changes: an account keeps one check of each."""
    if isinstance(draft, DraftSet):
        return place("set", "")
    if isinstance(draft, DocumentDraft):
        return place("document", draft.upload or draft.document_id)
    if isinstance(draft, PartDraft):
        return place(f"part/{draft.section_id}", draft.part_id)
    if isinstance(draft, RemovalDraft):
        kind = f"part/{draft.section_id}" if draft.of == "part" else draft.of
        return place_of_removal(kind, draft.id)
    return place("topic", draft.topic_id)


def _run(console: Console, check: DraftCheck) -> None:
    draft = _draft(check)

    def ask(note: Note) -> Mapping[str, Any]:
        engine, version = drafted_engine(console, draft), console.publisher.live.version
        compared = console.publisher.trials.compare(engine, note, _own_checks(draft))
        return {"index": version, "checked": told_checked(compared, texts=True), "ended_at": console.clock()}

    console.checks.run(check, lambda: build_state(console, draft), ask, lambda: keep_builds(console))


def _told(console: Console, check: DraftCheck) -> Mapping[str, Any]:
    draft, result = _draft(check), check.result
    if result is None:
        _run(console, check)
    progress = console.checks.progress(check.id) or Progress()
    ended = "done" if result is not None and "checked" in result else "failed"
    found = result or {}
    return {
        "id": check.id,
        "name": name_of(draft),
        "draft": _drafted(draft),
        "version": check.seen,
        "at": check.at,
        "step": progress.step if result is None else ended,
        "asked": progress.asked,
        "questions": progress.questions,
        "ended_at": found.get("ended_at", 0.0),
        "checked": found.get("checked"),
        "told": found.get("told", ""),
        "outdated": found.get("index", "") not in ("", console.publisher.live.version),
    }


def _own_checks(draft: CheckableDraft) -> Sequence[str]:
    """Return the questions that the entries of a set are to answer from then on, whatever their outcome was."""
    if not isinstance(draft, DraftSet):
        return []
    entries = (each.draft for each in draft.drafts if isinstance(each.draft, KeptEntry))
    return [question for entry in entries for question in entry.checks]


def _drafted(draft: CheckableDraft) -> Mapping[str, Any]:
    """Return a draft; of the drafts of a set, which are kept beside, ids and versions alone."""
    if not isinstance(draft, DraftSet):
        return draft.model_dump(exclude_none=True)
    return {"kind": "set", "drafts": [{"id": each.id, "version": each.version} for each in draft.drafts]}


def _draft(check: DraftCheck) -> CheckableDraft:
    return checked_draft_of(check.draft)
