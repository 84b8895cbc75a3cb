"""The graph of a folder: nodes and edges with the places they rest on; what does not fit is reported, not stored."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from graph_school import GRAPH_SCHOOL, built

from rag.errors import KnowledgeError
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance
from rag.ingest.graph.build import BuiltGraph
from rag.ingest.graph.building import At, GraphBuilder
from rag.ingest.graph.from_documents import StatementLinker
from rag.ingest.graph.schema import base_schema
from rag.ingest.graph.statements import Statement
from rag.types import Passage


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> BuiltGraph:
    return built(GRAPH_SCHOOL, tmp_path_factory.mktemp("graph"))


@pytest.fixture
def school(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GRAPH_SCHOOL, tmp_path / "school"))


def node(graph: Graph, wanted: str) -> Node:
    return next(each for each in graph.nodes if each.id == wanted)


def edges(graph: Graph, relation: str) -> dict[tuple[str, str], Edge]:
    return {(e.source, e.target): e for e in graph.edges if e.relation == relation}


def reports(graph: BuiltGraph) -> str:
    return "\n".join(map(str, graph.reports))


def test_an_office_has_the_contact_of_the_catalogue(graph: BuiltGraph) -> None:
    office = node(graph.graph, "Office:phong-ctsv")

    assert office.properties["phone"] == "0200 102"
    assert office.provenance.found_by is FoundBy.CATALOG
    assert "ctsv" in office.names


def test_a_course_cites_its_row(graph: BuiltGraph) -> None:
    course = node(graph.graph, "Course:CT201")
    before = edges(graph.graph, "prerequisite_of")["Course:CT103", "Course:CT201"]

    assert course.properties["credits"] == 4
    assert before.provenance.document == "courses/cntt"
    assert before.provenance.locator == "dòng: CT201"
    assert before.provenance.effective_from == date(2025, 9, 1)
    assert [table.title for table in graph.graph.tables if table.id == "courses/cntt"] == [
        "Kế hoạch học tập ngành Công nghệ thông tin"
    ]


def test_a_course_without_majors_is_for_all_of_them(graph: BuiltGraph) -> None:
    ends = {target for source, target in edges(graph.graph, "belongs_to") if source == "Course:ML101"}

    assert ends == {"Major:cntt", "Major:ketoan"}


def test_an_entity_cites_its_document(graph: BuiltGraph) -> None:
    signed = edges(graph.graph, "signed_by")["Form:form-xac-nhan", "Person:tran-minh-que"]

    assert (signed.provenance.document, signed.provenance.locator) == ("quy-che-2025", "Điều 2, khoản 1")


def test_an_office_stands_in_the_building_of_its_location(graph: BuiltGraph) -> None:
    assert ("Office:phong-dao-tao", "Building:nha-a1") in edges(graph.graph, "located_in")


def test_a_document_applies_to_the_students_of_its_front_matter(graph: BuiltGraph) -> None:
    ends = {t for s, t in edges(graph.graph, "applies_to") if s == "Document:chuan-clc"}

    assert ends == {"Cohort:47", "Program:clc"}


def test_a_replaced_document_ends(graph: BuiltGraph) -> None:
    old = node(graph.graph, "Document:quy-che-2021")

    assert ("Document:quy-che-2025", "Document:quy-che-2021") in edges(graph.graph, "supersedes")
    assert old.provenance.effective_to == date(2025, 8, 31)


def test_clauses_lead_to_what_they_refer_to(graph: BuiltGraph) -> None:
    refers = edges(graph.graph, "refers_to")

    assert ("Clause:quy-che-2025#Điều 2", "Clause:quy-che-2025#Điều 1") in refers
    # Of two documents of the name, the one in force.
    assert ("Clause:chuan-clc#Điều 1", "Clause:quy-che-2025#Điều 1") in refers


def test_a_unit_is_responsible_for_a_clause(graph: BuiltGraph) -> None:
    found = edges(graph.graph, "responsible_for")

    edge = found["Office:phong-ctsv", "Clause:quy-che-2025#Điều 2"]
    assert edge.provenance.found_by is FoundBy.RULE
    assert edge.provenance.passage.startswith("quy-che-2025#")


def test_amounts_and_days_of_a_clause_are_nodes(graph: BuiltGraph) -> None:
    amounts = [n.properties["amount"] for n in graph.graph.nodes if n.type == "Fee"]
    days = [n.properties["date"] for n in graph.graph.nodes if n.type == "Deadline"]

    assert "5.000 đồng" in amounts
    assert days.count("2027-06-30") == 2


def test_a_reference_to_nothing_is_reported(graph: BuiltGraph) -> None:
    assert "Quy chế học bổng toàn phần" in reports(graph)


def test_what_does_not_fit_the_schema_is_reported_and_not_stored(school: Path, tmp_path: Path) -> None:
    (school / "entities" / "wrong.yml").write_text(
        "- {type: Person, id: x, name: X, salary: 10, taught_by: [le-van-khanh]}\n"
        "- {type: Dragon, id: y, name: Y}\n"
        "- {type: Person, id: z, name: Z, belongs_to: [nowhere]}\n",
        encoding="utf-8",
    )

    graph = built(school, tmp_path / "out")

    said = reports(graph)
    assert "'salary' is neither a property of Person" in said
    assert "the relation 'taught_by' must not have 'Person:x' there" in said
    assert "there is no type 'Dragon'" in said
    assert "there is no 'nowhere'" in said
    assert "entities/wrong.yml:3" in said
    assert not [n for n in graph.graph.nodes if n.type == "Dragon"]


def test_a_school_extends_the_schema_without_code(school: Path, tmp_path: Path) -> None:
    (school / "graph.yml").write_text(
        "types:\n  Club: {properties: {members: number}}\n"
        "relations:\n  member_of: {from: [Person], to: [Club]}\n",
        encoding="utf-8",
    )
    (school / "entities" / "clubs.yml").write_text(
        "- {type: Club, id: guitar, name: Câu lạc bộ Guitar, members: 30}\n"
        "- {type: Person, id: le-van-khanh, member_of: [guitar]}\n",
        encoding="utf-8",
    )

    graph = built(school, tmp_path / "out")

    assert node(graph.graph, "Club:guitar").properties == {"members": 30}
    assert ("Person:le-van-khanh", "Club:guitar") in edges(graph.graph, "member_of")


def test_a_wrong_schema_is_a_problem_of_the_folder(school: Path, tmp_path: Path) -> None:
    (school / "graph.yml").write_text(
        "types:\n  club: {}\nrelations:\n  'x]->()': {from: [Person], to: [Nobody]}\n", encoding="utf-8"
    )

    with pytest.raises(KnowledgeError) as caught:
        built(school, tmp_path / "out")

    assert "'club' cannot be a type" in str(caught.value)
    assert "cannot be a relation" in str(caught.value)


def test_every_bad_row_of_a_course_table_is_told(school: Path, tmp_path: Path) -> None:
    with (school / "courses" / "cntt.csv").open("a", encoding="utf-8") as file:
        file.write("CT900,Thiếu ô\n")
        file.write("CT901,Số lẻ,,,ba,cntt,,1,CT999,,,,,\n")

    knowledge_reports = reports(built(school, tmp_path / "out"))

    assert "'credits' must be a number, not 'ba'" in knowledge_reports
    assert "Course:CT999 prerequisite_of Course:CT901: there is no 'Course:CT999'" in knowledge_reports


def test_a_table_with_a_wrong_column_is_a_problem_of_the_folder(school: Path, tmp_path: Path) -> None:
    (school / "courses" / "b.csv").write_text("code,nam\nA,B\n", encoding="utf-8")

    with pytest.raises(KnowledgeError) as caught:
        built(school, tmp_path / "out")

    assert "courses/b.csv:1: there is no column 'nam'; did you mean 'name'?" in str(caught.value)
    assert "the column 'name' is missing" in str(caught.value)


def test_passages_are_read_once(school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rag.ingest.graph import rules  # noqa: PLC0415

    read: list[str] = []
    extract = rules.RuleExtractor.extract

    def counted(self: rules.RuleExtractor, passage: object) -> object:
        read.append(passage.id)  # type: ignore[attr-defined]
        return extract(self, passage)  # type: ignore[arg-type]

    monkeypatch.setattr(rules.RuleExtractor, "extract", counted)
    first = built(school, tmp_path / "out")
    count = len(read)
    again = built(school, tmp_path / "out")

    assert (len(read), again) == (count, first)
    document = school / "documents" / "quy-che-2021.md"
    document.write_text(
        document.read_text(encoding="utf-8") + "\n### Điều 9. Thêm\n\nMột điều mới.\n", encoding="utf-8"
    )
    built(school, tmp_path / "out")
    assert len(read) == count + 1


def test_a_model_brings_the_entities_that_it_names_and_a_rule_does_not() -> None:
    place = Passage("d#1", "Trung tâm Đổi mới cấp đơn.", "d", "Quy định", "Điều 1")
    said = Statement("mentions", "Trung tâm Đổi mới", "Trung tâm Đổi mới cấp đơn", object_type="Office")
    found = {}
    for found_by in (FoundBy.MODEL, FoundBy.RULE):
        builder = GraphBuilder(base_schema())
        at = At(Provenance(FoundBy.METADATA, "d"), "d")
        builder.add_node("Clause", "d#Điều 1", "Điều 1", at)
        StatementLinker(builder, (), {}).add(place, said, found_by)
        found[found_by] = [edge.target for edge in builder.edges.values()]

    assert found == {FoundBy.MODEL: ["Office:trung-tam-doi-moi"], FoundBy.RULE: []}


def test_a_node_that_is_kept_apart_but_not_there_is_reported(school: Path, tmp_path: Path) -> None:
    (school / "graph.yml").write_text(
        "distinct:\n  - [Office:nowhere, Office:phong-ctsv]\n", encoding="utf-8"
    )

    assert "'distinct' names 'Office:nowhere'" in reports(built(school, tmp_path / "out"))


def test_a_threshold_is_a_node_of_its_clause(school: Path, tmp_path: Path) -> None:
    text = "---\ntitle: Quy định thử\n---\n### Điều 1. Mức\n\n1. Sinh viên tích lũy ít nhất 120 tín chỉ.\n"
    (school / "documents" / "thu.md").write_text(text, encoding="utf-8")
    made = built(school, tmp_path / "out").graph

    threshold = next(each for each in made.nodes if each.type == "Threshold")
    assert dict(threshold.properties) | {"about": ""} == {
        "comparison": ">=",
        "value": 120,
        "unit": "tín chỉ",
        "about": "",
    }
    assert threshold.id in {end for _, end in edges(made, "requires")}
