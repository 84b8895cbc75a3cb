"""A complaint is no request to change the profile, and a protest no farewell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from talk import Talk, names
from turns import MakeTracker, Respond

from actions.follow_up_resolution import ResolvedQuestion
from actions.response_builder import build_response
from actions.turn import Turn
from rag.engine import Engine
from rag.types import Question
from school.dimensions import Profile

TRANSCRIPT = "Xin bảng điểm ở đâu?"


@pytest.mark.parametrize(
    "text",
    [
        "tôi chuyển khoản từ thứ 2 tuần trước, vẫn chưa cập nhật",
        "em đóng tiền rồi mà cổng chưa cập nhật",
        "điểm của em vẫn chưa sửa trên hệ thống",
        "em nộp hồ sơ rồi sao không thấy cập nhật",
        "thông tin học phí của em bị sai cần sửa lại",
        "i paid last week and it is still not updated",
    ],
)
def test_what_was_not_updated_elsewhere_is_not_the_profile(respond: Respond, text: str) -> None:
    said = respond("action_answer", text, "change_profile")["responses"]

    assert "utter_change_profile" not in names(said)


@pytest.mark.parametrize(
    "text",
    [
        "sửa lại thông tin của em",
        "đổi khóa",
        "cập nhật lại ngành giúp mình",
        "sửa lại giúp em với",
        "mình muốn sửa thông tin mà bạn đang nhớ",
        "thông tin bạn lưu bị sai rồi cập nhật giúp",
        "hồ sơ của em cần sửa",
        "i want to update my information",
    ],
)
def test_a_request_that_names_the_profile_or_nothing_else_is_one(respond: Respond, text: str) -> None:
    said = respond("action_answer", text, "change_profile")["responses"]

    assert names(said) == ["utter_change_profile"]


@pytest.mark.parametrize(
    "text",
    ["em chưa dùng mà", "em không có mang theo điện thoại", "đâu có, em nộp rồi mà", "no i already paid"],
)
def test_a_protest_behind_an_answer_goes_on_with_it(respond: Respond, text: str) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT)

    assert "utter_deny" not in names(talk.say(text, "deny"))


@pytest.mark.parametrize(
    "text",
    [
        "không",
        "không cần đâu",
        "thôi khỏi ạ",
        "không phải",
        "em không thích",
        "chưa rõ lắm",
        "no thanks",
        "k ạ",
    ],
)
def test_a_plain_no_is_one(respond: Respond, text: str) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT)

    assert names(talk.say(text, "deny")) in (["utter_deny"], ["utter_thank"])


def test_a_no_without_an_answer_before_is_one(respond: Respond) -> None:
    assert names(Talk(respond).say("em chưa dùng mà", "deny")) == ["utter_deny"]


@pytest.mark.parametrize("intent", ["who_are_you", "follow_up", "nlu_fallback", "ask_study"])
def test_what_the_bot_can_do_is_asked_within_a_conversation_too(respond: Respond, intent: str) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT)

    assert names(talk.say("m giúp đc gì cho t", intent)) == ["utter_who_are_you"]


def test_whom_an_answer_leaves_out_is_said_once_in_a_conversation(
    make_tracker: MakeTracker, engine: Engine
) -> None:
    reply = replace(engine.reply(Question(TRANSCRIPT, profile=Profile())), left_out={"program": ("clc",)})

    def respond(**slots: object) -> tuple[list[str], dict[str, object]]:
        turn = Turn.from_tracker(make_tracker(TRANSCRIPT, **slots), engine)
        said = build_response(turn, ResolvedQuestion(TRANSCRIPT), reply)
        return names(list(said.messages)), dict(said.changes)

    first, slots = respond()
    second, _ = respond(last_turn=slots["last_turn"])

    assert first == ["utter_answer", "utter_left_out"]
    assert second == ["utter_answer"]


def test_the_words_of_an_entry_are_a_question_whatever_they_are_taken_for(respond: Respond) -> None:
    assert names(respond("action_answer", TRANSCRIPT, "complain")["responses"]) == ["utter_answer"]
    assert names(respond("action_answer", "ad ơi xin bang diem o dau a", "abuse")["responses"]) == [
        "utter_answer"
    ]
