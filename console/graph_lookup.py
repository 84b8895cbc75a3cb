"""The knowledge graph of the live index, to search and to walk: names, topics, neighbourhoods, problems."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from heapq import nsmallest

from console.publishing import Publisher
from rag.graph.checks import GraphProblem, check_graph
from rag.graph.neighbourhood import neighbourhood
from rag.graph.sources import PlaceNames
from rag.graph.store import Found, GraphStore
from rag.graph.stores import reports_of
from rag.graph.topics import topics_of
from rag.graph.types import Node, local_id, node_id
from rag.index.format import Index
from rag.index.versions import current_folder
from rag.types import Passage
from school.clock import today
from vietnamese.text import fold

NAMED_BY_FILES = ("Clause", "Document")
"""The types of nodes that a problem names by the id in the knowledge folder."""


class NoGraphError(Exception):
    """The index has no graph, or its graph cannot be opened; the message says why."""


class NoNodeError(Exception):
    """The graph has no such node, or the index no such passage."""


@dataclass(frozen=True, slots=True)
class LiveGraph:
    """The graph of one version of the index. `topics` are the ids of categories, `degrees` counts edges, by node."""

    index: Index
    store: GraphStore
    nodes: Mapping[str, Node]
    topics: Mapping[str, Set[str]]
    degrees: Counter[str]
    places: PlaceNames
    passages: Mapping[str, Passage]
    searched: Sequence[tuple[str, Node]]
    left_out: Sequence[str]
    problems_on: dict[date, Sequence[GraphProblem]] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """The day at the school."""
        return today(self.index.dictionaries.catalog.school.time_zone)

    def search(self, text: str, types: Set[str], topic: str, most: int) -> tuple[list[Node], int]:
        """Return the first nodes that `text` names, those that begin with it first, and the number of all.

        Without text, all by name. `types` and `topic` filter; empty ones let everything through.
        """
        wanted = " ".join(fold(text).split())
        found = []
        for names, node in self.searched:
            place = names.find(wanted)
            is_shown = (not types or node.type in types) and (
                not topic or topic in self.topics.get(node.id, ())
            )
            if place >= 0 and is_shown:
                found.append((place, -self.degrees[node.id] if wanted else 0, node.name, node))
        return [node for *_, node in nsmallest(most, found, key=lambda each: each[:3])], len(found)

    def node(self, wanted: str) -> Node:
        """Return a node by its id. Raises NoNodeError."""
        if (node := self.nodes.get(wanted)) is None:
            raise NoNodeError("the graph has no such node")
        return node

    def around(self, node: Node) -> Mapping[tuple[str, bool], Sequence[Found]]:
        """Return the nodes one step away by relation and direction, as they hold today. Raises GraphError."""
        return neighbourhood(self.store, node.id, self.today)

    def problems(self) -> Sequence[GraphProblem]:
        """Return what is wrong with the graph, looked for once a day. Raises GraphError."""
        day = self.today
        if day not in self.problems_on:
            self.problems_on[day] = check_graph(self.store, self.index.faq, day)
        return self.problems_on[day]

    def about(self, problem: GraphProblem) -> Node | None:
        """Return the node that a problem is about; None for an entry of the FAQ."""
        ends = problem.about.split(" → ")
        named = [*ends, *(node_id(kind, end) for end in ends for kind in NAMED_BY_FILES)]
        return next((self.nodes[each] for each in named if each in self.nodes), None)


class GraphLookup:
    """Reads the graph of the current index once for each version."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._lock = threading.Lock()
        self._read: LiveGraph | None = None

    def current(self) -> LiveGraph:
        """Return the graph of the current index. Raises NoGraphError, IndexUnusableError or GraphError."""
        with self._lock:
            index = self._publisher.live.index()
            if self._read is None or self._read.index is not index:
                self._read = _read(index, reports_of(current_folder(self._publisher.live.folder)))
            return self._read


def _read(index: Index, left_out: Sequence[str]) -> LiveGraph:
    store = index.store
    if store is None:
        raise NoGraphError(index.graph_fault or "the index has no graph")
    nodes, edges = list(store.nodes()), list(store.edges())
    return LiveGraph(
        index,
        store,
        {node.id: node for node in nodes},
        topics_of(nodes, edges),
        Counter(end for edge in edges for end in (edge.source, edge.target)),
        PlaceNames(index.passages, store.tables),
        {passage.id: passage for passage in index.passages},
        [(fold(" | ".join(_names(node))), node) for node in nodes],
        left_out,
    )


def _names(node: Node) -> list[str]:
    return [node.name, *node.names, str(node.properties.get("code", "")), local_id(node.id)]
