"""The knowledge graph in the console: search, a node with its neighbourhood and source, and what to mend."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.publishing import Publisher
from rag.ingest.build import build_index

GRAPH_SCHOOL = Path(__file__).parents[1] / "graph_school"
COURSE = "Course:CT201"


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    """Publishes the school whose graph has courses, offices and books; one office has no contact."""
    school = Path(shutil.copytree(GRAPH_SCHOOL, tmp_path / "school"))
    catalog = school / "catalog.yml"
    told = catalog.read_text(encoding="utf-8")
    catalog.write_text(told + "  - {id: nobody, name: Phòng Không Số}\n", encoding="utf-8")
    build_index(school, tmp_path / "index", EmbedderStandIn())
    return Publisher(school, tmp_path / "index", EmbedderStandIn())


def got(client: TestClient, path: str, **query: Any) -> dict[str, Any]:
    answer = client.get(f"/api/graph{path}", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def names(found: dict[str, Any]) -> list[str]:
    return [node["name"] for node in found["nodes"]]


def test_a_node_is_found_by_name_code_and_without_diacritics(enter: Enter) -> None:
    client = enter("advisor")

    for text in ("cau truc du lieu", "Cấu trúc dữ liệu", "ct201"):
        assert names(got(client, "/nodes", text=text))[0] == "Cấu trúc dữ liệu"
    assert got(client, "/nodes", text="khong co dau ca") == {"nodes": [], "count": 0}


def test_types_and_topics_filter(enter: Enter) -> None:
    client = enter("advisor")
    overview = got(client, "")

    courses = got(client, "/nodes", types=["Course"])
    assert courses["count"] == overview["types"]["Course"] == len(courses["nodes"])
    assert got(client, "/nodes", text="ct201", types=["Office"])["count"] == 0
    [topic] = overview["topics"]
    of_topic = got(client, "/nodes", topic=topic["id"])
    assert 0 < of_topic["count"] < overview["nodes"]
    assert got(client, "/nodes", topic="Category:none")["count"] == 0


def test_a_node_is_shown_with_its_relations_and_their_places(enter: Enter) -> None:
    client = enter("advisor")
    node = got(client, "/node", id=COURSE)

    assert (node["name"], node["type"]) == ("Cấu trúc dữ liệu", "Course")
    assert node["properties"]["credits"]
    around = {(each["relation"], each["is_out"]): each["nodes"] for each in node["around"]}
    [before] = around["prerequisite_of", False]
    assert before["name"] == "Kỹ thuật lập trình"
    assert before["place"]["title"]
    # Back from the other end, it is the same relation.
    back = got(client, "/node", id=before["id"])
    assert COURSE in [
        each["id"]
        for group in back["around"]
        if (group["relation"], group["is_out"]) == ("prerequisite_of", True)
        for each in group["nodes"]
    ]


def test_the_passage_behind_an_edge_opens(enter: Enter) -> None:
    client = enter("advisor")
    [clause, *_] = got(client, "/nodes", types=["Clause"])["nodes"]
    node = got(client, "/node", id=clause["id"])
    assert node["text"]
    places = [
        each["place"] for group in node["around"] for each in group["nodes"] if each["place"]["passage"]
    ]

    passage = got(client, "/passage", id=places[0]["passage"])

    assert passage["text"]
    assert (passage["title"], passage["locator"]) == (places[0]["title"], places[0]["locator"])
    documents = client.get("/api/documents").json()["documents"]
    assert passage["document"] in [each["id"] for each in documents]


@pytest.mark.parametrize("path", ["/node", "/passage"])
def test_what_is_not_there_is_not_found(enter: Enter, path: str) -> None:
    answer = enter("advisor").get(f"/api/graph{path}", params={"id": "Course:none"})

    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_what_the_check_finds_leads_to_its_node(enter: Enter) -> None:
    found = got(enter("editor"), "/problems")

    [contact] = [each for each in found["problems"] if each["check"] == "contact"]
    assert contact["node"]["name"] == "Phòng Không Số"
    assert "Phòng Không Số" in contact["message"]
    assert found["left_out_count"] == len(found["left_out"])


def test_what_is_to_mend_is_what_other_pages_count(enter: Enter, publisher: Publisher) -> None:
    catalog = publisher.files.knowledge / "catalog.yml"
    told = catalog.read_text(encoding="utf-8")
    catalog.write_text(
        told + '  - {id: unfilled, name: Phòng Mẫu, phone: "<số điện thoại>"}\n', encoding="utf-8"
    )
    client = enter("editor")

    found = got(client, "/problems")["problems"]

    [offices] = [step for step in client.get("/api/first-run").json()["steps"] if step["id"] == "offices"]
    without = [each["office"] for each in found if each["check"] == "contact" and each["office"]]
    assert without == ["nobody", "unfilled"]
    assert offices["counts"]["without"] == len(without)
    listed = client.get("/api/faq", params={"outdated": True}).json()
    assert [each["entry"] for each in found if each["check"] == "outdated"] == [
        entry["id"] for entry in listed["entries"]
    ]


def test_entries_whose_source_is_over_lead_to_the_entry(enter: Enter, publisher: Publisher) -> None:
    document = publisher.live.index().faq[0].sources[0].document
    [path] = (publisher.files.knowledge / "documents").glob(f"{document}.md")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("---\n", "---\neffective_to: 2026-01-01\n", 1), encoding="utf-8")
    build_index(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())
    client = enter("editor")

    over = [each for each in got(client, "/problems")["problems"] if each["check"] == "outdated"]

    assert {each["entry"] for each in over} == {
        entry["id"] for entry in client.get("/api/faq", params={"outdated": True}).json()["entries"]
    }
    assert over[0]["about"] == publisher.live.index().faq[0].question


def test_a_new_version_of_the_index_is_read_anew(enter: Enter, publisher: Publisher) -> None:
    client = enter("advisor")
    assert got(client, "/nodes", text="Phòng Không Số")["count"] == 1
    catalog = publisher.files.knowledge / "catalog.yml"
    told = catalog.read_text(encoding="utf-8")
    catalog.write_text(told.replace("Phòng Không Số", "Phòng Mới"), encoding="utf-8")
    build_index(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())

    assert got(client, "/nodes", text="Phòng Không Số")["count"] == 0
    assert got(client, "/nodes", text="phong moi")["count"] == 1


def test_a_graph_that_cannot_be_opened_is_told(enter: Enter, publisher: Publisher) -> None:
    version = publisher.live.folder / "versions" / publisher.live.version
    (version / "graph" / "graph.lbug").write_bytes(b"damaged")
    client = enter("advisor")

    assert "damaged" in got(client, "")["fault"]
    refused = client.get("/api/graph/nodes")
    assert (refused.status_code, refused.json()["error"]) == (404, "no_graph")
