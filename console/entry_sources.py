"""The documents and clauses that FAQ entries rest on: which are gone, no longer in force, or changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date
from pathlib import Path

from console.calculator_files import CalculatorFiles
from console.cited_clauses import ChangedSource, CitedClauses
from console.document_files import DocumentEdit, DocumentFiles
from console.faq_files import EntryText, FaqFiles, use_of
from console.knowledge_files import InUseError, KnowledgeFileError, PerFile, Use
from console.live_index import LiveIndex
from rag.errors import IndexUnusableError
from rag.types import FaqEntry


class EntrySources:
    """Tells what became of the sources of entries since these were edited or reviewed."""

    def __init__(
        self,
        live: LiveIndex,
        files: FaqFiles,
        calculators: CalculatorFiles,
        documents: DocumentFiles,
        clauses: Path,
    ) -> None:
        """`clauses` is the file that keeps the clauses as they were (`console.cited_clauses`)."""
        self._live = live
        self._files = files
        self._calculators = calculators
        self._documents = documents
        self._clauses = CitedClauses(clauses)
        self._rests = PerFile(_rests)

    def refuse_loss(self, edit: DocumentEdit) -> None:
        """Raises InUseError when an edit would take away a document that answers rest on, KnowledgeFileError."""
        gone = {name for name, content in edit.contents.items() if content is None}
        if len(gone) == len(edit.contents) and (uses := self.uses(gone)):
            raise InUseError(edit.document_id, uses)

    def uses(self, files: Set[str]) -> Sequence[Use]:
        """Return the FAQ entries and calculators that rest on the documents of some files, each once.

        Raises KnowledgeFileError.
        """
        documents = self._documents.ids_gone(files)
        resting = itertools.chain.from_iterable(self._rests.of(self._files.by_file()))
        found = [use_of("entry", entry) for document, entry in resting if document in documents]
        found += [
            use_of("calculator", each.entry)
            for each in self._calculators.calculators()
            if not documents.isdisjoint(_documents_of(each.entry))
        ]
        return list(dict.fromkeys(found))

    def cited(self) -> Mapping[str, Sequence[FaqEntry]]:
        """Return the FAQ entries that rest on each document, by its id. Raises IndexUnusableError."""
        found: dict[str, list[FaqEntry]] = {}
        for entry in self._live.index().faq:
            for document in dict.fromkeys(source.document for source in entry.sources):
                found.setdefault(document, []).append(entry)
        return found

    def outdated(self, today: date) -> Set[str]:
        """Return the ids of entries that rest on a document which is no longer in force. Raises IndexUnusableError."""
        index = self._live.index()
        over = {
            passage.document_id
            for passage in index.passages
            if passage.effective_to is not None and passage.effective_to < today
        }
        return {entry.id for entry in index.faq if any(source.document in over for source in entry.sources)}

    def changed(self) -> Mapping[str, Sequence[ChangedSource]]:
        """Return the sources whose text changed since an entry was edited or reviewed, by the entry's id.

        Raises IndexUnusableError, KnowledgeFileError.
        """
        return self._clauses.changed(self._live.index(), self._files.entries)

    def note(self) -> None:
        """Compare the clauses that entries cite before somebody looks, and before they change."""
        # An edit goes on without them; the list of entries tells the fault.
        with suppress(IndexUnusableError, KnowledgeFileError):
            self.changed()

    def looked_at(self, entries: Iterable[str]) -> None:
        """Note that entries were edited or reviewed with their sources as they are now."""
        self._clauses.looked_at(entries)
        self.note()


def _documents_of(entry: EntryText) -> Sequence[str]:
    """Return the ids of the documents that an entry or a calculator rests on."""
    sources = entry.record.get("sources")
    listed = sources if isinstance(sources, list) else ()
    return [str(each.get("document")) for each in listed if isinstance(each, dict)]


def _rests(entries: Sequence[EntryText]) -> Sequence[tuple[str, EntryText]]:
    """Return the ids of the documents that entries rest on, each with its entry."""
    return [(document, entry) for entry in entries for document in _documents_of(entry)]
