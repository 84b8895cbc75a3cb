"""Values that are compared, or that a student would change to, are not the student's own."""

from __future__ import annotations

import pytest
from rasa_sdk import Tracker
from talk import Talk, k
from turns import MakeTracker, Respond

from actions.tracker import mentioned, one_mentioned

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
BOTH = ["language-k48", "language-k49"]


@pytest.fixture
def compared(respond: Respond) -> Talk:
    """Return the talk of a student of cohort 48 who has compared two cohorts."""
    talk = Talk(respond)
    talk.say("em k48 ạ", "inform", k("48"))
    answers = talk.say("chuẩn ngoại ngữ của k48 với k49 khác nhau gì", "ask_language", k("48"), k("49"))
    assert [answer["custom"]["answer_id"] for answer in answers] == BOTH
    assert [answer["text"].splitlines()[0] for answer in answers] == ["> Khóa 48", "> Khóa 49"]
    return talk


def test_a_comparison_leaves_the_profile_as_it_was(compared: Talk) -> None:
    assert compared.known("cohort") == "48"


def test_values_of_a_comparison_are_kept_for_a_question_that_names_no_matter(compared: Talk) -> None:
    answers = compared.say("thế là cần gì vậy", "follow_up")

    assert [answer["custom"]["answer_id"] for answer in answers] == BOTH


def test_another_matter_asks_for_the_student_again(compared: Talk) -> None:
    compared.slots["profile"] = None

    compared.say(LANGUAGE, "ask_language")

    assert compared.slots["missing_dimensions"] == ["cohort"]


def test_a_value_with_a_role_is_not_the_students(make_tracker: MakeTracker) -> None:
    tracker: Tracker = make_tracker("đại trà lên clc", entities=(("program", "standard", "đại trà"),))
    target = {"entity": "program", "value": "clc", "start": 12, "end": 15, "role": "target"}
    tracker.latest_message["entities"].append(target)

    assert mentioned(tracker, "program") == ("standard",)
    assert one_mentioned(tracker, "program") == "standard"
