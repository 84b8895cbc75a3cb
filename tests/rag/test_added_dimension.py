"""A school with dimensions of its own: campuses beside four-digit cohorts, and no programmes."""

from __future__ import annotations

from pathlib import Path

import pytest
from campus_school import campus_engine, write_campus_school

from rag.engine import Engine
from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge
from rag.types import DecisionKind, Question
from school.dimensions import AppliesTo, Profile

LIBRARY = "Thư viện mở cửa lúc mấy giờ?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """The shipped pipeline, with gates for the stand-in of the embedder."""
    return campus_engine(tmp_path_factory.mktemp("campus"))


def test_the_school_has_the_dimensions_of_its_list_in_their_order(engine: Engine) -> None:
    assert engine.catalog.dimension_ids == ("campus", "cohort")
    assert engine.catalog.ids("campus") == ("hoa-an", "trung-tam")
    assert engine.catalog.name("campus", "trung-tam", "en") == "City campus"
    assert engine.catalog.ids("program") == ()


def test_an_entry_applies_by_the_key_or_the_id_of_a_dimension(tmp_path: Path) -> None:
    entries = {entry.id: entry.applies_to for entry in load_knowledge(write_campus_school(tmp_path)).faq}

    assert entries["library-hoa-an"] == AppliesTo({"campus": ("hoa-an",)})
    assert entries["library-trung-tam"] == AppliesTo({"campus": ("trung-tam",)})
    assert entries["english-new"] == AppliesTo({"cohort": ("2024-",)})


def test_what_an_answer_depends_on_is_asked_with_the_values_of_the_dimension(engine: Engine) -> None:
    reply = engine.reply(Question(LIBRARY))

    assert reply.decision.kind is DecisionKind.CLARIFY
    assert reply.decision.missing == ("campus",)
    assert [(option.title, dict(option.payload)) for option in reply.options] == [
        ("Khu Hòa An", {"campus": "hoa-an"}),
        ("Khu Trung Tâm", {"campus": "trung-tam"}),
    ]


@pytest.mark.parametrize(
    ("campus", "entry"), [("hoa-an", "library-hoa-an"), ("trung-tam", "library-trung-tam")]
)
def test_with_the_value_it_is_answered(engine: Engine, campus: str, entry: str) -> None:
    reply = engine.reply(Question(LIBRARY, profile=Profile({"campus": campus})))

    assert reply.answer_id == entry
    assert reply.depends_on == ("campus",)


def test_a_value_in_the_question_is_found_by_the_names_and_cues_of_the_catalogue(engine: Engine) -> None:
    reply = engine.reply(Question("Thư viện ở khu Hòa An mở cửa lúc mấy giờ?"))

    assert reply.answer_id == "library-hoa-an"


@pytest.mark.parametrize(
    ("said", "value"), [("hòa an", "hoa-an"), ("cơ sở Trung Tâm ạ", "trung-tam"), ("x", None)]
)
def test_a_bare_reply_names_a_value_of_the_dimension_that_was_asked_for(
    engine: Engine, said: str, value: str | None
) -> None:
    assert engine.named_value("campus", said) == value


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Khóa 2023 cần chứng chỉ tiếng Anh gì để tốt nghiệp?", "english-old"),
        ("k2024 cần chứng chỉ tiếng Anh gì để tốt nghiệp?", "english-new"),
    ],
)
def test_cohorts_of_four_digits(engine: Engine, text: str, entry: str) -> None:
    assert engine.reply(Question(text)).answer_id == entry


def test_cohorts_are_offered_from_the_last(engine: Engine) -> None:
    reply = engine.reply(Question("Cần chứng chỉ tiếng Anh gì để tốt nghiệp?"))

    assert [option.payload for option in reply.options] == [
        {"cohort": str(year)} for year in (2025, 2024, 2023)
    ]


@pytest.mark.parametrize(
    ("old", "new", "file", "expected"),
    [
        ("{campuses: [hoa-an]}", "{campusses: [hoa-an]}", "faq/faq.yml", "did you mean 'campuses'?"),
        ("{campuses: [hoa-an]}", "{campuses: [hoa-a]}", "faq/faq.yml", "'hoa-a'; did you mean 'hoa-an'?"),
        ("{campuses: [hoa-an]}", "{programs: [clc]}", "faq/faq.yml", "'programs'"),
        ("- id: campus\n", "- id: topic\n", "catalog.yml", "'topic'"),
        ("    name: cơ sở\n", "", "catalog.yml", "cohort, program, major"),
        ("key: campuses", "key: cohorts", "catalog.yml", "'cohorts'"),
        ("id: hoa-an,", "id: 1-2,", "catalog.yml", "'1-2'"),
        ("cohorts:\n", "programs: []\ncohorts:\n", "catalog.yml", "'programs'"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(
    tmp_path: Path, old: str, new: str, file: str, expected: str
) -> None:
    folder = write_campus_school(tmp_path)
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")

    with pytest.raises(KnowledgeError) as caught:
        load_knowledge(folder)

    told = [str(problem) for problem in caught.value.problems if problem.file == file and problem.line]
    assert any(expected in problem for problem in told), told
