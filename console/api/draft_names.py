"""The names of drafts in lists and in the audit log."""

from __future__ import annotations

import re

from console.api.models import (
    CalculatorDraft,
    DocumentDraft,
    Draft,
    DraftSet,
    EntryDraft,
    FactDraft,
    PartDraft,
    RemovalDraft,
    TopicDraft,
)
from console.versions import headline


def name_of(draft: Draft | DraftSet) -> str:
    """Return what a list calls a draft: its question, title or name, or its id."""
    if isinstance(draft, DraftSet):
        return headline([name_of(each.draft) for each in draft.drafts])
    if isinstance(draft, EntryDraft):
        return draft.fields.question
    if isinstance(draft, RemovalDraft):
        return draft.name or draft.id
    if isinstance(draft, FactDraft):
        return draft.name
    if isinstance(draft, CalculatorDraft):
        return draft.calculator_id or _id_in(draft.text)
    return _titled(draft)


def _titled(draft: DocumentDraft | TopicDraft | PartDraft) -> str:
    if isinstance(draft, DocumentDraft):
        return draft.fields.title or draft.document_id
    if isinstance(draft, TopicDraft):
        return draft.fields.name
    return draft.fields.name or draft.part_id or draft.section_id


def _id_in(text: str) -> str:
    """Return the id in a calculator's text, which may not be one yet; "" without."""
    found = re.search(r"^[ -]*id:[ ]*(\S+)", text, re.MULTILINE)
    return found[1] if found else ""
