"""The graph as a tool of an agent: one function with a strict JSON schema, as UMentor's agent calls it.

A model's arguments are checked against the schema; a wrong one is answered with an error that the model can read, never
with an exception. Queries are the named ones of `rag/graph/queries.yml`: nothing that a model writes becomes a query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import wrong_fields
from rag.graph.stated import StatedGraph
from rag.graph.store import Found, GraphError, GraphStore
from rag.graph.types import Node, Provenance
from rag.retrieve.graph import GraphRetriever

NAME = "query_graph"
MOST_RESULTS = 30
"""The most results of a call; a model reads no more."""


class GraphQuery(BaseModel):
    """The arguments of a call.

    `find` looks entities up by name; `relations` returns what is one step away from an entity; `chain` follows one
    relation over several steps, as far as it leads ("in" leads to what comes before).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    operation: Literal["find", "relations", "chain"]
    entity: str = Field(min_length=1, max_length=200)
    relation: str | None
    direction: Literal["out", "in"] | None


class GraphTool:
    """Answers calls of `query_graph` from an opened graph. Thread-safe."""

    def __init__(self, store: GraphStore) -> None:
        self._store = StatedGraph(store)
        self._retriever = GraphRetriever(self._store)

    @property
    def specification(self) -> dict[str, Any]:
        """The function as chat-completion endpoints take it, with its schema in strict form."""
        relations = sorted(self._store.relations)
        return {
            "name": NAME,
            "description": (
                "Look up courses, people, offices, forms, documents and rules of the school, and the relations "
                "between them. Every result names the place that it rests on."
            ),
            "strict": True,
            "parameters": {
                "type": "object",
                "properties": {
                    "operation": {"type": "string", "enum": ["find", "relations", "chain"]},
                    "entity": {
                        "type": "string",
                        "description": "The id of an entity (Course:CT201), or its name as a student types it.",
                    },
                    "relation": {"type": ["string", "null"], "enum": [*relations, None]},
                    "direction": {"type": ["string", "null"], "enum": ["out", "in", None]},
                },
                "required": ["operation", "entity", "relation", "direction"],
                "additionalProperties": False,
            },
        }

    def query_graph(self, arguments: str | Mapping[str, Any], today: date) -> dict[str, Any]:
        """Return the results of a call as JSON data, or an `error` that says what is wrong with it.

        `arguments` are JSON, as a model writes them, or its data. Validity is judged on the day `today`.
        """
        try:
            if isinstance(arguments, str):
                query = GraphQuery.model_validate_json(arguments)
            else:
                query = GraphQuery.model_validate(dict(arguments))
        except ValidationError as error:
            return {"error": wrong_fields(error)}
        if query.relation is not None and query.relation not in self._store.relations:
            return {"error": f"there is no relation {query.relation!r}"}
        if query.operation == "chain" and query.relation is None:
            return {"error": "chain needs a relation"}
        try:
            return self._answer(query, today)
        except GraphError:
            return {"error": "the graph cannot be read"}

    def _answer(self, query: GraphQuery, today: date) -> dict[str, Any]:
        nodes = self._nodes(query.entity)
        if query.operation == "find":
            return {"entities": [_node(node) for node in nodes[:MOST_RESULTS]]}
        if not nodes:
            return {"error": f"nothing is called {query.entity!r}"}
        if len(nodes) > 1:
            return {
                "error": "several entities have this name; use an id",
                "entities": list(map(_node, nodes)),
            }
        rows = self._rows(query, nodes[0], today)
        return {
            "entity": _node(nodes[0]),
            "results": [
                _result(relation, direction, row) for relation, direction, row in rows[:MOST_RESULTS]
            ],
            "truncated": len(rows) > MOST_RESULTS,
        }

    def _nodes(self, named: str) -> list[Node]:
        if found := self._store.run("node", id=named):
            return [found[0].node]
        ids = self._retriever.mentioned(named)
        return [node for each in ids if (node := self._retriever.node(each)) is not None]

    def _rows(self, query: GraphQuery, node: Node, today: date) -> list[tuple[str, str, Found]]:
        directions: Sequence[str] = [query.direction] if query.direction else ["out", "in"]
        if query.operation == "chain":
            kinds = {"out": "behind", "in": "before"}
            return [
                (str(query.relation), way, row)
                for way in directions
                for row in self._store.run(f"{kinds[way]}.{query.relation}", id=node.id)
            ]
        relations = [query.relation] if query.relation else sorted(self._store.relations)
        return [
            (relation, way, row)
            for relation in relations
            for way in directions
            for row in self._store.run(f"{way}.{relation}", id=node.id, today=today.isoformat())
        ]


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "properties": dict(node.properties),
        "source": _source(node.provenance),
    }


def _result(relation: str, direction: str, row: Found) -> dict[str, Any]:
    said = {"relation": relation, "direction": direction, **_node(row.node)}
    if row.by is not None:
        said["source"] = _source(row.by)
    if row.steps:
        said["steps"] = row.steps
    return said


def _source(place: Provenance) -> dict[str, str]:
    return {"document": place.document, "locator": place.locator}
