"""The profile form classifies replies and ends with a stage."""

from __future__ import annotations

from typing import Any

import pytest
from turns import AT, MakeTracker, Respond

from actions.profile_form import ReplyKind, classify_reply
from rag.engine import Engine
from school.dimensions import default_dimensions

ASKED = {
    "pending_question": "Chuẩn ngoại ngữ để tốt nghiệp là gì?",
    "missing_dimensions": ["cohort"],
    "profile_options": [{"title": "Khóa 49", "cohort": "49"}, {"title": "Khóa 48", "cohort": "48"}],
    "profile_attempts": 1,
    "requested_slot": "profile",
}
ABANDONED = [("profile_stage", "abandoned"), ("requested_slot", None)]
LEFT_FOR_ANOTHER = [("profile_stage", "interrupted"), ("requested_slot", None)]
COHORT = default_dimensions()[0]
K48 = (("cohort", "48", "k48"),)


@pytest.mark.parametrize(
    ("text", "intent", "entities", "reading"),
    [
        ("k48", "inform", K48, ReplyKind.FILLED),
        ("k48 ạ", "ask_language", K48, ReplyKind.FILLED),
        ("em là sinh viên trường mình k48 đó ạ", "inform", K48, ReplyKind.FILLED),
        ("k48", "nlu_fallback", K48, ReplyKind.FILLED),
        ('/inform{"cohort": "48"}', "inform", (("cohort", "48", "48"),), ReplyKind.FILLED),
        ("em học cntt", "inform", (("major", "cntt", "cntt"),), ReplyKind.FILLED),
        ("k48 đóng học phí trễ thì có sao không", "ask_tuition", K48, ReplyKind.OTHER_QUESTION),
        ("ký túc xá mấy giờ đóng cửa", "ask_dormitory", (), ReplyKind.OTHER_QUESTION),
        ("thời tiết", "out_of_scope", (), ReplyKind.OTHER_QUESTION),
        ("cái đó thì em phải làm sao vậy", "nlu_fallback", (), ReplyKind.OTHER_QUESTION),
        ("k48 hay k49 nhỉ", "inform", (*K48, ("cohort", "49", "k49")), ReplyKind.MISUNDERSTOOD),
        ("khóa cũ", "ask_study", (), ReplyKind.MISUNDERSTOOD),
        ("là sao ad", "follow_up", (), ReplyKind.MISUNDERSTOOD),
        ("khoa la gi", "nlu_fallback", (), ReplyKind.MISUNDERSTOOD),
        ("chắc chưa", "deny", (), ReplyKind.MISUNDERSTOOD),
        ("dk la gi", "nlu_fallback", (), ReplyKind.OTHER_QUESTION),
        ("hỏi làm gì vậy", "nlu_fallback", (), ReplyKind.MISUNDERSTOOD),
        ("why do you need that", "follow_up", (), ReplyKind.MISUNDERSTOOD),
        ("sai rồi", "correct", (), ReplyKind.MISUNDERSTOOD),
        ("nguồn ở đâu", "follow_up", (), ReplyKind.OTHER_QUESTION),
        ("nop cho ai", "follow_up", (), ReplyKind.OTHER_QUESTION),
        ("lỡ trễ hạn thì sao", "follow_up", (), ReplyKind.OTHER_QUESTION),
        ("có mất tiền k", "nlu_fallback", (), ReplyKind.OTHER_QUESTION),
        ("by when", "follow_up", (), ReplyKind.OTHER_QUESTION),
        ("chi tiết hơn đi", "more", (), ReplyKind.OTHER_QUESTION),
        ("k99", "inform", (("cohort", "99", "k99"),), ReplyKind.MISUNDERSTOOD),
        ("không biết", "cancel", (), ReplyKind.GIVEN_UP),
        ("không", "deny", (), ReplyKind.GIVEN_UP),
        ("cho em gặp cán bộ", "ask_advisor", (), ReplyKind.ADVISOR),
        ("/hand_over", "hand_over", (), ReplyKind.HAND_OVER),
        ("cảm ơn ạ", "thank", (), ReplyKind.SMALL_TALK),
        ("dạ", "affirm", (), ReplyKind.SMALL_TALK),
        ('/inform{"passage": "a#1"}', "inform", (("passage", "a#1", "a#1"),), ReplyKind.OTHER_QUESTION),
        ('/inform{"choice": "none"}', "inform", (("choice", "none", "none"),), ReplyKind.OTHER_QUESTION),
        ("bạn là ai vậy", "ask_services", (), ReplyKind.SMALL_TALK),
        ("chúc ad ngủ ngon", "ask_dormitory", (), ReplyKind.GIVEN_UP),
    ],
)
def test_a_message_is_read_for_what_it_is(
    make_tracker: MakeTracker,
    engine: Engine,
    text: str,
    intent: str,
    entities: tuple[tuple[str, str, str], ...],
    reading: ReplyKind,
) -> None:
    tracker = make_tracker(text, intent=intent, confidence=0.4, entities=entities, **ASKED)

    assert classify_reply(tracker, "cohort", engine.catalog) is reading


def test_at_its_start_the_form_asks_for_what_is_missing(respond: Respond) -> None:
    said = respond("validate_profile_form", "chuẩn ngoại ngữ?", **{**ASKED, "requested_slot": None})

    assert said == {"events": [("profile_attempts", 1), ("requested_slot", "profile")], "responses": []}


def test_when_the_form_begins_what_is_compared_is_not_taken_for_the_students(respond: Respond) -> None:
    said = respond(
        "validate_profile_form",
        "k48 với k49 khác gì nhau?",
        entities=(("cohort", "48", "k48"), ("cohort", "49", "k49")),
        **{**ASKED, "requested_slot": None, "profile": {"major": ["cntt", AT - 60]}},
    )

    assert said["events"] == [("profile_attempts", 1), ("requested_slot", "profile")]


def test_what_is_said_beside_small_talk_is_kept(respond: Respond) -> None:
    said = respond("action_answer", "cảm ơn, em k48 ạ", intent="thank", entities=K48)

    assert said["events"] == [("profile", {"cohort": ["48", AT]})]
    assert said["responses"] == [{"response": "utter_thank"}]


def test_a_bare_reply_is_a_value_of_what_was_asked_for(respond: Respond) -> None:
    said = respond("validate_profile_form", "48", intent="nlu_fallback", **ASKED)

    assert said["events"] == [
        ("profile", {"cohort": ["48", AT]}),
        ("profile_stage", "filled"),
        ("requested_slot", None),
    ]


@pytest.mark.parametrize(
    ("text", "intent", "events", "responses"),
    [
        ("không biết", "cancel", ABANDONED, ["utter_profile_abandoned"]),
        ("bye", "goodbye", ABANDONED, ["utter_goodbye"]),
        ("gặp cán bộ", "ask_advisor", [("profile_stage", "advisor"), ("requested_slot", None)], []),
        ("/hand_over", "hand_over", [("profile_stage", "hand_over"), ("requested_slot", None)], []),
        ("học phí bao nhiêu vậy ạ", "ask_tuition", LEFT_FOR_ANOTHER, []),
        ("cảm ơn", "thank", [("profile_attempts", 1), ("requested_slot", "profile")], ["utter_thank"]),
        ("dạ", "affirm", [("profile_attempts", 1), ("requested_slot", "profile")], []),
        ("bot hả", "ask_study", [("profile_attempts", 1), ("requested_slot", "profile")], ["utter_who_are_you"]),
        ("okie ạ", "ask_study", [("profile_attempts", 1), ("requested_slot", "profile")], []),
        ("ngủ ngon nha", "ask_study", ABANDONED, ["utter_goodbye"]),
        ("khóa cũ", "inform", [("profile_attempts", 2), ("requested_slot", "profile")], []),
    ],
)  # fmt: skip
def test_every_path_sets_a_slot_so_that_rasa_does_not_take_the_form_for_rejected(
    respond: Respond, text: str, intent: str, events: list[Any], responses: list[str]
) -> None:
    said = respond("validate_profile_form", text, intent=intent, **ASKED)

    assert said["events"] == events
    assert [response["response"] for response in said["responses"]] == responses


def test_after_three_misunderstandings_the_form_gives_up(respond: Respond) -> None:
    said = respond("validate_profile_form", "abc", intent="inform", **{**ASKED, "profile_attempts": 3})

    assert said["events"] == [("profile_stage", "abandoned"), ("requested_slot", None)]


def test_it_asks_with_a_button_for_each_value_that_the_engine_offers(respond: Respond) -> None:
    said = respond("action_ask_profile_form_profile", "?", **ASKED)

    [question] = said["responses"]
    assert question["response"] == "utter_ask_profile"
    assert question["text"] in COHORT.ask
    assert question["buttons"] == [
        {"title": "Khóa 49", "payload": '/inform{"cohort": "49"}'},
        {"title": "Khóa 48", "payload": '/inform{"cohort": "48"}'},
    ]


def test_asked_again_it_explains(respond: Respond) -> None:
    said = respond("action_ask_profile_form_profile", "?", **{**ASKED, "profile_attempts": 2})

    [explained] = said["responses"]
    assert explained["response"] == "utter_explain_profile"
    assert explained["text"] in {text.replace("{example}", "Khóa 49") for text in COHORT.explain}


def test_it_asks_in_the_language_of_the_talk(respond: Respond) -> None:
    [question] = respond("action_ask_profile_form_profile", "?", language="en", **ASKED)["responses"]

    assert question["text"] in COHORT.ask_en
