"""Drafts: edits that an editor has written and nobody has published, as testers chat with them."""

from __future__ import annotations

from collections.abc import Set

from pydantic import TypeAdapter

from console.api.dependencies import Console
from console.api.faq import entry_fields
from console.api.models import Draft, EntryDraft, FactDraft
from console.knowledge_files import ConflictError, Edit
from rag.engine import Engine

_DRAFT: TypeAdapter[Draft] = TypeAdapter(Draft)


def draft_of(told: str) -> Draft | None:
    """Return a draft from its JSON; None for an empty text."""
    return _DRAFT.validate_json(told) if told else None


def name_of(draft: Draft) -> str:
    """Return what a list calls a draft: its question, its fact, or the calculator's id."""
    if isinstance(draft, EntryDraft):
        return draft.fields.question
    return draft.name if isinstance(draft, FactDraft) else draft.calculator_id


def drafted_engine(console: Console, draft: Draft) -> Engine:
    """Return the engine over what is live with a draft.

    A change goes over its text as it is now. A new entry whose question is live was published: what is live answers.
    Raises ConflictError when what it changes is gone; KnowledgeError, KnowledgeFileError, YamlTextError.
    """
    publisher = console.publisher
    if isinstance(draft, EntryDraft) and not draft.entry_id:
        asked = draft.fields.question.casefold()
        if any(entry.question.casefold() == asked for entry in publisher.index().faq):
            return publisher.engine()
    return publisher.drafted(draft.model_dump_json(), lambda: _edit(console, draft))


def _edit(console: Console, draft: Draft) -> tuple[Edit, Set[str]]:
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
        fact = publisher.facts.fact(draft.name)
        if fact is None:
            raise ConflictError(draft.name, "")
        edit = publisher.facts.changed(draft.name, (fact.value, fact.note), draft.value, draft.note)
        return edit, set(publisher.facts.uses().calculators(fact))
    known = publisher.calculators.calculator(draft.calculator_id)
    version = known.entry.version if known is not None else ""
    edit, calculator_id = publisher.calculators.replaced(draft.calculator_id, version, draft.text)
    return edit, {calculator_id}
