"""Answers that an office has written: said verbatim, with the places they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from rag.types import Citation, FaqEntry, Passage


class CuratedAnswers:
    """Finds the quotations behind the sources of an entry."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._documents: dict[str, list[Passage]] = {}
        for passage in passages:
            self._documents.setdefault(passage.document_id, []).append(passage)

    def citations(self, entry: FaqEntry) -> tuple[Citation, ...]:
        """A citation for each source; its quote is empty when the place cannot be found in the document."""
        return tuple(
            self._citation(source.document, source.locator)
            for source in entry.sources
            if source.document in self._documents
        )

    def _citation(self, document: str, locator: str) -> Citation:
        passages = self._documents[document]
        found = _at(passages, locator)
        about = found or passages[0]
        return Citation(
            document_id=document,
            title=about.title,
            locator=locator,
            quote=found.text if found else "",
            url=about.url,
            number=about.number,
        )


def _at(passages: Sequence[Passage], locator: str) -> Passage | None:
    """The passage at a locator, else the first below it, else the article that holds it."""
    wanted = locator.strip()
    while wanted:
        for passage in passages:
            if passage.locator == wanted or passage.locator.startswith(f"{wanted},"):
                return passage
        wanted = wanted.rpartition(",")[0].strip()
    return None
