"""The entities of an opened graph, and the links of a message to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from rag.graph.store import GraphStore
from rag.graph.types import Node
from rag.retrieve.entity_lookup import EntityLookup, Link, Word
from rag.retrieve.graph_patterns import Fit, filler, frequent, unexplained
from vietnamese.text import fold, words

MOST_MESSAGES = 64
"""The latest messages whose links are kept: the sources of a turn ask for the same ones."""

OF_DIMENSION: Mapping[str, str] = {"cohort": "Cohort", "major": "Major", "program": "Program"}
"""The types of nodes that values of the student's dimensions are."""


class GraphEntities:
    """Finds nodes by their ids and by their names in a message. Immutable once made, so thread-safe."""

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        every = list(store.entities())
        self.nodes: Mapping[str, Node] = {node.id: node for node in every}
        self.lookup = EntityLookup(every, frequent())
        self.school = next((node for node in every if node.type == "School"), None)
        names = (self.school.name, *self.school.names) if self.school is not None else ()
        self.school_names = frozenset(" ".join(words(fold(name))) for name in names) - {""}
        self._links = lru_cache(MOST_MESSAGES)(self._found)

    def node(self, node: str) -> Node | None:
        """Return a node; a clause is looked up in the store. Raises GraphError."""
        if node in self.nodes:
            return self.nodes[node]
        found = self.store.run("node", id=node)
        return found[0].node if found else None

    def links(self, said: Sequence[Word]) -> list[Link]:
        """Return the links of a message, without an everyday word that may be a name ("nhung", "nhúng")."""
        return list(self._links(tuple(said)))

    def _found(self, said: tuple[Word, ...]) -> tuple[Link, ...]:
        return tuple(
            link
            for link in self.lookup.links(said)
            if link.length > 1
            or said[link.start].spelled != said[link.start].folded
            or said[link.start].folded not in filler()
        )

    def in_force(self, link: Link, today: date) -> Link:
        """Return a link to documents without those that are no longer in force, unless none is."""
        if link.kind != "Document" or len(link.nodes) == 1:
            return link
        ends = {node: self.nodes[node].provenance.effective_to for node in link.nodes}
        kept = tuple(node for node, end in ends.items() if end is None or end >= today)
        return replace(link, nodes=kept or link.nodes)

    def left(self, said: Sequence[Word], taken: Sequence[Fit]) -> list[str]:
        """Return the telling words of a message that nothing explains: no pattern, and no name of what it is about."""
        named: set[str] = set()
        for node in taken[0].subject.nodes:
            if (known := self.nodes.get(node)) is not None:
                for name in (known.name, *known.names):
                    named |= set(map(fold, words(name)))
        explained = frozenset().union(*(fit.explained for fit in taken))
        return [word for word in unexplained(said, explained) if word not in named]
