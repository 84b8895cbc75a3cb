"""`covan graph view`: a graph and its texts, written into the page that `make setup` has built (widget/src/graph/)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from covan.project import ROOT
from rag.errors import CovanError
from rag.graph.sources import PlaceNames
from rag.graph.store import GraphStore
from rag.graph.topics import topics_of
from rag.graph.types import Node

PAGE = ROOT / "widget" / "dist-graph" / "index.html"
_PLACE = '<script type="application/json" id="graph"></script>'
TYPE, RELATION = "type_", "relation_"
"""The beginnings of the keys under which a locale file names types and relations."""


def write_view(
    store: GraphStore,
    places: PlaceNames,
    start: Sequence[str],
    words: Mapping[str, str],
    language: str,
    path: Path,
) -> None:
    """Write the page with a whole graph in it.

    `start` are the nodes that are shown first; none: the categories and offices. Raises CovanError when the page is not
    built, GraphError, and OSError.
    """
    try:
        page = PAGE.read_text(encoding="utf-8")
    except OSError as error:
        raise CovanError(f"{PAGE.relative_to(ROOT)} has not been built; run `make setup`") from error
    nodes, edges = list(store.nodes()), list(store.edges())
    topics = topics_of(nodes, edges)
    first = start or [node.id for node in nodes if node.type in ("Category", "Office")]
    data = {
        "language": language,
        "texts": dict(words),
        "types": {key.removeprefix(TYPE): text for key, text in words.items() if key.startswith(TYPE)},
        "relations": {
            key.removeprefix(RELATION): text for key, text in words.items() if key.startswith(RELATION)
        },
        "nodes": [_node(node, places, sorted(topics.get(node.id, ()))) for node in nodes],
        "edges": [{"source": e.source, "relation": e.relation, "target": e.target} for e in edges],
        "start": list(first),
    }
    # "</script>" in a text would end the script.
    written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    path.write_text(page.replace(_PLACE, f"{_PLACE[:-9]}{written}</script>", 1), encoding="utf-8")


def _node(node: Node, places: PlaceNames, topics: Sequence[str]) -> dict[str, object]:
    place = places.place(node.provenance)
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "names": node.names,
        "properties": dict(node.properties),
        "topics": topics,
        "text": places.text(node),
        "source": {"title": place.title, "locator": place.locator, "url": place.url or ""},
    }
