"""The documents and tables that a graph rests on, as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag.graph.types import Node, Provenance, Table, local_id
from rag.types import Passage


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place in a document or a table; `url` is that of the whole."""

    title: str
    locator: str
    url: str | None


class PlaceNames:
    """Titles and addresses of documents and tables, and the text of clauses."""

    def __init__(self, passages: Iterable[Passage], tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self._documents: dict[str, Passage] = {}
        self._texts: dict[tuple[str, str], list[str]] = {}
        for passage in passages:
            self._documents.setdefault(passage.document_id, passage)
            self._texts.setdefault((passage.document_id, passage.locator), []).append(passage.text)

    def place(self, provenance: Provenance) -> CitedPlace:
        """Return the title, the locator and the address of a place."""
        if (passage := self._documents.get(provenance.document)) is not None:
            return CitedPlace(passage.title, provenance.locator, passage.url)
        table = self._tables.get(provenance.document)
        if table is None:
            return CitedPlace(provenance.document, provenance.locator, None)
        return CitedPlace(table.title, provenance.locator, table.url)

    def text(self, node: Node) -> str:
        """Return the text of a clause; empty for every other node, and for an article without a text of its own."""
        if node.type != "Clause":
            return ""
        document, _, locator = local_id(node.id).partition("#")
        return "\n".join(self._texts.get((document, locator), ()))
