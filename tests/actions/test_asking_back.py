"""Clarifying questions: wording, ways out, and no repetition in a row."""

from __future__ import annotations

from typing import Any

import pytest
from turns import Respond

from actions.messages import no_answer
from rag.types import Decision, DecisionKind, Option, Reply, Trace

BROAD = "Sinh viên của trường được những gì?"
UNNAMED = "Có những quy định nào cho sinh viên?"
LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
LANGUAGE_IN_OTHER_WORDS = "ra trường cần bằng tiếng anh gì"
TUITION = "Học phí một tín chỉ là bao nhiêu?"
TRANSCRIPT = "Xin bảng điểm ở đâu?"


def ask(respond: Respond, text: str, **slots: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the messages of a question and the slots after it."""
    said = respond("action_answer", text, intent="nlu_fallback", **slots)
    return said["responses"], {**slots, **dict(said["events"])}


def press_none(respond: Respond, **slots: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    payload = '/inform{"choice": "none"}'
    said = respond("action_answer", payload, entities=(("choice", "none", "none"),), **slots)
    return said["responses"], {**slots, **dict(said["events"])}


def test_a_question_that_is_too_broad_is_asked_back_with_passages_to_choose_from(respond: Respond) -> None:
    [asked], _ = ask(respond, BROAD)

    assert asked["response"] == "utter_ask_narrower"
    assert len(asked["buttons"]) >= 2
    assert all(button["payload"].startswith('/inform{"passage": ') for button in asked["buttons"])


def test_what_a_question_leaves_unnamed_is_asked_for_by_name(respond: Respond) -> None:
    [asked], slots = ask(respond, UNNAMED)

    assert (asked["response"], asked["unnamed"]) == ("utter_ask_which", "quy định")
    assert asked["buttons"]
    assert slots["asked_back"]["unnamed"] == ["quy định"]


def test_a_choice_of_who_writes_english_is_answered_with_the_note_that_it_is_in_vietnamese(
    respond: Respond,
) -> None:
    [note, asked], slots = ask(respond, BROAD, language="en")
    assert note["response"] == "utter_options_in_vietnamese"
    chosen = asked["buttons"][0]["payload"]
    value = chosen.partition('": "')[2].removesuffix('"}')

    said = respond("action_answer", chosen, intent="inform", entities=(("passage", value, value),), **slots)

    assert [each["response"] for each in said["responses"]] == ["utter_quoted_in_vietnamese", "utter_answer"]


@pytest.mark.parametrize(
    "again", [BROAD, "sinh vien cua truong duoc nhung gi", "sinh viên của trường được những gì ạ"]
)
def test_the_same_is_not_asked_back_twice_in_a_row(respond: Respond, again: str) -> None:
    _, slots = ask(respond, BROAD)

    said, slots = ask(respond, again, **slots)
    assert [message["response"] for message in said] == ["utter_still_open"]
    assert slots["asked_back"] is None


def test_thanks_in_between_do_not_make_it_a_new_question(respond: Respond) -> None:
    _, slots = ask(respond, BROAD)
    [thanked], slots = ask(respond, "cảm ơn ạ", **slots)
    assert thanked["response"] == "utter_thank"

    [said], _ = ask(respond, BROAD, **slots)
    assert said["response"] == "utter_still_open"


def test_after_another_answer_it_may_be_asked_back_again(respond: Respond) -> None:
    _, slots = ask(respond, BROAD)
    [answered], slots = ask(respond, TRANSCRIPT, **slots)
    assert answered["custom"]["answer_id"] == "study-transcript"
    assert slots["asked_back"] is None

    [asked], _ = ask(respond, BROAD, **slots)
    assert asked["response"] == "utter_ask_narrower"


def test_none_of_the_offered_ends_in_an_advisor_not_in_a_guess(respond: Respond) -> None:
    _, slots = ask(respond, BROAD)

    said, slots = press_none(respond, **slots)
    assert said == [{"response": "utter_none_of_these"}]
    assert slots["asked_back"] is None


def test_a_name_alone_completes_the_question_that_left_it_open(respond: Respond) -> None:
    """The words alone resemble another question most."""
    [alone], _ = ask(respond, "ký túc xá")
    assert alone["custom"]["answer_id"] != "dormitory-fee"

    left_open = {"question": "Giá phòng này là bao nhiêu?", "unnamed": ["phòng"]}
    [answered], slots = ask(respond, "ký túc xá", asked_back=left_open)
    assert answered["custom"]["answer_id"] == "dormitory-fee"
    assert slots["asked_back"] is None


def test_what_was_left_unnamed_is_not_asked_for_again(respond: Respond) -> None:
    _, slots = ask(respond, UNNAMED)

    [said], _ = ask(respond, "Những quy định dành cho sinh viên", **slots)
    assert said["response"] == "utter_still_open"


def test_a_cohort_completes_it_too_and_is_no_mere_introduction(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "k49",
        intent="inform",
        entities=(("cohort", "49", "k49"),),
        asked_back={"question": LANGUAGE, "unnamed": ["khóa"]},
    )

    assert "TOEIC 600" in said["responses"][0]["text"]


def test_a_question_of_its_own_is_answered_by_itself(respond: Respond) -> None:
    _, slots = ask(respond, UNNAMED)

    [answered], _ = ask(respond, TRANSCRIPT, **slots)
    assert answered["custom"]["answer_id"] == "study-transcript"


# --- the profile ----------------------------------------------------------------------------------------------------


@pytest.fixture
def many_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of two variants is one of too many for a reply."""
    monkeypatch.setattr("rag.question_answering.MOST_VARIANTS", 1)


@pytest.mark.parametrize("again", [LANGUAGE, LANGUAGE_IN_OTHER_WORDS])
@pytest.mark.parametrize("stage", ["interrupted", "abandoned"])
def test_instead_of_the_cohort_the_same_question_is_answered_for_every_cohort(
    respond: Respond, again: str, stage: str
) -> None:
    said, slots = ask(respond, LANGUAGE)
    assert (said, slots["profile_stage"]) == ([], "asking")

    said, slots = ask(respond, again, **{**slots, "profile_stage": stage})
    assert [message["text"].splitlines()[0] for message in said] == ["> Khóa 46–Khóa 48", "> Khóa 49"]
    assert slots["profile_stage"] is None
    assert slots["asked_back"] is None


def test_nor_is_a_later_question_asked_for_the_cohort(respond: Respond) -> None:
    _, slots = ask(respond, LANGUAGE)
    _, slots = ask(respond, TRANSCRIPT, **{**slots, "profile_stage": "interrupted"})

    said, slots = ask(respond, LANGUAGE, **slots)
    assert [message["text"].splitlines()[0] for message in said] == ["> Khóa 46–Khóa 48", "> Khóa 49"]


def test_of_several_answers_none_is_said_to_be_the_same_again(respond: Respond) -> None:
    _, slots = ask(respond, LANGUAGE)
    first, slots = ask(respond, LANGUAGE, **{**slots, "profile_stage": "interrupted"})

    again, _ = ask(respond, LANGUAGE, **slots)

    assert [message["text"] for message in again] == [message["text"] for message in first]


@pytest.mark.usefixtures("many_variants")
@pytest.mark.parametrize("again", [LANGUAGE, LANGUAGE_IN_OTHER_WORDS])
def test_of_many_variants_none_is_asked_for_or_told_twice(respond: Respond, again: str) -> None:
    _, slots = ask(respond, LANGUAGE)

    [said], slots = ask(respond, again, **{**slots, "profile_stage": "interrupted"})
    assert said == {"response": "utter_profile_still_needed", "dimension": "khóa"}
    assert slots["profile_stage"] is None
    assert slots["asked_back"] is None


@pytest.mark.usefixtures("many_variants")
def test_another_question_of_many_variants_may_need_the_same_dimension(respond: Respond) -> None:
    _, slots = ask(respond, LANGUAGE)
    slots |= {"profile_stage": "interrupted", "asked_back": {**slots["asked_back"], "subject": "else"}}

    said, slots = ask(respond, LANGUAGE, **slots)
    assert (said, slots["profile_stage"]) == ([], "asking")


@pytest.mark.usefixtures("many_variants")
def test_one_who_does_not_know_the_cohort_is_not_asked_for_it_by_the_next_question_either(
    respond: Respond,
) -> None:
    _, slots = ask(respond, LANGUAGE)
    slots |= {"profile_stage": "abandoned", "asked_back": {**slots["asked_back"], "subject": "else"}}

    [said], _ = ask(respond, LANGUAGE, **slots)
    assert said["response"] == "utter_profile_abandoned"


def test_but_may_be_asked_for_the_programme(respond: Respond) -> None:
    _, slots = ask(respond, LANGUAGE)

    said, slots = ask(respond, TUITION, **{**slots, "profile_stage": "abandoned"})
    assert (said, slots["missing_dimensions"]) == ([], ["program"])


def test_with_the_profile_the_next_missing_thing_is_asked_for(respond: Respond) -> None:
    """A filled form has been answered: the next missing value is no repetition."""
    _, slots = ask(respond, LANGUAGE)

    said = respond(
        "action_answer",
        "em học cntt",
        intent="inform",
        entities=(("major", "cntt", "cntt"),),
        latest_action="profile_form",
        **{**slots, "profile_stage": "filled", "major": "cntt"},
    )
    assert dict(said["events"])["profile_stage"] == "asking"


# --- how often nothing came of it -----------------------------------------------------------------------------------


def test_questions_back_are_no_failures_and_offer_no_advisor(respond: Respond) -> None:
    said, slots = ask(respond, BROAD, unresolved=1)
    assert [message["response"] for message in said] == ["utter_ask_narrower"]
    assert slots["unresolved"] == 1

    said, slots = ask(respond, "sân bóng thuê bao nhiêu", **slots)
    assert said[-1]["response"] == "utter_offer_advisor"
    assert slots["unresolved"] == 2


def test_one_option_is_no_question() -> None:
    option = Option(TRANSCRIPT, {"faq": "study-transcript"})
    reply = Reply(
        Decision(DecisionKind.CLARIFY, ()), "faq", "", (), (option,), 0.5, Trace("bảng điểm", "covan", "1")
    )

    message = no_answer(reply)

    assert message["response"] == "utter_no_answer"
    assert [button["title"] for button in message["buttons"]] == [TRANSCRIPT]


def test_topics_beside_a_refusal_are_named_in_the_students_language() -> None:
    options = (Option("Học phí", {"topic": "tuition"}),)
    reply = Reply(Decision(DecisionKind.NO_ANSWER, ()), "", "", (), options, 0.5, Trace("?", "covan", "1"))

    assert no_answer(reply, names={"tuition": "Tuition fees"})["buttons"][0]["title"] == "Tuition fees"
    assert no_answer(reply)["buttons"][0]["title"] == "Học phí"
