"""Duplicates of entities are merged by their neighbourhoods, and every merge can be undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from graph_school import GRAPH_SCHOOL, built

from rag.graph.merges import Merged, read_merges, undo_merges, write_merges
from rag.graph.types import Edge, FoundBy, Graph, Node, Provenance, kind_of
from rag.ingest.graph.merging import merge_duplicates
from rag.ingest.graph.schema import school_schema

READ = Provenance(FoundBy.MODEL, "quy-che", "Điều 1")
KNOWN = Provenance(FoundBy.ENTITIES, "entities/people.yml", "Danh bạ")


def node(node_id: str, name: str, place: Provenance = READ, **properties: str) -> Node:
    return Node(node_id, kind_of(node_id), name, place, (name,), properties)


def graph(nodes: list[Node], *edges: tuple[str, str]) -> Graph:
    ends = {end for edge in edges for end in edge} - {each.id for each in nodes}
    others = [node(end, end) for end in sorted(ends)]
    made = [Edge(source, "mentions", target, READ) for source, target in sorted(edges)]
    return Graph(tuple(sorted((*nodes, *others), key=lambda each: each.id)), tuple(made))


def mentioned(entity: str, *clauses: int) -> list[tuple[str, str]]:
    return [(f"Clause:d#Điều {clause}", entity) for clause in clauses]


def merged_pairs(merged: Merged) -> set[tuple[str, str]]:
    return {(merge.kept.id, merge.dropped.id) for merge in merged.merges}


def test_one_entity_under_two_names_is_merged_into_the_one_of_higher_degree() -> None:
    nodes = [node("Office:ctsv", "Phòng CTSV"), node("Office:cong-tac", "Phòng Công tác sinh viên")]
    merged = merge_duplicates(
        graph(nodes, *mentioned("Office:ctsv", 1, 2, 3), *mentioned("Office:cong-tac", 1, 2, 3, 4))
    )

    assert merged_pairs(merged) == {("Office:cong-tac", "Office:ctsv")}
    kept = next(each for each in merged.graph.nodes if each.id == "Office:cong-tac")
    assert kept.names == ("Phòng Công tác sinh viên", "Phòng CTSV")
    assert all(edge.target != "Office:ctsv" for edge in merged.graph.edges)


def test_an_entity_of_the_knowledge_folder_keeps_its_id() -> None:
    nodes = [node("Person:an", "Nguyễn Văn An", KNOWN), node("Person:nguyen-an", "Nguyễn An")]
    merged = merge_duplicates(
        graph(nodes, *mentioned("Person:an", 1, 2, 3), *mentioned("Person:nguyen-an", 1, 2, 3, 4))
    )

    assert merged_pairs(merged) == {("Person:an", "Person:nguyen-an")}
    # A name that a model has read must not become one that answers use.
    assert next(each for each in merged.graph.nodes if each.id == "Person:an").names == ("Nguyễn Văn An",)


def test_what_a_rule_has_read_goes_before_what_a_model_has_read() -> None:
    by_rule = Provenance(FoundBy.RULE, "quy-che", "Điều 1")
    nodes = [node("Deadline:nop", "Hạn nộp", by_rule), node("Deadline:nop-don", "Hạn nộp đơn")]
    merged = merge_duplicates(
        graph(nodes, *mentioned("Deadline:nop", 1, 2, 3), *mentioned("Deadline:nop-don", 1, 2, 3, 4))
    )

    assert merged_pairs(merged) == {("Deadline:nop", "Deadline:nop-don")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (node("Person:an", "Nguyễn Văn An"), node("Office:an", "Nguyễn Văn An")),
        (node("Person:an", "Nguyễn Văn An", KNOWN), node("Person:an-2", "Nguyễn Văn An", KNOWN)),
        (node("Person:an", "Nguyễn Văn An"), node("Person:binh", "Trần Thị Bình")),
        (node("Person:an", "Nguyễn Văn An"), node("Person:anh", "Nguyễn Văn Anh")),
        (node("Course:gt1", "Giải tích 1"), node("Course:gt2", "Giải tích 2")),
        (node("Fee:1", "Lệ phí", amount="20.000"), node("Fee:2", "Lệ phí", amount="30.000")),
    ],
    ids=[
        "other type",
        "both are the folder's",
        "other name",
        "nearly the name",
        "other number",
        "other property",
    ],
)
def test_entities_that_something_tells_apart_stay_two(one: Node, other: Node) -> None:
    edges = [*mentioned(one.id, 1, 2, 3), *mentioned(other.id, 1, 2, 3)]

    assert merge_duplicates(graph([one, other], *edges)).merges == ()


def test_one_clause_in_common_is_too_little() -> None:
    nodes = [node("Office:ctsv", "Phòng CTSV"), node("Office:cong-tac", "Phòng Công tác sinh viên")]

    assert not merge_duplicates(
        graph(nodes, *mentioned("Office:ctsv", 1), *mentioned("Office:cong-tac", 1))
    ).merges


def test_the_threshold_is_56_of_100() -> None:
    nodes = [node("Office:a", "Phòng Đào tạo"), node("Office:b", "Phòng ĐT")]

    def is_merged(shared: int, alone: int) -> bool:
        both = range(shared)
        edges = [*mentioned("Office:a", *both, *range(100, 100 + alone)), *mentioned("Office:b", *both)]
        return bool(merge_duplicates(graph(nodes, *edges)).merges)

    assert is_merged(14, 11)
    assert not is_merged(13, 11)


def test_merging_repeats_until_nothing_merges() -> None:
    # The two offices share two of four neighbours, three of four when the two people are one.
    people = [node("Person:an", "Nguyễn Văn An"), node("Person:nguyen-an", "Nguyễn An")]
    offices = [node("Office:a", "Phòng Đào tạo"), node("Office:b", "Phòng ĐT")]
    edges = [
        *mentioned("Person:an", 7, 8, 9),
        *mentioned("Person:nguyen-an", 7, 8, 9),
        *mentioned("Office:a", 1, 2),
        *mentioned("Office:b", 1, 2),
        ("Person:an", "Office:a"),
        ("Person:nguyen-an", "Office:b"),
    ]
    merged = merge_duplicates(graph([*people, *offices], *edges))

    assert merged_pairs(merged) == {("Person:an", "Person:nguyen-an"), ("Office:a", "Office:b")}


def test_what_an_editor_has_told_apart_stays_two(tmp_path: Path) -> None:
    (tmp_path / "graph.yml").write_text("distinct:\n  - [Office:a, Office:b]\n", encoding="utf-8")
    nodes = [node("Office:a", "Phòng Đào tạo"), node("Office:b", "Phòng ĐT")]
    two = graph(nodes, *mentioned("Office:a", 1, 2), *mentioned("Office:b", 1, 2))

    assert merge_duplicates(two).merges
    assert not merge_duplicates(two, school_schema(tmp_path / "graph.yml", []).distinct).merges


SYLLABLES = """
an anh bac bang bao bich binh canh cat chau chi cuc cuong dai dan dang dat diem dinh dong duc dung duy gia giang hai han
hang hanh hien hieu hoa hoang hong hung huong huy khanh khoa kien lam lan linh loan long mai manh minh nam
"""


def planted(random: Random, entities: int) -> tuple[Graph, set[frozenset[str]]]:
    """Return a graph of entities that clauses mention, and the pairs of nodes that are one entity.

    Every second entity was read under a second name, where a tenth of the clauses name it by one name only. Every
    third has a sibling: another entity of nearly the same clauses.
    """
    nodes: dict[str, Node] = {}
    edges: set[tuple[str, str]] = set()
    pairs: set[frozenset[str]] = set()

    def add(local: str, name: str, clauses: list[int]) -> str:
        identifier = f"Office:{local}"
        nodes[identifier] = node(identifier, name)
        edges.update(mentioned(identifier, *clauses))
        return identifier

    for number in range(entities):
        parts = random.sample(SYLLABLES.split(), 5)
        name = f"Phòng {' '.join(parts)}"
        clauses = random.sample(range(entities * 6), random.randint(8, 16))
        first = add(f"{number}", name, clauses)
        if number % 2 == 0:
            short = random.choice(
                (
                    f"Phòng {''.join(part[0] for part in parts).upper()}",
                    f"Phòng {' '.join(parts[:3])}",
                    name.lower(),
                    f"{name}{name[-1]}",
                )
            )
            seen = [clause for clause in clauses if random.random() > 0.1]
            pairs.add(frozenset((first, add(f"{number}-again", short, seen))))
        if number % 3 == 0:
            sibling = [clause for clause in clauses if random.random() > 0.1]
            add(f"{number}-sibling", f"Phòng {' '.join(random.sample(SYLLABLES.split(), 5))}", sibling)
    return graph(list(nodes.values()), *edges), pairs


@pytest.mark.parametrize("seed", range(3))
def test_planted_duplicates_are_found_and_undo_restores_the_graph(seed: int) -> None:
    before, pairs = planted(Random(seed), 400)
    merged = merge_duplicates(before)
    found = {frozenset(pair) for pair in merged_pairs(merged)}

    assert len(found & pairs) / len(found) >= 0.95
    assert len(found & pairs) / len(pairs) >= 0.95
    assert merged.graph != before
    assert undo_merges(merged) == before


def test_the_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    before, _ = planted(Random(7), 40)
    merged = merge_duplicates(before)
    write_merges(merged.merges, tmp_path / "merges.jsonl")

    read = read_merges(tmp_path / "merges.jsonl")
    assert read == merged.merges
    assert undo_merges(replace(merged, merges=read)) == before


def test_the_graph_of_a_school_without_duplicates_stays_as_it_is(tmp_path: Path) -> None:
    assert built(GRAPH_SCHOOL, tmp_path).merges == ()
