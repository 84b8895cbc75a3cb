"""Whom a student who wants a person is sent to."""

from __future__ import annotations

from turns import Respond


def test_the_office_of_the_topic_last_spoken_of(respond: Respond) -> None:
    said = respond("action_ask_advisor", "gặp người thật", intent="ask_advisor", last_topic="tuition")

    assert said == {
        "events": [],
        "responses": [
            {"response": "utter_contact_office", "office": "Phòng Tài chính", "contact": "- 📞 0200 222"}
        ],
    }


def test_the_school_when_no_topic_was_spoken_of_or_it_is_gone(respond: Respond) -> None:
    for topic in (None, "parking"):
        [message] = respond("action_ask_advisor", "gặp người thật", last_topic=topic)["responses"]
        assert (message["response"], message["office"]) == ("utter_contact_school", "Trường Đại học Sông Mây")


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
