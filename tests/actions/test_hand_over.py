"""The data of a hand-over for the advisor."""

from __future__ import annotations

from typing import Any

import pytest
from turns import AT, MakeTracker, Respond

from actions.hand_over import hours_as_json, last_question
from covan.project import ROOT
from rag.ingest.load import load_knowledge

LAST = {"question": "Học phí K48 bao nhiêu?", "at": AT - 60}


def said(text: str, ago_s: float, intent: str = "nlu_fallback") -> dict[str, Any]:
    return {
        "event": "user",
        "text": text,
        "timestamp": AT - ago_s,
        "parse_data": {"intent": {"name": intent}},
    }


@pytest.mark.usefixtures("received")
def test_the_channel_is_told_topic_office_question_and_hours(respond: Respond) -> None:
    handed = respond(
        "action_hand_over",
        "/hand_over",
        intent="hand_over",
        last_topic="tuition",
        last_turn=LAST,
        unresolved=2,
        pending_question="?",
    )

    assert handed["responses"] == [
        {
            "response": "utter_handed_over",
            "custom": {
                "type": "hand_over",
                "topic": "tuition",
                "office": "Phòng Tài chính",
                "question": "Học phí K48 bao nhiêu?",
                "hours": None,
            },
        }
    ]
    assert handed["events"] == [("pending_question", None), ("unresolved", None)]


@pytest.mark.usefixtures("received")
def test_a_conversation_in_which_nothing_was_asked_is_handed_over_too(respond: Respond) -> None:
    [message] = respond("action_hand_over", "/hand_over", intent="hand_over")["responses"]

    assert message["custom"] == {
        "type": "hand_over",
        "topic": None,
        "office": "",
        "question": "",
        "hours": None,
    }


def test_where_nobody_receives_it_the_contact_is_given_instead(respond: Respond) -> None:
    [message] = respond("action_hand_over", "/hand_over", intent="hand_over", last_topic="tuition")[
        "responses"
    ]

    assert message["response"] == "utter_contact_office"
    assert message["custom"]["type"] == "contacts"


def test_words_of_distress_come_before_what_was_asked_earlier(make_tracker: MakeTracker) -> None:
    tracker = make_tracker("/hand_over", last_turn=LAST)
    tracker.events = [
        said("học phí", 60),
        said("em tuyệt vọng lắm, không muốn sống nữa", 30),
        said("dạ", 20),
        said("/hand_over", 0, "hand_over"),
    ]

    assert last_question(tracker) == "em tuyệt vọng lắm, không muốn sống nữa"


def test_after_another_question_they_do_not(make_tracker: MakeTracker) -> None:
    tracker = make_tracker("/hand_over", last_turn=LAST)
    tracker.events = [
        said("em buồn quá", 90, "distress"),
        said("học phí", 60),
        said("/hand_over", 0, "hand_over"),
    ]

    assert last_question(tracker) == LAST["question"]


def test_the_hours_are_as_the_channels_read_them() -> None:
    hours = hours_as_json(load_knowledge(ROOT / "knowledge").catalog.school.advising_hours)

    assert hours is not None
    assert hours["timezone"] == "Asia/Ho_Chi_Minh"
    assert hours["week"]["mon"] == [["07:30", "11:00"], ["13:30", "16:30"]]
    assert set(hours["week"]) == {"mon", "tue", "wed", "thu", "fri"}
    assert "2027-01-01" in hours["closed"]


@pytest.mark.usefixtures("received")
def test_it_is_offered_behind_the_answer_to_a_question_beside_which_a_person_is_asked_for(
    respond: Respond,
) -> None:
    asked = "cho em gặp cố vấn với ạ, xin bảng điểm ở đâu"

    *answered, offer = respond("action_answer", asked, intent="ask_study")["responses"]

    assert [message["response"] for message in answered] == ["utter_answer"]
    button = {"title": "Nhắn cán bộ tại đây", "payload": "/hand_over"}
    assert (offer["response"], offer["buttons"]) == ("utter_person_too", [button])


@pytest.mark.usefixtures("received")
def test_it_is_offered_behind_the_answer_to_who_wants_to_meet_an_office(respond: Respond) -> None:
    asked = "xin bảng điểm ở đâu ạ, em muốn gặp phòng đào tạo"

    *answered, offer = respond("action_answer", asked, intent="ask_study")["responses"]

    assert [message["response"] for message in answered] == ["utter_answer"]
    assert offer["response"] == "utter_person_too"


@pytest.mark.usefixtures("received")
def test_it_is_offered_to_those_in_distress_and_after_turns_without_an_answer(respond: Respond) -> None:
    button = {"title": "Nhắn cán bộ tại đây", "payload": "/hand_over"}

    [distress] = respond("action_answer", "em không muốn sống nữa", intent="distress")["responses"]
    assert distress["response"] == "utter_distress"
    assert button in distress["buttons"]

    *_, offer = respond("action_answer", "Phi hành gia ăn gì?", unresolved=1)["responses"]
    assert (offer["response"], offer["buttons"]) == ("utter_offer_advisor", [button])


def test_neither_has_the_button_where_nobody_receives_it(respond: Respond) -> None:
    [distress] = respond("action_answer", "em không muốn sống nữa", intent="distress")["responses"]
    *_, offer = respond("action_answer", "Phi hành gia ăn gì?", unresolved=1)["responses"]

    assert offer["response"] == "utter_offer_advisor"
    assert "buttons" not in distress | offer
