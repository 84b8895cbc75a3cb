"""An option that is counted off ("cái đầu tiên") when the channel offers none."""

from __future__ import annotations

import pytest
from talk import Talk, names
from turns import Respond

TRANSCRIPT = "Xin bảng điểm ở đâu?"


@pytest.mark.parametrize(
    "text", ["cái đầu tiên", "cai cuoi", "ý 2", "y thu hai", "câu cuối", "the second one"]
)
def test_with_nothing_to_choose_from_nothing_begins_anew(respond: Respond, text: str) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    assert names(talk.say(text, "start_over")) == ["utter_no_options"]
    assert talk.answers() == "study-transcript"


@pytest.mark.parametrize(
    ("text", "entry"),
    [("cái đầu tiên", "study-card"), ("cau cuoi", "study-transcript"), ("ý 2", "study-transcript")],
)
def test_the_options_of_the_turns_before_still_count(respond: Respond, text: str, entry: str) -> None:
    offered = [
        {"title": "Thẻ", "payload": '/inform{"faq": "study-card"}'},
        {"title": "Bảng điểm", "payload": '/inform{"faq": "study-transcript"}'},
        {"title": "Không phải ý nào", "payload": '/inform{"choice": "none"}'},
    ]
    before = (
        {"event": "user", "timestamp": 1.0},
        {"event": "bot", "data": {"buttons": offered}},
        {"event": "user", "timestamp": 2.0},
        {"event": "bot", "data": {"buttons": None}},
    )

    said = respond("action_answer", text, "start_over", before=before)

    assert [each["custom"]["answer_id"] for each in said["responses"]] == [entry]
