"""A graph under construction: nodes are merged by id, and what does not fit the schema is reported, not stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rag.errors import Problem
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance, Table, Value, kind_of, node_id
from rag.ingest.graph.schema import GraphSchema, allowed_ids
from rag.messages import Message


@dataclass(frozen=True, slots=True)
class At:
    """The place of what is added: the provenance to store, and the file and line for a report."""

    provenance: Provenance
    file: str
    line: int | None = None

    def problem(self, message: str) -> Problem:
        return Problem(self.file, message, self.line)


@dataclass(slots=True)
class GraphBuilder:
    """Collects the nodes and edges of one graph; `reports` has everything that was left out, each with its place."""

    schema: GraphSchema
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    reports: list[Problem] = field(default_factory=list)

    def add_node(
        self,
        kind: str,
        local: str,
        name: str,
        at: At,
        names: Iterable[str] = (),
        properties: Mapping[str, object] | None = None,
    ) -> str | None:
        """Add a node, or its names and properties to the one that is there; return its id, None when it does not fit.

        Properties that the node has already stay as they are; another value is reported.
        """
        node = Node(node_id(kind, local), kind, name, at.provenance)
        if (fault := self.schema.node_fault(node)) is not None:
            self.reports.append(at.problem(fault))
            return None
        before = self.nodes.get(node.id)
        known = dict(before.properties) if before else {}
        for key, given in (properties or {}).items():
            if given in (None, "", ()):
                continue
            value = self.schema.value(kind, key, given)
            if isinstance(value, Message):
                self.reports.append(at.problem(Message("graph_in_node", node=node.id, fault=value)))
            elif known.setdefault(key, value) != value:
                message = Message("graph_value_again", node=node.id, name=key, value=value, before=known[key])
                self.reports.append(at.problem(message))
        if before is not None:
            node = replace(before, name=before.name or name)
            if (at.provenance.found_by, before.provenance.found_by) == (FoundBy.TABLE, FoundBy.CATALOG):
                # The row of a course says more than its name in the catalogue.
                node = replace(node, provenance=at.provenance)
        every = dict.fromkeys(filter(None, (*(before.names if before else ()), name, *names)))
        self.nodes[node.id] = replace(node, name=node.name or local, names=tuple(every), properties=known)
        return node.id

    def add_edge(
        self,
        source: str,
        relation: str,
        target: str,
        at: At,
        properties: Mapping[str, Value] | None = None,
    ) -> bool:
        """Add an edge between two nodes that are there; return whether it fits. The first of equal edges stays."""
        edge = Edge(source, relation, target, at.provenance, properties or {})
        fault = self.schema.edge_fault(edge)
        missing = next((end for end in (source, target) if end not in self.nodes), None)
        if fault is None and missing is not None:
            fault = Message(
                "graph_dangling", relation=relation, source=source, target=target, missing=missing
            )
        if fault is None and source == target:
            fault = Message("graph_loop", relation=relation, node=source)
        if fault is not None:
            self.reports.append(at.problem(fault))
            return False
        self.edges.setdefault((source, relation, target), edge)
        return True

    def add_named_edge(
        self, source: str, relation: str, local: str, at: At, properties: Mapping[str, Value] | None = None
    ) -> bool:
        """Add the edge from `source` to the node that the knowledge folder calls `local`; report an unknown one."""
        found = allowed_ids(self.schema, relation, local, self.nodes, "to")
        if len(found) > 1:
            # An id of an entity may also be that of a document: "thu-vien".
            found = [each for each in found if kind_of(each) not in ("Document", "Clause")] or found
        if len(found) == 1:
            return self.add_edge(source, relation, found[0], at, properties)
        if found:
            message = Message("graph_ambiguous", relation=relation, id=local, found=", ".join(found))
        else:
            message = Message("graph_dangling", relation=relation, source=source, target=local, missing=local)
        self.reports.append(at.problem(message))
        return False

    def finished(self) -> Graph:
        """Return the graph, in an order that does not depend on the order of the files."""
        return Graph(
            tuple(self.nodes[key] for key in sorted(self.nodes)),
            tuple(self.edges[key] for key in sorted(self.edges)),
            tuple(self.tables[key] for key in sorted(self.tables)),
            tuple(sorted(self.schema.relations)),
        )
