"""Linking of statements: the nodes that the words of a passage mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rag.graph.types import Node, kind_of
from rag.ingest.graph.rules import document_number, year_of_name
from rag.types import Document
from vietnamese.text import fold, words

FEWEST_LETTERS = 6
"""A shorter name in a passage is too often another word."""


def folded(name: str) -> str:
    """Return the words of a name without diacritics, as they are compared."""
    return " ".join(words(fold(name)))


class NodeNames:
    """The nodes of a graph by their names."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._by_name: dict[str, set[str]] = {}
        for node in nodes:
            for name in (node.name, *node.names):
                if key := folded(name):
                    self._by_name.setdefault(key, set()).add(node.id)

    def named(self, text: str, kinds: frozenset[str], prefix: bool = False) -> str | None:
        """Return the one node of `kinds` that `text` names; with `prefix`, that its first words name.

        None for none or several.
        """
        said = words(fold(text))
        for end in range(len(said), 0 if prefix else len(said) - 1, -1):
            found = {node for node in self._by_name.get(" ".join(said[:end]), ()) if kind_of(node) in kinds}
            if found:
                return found.pop() if len(found) == 1 else None
        return None


class MentionFinder:
    """Finds the entities that a passage mentions by a name of several words or by a code."""

    def __init__(self, nodes: Iterable[Node], kinds: frozenset[str]) -> None:
        self._by_name: dict[tuple[str, ...], str | None] = {}
        for node in nodes:
            if node.type not in kinds:
                continue
            for name in dict.fromkeys((node.name, *node.names)):
                key = tuple(words(name))
                if len(key) >= 2 and len(name) >= FEWEST_LETTERS:
                    # A name of two nodes means neither.
                    self._by_name[key] = node.id if self._by_name.get(key, node.id) == node.id else None
        self._longest = max(map(len, self._by_name), default=0)
        self._firsts = {key[0] for key in self._by_name}

    def find(self, text: str) -> list[str]:
        """Return the ids of the nodes named in `text`, each once, in its order; of names in one another the longest."""
        said = words(text)
        found: dict[str, None] = {}
        place = 0
        while place < len(said):
            step = 1
            if said[place] in self._firsts:
                for length in range(min(self._longest, len(said) - place), 1, -1):
                    key = tuple(said[place : place + length])
                    if key in self._by_name:
                        if (node := self._by_name[key]) is not None:
                            found[node] = None
                        step = length
                        break
            place += step
        return list(found)


class DocumentNames:
    """The documents of a knowledge folder by number and by title, as clauses name them."""

    def __init__(self, documents: Sequence[Document], aliases: Mapping[str, Sequence[str]]) -> None:
        self._by_number: dict[str, list[Document]] = {}
        self._titles: list[tuple[str, Document]] = []
        for document in documents:
            if document.meta.number:
                self._by_number.setdefault(fold(document.meta.number), []).append(document)
            names = (document.meta.title, *aliases.get(document.meta.id, ()))
            self._titles += [(folded(name), document) for name in names]

    def numbered(self, number: str, issued: str = "") -> str | None:
        """Return the id of the document with a number; of several, the one issued on the day or in the year said."""
        found = self._by_number.get(fold(number), [])
        if issued:
            exact = [each for each in found if each.meta.issued and each.meta.issued.isoformat() == issued]
            found = exact or [each for each in found if each.meta.issued is None]
        return found[0].meta.id if len(found) == 1 else None

    def named(self, text: str) -> str | None:
        """Return the id of the document that a clause names by number or title; None for none or several.

        A title that several have means the one without a successor.
        """
        if (number := document_number(text)) is not None:
            return self.numbered(number)
        if (found := self._titled(text, None)) is None and (parted := year_of_name(text)) is not None:
            found = self._titled(*parted)
        return found

    def _titled(self, text: str, year: int | None) -> str | None:
        """Return the document whose title a text is or begins with, else the one whose title begins with the text."""
        said = folded(text)
        ways: Sequence[Callable[[str], bool]] = (
            lambda title: title == said,
            lambda title: _begins(said, title),
            lambda title: _begins(title, said),
        )
        for fits in ways:
            found = {doc.meta.id: doc for title, doc in self._titles if fits(title)}
            if year is not None:
                found = {key: doc for key, doc in found.items() if _is_of(doc, year)}
            kept = [each for each in found.values() if not self._is_superseded(each)] or list(found.values())
            if kept:
                return kept[0].meta.id if len(kept) == 1 else None
        return None

    def _is_superseded(self, document: Document) -> bool:
        return any(document.meta.id in other.meta.supersedes for _, other in self._titles)


def _is_of(document: Document, year: int) -> bool:
    days = (document.meta.issued, document.meta.effective_from)
    return year in {day.year for day in days if day is not None}


def _begins(text: str, with_words: str) -> bool:
    return len(with_words.split()) > 2 and f"{text} ".startswith(f"{with_words} ")
