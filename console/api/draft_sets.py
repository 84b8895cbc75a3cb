"""Several kept drafts that are published together, as one version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from fastapi import APIRouter, HTTPException

from console.api import answers
from console.api.catalogue import old_contacts, part_lines, part_values, topic_lines, warnings_told
from console.api.dependencies import Console, Editor, Parts
from console.api.draft_edits import make_edits, part_of
from console.api.draft_names import name_of
from console.api.draft_states import part_id_of
from console.api.drafts import drafted_engine, is_quick
from console.api.faq import (
    answer_in,
    entry_fields,
    facts_of,
    listed_contacts,
    publication_of,
    refuse_personal_data,
    refuse_settled,
    refuse_unconfirmed,
    refuse_unseen,
    settling,
    students_words,
    tell_students,
)
from console.api.gaps import settle
from console.api.kept_fields import kept_in
from console.api.models import (
    AnyKept,
    DraftOfSet,
    DraftSet,
    KeptDocument,
    KeptEntry,
    KeptPart,
    KeptTopic,
    PublishedDrafts,
    SeenDraft,
)
from console.document_files import NoDraftError
from console.edited_copy import EditedCopy
from console.faq_files import EntryText
from console.personal_data import unlisted_contacts
from console.same_questions import entries_with_the_question

router = APIRouter()


def reviewed(console: Console, seen: Sequence[SeenDraft]) -> DraftSet:
    """Return drafts as they were seen.

    Raises KeptDraftError when one has changed since; HTTPException when nobody has reviewed one, or two change the same
    part of the school.
    """
    kept = [console.kept_drafts.seen(each) for each in seen]
    drafts = [DraftOfSet(id=each.id, version=each.version, draft=kept_in(each)) for each in kept]
    unseen = [name_of(each.draft) for each, row in zip(drafts, kept, strict=True) if row.state != "reviewed"]
    if unseen:
        message = f"nobody has reviewed: {'; '.join(unseen)}"
        raise HTTPException(409, {"error": "not_reviewed", "message": message, "detail": {"drafts": unseen}})
    parts: dict[str, list[str]] = {}
    for each in drafts:
        if part := part_of(each.draft):
            parts.setdefault(part, []).append(name_of(each.draft))
    doubled = [name for names in parts.values() if len(names) > 1 for name in names]
    if doubled:
        message = f"these change the same part of the school: {'; '.join(doubled)}"
        raise HTTPException(409, {"error": "same_part", "message": message, "detail": {"drafts": doubled}})
    return DraftSet(kind="set", drafts=drafts)


@router.post("/drafts/publication", response_model=answers.PublishedTogether)
def publish_drafts(body: PublishedDrafts, account: Editor, console: Parts) -> Mapping[str, Any]:
    """Publish several reviewed drafts as one version, all or none, and do what publishing each of them does.

    409 with both texts of each part that has changed since its draft was begun. What must be confirmed of an entry is
    asked for all of them together: contacts that are not listed (422), entries with the same question (409), and who
    settled their questions meanwhile (409).
    """
    chosen = reviewed(console, body.drafts)
    drafts = chosen.drafts
    written = [(each.id, each.draft) for each in drafts if isinstance(each.draft, KeptEntry)]
    refuse_personal_data(
        [text for _, each in written for text in students_words(each.fields, each.checks, each.follow_up)]
    )
    parts = [each.draft for each in drafts if isinstance(each.draft, KeptPart)]
    before = [(each, part_values(console, each.section_id, each.part_id)) for each in parts if each.part_id]
    ids: dict[int, str] = {}

    def edits(copy: EditedCopy) -> Sequence[str]:
        ids.update(make_edits(console.publisher, copy, drafts))
        entries = [(ids[number], draft) for number, draft in written]
        _refuse_unlisted(console, copy, [draft for _, draft in written], body.public_contacts)
        _refuse_same_questions(console, copy, chosen, entries, body.same_entries)
        return [entry_id for entry_id, _ in entries]

    with ExitStack() as under_way:
        for _, draft in written:
            publication = publication_of(draft.fields, draft.settles, draft.tell, draft.entry_id)
            under_way.enter_context(console.unfinished_publications.noted(account.login, publication))
        with settling:
            if not body.knows_settled:
                refuse_settled(
                    console,
                    [turn for _, each in written if each.tell or not each.entry_id for turn in each.settles],
                )
            with console.kept_drafts.published(*body.drafts):
                done = console.publisher.publish_together(
                    edits, (account.name, account.login), name_of(chosen)
                )
            for number, draft in written:
                settle(console, draft.settles, "entry", account, ids[number])
        told, untold = 0, list[Mapping[str, Any]]()
        for (_, draft), entry in zip(written, done.entries, strict=True):
            reached, missed = tell_students(console, draft.tell, entry, account)
            told += reached
            untold += missed
    console.checks.forget(account.login, "set", "")
    for each in drafts:
        _forget(console, each.draft, account.login)
    saved = [ids.get(each.id) or part_id_of(each.draft) or name_of(each.draft) for each in drafts]
    console.audit.note(
        account.login,
        "publish_drafts",
        name_of(chosen),
        count=len(drafts),
        parts=saved,
        told=told,
        commit=done.commit,
    )
    lines = {line for each in drafts for line in _lines(console, each.draft)}
    return {
        "index": console.publisher.live.version,
        "commit": done.commit,
        "count": len(drafts),
        "is_live": is_quick(chosen),
        "told": told,
        "untold": untold,
        "warnings": warnings_told(console, done.warnings, lines),
        "old_contacts": old_contacts(
            console, [(each.section_id, each.id or each.part_id, fields) for each, fields in before]
        ),
    }


def _refuse_unlisted(
    console: Console, copy: EditedCopy, drafts: Sequence[KeptEntry], public: Sequence[str]
) -> None:
    """Raises HTTPException when answers have contacts that their editor has not found to be public.

    Those that stand in the catalogue and the facts with the edits, or in the answer as it was, are public.
    """
    listed, before = listed_contacts(copy.parts), console.publisher.parts
    contacts = [
        contact
        for draft in drafts
        for contact in unlisted_contacts(draft.fields.answer, [*listed, answer_in(before, draft.entry_id)])
    ]
    refuse_unconfirmed(contacts, public)


def _refuse_same_questions(
    console: Console,
    copy: EditedCopy,
    chosen: DraftSet,
    entries: Sequence[tuple[str, KeptEntry]],
    seen: Sequence[str],
) -> None:
    """Raises HTTPException when others have the question of an entry, those of the same set among them.

    Of a set that needs a whole build, one new entry has the question of another one only in the same letters.
    """
    publisher = console.publisher
    if not entries:
        return
    engine = drafted_engine(console, chosen) if is_quick(chosen) else publisher.live.engine()
    found: dict[str, EntryText] = {}
    for entry_id, draft in entries:
        known = publisher.files.entry(draft.entry_id) if draft.entry_id else None
        fields = entry_fields(draft.fields)
        alike = entries_with_the_question(engine, copy.parts.files, fields, entry_id, known)
        found.update({each.id: each for each in alike})
    refuse_unseen(list(found.values()), seen, facts_of(copy.parts))


def _forget(console: Console, draft: AnyKept, login: str) -> None:
    """Forget what waited for the publication of a draft: its check, and an uploaded file."""
    if isinstance(draft, KeptDocument):
        if draft.upload:
            with suppress(NoDraftError):
                console.publisher.documents.discard(console.publisher.documents.draft(draft.upload))
        console.checks.forget(login, "document", draft.upload or draft.document_id)
    if isinstance(draft, KeptTopic):
        console.checks.forget(login, "topic", draft.topic_id)
    if isinstance(draft, KeptPart):
        console.checks.forget(login, f"part/{draft.section_id}", draft.part_id)


def _lines(console: Console, draft: AnyKept) -> Iterable[int]:
    """Return the lines of its file on which a topic or a part of the catalogue stands."""
    if isinstance(draft, KeptTopic):
        return topic_lines(console, draft.id)
    return (
        part_lines(console, draft.section_id, draft.id or draft.part_id)
        if isinstance(draft, KeptPart)
        else ()
    )
