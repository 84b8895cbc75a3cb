"""Expansion of a question by the graph: the passages that mention its entities, and those one relation away.

This is what CatRAG adds to the vectors of a topic (Ma et al., arXiv:2510.01800): a clause that names the office or the
course of the question, or something next to it in the graph, counts more.
"""

from __future__ import annotations

import logging
from datetime import date

from rag.graph.store import GraphError, GraphStore
from rag.retrieve.graph import GraphRetriever

logger = logging.getLogger(__name__)

NEXT_TO = 0.5
"""The weight of a passage that mentions a neighbour of an entity; 1 for the entity itself."""

MOST_ENTITIES = 5
"""The most entities of a question that are expanded."""


class GraphExpansion:
    """Finds the passages around the entities of a question. Thread-safe."""

    def __init__(self, store: GraphStore) -> None:
        self._retriever = GraphRetriever(store)

    def passages(self, text: str, neighbours: int, today: date) -> dict[str, float]:
        """Return the weights (0..1) of the passages around the entities of `text`, by passage id.

        `neighbours` limits the neighbours of an entity that are followed; 0: the entities alone. A graph that fails
        expands nothing: its warning goes to the log.
        """
        found: dict[str, float] = {}
        try:
            for entity in self._retriever.mentioned(text)[:MOST_ENTITIES]:
                self._add(found, entity, 1.0, today)
                for near in self._retriever.beside(entity, today)[:neighbours] if neighbours else ():
                    self._add(found, near.id, NEXT_TO, today)
        except GraphError as error:
            logger.warning("The knowledge graph has failed, retrieval goes on without it: %s", error)
        return found

    def _add(self, found: dict[str, float], entity: str, weight: float, today: date) -> None:
        for row in self._retriever.clauses_about(entity, today):
            passage = row.by.passage if row.by is not None else row.node.provenance.passage
            if passage:
                found[passage] = max(weight, found.get(passage, 0.0))
