"""`covan graph` shows, joins, draws and exports what the graph of an index holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import covan

pytestmark = pytest.mark.e5


def graph(index: Path, *arguments: object, code: int = 0) -> str:
    result = covan("graph", *arguments, "--index", index)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_a_node_is_shown_by_its_id_with_the_place_it_rests_on(school_index: Path) -> None:
    said = json.loads(graph(school_index, "show", "Document:noi-quy-ktx", "--json"))
    clauses = [edge["node"] for edge in said["edges"] if edge["relation"] == "part_of"]

    assert said["type"] == "Document"
    assert clauses
    assert all(clause.startswith("Clause:noi-quy-ktx#") for clause in clauses)
    told = graph(school_index, "show", "Document:noi-quy-ktx")
    assert said["name"] in told
    assert "Văn bản" in told
    assert "← là phần của" in told


def test_a_clause_is_shown_with_its_text(school_index: Path) -> None:
    said = json.loads(graph(school_index, "show", "Document:noi-quy-ktx", "--json"))
    clause = next(edge["node"] for edge in said["edges"] if edge["relation"] == "part_of")

    assert json.loads(graph(school_index, "show", clause, "--json"))["type"] == "Clause"


def test_an_unknown_node_is_told_in_the_users_language(school_index: Path) -> None:
    assert "đồ thị không có 'zzz'" in graph(school_index, "show", "zzz", code=2)


def test_a_path_joins_two_clauses_of_one_document(school_index: Path) -> None:
    said = json.loads(graph(school_index, "show", "Document:noi-quy-ktx", "--json"))
    first, last = [edge["node"] for edge in said["edges"] if edge["relation"] == "part_of"][:2]

    ways = json.loads(graph(school_index, "path", first, last, "--json"))
    assert [(edge["source"], edge["target"]) for edge in ways[0]] == [
        (first, "Document:noi-quy-ktx"),
        (last, "Document:noi-quy-ktx"),
    ]
    assert "là phần của" in graph(school_index, "path", first, last)


@pytest.mark.parametrize("to", ["graphml", "json", "cypher"])
def test_an_export_is_written(school_index: Path, tmp_path: Path, to: str) -> None:
    told = graph(school_index, "export", to, tmp_path / "graph.out")

    assert "noi-quy-ktx" in (tmp_path / "graph.out").read_text(encoding="utf-8")
    assert re.search(r"Đã ghi [1-9]\d* nút", told)


def test_an_unknown_format_and_a_folder_that_is_not_there_are_refused(
    school_index: Path, tmp_path: Path
) -> None:
    assert "graphml, json, cypher" in graph(school_index, "export", "png", tmp_path / "a", code=2)
    assert "cannot be written" in graph(school_index, "export", "json", tmp_path / "no" / "a", code=2)


def test_the_view_is_one_file_that_loads_nothing(school_index: Path, tmp_path: Path) -> None:
    graph(school_index, "view", "Document:noi-quy-ktx", "--out", tmp_path / "graph.html")

    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    written = re.search(r'<script type="application/json" id="graph">([^<]*)</script>', page)
    assert written is not None
    data = json.loads(written[1])
    assert data["start"] == ["Document:noi-quy-ktx"]
    assert {"Document", "Clause"} <= {node["type"] for node in data["nodes"]}
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=", page)
    assert "default-src 'none'" in page


def test_merges_are_listed(school_index: Path) -> None:
    assert "Không có thực thể nào được gộp" in graph(school_index, "merges")
    assert json.loads(graph(school_index, "merges", "--json")) == []
