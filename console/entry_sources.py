"""The documents and clauses that FAQ entries rest on: which are gone, no longer in force, or changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date
from pathlib import Path

from console.cited_clauses import ChangedSource, CitedClauses
from console.document_files import DocumentEdit, DocumentFileError
from console.faq_files import FaqFiles
from console.knowledge_files import KnowledgeFileError
from console.live_index import LiveIndex
from rag.errors import IndexUnusableError
from rag.types import FaqEntry


class EntrySources:
    """Tells what became of the sources of entries since these were edited or reviewed."""

    def __init__(self, live: LiveIndex, files: FaqFiles, clauses: Path) -> None:
        """`clauses` is the file that keeps the clauses as they were (`console.cited_clauses`)."""
        self._live = live
        self._files = files
        self._clauses = CitedClauses(clauses)

    def refuse_loss(self, edit: DocumentEdit) -> None:
        """Raises DocumentFileError when an edit would take away a document that answers rest on."""
        gone = [name for name, content in edit.contents.items() if content is None]
        if len(gone) == len(edit.contents) and edit.document_id in self.cited():
            raise DocumentFileError(
                "cited", f"answers rest on {edit.document_id}: change their sources first"
            )

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
