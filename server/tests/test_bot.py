"""Cleaning of typed text for Rasa, and the replies of a turn."""

import asyncio
from types import SimpleNamespace

import pytest
from rasa.core.actions.action import create_bot_utterance

from server.bot import Bot, Collected, TypedText


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("  Học phí?  ", TypedText("Học phí?")),
        ("", TypedText("")),
        ("   \n ", TypedText("")),
        ("\x00\x00", TypedText("")),
        ("\ud800", TypedText("")),
        ("\u200b\u202e", TypedText("")),
        ("😀😀", TypedText("😀😀")),
        ("x" * 2000, TypedText("x" * 2000)),
        ("x" * 2001, TypedText("", too_long=True)),
        ("x" * 100_000, TypedText("", too_long=True)),
        ("\ufdfa" * 1000, TypedText("", too_long=True)),
        ("/restart", TypedText("restart")),
        ("／restart", TypedText("restart")),
        ("\u200b/restart", TypedText("restart")),
        (" //  /inform{}", TypedText("inform")),
        ('/inform{"cohort": "47"}', TypedText("inform")),
        ('／inform {"cohort":\n"47"', TypedText("inform")),
        ('/{"cohort": "47"}', TypedText("")),
        ('/inform@0.9{"cohort": "47"}', TypedText("inform")),
        ('/a{"b": "c"}/inform{"cohort": "47"}', TypedText("a")),
        ('inform{"cohort": "47"}', TypedText('inform{"cohort": "47"}')),
        ("/xoa hết giúp em", TypedText("xoa hết giúp em")),
        ("///", TypedText("")),
    ],
)
def test_typed_text_is_only_ever_text(text, typed):
    assert TypedText.of(text) == typed


@pytest.mark.parametrize(
    ("text", "parsed", "intent"),
    [
        ("xóa dữ liệu của em", {"name": "forget_profile", "confidence": 0.9}, "forget_profile"),
        ("xóa dữ liệu của em", {"name": "forget_profile", "confidence": 0.5}, ""),
        ("xóa dữ liệu của em", {"name": None, "confidence": 0.0}, ""),
        ("///", {"name": "forget_profile", "confidence": 0.9}, ""),
        ("x" * 100_000, {"name": "forget_profile", "confidence": 0.9}, ""),
    ],
)
def test_an_intent_is_told_when_it_is_certain(text, parsed, intent):
    read = []

    async def parse_message(said):
        read.append(said)
        return {"intent": parsed}

    agent = SimpleNamespace(is_ready=lambda: True, parse_message=parse_message)
    bot = Bot(SimpleNamespace(ctx=SimpleNamespace(agent=agent)))

    assert asyncio.run(bot.intent(text)) == intent
    assert read == ([text] if text.startswith("xóa") else [])


def test_text_sources_and_buttons_of_a_message_stay_together():
    output = Collected("web")
    advisor = {"title": "Gặp cán bộ", "payload": "/ask_advisor"}
    topic = {"title": "Học phí", "payload": '/inform{"topic": "tuition"}'}
    message = {
        "text": "Một.\n\nHai.",
        "custom": {"type": "answer"},
        "buttons": [advisor, topic],
        "image": None,
    }
    asyncio.run(output.send_response("student", message))

    assert output.messages == [
        {
            "recipient_id": "student",
            "text": "Một.\n\nHai.",
            "buttons": [topic, advisor],
            "custom": {"type": "answer"},
        }
    ]


def test_the_way_out_of_a_choice_comes_after_what_can_be_chosen():
    output = Collected("web")
    none = {"title": "Không phải", "payload": '/inform{"choice": "none"}'}
    clause = {"title": "Điều 3", "payload": '/inform{"passage": "quy-che#3"}'}
    asyncio.run(output.send_response("student", {"text": "Điều nào?", "buttons": [none, clause]}))

    assert output.messages[0]["buttons"] == [clause, none]


def test_a_message_keeps_the_act_that_its_action_gave_it():
    output = Collected("web")
    uttered = {"utter_action": "utter_no_answer", "lead": "", "bot": "Covan", "act": "no_answer"}
    for said in ({"text": "Mình không tìm thấy.", **uttered}, {"text": "Không rõ.", "utter_action": "x"}):
        asyncio.run(output.send_response("student", create_bot_utterance(said).message()))

    assert output.messages[0] == {
        "recipient_id": "student",
        "text": "Mình không tìm thấy.",
        "act": "no_answer",
    }
    assert "act" not in output.messages[1]
