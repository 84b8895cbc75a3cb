"""Checks of a graph for its editors: what cannot be right, and what a student would miss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from graphlib import CycleError, TopologicalSorter

from rag.graph.stated import StatedGraph
from rag.graph.store import GraphStore
from rag.graph.types import Edge, Node, local_id, node_id
from rag.messages import Message
from rag.types import FaqEntry

CONTACTED = frozenset({"Office", "Department"})


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """A fault of a graph: the kind of check, the node or entry that it is about, and what is wrong with it."""

    check: str
    about: str
    message: Message


def check_graph(store: GraphStore, faq: Iterable[FaqEntry], today: date) -> list[GraphProblem]:
    """Return the problems of what offices have stated, in the order of the checks. Raises GraphError."""
    stated = StatedGraph(store)
    nodes = {node.id: node for node in stated.nodes()}
    edges = list(stated.edges())
    return [
        *_dangling(nodes, edges),
        *_superseded_but_cited(nodes, edges, faq, today),
        *_without_contact(nodes),
        *_cycles(edges),
    ]


def _dangling(nodes: Mapping[str, Node], edges: Iterable[Edge]) -> Iterator[GraphProblem]:
    """Yield the edges that lead from or to nothing: a graph that was edited by hand may have some."""
    for edge in edges:
        for end in (edge.source, edge.target):
            if end not in nodes:
                message = Message("check_dangling", relation=edge.relation, missing=end)
                yield GraphProblem("dangling", f"{edge.source} → {edge.target}", message)


def _superseded_but_cited(
    nodes: Mapping[str, Node], edges: Iterable[Edge], faq: Iterable[FaqEntry], today: date
) -> Iterator[GraphProblem]:
    """Yield the clauses and FAQ entries that still rest on a document which another one has replaced."""
    successors: dict[str, str] = {}
    for edge in edges:
        if edge.relation == "supersedes" and _is_in_force(nodes.get(edge.source), today):
            successors[edge.target] = edge.source
    for edge in edges:
        if edge.relation != "refers_to":
            continue
        source, target = (_document_of(end) for end in (edge.source, edge.target))
        follower = successors.get(target)
        # A successor and its predecessor may well name each other; a clause out of force misleads nobody.
        if follower is None or source in (target, follower) or not _is_in_force(nodes.get(source), today):
            continue
        message = Message("check_superseded", document=local_id(target), successor=local_id(follower))
        yield GraphProblem("superseded", local_id(edge.source), message)
    for entry in faq:
        for document in dict.fromkeys(place.document for place in entry.sources):
            follower = successors.get(node_id("Document", document))
            # An entry that rests on both tells the old rule from the new one.
            rests_on_both = any(node_id("Document", place.document) == follower for place in entry.sources)
            if follower is not None and not rests_on_both:
                message = Message("check_superseded", document=document, successor=local_id(follower))
                yield GraphProblem("superseded", f"faq {entry.id}", message)


def _document_of(node: str) -> str:
    """Return the document of a clause; a document itself."""
    return node_id("Document", local_id(node).partition("#")[0])


def _is_in_force(node: Node | None, today: date) -> bool:
    if node is None:
        return False
    begins, ends = node.provenance.effective_from, node.provenance.effective_to
    return (begins is None or begins <= today) and (ends is None or ends >= today)


def _without_contact(nodes: Mapping[str, Node]) -> Iterator[GraphProblem]:
    for node in nodes.values():
        said = node.properties
        if node.type in CONTACTED and not (said.get("phone") or said.get("email")):
            yield GraphProblem("contact", node.id, Message("check_contact", name=node.name))


def _cycles(edges: Iterable[Edge]) -> Iterator[GraphProblem]:
    """Yield a cycle of prerequisites: nobody could ever take these courses."""
    before: dict[str, set[str]] = {}
    for edge in edges:
        if edge.relation == "prerequisite_of":
            before.setdefault(edge.target, set()).add(edge.source)
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        courses = " → ".join(map(local_id, reversed(error.args[1])))
        yield GraphProblem("cycle", courses.partition(" ")[0], Message("check_cycle", courses=courses))
