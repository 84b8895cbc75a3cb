"""The manager of URASys, judgement by judgement, against a scripted server."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from chat_model import Says, Sent, scripted_model
from embedder_stand_in import EmbedderStandIn
from model_access import access_to
from other_gates import with_gates

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline
from rag.types import DecisionKind, Question, Reply

SCHOOL = Path(__file__).parents[2] / "small_school"
ASKED = "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?"
GIVEN = "Sinh viên bị cảnh báo học vụ ba lần liên tiếp thì bị buộc thôi học"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("manager") / "index"
    build_index(SCHOOL, out, EmbedderStandIn())
    return open_index(out, EmbedderStandIn())


def engine(index: Index, model: object = None) -> Engine:
    """Return the preset with gates that no entry passes: the manager judges what the two agents find."""
    pipeline = load_pipeline("urasys")
    gate = pipeline.gate("faq").model_copy(update={"similarity": 1.0, "sure": 1.0, "margin": 1.0})
    clarify = pipeline.clarify.model_copy(update={"reading_margin": None})
    pipeline = with_gates(pipeline, {"faq": gate}).model_copy(update={"clarify": clarify})
    return Engine(index, pipeline, EmbedderStandIn(), lambda: date(2026, 11, 1), Chosen(), model=model)  # type: ignore[arg-type]


def managed(index: Index, folder: Path, script: list[Says]) -> tuple[Reply, list[Sent]]:
    with scripted_model(script) as server:
        return engine(index, access_to(server, folder)).reply(Question(ASKED)), server.sent


def judges(action: str, text: str = "", query: str = "", choices: tuple[int, ...] = ()) -> Says:
    return Says(json.dumps({"action": action, "text": text, "query": query, "choices": choices}))


def prompt(body: Sent) -> str:
    return str(body["messages"][1]["content"])


def number_of(body: Sent, words: str) -> int:
    before = prompt(body)[: prompt(body).index(words)]
    return int(before.rpartition("Đoạn [")[2].partition("]")[0])


def test_an_answer_takes_one_call_and_is_verified(index: Index, tmp_path: Path) -> None:
    def script(body: Sent) -> Says:
        return judges("answer", f"{GIVEN} [{number_of(body, GIVEN)}]. Phí là 97.000 đồng [1].")

    with scripted_model(script) as server:
        reply = engine(index, access_to(server, tmp_path)).reply(Question(ASKED))

    assert len(server.sent) == 1
    assert server.sent[0]["response_format"]["json_schema"]["strict"] is True
    assert reply.decision.kind is DecisionKind.ANSWER
    assert GIVEN in reply.text
    assert "97.000" not in reply.text


def test_entries_and_passages_stand_side_by_side(index: Index, tmp_path: Path) -> None:
    _, sent = managed(index, tmp_path, [judges("none")])

    questions = [entry.question for entry in index.faq]
    assert any(question in prompt(sent[0]) for question in questions)
    assert GIVEN in prompt(sent[0])


def test_it_looks_again_in_other_words(index: Index, tmp_path: Path) -> None:
    script = [judges("refine", query="Cổng ký túc xá đóng lúc mấy giờ?"), judges("none")]
    _, sent = managed(index, tmp_path, script)

    assert len(sent) == 2
    assert "Cổng ký túc xá" not in prompt(sent[0])
    assert "ký túc xá" in prompt(sent[1])
    assert ASKED in prompt(sent[1])


def test_it_gives_up_after_its_tries(index: Index, tmp_path: Path) -> None:
    script = [judges("refine", query=f"ký túc xá {n}") for n in range(3)]
    reply, sent = managed(index, tmp_path, script)

    assert len(sent) == 3
    assert reply.text == engine(index).reply(Question(ASKED)).text


def test_the_same_words_again_are_no_try(index: Index, tmp_path: Path) -> None:
    _, sent = managed(index, tmp_path, [judges("refine", query=ASKED)])

    assert len(sent) == 1


def test_it_asks_back_among_what_was_found(index: Index, tmp_path: Path) -> None:
    reply, sent = managed(index, tmp_path, [judges("ask", choices=(1, 2, 99, 2))])

    assert len(sent) == 1
    assert reply.decision.kind is DecisionKind.CLARIFY
    assert len(reply.options) == 2
    assert reply.text == ""
    chosen = engine(index).reply_to_choice(reply.options[0].payload, Question("").profile)
    assert chosen.decision.kind in set(DecisionKind)


@pytest.mark.parametrize(
    "said",
    [
        "no json",
        "[]",
        '{"action": "delete"}',
        '{"action": "ask", "choices": "all"}',
        '{"action": "answer", "text": 7}',
    ],
)
def test_what_the_schema_does_not_allow_changes_nothing(index: Index, tmp_path: Path, said: str) -> None:
    reply, sent = managed(index, tmp_path, [Says(said)])
    without = engine(index).reply(Question(ASKED))

    assert len(sent) == 1
    assert (reply.decision, reply.text, reply.options) == (without.decision, without.text, without.options)
