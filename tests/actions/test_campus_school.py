"""The dialogue asks for a dimension that the school has added, as for the default ones."""

from __future__ import annotations

import pytest
from campus_school import campus_engine
from talk import Talk, names
from turns import AT, Respond, responder

LIBRARY = "Thư viện mở cửa lúc mấy giờ?"
ASKED = {
    "pending_question": LIBRARY,
    "missing_dimensions": ["campus"],
    "profile_options": [{"title": "Khu Hòa An", "campus": "hoa-an"}],
    "profile_attempts": 1,
    "requested_slot": "profile",
}


@pytest.fixture(scope="module")
def campus_respond(tmp_path_factory: pytest.TempPathFactory) -> Respond:
    engine = campus_engine(tmp_path_factory.mktemp("campus"))
    return responder(lambda: engine)


def test_a_question_that_depends_on_it_waits_for_it(campus_respond: Respond) -> None:
    events = dict(campus_respond("action_answer", LIBRARY)["events"])

    assert events["missing_dimensions"] == ["campus"]
    assert events["profile_options"] == [
        {"title": "Khu Hòa An", "campus": "hoa-an"},
        {"title": "Khu Trung Tâm", "campus": "trung-tam"},
    ]


def test_it_is_asked_for_in_the_schools_words_with_a_button_for_each_value(campus_respond: Respond) -> None:
    [question] = campus_respond("action_ask_profile_form_profile", LIBRARY, **ASKED)["responses"]

    assert question["text"] == "Giờ giấc mỗi cơ sở một khác. Bạn học ở cơ sở nào?"
    assert question["buttons"] == [{"title": "Khu Hòa An", "payload": '/inform{"campus": "hoa-an"}'}]


def test_what_the_school_does_not_say_is_made_from_the_dimensions_name(campus_respond: Respond) -> None:
    asked = {**ASKED, "language": "en"}
    [question] = campus_respond("action_ask_profile_form_profile", LIBRARY, **asked)["responses"]
    [explained] = campus_respond(
        "action_ask_profile_form_profile", LIBRARY, **{**asked, "profile_attempts": 2}
    )["responses"]

    assert question["text"] == "The answer depends on your campus. Which one is yours?"
    assert "Hoa An campus" in explained["text"]


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Hòa An", ()),
        ("em học ở khu Hòa An", (("campus", "hoa-an", "khu Hòa An"),)),
        ('/inform{"campus": "hoa-an"}', (("campus", "hoa-an", "hoa-an"),)),
    ],
)
def test_the_reply_fills_the_form_and_the_question_is_answered(
    campus_respond: Respond, text: str, entities: tuple[tuple[str, str, str], ...]
) -> None:
    filled = dict(
        campus_respond("validate_profile_form", text, "inform", entities=entities, **ASKED)["events"]
    )
    assert filled["profile_stage"] == "filled"
    assert filled["profile"] == {"campus": ["hoa-an", AT]}

    slots = {**ASKED, **filled}
    said = campus_respond(
        "action_answer", text, "inform", entities=entities, latest_action="profile_form", **slots
    )

    assert said["responses"][0]["custom"]["answer_id"] == "library-hoa-an"


def test_it_is_noted_shown_changed_and_forgotten_like_any_other(campus_respond: Respond) -> None:
    talk = Talk(campus_respond)
    talk.say("em ở khu Hòa An", "inform", ("campus", "hoa-an", "khu Hòa An"))

    assert talk.say("bạn biết gì về mình", "show_profile") == [
        {"response": "utter_profile_shown", "profile": "Khu Hòa An"}
    ]
    assert talk.say("đổi thông tin giúp mình", "change_profile") == [
        {"response": "utter_change_profile", "dimensions": "cơ sở, khóa"}
    ]
    assert names(talk.say("quên cơ sở của mình đi", "forget_profile")) == ["utter_profile_forgotten"]
    assert talk.known("campus") is None
