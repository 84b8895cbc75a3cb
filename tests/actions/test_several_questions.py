"""A message that asks several things: each is answered by itself, and the form asks for at most one of them."""

from __future__ import annotations

from typing import Any

import pytest
from turns import Respond

TRANSCRIPT = "Xin bảng điểm ở đâu?"
CARD = "Mất thẻ sinh viên thì làm lại ở đâu?"
LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
TUITION = "Giá một tín chỉ chương trình nào cũng vậy hay sao?"
WEATHER = "Trời hôm nay nắng hay mưa vậy?"
BROAD = "Sinh viên của trường được những gì?"


def ask(respond: Respond, *questions: str, **slots: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    said = respond("action_answer", " ".join(questions), intent="nlu_fallback", **slots)
    return said["responses"], dict(said["events"])


def test_each_question_leads_its_own_answer_with_its_own_rating(respond: Respond) -> None:
    [transcript, card], _ = ask(respond, TRANSCRIPT, CARD)

    assert transcript["text"].startswith(f"> {TRANSCRIPT}\n\nBạn xin bảng điểm")
    assert card["text"].startswith(f"> {CARD}\n\nBạn làm lại thẻ")
    assert [message["custom"]["answer_id"] for message in (transcript, card)] == [
        "study-transcript",
        "study-card",
    ]
    assert all(message["custom"]["type"] == "answer" for message in (transcript, card))


def test_a_question_with_an_answer_for_each_cohort_stands_above_each(respond: Respond) -> None:
    asked_in_vain = {"profile_stage": "interrupted", "asked_back": {"asked_for": "cohort", "subject": "else"}}

    said, _ = ask(respond, TRANSCRIPT, LANGUAGE, **asked_in_vain)

    assert [message["text"].splitlines()[0] for message in said] == [
        f"> {TRANSCRIPT}",
        f"> {LANGUAGE} Khóa 46–Khóa 48",
        f"> {LANGUAGE} Khóa 49",
    ]


def test_what_is_not_known_is_said_of_that_question_only(respond: Respond) -> None:
    [answered, unknown], slots = ask(respond, TRANSCRIPT, WEATHER)

    assert answered["custom"]["answer_id"] == "study-transcript"
    assert (unknown["response"], unknown["lead"]) == ("utter_no_answer", f"> {WEATHER}\n\n")
    assert "profile_stage" not in slots


def test_what_is_too_broad_is_asked_back_in_its_place(respond: Respond) -> None:
    [first, second], slots = ask(respond, BROAD, TRANSCRIPT)

    assert (first["response"], first["lead"]) == ("utter_ask_narrower", f"> {BROAD}\n\n")
    assert first["buttons"]
    assert second["custom"]["answer_id"] == "study-transcript"
    assert slots["asked_back"]["offered"]


def test_the_form_is_for_the_question_that_needs_it_and_comes_after_the_answers(respond: Respond) -> None:
    [answered, needs], slots = ask(respond, LANGUAGE, TRANSCRIPT)

    assert answered["custom"]["answer_id"] == "study-transcript"
    assert (needs["response"], needs["lead"]) == ("utter_part_needs_profile", f"> {LANGUAGE}\n\n")
    assert slots["pending_question"] == LANGUAGE
    assert (slots["missing_dimensions"], slots["profile_stage"]) == (["cohort"], "asking")

    said = respond(
        "action_answer",
        "k49",
        intent="inform",
        entities=(("cohort", "49", "k49"),),
        latest_action="profile_form",
        **{**slots, "cohort": "49", "profile_stage": "filled"},
    )
    [answered] = said["responses"]
    assert "TOEIC 600" in answered["text"]
    assert TRANSCRIPT not in answered["text"]


def test_the_form_is_entered_for_one_question_and_the_next_waits_behind_a_button(respond: Respond) -> None:
    other = "Mỗi tín chỉ đóng mấy tiền?"
    [answered, waits, needs], slots = ask(respond, TRANSCRIPT, LANGUAGE, other)

    assert answered["custom"]["answer_id"] == "study-transcript"
    assert needs["response"] == "utter_part_needs_profile"
    assert slots["pending_question"] == LANGUAGE
    assert waits["response"] == "utter_part_waits"
    [button] = waits["buttons"]
    assert button["title"] == button["payload"]
    assert "tín chỉ" in button["title"]


@pytest.mark.parametrize(
    "typed",
    [
        "**Xin** [bảng điểm](https://x.example) ở đâu?",
        "Xin `bảng` <b>điểm</b> ở đâu?",
        "### Xin bảng điểm ở đâu?",
    ],
)
def test_what_a_student_typed_is_no_markdown(respond: Respond, typed: str) -> None:
    said, _ = ask(respond, CARD, typed)

    heading = (said[1].get("text") or said[1]["lead"]).splitlines()[0]
    assert heading.startswith("> Xin")
    assert not set("*`[]<>_") & set(heading.removeprefix("> "))


def test_a_long_story_is_not_quoted_in_full(respond: Respond) -> None:
    lost = (
        "Em bị mất thẻ sinh viên hôm qua, mất thẻ sinh viên thì em không vào được thư viện, không mượn sách và không "
        "được vào phòng máy, vậy mất thẻ sinh viên thì làm lại thẻ sinh viên ở đâu?"
    )
    weather = f"{'Nắng lắm mưa nhiều. ' * 10} {WEATHER}"

    [transcript, card], _ = ask(respond, TRANSCRIPT, lost)
    assert transcript["text"].startswith(f"> {TRANSCRIPT}\n")
    assert card["text"].startswith(f"> {CARD}\n")

    [_, unknown], _ = ask(respond, TRANSCRIPT, weather)
    assert unknown["lead"].startswith("> … ")
    assert unknown["lead"].endswith(f"{WEATHER}\n\n")
