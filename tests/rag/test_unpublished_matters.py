"""Questions about things of the campus and fields of study that the school has nothing of."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import DecisionKind, Matter, Question, Reason

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("unpublished")
    embedder = load_embedder()
    build_index(SMALL_SCHOOL, folder / "index", embedder)
    return Engine.open(folder / "index", embedder=embedder, today=lambda: date(2026, 11, 1))


@pytest.mark.parametrize(
    "text",
    [
        "hồ bơi của trường mở cửa mấy giờ",
        "trường mình có hồ bơi không, mở cửa mấy giờ ạ",
        "truong co ho boi ko? gia ve bao nhieu?",
    ],
)
def test_a_message_about_it_gets_one_refusal(engine: Engine, text: str) -> None:
    reply = engine.reply(Question(text))

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    assert reply.decision.reasons == (Reason.NOT_PUBLISHED,)
    assert reply.parts == ()


def test_another_question_of_the_message_is_answered(engine: Engine) -> None:
    reply = engine.reply(Question("Trường có hồ bơi không? Xin bảng điểm ở đâu?"))

    assert [part.decision.kind for part in reply.parts] == [DecisionKind.NO_ANSWER, DecisionKind.ANSWER]


@pytest.mark.parametrize("text", ["còn báo chí", "con bao chi", "thế tâm lý học thì sao ạ", "tâm lý học?"])
def test_a_field_named_after_a_refusal_is_asked_for_in_its_turn(engine: Engine, text: str) -> None:
    refused = engine.reply(Question("trường mình có ngành điều dưỡng không"))

    reply = engine.reply(Question(text, history=(Matter(refused.resolved, None),)))

    assert refused.decision.reasons == reply.decision.reasons == (Reason.NOT_TAUGHT,)


def test_what_is_named_after_a_refusal_need_not_be_a_field(engine: Engine) -> None:
    refused = engine.reply(Question("trường mình có ngành điều dưỡng không"))

    reply = engine.reply(Question("còn ký túc xá", history=(Matter(refused.resolved, None),)))

    assert reply.decision.reasons != (Reason.NOT_TAUGHT,)
