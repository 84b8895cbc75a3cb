"""The categories of the nodes of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from rag.graph.types import Edge, Node, node_id


def topics_of(nodes: Iterable[Node], edges: Sequence[Edge]) -> Mapping[str, Set[str]]:
    """Return the categories of nodes by id: their own, their document's, those of the clauses that mention them."""
    nodes = list(nodes)
    topics = {node.id: {node.id} for node in nodes if node.type == "Category"}
    for edge in edges:
        if edge.target in topics and edge.relation in ("belongs_to", "responsible_for"):
            topics.setdefault(edge.source, set()).add(edge.target)
    for node in nodes:
        if node.type == "Clause":
            document = node_id("Document", node.provenance.document)
            topics[node.id] = set(topics.get(document, ()))
    for edge in edges:
        if edge.source.startswith("Clause:") and not edge.target.startswith(
            ("Category:", "Clause:", "Document:")
        ):
            topics.setdefault(edge.target, set()).update(topics.get(edge.source, ()))
    return topics
