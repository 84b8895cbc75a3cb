"""Drafts: edits that an editor has written and nobody has published, as testers chat with them.

A draft of an entry, a fact or a calculator is brought into the live index as it is. One of a document, a topic or the
catalogue needs a whole build (`console.draft_builds`), which begins when its link is made, or when the school's checked
questions are asked of it (`console.api.draft_checks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from hashlib import sha256
from typing import Annotated

from fastapi import HTTPException
from pydantic import Field, TypeAdapter

from console.api.catalogue import topic_values
from console.api.dependencies import Console
from console.api.documents import given
from console.api.draft_edits import make_edits
from console.api.faq import entry_fields
from console.api.models import (
    BuiltDraft,
    DocumentDraft,
    Draft,
    DraftSet,
    EntryDraft,
    FactDraft,
    PartDraft,
    QuickDraft,
    RemovalDraft,
    TopicDraft,
)
from console.dictionary_files import NOT_COMPUTED, NoPartError, Section
from console.document_files import NoDraftError
from console.draft_builds import BuildState
from console.invitations import Invitations
from console.knowledge_files import ConflictError, Edit, KnowledgeFileError, contents_of
from console.uses import TOPIC, Gone
from console.yaml_text import YamlTextError
from rag.engine import Engine
from rag.errors import KnowledgeError

GONE = (ConflictError, KnowledgeError, KnowledgeFileError, NoDraftError, NoPartError, YamlTextError)
"""The errors of a draft whose place in the school's files is gone."""

AnyDraft = Draft | DraftSet
CheckableDraft = BuiltDraft | DraftSet

_DRAFT: TypeAdapter[Draft] = TypeAdapter(Draft)
_CHECKED: TypeAdapter[CheckableDraft] = TypeAdapter(Annotated[CheckableDraft, Field(discriminator="kind")])


def draft_of(told: str) -> Draft | None:
    """Return a draft from its JSON; None for an empty text."""
    return _DRAFT.validate_json(told) if told else None


def checked_draft_of(told: str) -> CheckableDraft:
    """Return the draft of a check from its JSON."""
    return _CHECKED.validate_json(told)


def is_quick(draft: AnyDraft) -> bool:
    """Return whether a draft, or all of a set, can be brought into the live index as it is."""
    if isinstance(draft, DraftSet):
        return all(is_quick(each.draft) for each in draft.drafts)
    return isinstance(draft, QuickDraft)


@contextmanager
def prepared(console: Console, draft: AnyDraft | None) -> Iterator[None]:
    """Check that a draft could be published, and begin its build where it needs one; then what waits for it is kept.

    Meanwhile no build is deleted: this one has nothing yet that waits for it. Without a draft, what is live needs no
    preparation. Raises what `drafted_engine` raises.
    """
    with console.publisher.drafts.keeping:
        try:
            if draft is not None:
                _prepare(console, draft)
            yield
        finally:
            keep_builds(console)


def _prepare(console: Console, draft: AnyDraft) -> None:
    if is_quick(draft):
        drafted_engine(console, draft)
        return
    if isinstance(draft, DraftSet):
        with console.publisher.copied() as copy:
            make_edits(console.publisher, copy, draft.drafts)
            copy.whole()
            console.publisher.drafts.begin_checked(_key(draft), copy.contents)
        return
    assert not isinstance(draft, QuickDraft)
    section = draft.section_id if isinstance(draft, PartDraft | RemovalDraft) else ""
    console.publisher.drafts.begin(
        _key(draft),
        _contents(console, draft),
        tries=bool(section) and section not in NOT_COMPUTED,
        gone=_gone(draft),
    )


def build_state(console: Console, draft: AnyDraft | None) -> BuildState:
    """Return how far the build of a draft is; of what needs none, that it is ready."""
    if draft is None or is_quick(draft):
        return BuildState.READY
    return console.publisher.drafts.builds.state(_key(draft))


def keep_builds(console: Console) -> None:
    """Delete the builds of all drafts that no link is open to, and no check waits for."""
    now, drafts = console.clock(), console.publisher.drafts
    with drafts.keeping:
        tested = {each.draft for each in Invitations(console.database).all() if each.expires_at > now}
        checked: list[AnyDraft] = [checked_draft_of(told) for told in console.checks.under_way()]
        found = [draft for told in tested if (draft := draft_of(told)) is not None] + checked
        drafts.keep_only({_key(draft) for draft in found if not is_quick(draft)})


def drafted_engine(console: Console, draft: AnyDraft) -> Engine:
    """Return the engine over what is live with a draft.

    A change goes over its text as it is now, one of a set over the text that was seen. What was published meanwhile is
    answered by what is live. Raises ConflictError when what it changes is gone, NoDraftError for an uploaded file that
    was discarded, DraftBuildError until its build has ended well; KnowledgeError, KnowledgeFileError, YamlTextError,
    NoPartError; of a set, what `make_edits` raises.
    """
    publisher = console.publisher
    if isinstance(draft, DraftSet):
        drafted = publisher.drafts
        if is_quick(draft):
            return drafted.edited(_key(draft), lambda: _together(console, draft))
        return drafted.built(_key(draft), lambda: _together(console, draft)[0])
    if not isinstance(draft, QuickDraft):
        return publisher.drafts.built(_key(draft), lambda: _contents(console, draft))
    if isinstance(draft, EntryDraft) and not draft.entry_id:
        asked = draft.fields.question.casefold()
        if any(entry.question.casefold() == asked for entry in publisher.live.index().faq):
            return publisher.live.engine()
    return publisher.drafts.edited(draft.model_dump_json(), lambda: _quick(console, draft))


def engine_to_ask(console: Console, draft: Draft) -> Engine:
    """Return `drafted_engine`. Raises HTTPException, 409, when the draft's place in the school's files is gone."""
    try:
        return drafted_engine(console, draft)
    except GONE as error:
        told = f"this draft cannot be tried any longer: {error}"
        raise HTTPException(409, {"error": "draft_gone", "message": told}) from error


def _together(console: Console, draft: DraftSet) -> tuple[Mapping[str, bytes | None], Set[str]]:
    """Return the files that the drafts of a set change, and the ids of the calculators that they touch."""
    with console.publisher.copied() as copy:
        make_edits(console.publisher, copy, draft.drafts)
        return copy.contents, copy.calculators


def _quick(console: Console, draft: QuickDraft) -> tuple[Mapping[str, bytes | None], Set[str]]:
    """Return the files that a draft changes, and the ids of the calculators that it touches."""
    edit, calculators = _edit(console, draft)
    return contents_of([edit]), calculators


def _edit(console: Console, draft: QuickDraft) -> tuple[Edit, Set[str]]:
    """Return the edit that a draft is, and the ids of the calculators that it touches."""
    publisher = console.publisher
    if isinstance(draft, EntryDraft):
        fields = entry_fields(draft.fields)
        if not draft.entry_id:
            [edit], _ = publisher.files.added(fields)
            return edit, frozenset()
        entry = publisher.files.entry(draft.entry_id)
        version = entry.version if entry is not None else ""
        return publisher.files.changed(draft.entry_id, version, fields), frozenset()
    if isinstance(draft, FactDraft):
        if draft.is_new:
            return publisher.facts.added(draft.name, draft.value), frozenset()
        fact = publisher.facts.fact(draft.name)
        if fact is None:
            raise ConflictError(draft.name, "")
        edit = publisher.facts.changed(draft.name, (fact.value, fact.note), draft.value, draft.note)
        return edit, set(publisher.facts.uses().calculators(fact))
    if not draft.calculator_id:
        edit, calculator_id = publisher.calculators.added(draft.text)
        return edit, {calculator_id}
    known = publisher.calculators.calculator(draft.calculator_id)
    version = known.entry.version if known is not None else ""
    edit, calculator_id = publisher.calculators.replaced(draft.calculator_id, version, draft.text)
    return edit, {calculator_id}


def _contents(console: Console, draft: BuiltDraft) -> Mapping[str, bytes | None]:
    """Return the files that a draft changes, over the folder as it is now; none when it was published."""
    if isinstance(draft, DocumentDraft):
        return _document(console, draft)
    if isinstance(draft, TopicDraft):
        return _topic(console, draft)
    if isinstance(draft, PartDraft):
        return _part(console, draft)
    return _without(console, draft)


def _document(console: Console, draft: DocumentDraft) -> Mapping[str, bytes | None]:
    files, fields = console.publisher.documents, given(draft.fields)
    if not draft.upload:
        path = files.file_of(draft.document_id)
        version = files.version(path) if path is not None else ""
        return files.changed(draft.document_id, version, fields).contents
    try:
        uploaded = files.draft(draft.upload)
    except NoDraftError:
        if console.publisher.drafts.is_published(_key(draft)):
            return {}
        raise
    _, version = files.replaced_by(uploaded)
    edit = files.published(uploaded, version, fields)
    console.publisher.sources.refuse_loss(edit)
    return edit.contents


def _topic(console: Console, draft: TopicDraft) -> Mapping[str, bytes | None]:
    known = console.publisher.dictionaries
    versions = {topic.id: topic.version for topic in known.topics()}
    values = {"id": draft.id, **topic_values(draft.fields)}
    if not draft.topic_id:
        return {} if draft.id in versions else contents_of([known.topics_added(values)])
    if draft.topic_id not in versions and draft.id in versions:
        return {}
    return contents_of([known.topic_changed(draft.topic_id, versions.get(draft.topic_id, ""), values)])


def _part(console: Console, draft: PartDraft) -> Mapping[str, bytes | None]:
    known = console.publisher.dictionaries
    section = known.section(draft.section_id)
    versions = {part.id: part.version for part in section.parts}
    values = {**({"id": draft.id} if draft.id else {}), **draft.fields.given()}
    if not draft.part_id:
        return {} if _has(section, values) else contents_of([known.added(draft.section_id, values)])
    if draft.part_id not in versions and draft.id in versions:
        return {}
    version = versions.get(draft.part_id, "")
    return contents_of([known.changed(draft.section_id, draft.part_id, version, values)])


def _without(console: Console, draft: RemovalDraft) -> Mapping[str, bytes | None]:
    files, known = console.publisher.documents, console.publisher.dictionaries
    if draft.of == "document":
        path = files.file_of(draft.id)
        if path is None:
            return {}
        edit = files.removed(draft.id, files.version(path))
        console.publisher.sources.refuse_loss(edit)
        return edit.contents
    if draft.of == "topic":
        topics = {topic.id: topic.version for topic in known.topics()}
        return contents_of([known.topic_removed(draft.id, topics[draft.id])]) if draft.id in topics else {}
    parts = {part.id: part.version for part in known.section(draft.section_id).parts}
    if draft.id not in parts:
        return {}
    return contents_of([known.removed(draft.section_id, draft.id, parts[draft.id])])


def _gone(draft: BuiltDraft) -> Gone | None:
    """Return the topic or the value of the catalogue whose id a draft takes away."""
    if isinstance(draft, TopicDraft):
        return Gone(TOPIC, draft.topic_id) if draft.topic_id and draft.id != draft.topic_id else None
    if isinstance(draft, PartDraft):
        moves = draft.part_id and draft.id not in ("", draft.part_id)
        return Gone(draft.section_id, draft.part_id) if moves else None
    if isinstance(draft, RemovalDraft) and draft.of != "document":
        return Gone(TOPIC if draft.of == "topic" else draft.section_id, draft.id)
    return None


def _has(section: Section, values: Mapping[str, object]) -> bool:
    """Return whether a new item is there already: one with its id, or, without ids, one with its values."""
    if "id" in values:
        return any(part.id == values["id"] for part in section.parts)
    filled = {name: value for name, value in values.items() if value}
    return any({name: part.values.get(name) for name in filled} == filled for part in section.parts)


def _key(draft: AnyDraft) -> str:
    return sha256(draft.model_dump_json().encode()).hexdigest()[:32]
