"""CatRAG with a language model: the category, its subgraph, expansion by entities, one call (arXiv:2510.01800)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from chat_model import Says, scripted_model
from dial_stand_in import DialStandIn
from dialled_school import Asker
from graph_school import GRAPH_SCHOOL
from model_access import access_to
from readings import classified
from worded_documents import passages_sent

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline
from rag.types import DOCUMENT_SOURCE, DecisionKind, Reply
from school.dimensions import Profile

OFFICE = "Phòng Công tác sinh viên"
STUDY = {"study": 0.6, "life": 0.4}

SentFor = Callable[..., list[str]]


def purposes(reply: Reply) -> list[tuple[str, str]]:
    return [(call.purpose, call.outcome) for call in reply.trace.model_calls]


@pytest.mark.parametrize(
    ("topics", "said", "word", "other", "count"),
    [
        (
            {"life": 0.6, "study": 0.4},
            "Hồ bơi số 1 mở cửa lúc 1 giờ sáng cho mọi sinh viên của trường",
            "Hồ bơi",
            "Thư viện",
            5,
        ),
        ({"life": 0.4, "study": 0.6}, "Thư viện mở cửa", "Thư viện", "Hồ bơi", 1),
    ],
)
def test_the_category_decides_which_passages_the_model_sees(
    asker: Asker, tmp_path: Path, topics: dict[str, float], said: str, word: str, other: str, count: int
) -> None:
    """Both documents are equally near; at most the five nearest of the category go along, in one call."""
    with scripted_model([Says(f"{said} [1].")]) as server:
        ask = asker(load_pipeline("catrag"), model=access_to(server, tmp_path / "model"))
        reply = ask({"hồ bơi": 0.7, "thư viện": 0.7}, topics=topics)

    rule = load_pipeline("catrag").generation
    assert rule is not None
    (body,) = server.sent
    sent = passages_sent(body)
    assert len(sent) == count
    assert all(word in text and other not in text for text in sent)
    assert (body["max_tokens"], body["temperature"]) == (rule.max_tokens, 0.0)
    assert not {"tools", "response_format"} & set(body)
    assert purposes(reply) == [("answer", "ok")]
    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, DOCUMENT_SOURCE)
    assert reply.text.startswith(f"{said} [1].")


def test_an_unclassified_question_goes_to_the_nearest_category(asker: Asker, tmp_path: Path) -> None:
    with scripted_model([Says("KHÔNG CÓ")]) as server:
        ask = asker(load_pipeline("catrag"), model=access_to(server, tmp_path / "model"))
        ask({"hồ bơi": 0.5, "thư viện": 0.7})

    assert [text for text in passages_sent(server.sent[0]) if "Hồ bơi" in text] == []
    assert len(server.sent) == 1


@pytest.mark.parametrize("says", [Says("KHÔNG CÓ"), Says("Hồ bơi mở cửa lúc 97 giờ [1]."), Says(status=500)])
def test_where_the_model_does_not_answer_the_extract_of_the_category_does(
    asker: Asker, tmp_path: Path, says: Says
) -> None:
    with scripted_model([says]) as server:
        ask = asker(load_pipeline("catrag"), model=access_to(server, tmp_path / "model"))
        reply = ask({"hồ bơi": 0.7}, topics={"life": 0.6, "study": 0.4})

    assert len(server.sent) == 1
    assert reply.decision.kind is DecisionKind.ANSWER
    assert {citation.document_id for citation in reply.citations} == {"ho-boi"}
    assert len(reply.citations) == 5


def test_nothing_declines_so_the_model_never_answers_alone(asker: Asker, tmp_path: Path) -> None:
    with scripted_model([Says("KHÔNG CÓ")]) as server:
        model = access_to(server, tmp_path / "model", fallback=True)
        reply = asker(load_pipeline("catrag"), model=model)({})

    assert purposes(reply) == [("answer", "ok")]
    assert reply.source == DOCUMENT_SOURCE


CLAUSE, OTHER, OUTSIDE = "cấp giấy xác nhận", "đăng ký từ 14", "hội thao"
"""Words of the clause that names the office, of one that does not, and of one in another category that names it."""


@pytest.fixture
def sent_for(tmp_path: Path) -> SentFor:
    """Ask the school with a graph what its office does, at a cosine of each passage; return what the model is sent."""
    school = Path(shutil.copytree(GRAPH_SCHOOL, tmp_path / "school"))
    topics = school / "topics.yml"
    topics.write_text(
        f"{topics.read_text(encoding='utf-8')}- {{id: life, name: Đời sống}}\n", encoding="utf-8"
    )
    rules = school / "documents" / "quy-che-2025.md"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("---\ntitle", "---\ntopic: study\ntitle", 1), encoding="utf-8")
    (school / "documents" / "hoi-thao.md").write_text(
        f"---\ntitle: Thể thao\ntopic: life\n---\n### Điều 1. Thể thao\n\n1. {OFFICE} tổ chức hội thao.\n",
        encoding="utf-8",
    )
    embedder = DialStandIn(CLAUSE, OTHER, OUTSIDE)
    build_index(school, tmp_path / "index", embedder)
    index = open_index(tmp_path / "index", embedder)

    def make(
        cosines: dict[str, float], topics: dict[str, float], asked: str = f"{OFFICE} làm gì?"
    ) -> list[str]:
        with scripted_model([Says("KHÔNG CÓ")]) as server:
            model = access_to(server, tmp_path / "model")
            today = date(2026, 11, 20)
            engine = Engine(index, load_pipeline("catrag"), embedder, lambda: today, Chosen(), model=model)
            embedder.dial(cosines)
            engine.reply(replace(classified(engine, asked, topics), profile=Profile({"cohort": "51"})))
        (body,) = server.sent
        return passages_sent(body)

    return make


@pytest.mark.parametrize(("lead", "first"), [(0.009, CLAUSE), (0.011, OTHER)])
def test_the_clauses_of_the_entity_count_more_by_their_weight(
    sent_for: SentFor, lead: float, first: str
) -> None:
    sent = sent_for({CLAUSE: 0.6, OTHER: 0.6 + lead}, STUDY)

    assert first in sent[0]


def test_without_an_entity_the_vectors_alone_decide(sent_for: SentFor) -> None:
    sent = sent_for({CLAUSE: 0.6, OTHER: 0.605}, STUDY, "chuyện này làm sao?")

    assert OTHER in sent[0]


def test_what_names_the_entity_in_another_category_stays_outside(sent_for: SentFor) -> None:
    cosines = {CLAUSE: 0.4, OTHER: 0.3, OUTSIDE: 0.8}

    assert [text for text in sent_for(cosines, STUDY) if OUTSIDE in text] == []
    (only,) = sent_for(cosines, {"life": 0.6, "study": 0.4})
    assert OUTSIDE in only
