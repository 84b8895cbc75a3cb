"""The knowledge graph: search, a node with its neighbourhood, the passage that it rests on, and what to mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query

from console.api import answers
from console.api.dependencies import Console, Parts, Reader, ReadIn
from console.first_run import offices_without_contact
from console.graph_lookup import LiveGraph, NoGraphError, NoNodeError
from console.name_order import name_order
from rag.graph.types import Node, Provenance, node_id
from rag.messages import Message, in_language
from vietnamese.language_detection import Language

router = APIRouter(prefix="/graph")

MOST_FOUND = 50
MOST_LEFT_OUT = 200

OF_OTHER_PAGES: Mapping[str, tuple[str, ...]] = {"contact": ("Office:",), "superseded": ("faq ",)}
"""The beginnings of what some checks find that other pages count, too: it is told as these have it."""

NodeId = Annotated[str, Query(min_length=1, max_length=500)]
Type = Annotated[str, Query(max_length=80)]


@router.get("", response_model=answers.GraphOverview)
def overview(_: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return the graph's types with their numbers, its topics, and the names of types, relations and properties.

    `fault` says why there is no graph, and is empty when there is one.
    """
    words = {"words": console.graph_words}
    try:
        graph = console.graph.current()
    except NoGraphError as error:
        return {**words, "fault": str(error), "store": "", "types": {}, "topics": [], "nodes": 0, "edges": 0}
    nodes, edges = graph.store.counts()
    topics = [node for node in graph.nodes.values() if node.type == "Category"]
    names = _topic_names(console, language)
    return {
        **words,
        "fault": "",
        "store": graph.store.name,
        "types": dict(Counter(node.type for node in graph.nodes.values())),
        "topics": sorted(
            ({"id": node.id, "name": names.get(node.id, node.name)} for node in topics),
            key=lambda each: name_order(each["name"]),
        ),
        "nodes": nodes,
        "edges": edges,
    }


def _topic_names(console: Console, language: Language) -> Mapping[str, str]:
    """Return the names of the topics by the ids of their nodes."""
    topics = console.publisher.live.index().dictionaries.topics
    return {node_id("Category", topic.id): topic.called(language) for topic in topics}


@router.get("/nodes", response_model=answers.NodeList)
def nodes(
    _: Reader,
    console: Parts,
    text: Annotated[str, Query(max_length=200)] = "",
    types: Annotated[list[Type], Query(max_length=50)] = [],  # noqa: B006
    topic: Annotated[str, Query(max_length=200)] = "",
) -> Mapping[str, Any]:
    """Return the first nodes that a text names, of some types and a topic, and how many there are."""
    graph = console.graph.current()
    found, count = graph.search(text, frozenset(types), topic, MOST_FOUND)
    return {"nodes": [_listed(graph, node) for node in found], "count": count}


@router.get("/node", response_model=answers.ShownNode)
def node(id: NodeId, _: Reader, console: Parts, language: ReadIn) -> Mapping[str, Any]:
    """Return a node: its names and properties, its place and text, and the nodes one step away by relation."""
    graph = console.graph.current()
    found = graph.node(id)
    around = graph.around(found)
    names = _topic_names(console, language)
    return {
        **_listed(graph, found),
        "names": [name for name in found.names if name != found.name],
        "properties": dict(found.properties),
        "text": graph.places.text(found),
        "topics": sorted(
            (
                names.get(topic, graph.nodes[topic].name)
                for topic in graph.topics.get(found.id, ())
                if topic != id
            ),
            key=name_order,
        ),
        "found_by": found.provenance.found_by.value,
        "effective_from": str(found.provenance.effective_from or ""),
        "effective_to": str(found.provenance.effective_to or ""),
        "place": _place(graph, found.provenance),
        "around": [
            {
                "relation": relation,
                "is_out": is_out,
                "nodes": [
                    {**_listed(graph, row.node), "place": _place(graph, row.by) if row.by else None}
                    for row in rows
                ],
            }
            for (relation, is_out), rows in around.items()
        ],
    }


@router.get("/passage", response_model=answers.GraphPassage)
def passage(id: NodeId, _: Reader, console: Parts) -> Mapping[str, Any]:
    """Return the passage that a node or an edge rests on."""
    found = console.graph.current().passages.get(id)
    if found is None:
        raise NoNodeError("the index has no such passage")
    return {
        "document": found.document_id,
        "title": found.title,
        "locator": found.locator,
        "context": list(found.context),
        "text": found.text,
        "url": found.url or "",
    }


@router.get("/problems", response_model=answers.GraphProblems)
def problems(_: Reader, console: Parts) -> Mapping[str, Any]:
    """Return what `covan graph check` finds, and what was left out when the graph was built.

    Entries whose source is no longer in force, and offices without a contact, are those that the lists of entries and
    the first steps count: `entry` is the id of an entry, `office` that of an office.
    """
    graph = console.graph.current()
    told = [*_offices(graph, console), *_entries(graph, console)]
    for problem in graph.problems():
        if problem.about.startswith(OF_OTHER_PAGES.get(problem.check, ())):
            continue
        about = graph.about(problem)
        told.append(
            {
                "check": problem.check,
                "about": problem.about,
                "message": in_language(problem.message, console.language),
                "node": _listed(graph, about) if about is not None else None,
                "entry": "",
                "office": "",
            }
        )
    return {
        "problems": told,
        "left_out": list(graph.left_out[:MOST_LEFT_OUT]),
        "left_out_count": len(graph.left_out),
    }


def _offices(graph: LiveGraph, console: Console) -> Iterator[Mapping[str, Any]]:
    for office in offices_without_contact(console.publisher):
        name = str(office.values.get("name") or office.id)
        node = graph.nodes.get(node_id("Office", office.id))
        yield {
            "check": "contact",
            "about": name,
            "message": in_language(Message("check_contact", name=name), console.language),
            "node": _listed(graph, node) if node is not None else None,
            "entry": "",
            "office": office.id,
        }


def _entries(graph: LiveGraph, console: Console) -> Iterator[Mapping[str, Any]]:
    over = console.publisher.sources.outdated(date.fromtimestamp(console.clock()))
    for entry in graph.index.faq:
        if entry.id in over:
            of = {"check": "outdated", "about": entry.question, "message": "", "node": None}
            yield {**of, "entry": entry.id, "office": ""}


def _listed(graph: LiveGraph, node: Node) -> Mapping[str, Any]:
    return {"id": node.id, "type": node.type, "name": node.name, "degree": graph.degrees[node.id]}


def _place(graph: LiveGraph, provenance: Provenance) -> Mapping[str, Any]:
    """Return a place; `passage` is empty for a table, and for a document that has none there."""
    place = graph.places.place(provenance)
    return {
        "title": place.title,
        "locator": place.locator,
        "url": place.url or "",
        "passage": provenance.passage if provenance.passage in graph.passages else "",
    }
