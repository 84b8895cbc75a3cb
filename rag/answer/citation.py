"""Citations: a passage as a source that a student can look up."""

from __future__ import annotations

from rag.types import Citation, Passage


def cite(passage: Passage, locator: str | None = None, quote: str | None = None) -> Citation:
    """Return the citation of `passage`, with its own locator and quote unless others are given.

    An empty quote means that the place was not found in the document: then there is no page either.
    """
    return Citation(
        document_id=passage.document_id,
        title=passage.title,
        locator=passage.locator if locator is None else locator,
        quote=passage.text if quote is None else quote,
        url=passage.url,
        number=passage.number,
        page=None if quote == "" else passage.page,
    )
