"""`action_ask_advisor` names the office in charge."""

from __future__ import annotations

import pytest
from turns import Respond

HERE = {"title": "Nhắn cán bộ tại đây", "payload": "/hand_over"}


def test_the_office_of_the_topic_last_spoken_of(respond: Respond) -> None:
    said = respond("action_ask_advisor", "gặp người thật", intent="ask_advisor", last_topic="tuition")

    assert said["events"] == []
    [message] = said["responses"]
    assert (message["response"], message["office"]) == ("utter_contact_office", "Phòng Tài chính")
    assert message["custom"] == {
        "type": "contacts",
        "cards": [
            {
                "kind": "contact",
                "name": "Phòng Tài chính",
                "phone": "0200 222",
                **dict.fromkeys(("email", "address", "map_url", "hours", "note"), ""),
            }
        ],
    }


def test_the_school_when_no_topic_was_spoken_of_or_it_is_gone(respond: Respond) -> None:
    for topic in (None, "parking"):
        [message] = respond("action_ask_advisor", "gặp người thật", last_topic=topic)["responses"]
        assert (message["response"], message["office"]) == ("utter_contact_school", "Trường Đại học Sông Mây")
        assert "custom" not in message, "the small school has no contact"


@pytest.mark.parametrize(
    ("said", "share", "office"),
    [
        ("cho em gặp cố vấn ạ, em bị trừ tiền hai lần", 0.9, "Phòng Tài chính"),
        ("cho em gặp cố vấn ạ, em bị trừ tiền hai lần", 0.3, "Trường Đại học Sông Mây"),
        ("ad ơi, cho em gặp cố vấn", 0.9, "Trường Đại học Sông Mây"),
        ("gặp người thật", 0.9, "Trường Đại học Sông Mây"),
    ],
)
def test_the_office_of_the_reason_that_is_given(
    respond: Respond, said: str, share: float, office: str
) -> None:
    topics = (
        ("ask_tuition", share / 10),
        ("ask_study", (1 - share) / 20),
        ("ask_dormitory", (1 - share) / 20),
    )
    [message] = respond("action_ask_advisor", said, intent="ask_advisor", also=topics)["responses"]

    assert message["office"] == office


def test_asking_for_a_person_lets_a_pending_question_go(respond: Respond) -> None:
    said = respond(
        "action_ask_advisor",
        "gặp người thật",
        pending_question="?",
        missing_dimensions=["cohort"],
        profile_stage="advisor",
    )

    assert said["events"] == [
        ("pending_question", None),
        ("missing_dimensions", None),
        ("profile_stage", None),
    ]


@pytest.mark.usefixtures("received")
def test_a_person_in_the_chat_is_offered_where_the_school_can_receive_it(respond: Respond) -> None:
    [message] = respond("action_ask_advisor", "gặp người thật", last_topic="tuition")["responses"]
    assert message["buttons"] == [HERE]

    [message] = respond("action_ask_advisor", "talk to a person", last_topic="tuition", language="en")[
        "responses"
    ]
    assert message["buttons"] == [{"title": "Message an advisor", "payload": "/hand_over"}]


def test_and_nowhere_else(respond: Respond) -> None:
    [message] = respond("action_ask_advisor", "gặp người thật", last_topic="tuition")["responses"]

    assert "buttons" not in message
