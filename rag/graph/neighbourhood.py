"""The neighbourhood of a node: all that is one step away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from rag.graph.store import Found, GraphStore


def neighbourhood(store: GraphStore, node: str, today: date) -> Mapping[tuple[str, bool], Sequence[Found]]:
    """Return the nodes one step away from `node` (an id) by relation and direction, without empty relations.

    The key is the relation and whether it leads out of `node`. At most `MOST_ROWS` nodes each. Raises GraphError.
    """
    found = {}
    for relation in store.relations:
        for query, is_out in (("out", True), ("in", False)):
            if rows := store.run(f"{query}.{relation}", id=node, today=today.isoformat()):
                found[relation, is_out] = rows
    return found
