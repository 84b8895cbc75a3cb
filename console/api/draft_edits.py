"""The edits that several kept drafts are, made one on top of the other in a copy of the knowledge folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from console.api.catalogue import topic_values
from console.api.documents import given
from console.api.draft_names import name_of
from console.api.draft_states import PartStates, part_id_of
from console.api.faq import entry_fields, said_after
from console.api.models import (
    AnyKept,
    DraftOfSet,
    KeptCalculator,
    KeptDocument,
    KeptEntry,
    KeptFact,
    KeptPart,
    KeptTopic,
)
from console.dictionary_files import NOT_COMPUTED, NoPartError
from console.document_files import DocumentFileError, NoDraftError
from console.edited_copy import EditedCopy
from console.kept_drafts import ChangedPart, ChangedPartsError
from console.knowledge_files import ConflictError, KnowledgeFileError
from console.publishing import Publisher
from console.uses import TOPIC, Gone
from console.yaml_text import YamlTextError
from rag.errors import CovanError, KnowledgeError
from rag.ingest.checked_questions import CheckedQuestion

_FAULTS = (DocumentFileError, KnowledgeError, KnowledgeFileError, NoDraftError, NoPartError, YamlTextError)

_ORDER = ("topic", "part", "document", "fact", "calculator", "entry")
"""Kinds, each before those that may name something of it."""


class FaultyDraftsError(CovanError):
    """Some drafts cannot be written; `faults` has the error of each by its name."""

    def __init__(self, faults: Mapping[str, CovanError]) -> None:
        super().__init__("; ".join(f"{name}: {error}" for name, error in faults.items()))
        self.faults = faults

    def told(self, language: str) -> str:
        """Return a line for each draft, in a language of `rag.messages`."""
        return "\n".join(f"{name}: {error.told(language)}" for name, error in self.faults.items())


def make_edits(publisher: Publisher, copy: EditedCopy, drafts: Sequence[DraftOfSet]) -> Mapping[int, str]:
    """Make the edits of drafts in a copy of the folder; return the ids of their entries by the drafts' ids.

    Raises ChangedPartsError with all drafts whose parts have changed since they were begun, FaultyDraftsError with all
    that cannot be written, and InUseError.
    """
    states = PartStates(publisher)
    entries: dict[int, str] = {}
    changed: list[ChangedPart] = []
    faults: dict[str, CovanError] = {}
    for each in sorted(drafts, key=lambda each: _ORDER.index(each.draft.kind)):
        draft = each.draft
        try:
            if states.state(draft) in ("changed", "gone"):
                raise ConflictError(part_id_of(draft), "")
            if isinstance(draft, KeptEntry):
                entries[each.id] = _entry(copy, draft)
            else:
                _OTHERS[draft.kind](publisher, copy, draft)
        except ConflictError as error:
            mine, theirs = states.both(draft)
            changed.append(ChangedPart(each.id, name_of(draft), error.entry_id, mine, theirs))
        except _FAULTS as error:
            faults[name_of(draft)] = error
    if changed:
        raise ChangedPartsError(changed)
    if faults:
        raise FaultyDraftsError(faults)
    return entries


def _entry(copy: EditedCopy, draft: KeptEntry) -> str:
    """Write an entry with what it is to answer; return its id."""
    files, fields, entry_id = copy.parts.files, entry_fields(draft.fields), draft.entry_id
    if entry_id:
        copy.take_edits([files.changed(entry_id, draft.seen, fields)])
    else:
        edits, [entry_id] = files.added(fields)
        copy.take_edits(edits)
    checked = [CheckedQuestion(each, entry_id) for each in draft.checks]
    copy.take_edits([copy.parts.rules.without_questions(draft.checks), files.with_checked(checked)])
    if (words := said_after(draft.follow_up)) is not None:
        entry_ids = {each.id for each in files.entries()}
        copy.take_edits([copy.parts.follow_ups.answered(words, entry_id, entry_ids)])
    return entry_id


def _fact(_: Publisher, copy: EditedCopy, draft: KeptFact) -> None:
    facts = copy.parts.facts
    if draft.is_new:
        copy.take_edits([facts.added(draft.name, draft.value)])
        return
    edit = facts.changed(draft.name, (draft.seen, draft.seen_note), draft.value, draft.note)
    fact = facts.fact(draft.name)
    copy.take_edits([edit], set(facts.uses().calculators(fact)) if fact is not None else frozenset())


def _calculator(_: Publisher, copy: EditedCopy, draft: KeptCalculator) -> None:
    calculators, before = copy.parts.calculators, draft.calculator_id
    edit, calculator_id = (
        calculators.replaced(before, draft.seen, draft.text) if before else calculators.added(draft.text)
    )
    copy.take_edits([edit], {calculator_id})


def _document(publisher: Publisher, copy: EditedCopy, draft: KeptDocument) -> None:
    # Each document is read where it was read before: a scan takes minutes.
    files, fields = publisher.documents, given(draft.fields)
    if draft.upload:
        edit = files.published(files.draft(draft.upload), draft.seen, fields)
    else:
        edit = files.changed(draft.document_id, draft.seen, fields)
    publisher.sources.refuse_loss(edit)
    if problems := copy.parts.documents.problems(edit):
        raise KnowledgeError(problems)
    copy.take(edit.contents)


def _topic(_: Publisher, copy: EditedCopy, draft: KeptTopic) -> None:
    known, before = copy.parts.dictionaries, draft.topic_id
    values = {"id": draft.id, **topic_values(draft.fields)}
    if not before:
        copy.take_edits([known.topics_added(values)])
        return
    edit = known.topic_changed(before, draft.seen, values)
    copy.take_edits([edit], gone=Gone(TOPIC, before) if draft.id != before else None)


def _part(_: Publisher, copy: EditedCopy, draft: KeptPart) -> None:
    known, section, before = copy.parts.dictionaries, draft.section_id, draft.part_id
    values = {**({"id": draft.id} if draft.id else {}), **draft.fields.given()}
    moves = bool(before) and draft.id not in ("", before)
    edit = known.changed(section, before, draft.seen, values) if before else known.added(section, values)
    copy.take_edits(
        [edit], gone=Gone(section, before) if moves else None, tries_all=section not in NOT_COMPUTED
    )


_OTHERS: Mapping[str, Callable[[Publisher, EditedCopy, Any], None]] = {
    "fact": _fact,
    "calculator": _calculator,
    "document": _document,
    "topic": _topic,
    "part": _part,
}


def part_of(draft: AnyKept) -> str:
    """Return what a draft changes or adds: of a set, no two drafts change one part."""
    if isinstance(draft, KeptFact):
        return draft.name
    if isinstance(draft, KeptDocument):
        return f"document/{draft.document_id}"
    if not (part_id := part_id_of(draft)):
        return ""
    return f"{getattr(draft, 'section_id', draft.kind)}/{part_id}"
