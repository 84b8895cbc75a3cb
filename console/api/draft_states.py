"""States of the parts of the school that kept drafts change, since the drafts were begun."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import yaml

from console.api.catalogue import topic_values
from console.api.documents import given
from console.api.faq import entry_fields
from console.api.models import (
    AnyKept,
    KeptCalculator,
    KeptDocument,
    KeptEntry,
    KeptFact,
    KeptPart,
    KeptTopic,
)
from console.dictionary_files import NoPartError
from console.document_files import NoDraftError
from console.fact_files import FactText
from console.faq_files import rendered
from console.publishing import Publisher


class PartStates:
    """The parts of the school as they are by now; a file is read when a draft of its kind asks."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._versions: dict[str, Mapping[str, str]] = {}

    def state(self, draft: AnyKept) -> str:
        """Return "new", "same", "changed" or "gone"."""
        part_id = part_id_of(draft)
        if not part_id:
            return "new"
        if isinstance(draft, KeptFact):
            fact = self._facts.get(draft.name)
            if fact is None:
                return "gone"
            return "same" if (fact.value, fact.note) == (draft.seen, draft.seen_note) else "changed"
        if isinstance(draft, KeptDocument):
            version = self._of_document(draft)
        else:
            place = draft.section_id if draft.kind == "part" else draft.kind
            if place not in self._versions:
                self._versions[place] = self._read(draft)
            version = self._versions[place].get(part_id)
        if version is None:
            return "gone"
        return "same" if version == draft.seen else "changed"

    @cached_property
    def _facts(self) -> Mapping[str, FactText]:
        return {fact.name: fact for fact in self._publisher.facts.facts()}

    @cached_property
    def _files(self) -> Mapping[str, FilePath]:
        return {name: path for path in self._publisher.documents.paths() for name in (path.stem, path.name)}

    def _of_document(self, draft: KeptDocument) -> str | None:
        files = self._publisher.documents
        if draft.upload:
            # The file is not read for what it replaces: a scan takes minutes.
            try:
                files.draft(draft.upload)
            except NoDraftError:
                return None
            return draft.seen
        path = self._files.get(draft.document_id) or files.file_of(draft.document_id)
        return files.version(path) if path is not None else None

    def _read(self, draft: AnyKept) -> Mapping[str, str]:
        publisher = self._publisher
        if isinstance(draft, KeptEntry):
            return {entry.id: entry.version for entry in publisher.files.entries()}
        if isinstance(draft, KeptCalculator):
            return {each.entry.id: each.entry.version for each in publisher.calculators.calculators()}
        if isinstance(draft, KeptTopic):
            return {topic.id: topic.version for topic in publisher.dictionaries.topics()}
        try:
            section = publisher.dictionaries.section(getattr(draft, "section_id", ""))
        except NoPartError:
            return {}
        return {part.id: part.version for part in section.parts}

    def both(self, draft: AnyKept) -> tuple[str, str]:
        """Return what a draft would write, and what stands there by now, "" when it is gone, in the same form."""
        publisher = self._publisher
        if isinstance(draft, KeptEntry):
            entry = publisher.files.entry(draft.entry_id)
            own = rendered({"id": draft.entry_id, **entry_fields(draft.fields)}).rstrip()
            return own, rendered(entry.record).rstrip() if entry is not None else ""
        if isinstance(draft, KeptFact):
            fact = self._facts.get(draft.name)
            return _with_note(draft.value, draft.note), _with_note(fact.value, fact.note) if fact else ""
        if isinstance(draft, KeptCalculator):
            known = publisher.calculators.calculator(draft.calculator_id)
            return draft.text, known.entry.text if known is not None else ""
        if isinstance(draft, KeptDocument):
            path = publisher.documents.file_of(draft.document_id)
            fields = publisher.documents.read(path).fields if path is not None else {}
            return _lines(given(draft.fields)), _lines(fields)
        before = dict(self._values(draft))
        if isinstance(draft, KeptTopic):
            return _lines({"id": draft.id, **topic_values(draft.fields)}), _lines(before)
        own_id = {"id": draft.id} if draft.id else {}
        return _lines({**before, **own_id, **draft.fields.given()}), _lines(before)

    def _values(self, draft: KeptTopic | KeptPart) -> Mapping[str, Any]:
        known = self._publisher.dictionaries
        if isinstance(draft, KeptTopic):
            return next((each.record for each in known.topics() if each.id == draft.topic_id), {})
        try:
            parts = known.section(draft.section_id).parts
        except NoPartError:
            return {}
        return next((part.values for part in parts if part.id == draft.part_id), {})


def part_id_of(draft: AnyKept) -> str:
    """Return the id of what a draft changes; "" for something new."""
    if isinstance(draft, KeptEntry):
        return draft.entry_id
    if isinstance(draft, KeptFact):
        return "" if draft.is_new else draft.name
    if isinstance(draft, KeptCalculator):
        return draft.calculator_id
    if isinstance(draft, KeptDocument):
        return draft.document_id
    return draft.topic_id if isinstance(draft, KeptTopic) else draft.part_id


def _with_note(value: str, note: str) -> str:
    return f"{value}  # {note}" if note else value


def _lines(values: Mapping[str, Any]) -> str:
    """Return fields as lines of YAML, without empty ones."""
    filled = {name: value for name, value in values.items() if value}
    return (
        yaml.safe_dump(filled, allow_unicode=True, sort_keys=False, width=10_000).rstrip() if filled else ""
    )
