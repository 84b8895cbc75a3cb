"""The graph as a tool: strict arguments, results with their places, errors that a model can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from graph_school import GRAPH_SCHOOL, built, stored

from rag.retrieve.graph_tool import GraphTool

TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphTool]:
    folder = tmp_path_factory.mktemp("graph_tool")
    store = stored(built(GRAPH_SCHOOL, folder), Path(folder) / "store")
    yield GraphTool(store)
    store.close()


def call(
    tool: GraphTool, operation: str, entity: str, relation: str | None = None, direction: str | None = None
) -> Any:
    arguments = {"operation": operation, "entity": entity, "relation": relation, "direction": direction}
    return tool.query_graph(json.dumps(arguments), TODAY)


def test_an_entity_is_found_as_a_student_types_it(tool: GraphTool) -> None:
    (found,) = call(tool, "find", "cau truc du lieu")["entities"]

    assert (found["id"], found["type"]) == ("Course:CT201", "Course")
    assert found["source"]["document"] == "courses/cntt"


def test_one_relation_is_followed_with_its_place(tool: GraphTool) -> None:
    said = call(tool, "relations", "Course:CT201", "prerequisite_of", "in")

    assert [(each["id"], each["source"]["locator"]) for each in said["results"]] == [
        ("Course:CT103", "dòng: CT201")
    ]
    assert not said["truncated"]


def test_a_chain_goes_over_several_steps(tool: GraphTool) -> None:
    said = call(tool, "chain", "Course:CT201", "prerequisite_of", "in")

    assert [(each["id"], each["steps"]) for each in said["results"]] == [
        ("Course:CT103", 1),
        ("Course:CT101", 2),
    ]


def test_the_schema_is_strict_and_names_the_relations(tool: GraphTool) -> None:
    schema = tool.specification["parameters"]

    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False
    assert "prerequisite_of" in schema["properties"]["relation"]["enum"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("no json", "JSON"),
        ("{}", "operation"),
        ('{"operation": "drop", "entity": "a", "relation": null, "direction": null}', "operation"),
        ('{"operation": "find", "entity": 1, "relation": null, "direction": null}', "entity"),
        ('{"operation": "find", "entity": "a", "relation": null, "direction": null, "x": 1}', "x"),
        (
            '{"operation": "relations", "entity": "a", "relation": "r]->() DELETE", "direction": null}',
            "no relation",
        ),
        ('{"operation": "chain", "entity": "a", "relation": null, "direction": null}', "needs a relation"),
        (
            '{"operation": "relations", "entity": "zzz", "relation": null, "direction": null}',
            "nothing is called",
        ),
    ],
)
def test_wrong_arguments_are_told_to_the_model(tool: GraphTool, arguments: str, told: str) -> None:
    assert told in tool.query_graph(arguments, TODAY)["error"]
