"""The agent of UMentor, step by step, against a scripted server."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from chat_model import Says, Sent, scripted_model
from embedder_stand_in import EmbedderStandIn
from model_access import access_to

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.format import Index
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline
from rag.types import DecisionKind, Question, Reply

SCHOOL = Path(__file__).parents[2] / "small_school"
ASKED = "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?"
OTHER = "Cổng ký túc xá đóng lúc mấy giờ?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("react") / "index"
    build_index(SCHOOL, out, EmbedderStandIn())
    return open_index(out, EmbedderStandIn())


def answered(index: Index, folder: Path, script: list[Says]) -> tuple[Reply, list[Sent]]:
    with scripted_model(script) as server:
        model = access_to(server, folder)
        pipeline = load_pipeline("umentor")
        engine = Engine(index, pipeline, EmbedderStandIn(), lambda: date(2026, 11, 1), Chosen(), model=model)
        return engine.reply(Question(ASKED)), server.sent


def search(query: str) -> Says:
    return Says(calls=[("search_passages", json.dumps({"query": query}))], finish="tool_calls")


def last(body: Sent) -> str:
    return str(body["messages"][-1]["content"])


GIVEN = "Sinh viên bị cảnh báo học vụ ba lần liên tiếp thì bị buộc thôi học [{}]."


def number_of(body: Sent, words: str) -> int:
    """Return the number of the passage with certain words, over all messages of a request."""
    text = "\n".join(str(message["content"]) for message in body["messages"])
    before = text[: text.index(words)]
    return int(before.rpartition("Đoạn [")[2].partition("]")[0])


def test_when_the_passages_suffice_it_answers_at_once(index: Index, tmp_path: Path) -> None:
    reply, sent = answered(index, tmp_path, [Says(GIVEN.format(1)), Says(status=500)])

    assert len(sent) == 1
    (tool,) = sent[0]["tools"]
    assert tool["function"]["name"] == "search_passages"
    assert tool["function"]["strict"] is True
    assert tool["function"]["parameters"]["additionalProperties"] is False
    assert reply.decision.kind is DecisionKind.ANSWER


def test_what_a_tool_finds_can_be_cited(index: Index, tmp_path: Path) -> None:
    numbers: list[int] = []

    def script(body: Sent) -> Says:
        if len(body["messages"]) == 2:
            return search(OTHER)
        numbers.append(number_of(body, "Cổng"))
        return Says(f"Cổng ký túc xá đóng lúc 23 giờ [{numbers[0]}].")

    with scripted_model(script) as server:
        model = access_to(server, tmp_path)
        engine = Engine(
            index,
            load_pipeline("umentor"),
            EmbedderStandIn(),
            lambda: date(2026, 11, 1),
            Chosen(),
            model=model,
        )
        reply = engine.reply(Question(ASKED))

    assert len(server.sent) == 2
    call, observation = server.sent[1]["messages"][2:]
    assert call["tool_calls"][0]["function"]["name"] == "search_passages"
    assert (observation["role"], observation["tool_call_id"]) == ("tool", "call_0")
    assert numbers[0] > 1
    assert [call.purpose for call in reply.trace.model_calls] == ["step 1", "step 2"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("query_graph", '{"query": "x"}'),
        ("delete_all", '{"query": "x"}'),
        ("search_passages", '{"query": "x", "path": "/etc"}'),
        ("search_passages", '{"query": 7}'),
        ("search_passages", '{"query": ""}'),
        ("search_passages", json.dumps({"query": "x" * 301})),
        ("search_passages", "no json"),
    ],
)
def test_other_tools_and_arguments_are_refused(
    index: Index, tmp_path: Path, name: str, arguments: str
) -> None:
    script = [Says(calls=[(name, arguments)], finish="tool_calls"), Says("KHÔNG CÓ")]
    _, sent = answered(index, tmp_path, script)

    assert last(sent[1]) == "Không có công cụ hay tham số ấy."


def test_the_same_search_is_made_once(index: Index, tmp_path: Path) -> None:
    _, sent = answered(index, tmp_path, [search(OTHER), search(OTHER), Says("KHÔNG CÓ")])

    assert last(sent[2]) == "Đã tìm câu này rồi."


def test_after_its_steps_it_must_answer(index: Index, tmp_path: Path) -> None:
    _, sent = answered(index, tmp_path, [search(f"{OTHER} {n}") for n in range(3)] + [Says(GIVEN.format(1))])

    assert len(sent) == 4
    assert ["tools" in body for body in sent] == [True, True, True, False]


def test_an_agent_that_only_searches_leaves_the_reply_without_a_model(index: Index, tmp_path: Path) -> None:
    reply, sent = answered(index, tmp_path, [search(f"{OTHER} {n}") for n in range(4)])
    engine = Engine(index, load_pipeline("umentor"), EmbedderStandIn(), lambda: date(2026, 11, 1), Chosen())
    without = engine.reply(Question(ASKED))

    assert len(sent) == 4
    assert (reply.decision, reply.text) == (without.decision, without.text)


def test_its_steps_are_never_shown(index: Index, tmp_path: Path) -> None:
    thinking = Says(
        "Suy nghĩ: cần tìm thêm.", calls=[("search_passages", '{"query": "x"}')], finish="tool_calls"
    )
    reply, _ = answered(index, tmp_path, [thinking, Says(GIVEN.format(1))])

    assert "Suy nghĩ" not in reply.text
