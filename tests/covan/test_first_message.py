"""What is tried in the console is what the chat would say, by the intents that the school's index has learnt."""

from __future__ import annotations

import pytest
from sample_school import sample_index

from covan.first_message import hear
from rag.engine import Engine
from rag.types import Question
from school.dimensions import Profile


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(sample_index())


@pytest.mark.parametrize(
    ("typed", "intent", "told"),
    [
        ("trả lời vậy mà cũng trả lời, bực mình ghê", "complain", "xin lỗi"),
        ("cho em gặp cố vấn ạ", "ask_advisor", "liên hệ **Trường"),
        ("bạn là ai vậy", "who_are_you", "Covan"),
    ],
)
def test_talk_is_replied_to_as_in_the_chat(engine: Engine, typed: str, intent: str, told: str) -> None:
    heard = hear(engine, typed, {})

    assert (heard.intent, heard.reply) == (intent, None)
    [said] = heard.said
    assert told in said
    assert "{" not in said


def test_a_question_gets_the_reply_of_the_engine(engine: Engine) -> None:
    typed, profile = "học phí ngành của em bao nhiêu một tín chỉ", {"cohort": "50", "major": "cntt"}

    heard = hear(engine, typed, profile)

    alone = engine.reply(Question(typed, profile=Profile(profile)))
    assert heard.reply is not None
    assert (heard.reply.decision, heard.reply.answer_id, heard.reply.text) == (
        alone.decision,
        alone.answer_id,
        alone.text,
    )


def test_a_message_goes_on_with_those_before_it(engine: Engine) -> None:
    alone = hear(engine, "mất bao lâu", {})
    behind = hear(engine, "mất bao lâu", {}, ["xin bảng điểm ở đâu"])

    assert alone.reply is None
    assert behind.reply is not None
    assert "Bảng điểm" in behind.reply.text


def test_what_was_said_before_is_known_from_then_on(engine: Engine) -> None:
    asked = "học phí bao nhiêu một tín chỉ"
    alone = hear(engine, asked, {}).reply
    behind = hear(engine, asked, {}, ["em học cntt khóa 50"]).reply

    assert alone is not None
    assert behind is not None
    assert {"cohort", "major"} & {*alone.decision.missing}
    assert not {"cohort", "major"} & {*behind.decision.missing}
