"""What a language model has written for retrieval helps to find answers and reaches none of them.

Every generated text has a word that nothing else in the schools has.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from generated_by_hand import keep_generated
from graph_school import GRAPH_SCHOOL

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.graph.checks import check_graph
from rag.graph.store import GraphStore
from rag.graph.types import FoundBy
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.ingest.document_texts import passages_of
from rag.ingest.graph.statements import Statement
from rag.ingest.load import load_knowledge
from rag.pipeline import load_pipeline
from rag.retrieve.graph import GraphRetriever
from rag.retrieve.graph_expansion import GraphExpansion
from rag.retrieve.graph_tool import GraphTool
from rag.types import DecisionKind, Matter, Question, Reply
from school.dimensions import Profile

TODAY = date(2026, 11, 20)
MARK = "zuxu"
PRESETS = ("covan", "covan-graph", "urag", "urasys", "chatcvht", "catrag")


def said(reply: Reply) -> str:
    """Return all that a student may see of a reply, and all that the next turn goes on with."""
    shown = replace(reply, trace=replace(reply.trace, normalized=""), question="", resolved="", parts=())
    return "\n".join([repr(shown), *map(said, reply.parts)]).lower()


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, list[str]]:
    """Return the small school with a marked wording for each entry and a marked question for each passage."""
    folder = tmp_path_factory.mktemp("generated")
    school, out = (
        Path(shutil.copytree(Path(__file__).parents[1] / "small_school", folder / "school")),
        folder / "out",
    )
    knowledge = load_knowledge(school)
    wordings = {entry.id: [f"{entry.question[:-1]} {MARK}"] for entry in knowledge.faq}
    questions = {p.id: [f"{' '.join(p.text.split()[:6])} {MARK} là gì?"] for p in passages_of(knowledge)}
    keep_generated(school, out, wordings=wordings, questions=questions)
    build_index(school, out, EmbedderStandIn())
    texts = [text for some in (*wordings.values(), *questions.values()) for text in some]
    return open_index(out, EmbedderStandIn()), texts


def test_the_index_searches_them(marked: tuple[Index, list[str]]) -> None:
    index, _ = marked

    assert set(index.question_rows) == set(range(len(index.passages)))
    assert all(MARK in index.faq_texts[place] for place in index.faq_generated)
    asked = {index.faq[row].family for place in index.faq_generated for row in index.faq_rows[place]}
    assert asked == {entry.family for entry in index.faq}


@pytest.mark.parametrize("preset", PRESETS)
def test_no_reply_has_one(marked: tuple[Index, list[str]], preset: str) -> None:
    index, texts = marked
    engine = Engine(index, load_pipeline(preset), EmbedderStandIn(), lambda: TODAY, Chosen())
    kinds = set()
    for text in texts:
        # The mark is left out of the question: a reply may repeat a student's own words.
        own = text.replace(f" {MARK}", "")
        for profile in (Profile({}), Profile({"cohort": "49", "program": "clc"})):
            reply = engine.reply(Question(own, profile=profile, history=(Matter("Xin bảng điểm ở đâu?"),)))
            kinds.add(reply.decision.kind)
            assert MARK not in said(reply), own

    assert DecisionKind.ANSWER in kinds


FORM = f"đơn {MARK}"
STATED = f"Ngô Hoài Thương ký {FORM} và đơn xin chuyển ngành sau môn Triết học và Hệ điều hành"
KNOWN_FORM, NEW_FORM = "Form:form-chuyen-nganh", f"Form:don-{MARK}"
SIGNER = "Person:ngo-hoai-thuong"


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Return a school with relations that a model has read: of a known form, a new one, courses and an issuer."""
    folder = tmp_path_factory.mktemp("read")
    school, out = Path(shutil.copytree(GRAPH_SCHOOL, folder / "school")), folder / "out"
    document = school / "documents" / "quy-che-2025.md"
    text = document.read_text(encoding="utf-8")
    document.write_text(text.replace("2. Sinh viên nộp đơn", f"2. {STATED}; nộp đơn"), encoding="utf-8")
    (clause,) = (passage.id for passage in passages_of(load_knowledge(school)) if MARK in passage.text)
    stated = [
        Statement("signed_by", "Ngô Hoài Thương", STATED, "đơn xin chuyển ngành", "Form", "Person"),
        Statement("signed_by", "Ngô Hoài Thương", STATED, FORM, "Form", "Person"),
        Statement("prerequisite_of", "Hệ điều hành", STATED, "Triết học", "Course", "Course"),
        Statement("issued_by", FORM, STATED, "", "document"),
    ]
    keep_generated(school, out, relations={clause: stated})
    build_index(school, out, EmbedderStandIn())
    index = open_index(out, EmbedderStandIn())
    yield index
    assert index.store is not None
    index.store.close()


def opened(index: Index) -> GraphStore:
    assert index.store is not None
    return index.store


def test_the_graph_holds_them_as_read_by_a_model(read: Index) -> None:
    edges = {
        (edge.source, edge.relation, edge.target)
        for edge in opened(read).edges()
        if edge.provenance.found_by is FoundBy.MODEL
    }

    assert edges >= {
        (KNOWN_FORM, "signed_by", SIGNER),
        (NEW_FORM, "signed_by", SIGNER),
        ("Course:ML101", "prerequisite_of", "Course:CT204"),
    }
    assert NEW_FORM in {target for _, relation, target in edges if relation == "mentions"}


def test_a_document_gets_no_property_from_a_model(read: Index) -> None:
    (document,) = opened(read).run("node", id="Document:quy-che-2025")

    assert MARK not in str(document.node.properties)


@pytest.mark.parametrize("preset", ["covan-graph", "umentor"])
@pytest.mark.parametrize(
    ("text", "read_only"),
    [
        ("ai ký đơn xin chuyển ngành", "Thương"),
        (f"ai ký {FORM}", "Thương"),
        ("môn nào phải học trước hệ điều hành", "Triết học"),
        ("cô Ngô Hoài Thương ký những giấy gì", "huyển ngành"),
    ],
)
def test_no_answer_of_the_graph_rests_on_them(read: Index, preset: str, text: str, read_only: str) -> None:
    engine = Engine(read, load_pipeline(preset), EmbedderStandIn(), lambda: TODAY, Chosen())

    reply = engine.reply(Question(text))

    assert reply.source != "graph" or read_only not in reply.text


def test_the_stated_part_is_told_as_before(read: Index) -> None:
    engine = Engine(read, load_pipeline("covan-graph"), EmbedderStandIn(), lambda: TODAY, Chosen())

    reply = engine.reply(Question("môn nào phải học trước hệ điều hành"))

    assert reply.source == "graph"
    assert "Kỹ thuật lập trình (CT103)" in reply.text


def test_the_whole_graph_would_tell_them(read: Index) -> None:
    """So the tests above can fail."""
    understood = GraphRetriever(opened(read)).understand(["ai ký đơn xin chuyển ngành"], {}, TODAY)

    assert understood is not None
    assert [row.node.id for row in understood.findings[0].rows[KNOWN_FORM]] == [SIGNER]


def test_they_lead_retrieval_to_their_passage(read: Index) -> None:
    (passage,) = (each.id for each in read.passages if MARK in each.text)

    assert GraphExpansion(opened(read)).passages(f"cho em hỏi về {FORM}", 0, TODAY) == {passage: 1.0}


def test_an_agent_is_not_told_them(read: Index) -> None:
    tool = GraphTool(opened(read))

    def told(operation: str, entity: str, relation: str | None = None) -> dict[str, object]:
        wanted = {"operation": operation, "entity": entity, "relation": relation, "direction": None}
        return tool.query_graph(wanted, TODAY)

    assert "Thương" not in str(told("relations", KNOWN_FORM))
    assert "ML101" not in str(told("chain", "Course:CT204", "prerequisite_of"))
    assert told("find", NEW_FORM) == {"entities": []}


def test_an_editor_is_not_sent_to_mend_them(read: Index) -> None:
    problems = check_graph(opened(read), read.faq, TODAY)

    assert MARK not in str(problems)
