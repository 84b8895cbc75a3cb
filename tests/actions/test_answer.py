"""Messages and slots of `action_answer`, turn by turn."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from rasa_sdk import Tracker
from turns import AT, MakeTracker, Respond, responder, unsure_engine

from actions.base import EngineAction, Outcome
from actions.response_builder import SURE_OF_THE_ENTRY
from rag.engine import Engine
from rag.errors import IndexUnusableError
from rag.index.versions import open_index
from rag.query.ambiguity import passage_key
from rag.retrieve.embedder import load_embedder
from rag.types import Question

CLEARED = [
    ("pending_question", None),
    ("missing_dimensions", None),
    ("profile_options", None),
    ("profile_stage", None),
]


BROAD = "Sinh viên của trường được những gì?"
TRANSCRIPT = "Xin bảng điểm ở đâu?"


def options_of(engine: Engine, text: str) -> list[dict[str, str]]:
    return [dict(option.payload) for option in engine.reply(Question(text)).options]


def press(respond: Respond, key: str, value: str, **slots: object) -> dict[str, Any]:
    """Press a button that carries `key`."""
    payload = f'/inform{{"{key}": "{value}"}}'
    return respond("action_answer", payload, intent="inform", entities=((key, value, value),), **slots)


def test_an_answer_has_its_sources_beside_the_text(respond: Respond) -> None:
    said = respond("action_answer", "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", intent="ask_study")

    question = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"
    remembered = {
        "question": question,
        "typed": question,
        "answer_id": "study-credits",
        "is_curated": True,
        "at": AT,
        "history": [{"question": question, "answer_id": "study-credits"}],
    }
    assert said["events"] == [("last_turn", remembered), ("last_topic", "study")]
    [answer] = said["responses"]
    assert answer["response"] == "utter_answer"
    assert answer["text"] == "Mỗi học kỳ chính bạn đăng ký tối đa **25 tín chỉ**."
    assert answer["custom"]["answer_id"] == "study-credits"
    assert answer["custom"]["type"] == "answer"
    assert answer["custom"]["tier"] == "faq"
    assert answer["custom"]["citations"][0]["document_id"] == "quy-che-2025"
    assert set(answer["custom"]["citations"][0]) == {
        "document_id",
        "title",
        "number",
        "locator",
        "quote",
        "url",
        "page",
    }


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [("em muốn có bảng điểm gửi về nhà thì xin ai", False), ("bảng điểm in ở đâu", True), (TRANSCRIPT, True)],
)
def test_an_entry_that_is_less_sure_shows_the_question_it_answers(
    respond: Respond, engine: Engine, text: str, is_sure: bool
) -> None:
    assert (engine.reply(Question(text)).confidence >= SURE_OF_THE_ENTRY) is is_sure

    [answer] = respond("action_answer", text, intent="ask_study")["responses"]

    assert answer["custom"]["answer_id"] == "study-transcript"
    assert answer["text"].startswith(
        "Bạn xin bảng điểm" if is_sure else f"> {TRANSCRIPT}\n\nBạn xin bảng điểm"
    )


def test_an_answer_has_what_can_be_called_and_opened_on_cards(respond: Respond) -> None:
    [answer] = respond("action_answer", "Mất thẻ sinh viên thì làm lại ở đâu?")["responses"]
    contact, link = answer["custom"]["cards"]

    assert (contact["kind"], contact["name"], contact["phone"]) == ("contact", "Phòng Đào tạo", "0200 111")
    assert link == {"kind": "link", "title": "mẫu đơn", "url": "https://songmay.example/don"}
    assert "buttons" not in answer, "what a student thinks of it is asked by the channels"


def test_an_answer_with_nothing_to_call_or_open_has_no_cards(respond: Respond) -> None:
    [answer] = respond("action_answer", "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?")["responses"]

    assert answer["custom"]["cards"] == []


def test_a_question_that_depends_on_the_cohort_is_remembered_and_nothing_is_said_yet(
    respond: Respond,
) -> None:
    said = respond("action_answer", "Chuẩn ngoại ngữ để tốt nghiệp là gì?", intent="ask_language")

    events = dict(said["events"])
    assert said["responses"] == []
    assert events["pending_question"] == "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
    assert events["missing_dimensions"] == ["cohort"]
    assert events["profile_stage"] == "asking"
    assert events["profile_options"]
    assert all("cohort" in option for option in events["profile_options"])


@pytest.mark.parametrize(("cohort", "answer"), [("48", "TOEIC 450"), ("49", "TOEIC 600")])
def test_with_the_profile_the_pending_question_is_answered_not_the_message(
    respond: Respond, cohort: str, answer: str
) -> None:
    said = respond(
        "action_answer",
        f"dạ k{cohort} ạ",
        intent="inform",
        entities=(("cohort", cohort, f"k{cohort}"),),
        latest_action="profile_form",
        pending_question="Chuẩn ngoại ngữ để tốt nghiệp là gì?",
        missing_dimensions=["cohort"],
        profile_options=[{"title": "Khóa 48", "cohort": "48"}],
        profile_stage="filled",
    )

    assert answer in said["responses"][0]["text"]
    remembered = {
        "question": "Chuẩn ngoại ngữ để tốt nghiệp là gì?",
        "typed": "Chuẩn ngoại ngữ để tốt nghiệp là gì?",
        "profile": {"cohort": cohort},
        "answer_id": f"language-k{cohort}",
        "is_curated": True,
        "depends_on": ["cohort"],
        "at": AT,
        "history": [
            {"question": "Chuẩn ngoại ngữ để tốt nghiệp là gì?", "answer_id": f"language-k{cohort}"},
        ],
    }
    assert said["events"] == [
        *CLEARED,
        ("last_turn", remembered),
        ("last_topic", "language"),
        ("profile", {"cohort": [cohort, AT]}),
    ]


def test_a_question_left_over_from_a_turn_that_broke_off_is_not_answered_later(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?",
        intent="ask_study",
        profile={"cohort": ["48", AT - 60]},
        pending_question="Chuẩn ngoại ngữ để tốt nghiệp là gì?",
        profile_stage="filled",
    )

    assert said["responses"][0]["custom"]["answer_id"] == "study-credits"
    assert ("pending_question", None) in said["events"]


def test_a_cohort_named_in_the_question_needs_no_asking(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "k49 chuẩn ngoại ngữ để tốt nghiệp là gì",
        intent="ask_language",
        entities=(("cohort", "49", "k49"),),
    )

    assert "TOEIC 600" in said["responses"][0]["text"]


def test_of_two_cohorts_in_a_question_none_is_kept_as_the_students(respond: Respond) -> None:
    said = respond(
        "action_answer",
        "k48 với k49 chuẩn ngoại ngữ khác gì nhau",
        intent="ask_language",
        entities=(("cohort", "48", "k48"), ("cohort", "49", "k49")),
    )

    assert "profile" not in dict(said["events"])


def test_a_bare_profile_is_noted(respond: Respond) -> None:
    said = respond("action_answer", "em k48 ạ", intent="inform", entities=(("cohort", "48", "k48"),))

    assert said == {
        "events": [("profile", {"cohort": ["48", AT]})],
        "responses": [{"response": "utter_profile_noted", "profile": "Khóa 48"}],
    }


def test_a_pressed_cohort_outside_of_the_form_is_never_asked_as_a_question(respond: Respond) -> None:
    said = respond(
        "action_answer",
        '/inform{"cohort": "48"}',
        intent="inform",
        entities=(("cohort", "48", "48"),),
    )

    assert said["responses"] == [{"response": "utter_profile_noted", "profile": "Khóa 48"}]


def test_a_chosen_reading_is_answered(respond: Respond) -> None:
    said = respond(
        "action_answer",
        '/inform{"faq": "tuition-deadline"}',
        intent="inform",
        entities=(("faq", "tuition-deadline", "tuition-deadline"),),
    )

    assert said["responses"][0]["text"] == "Hạn đóng học phí là ngày 30 tháng 9."


def test_a_chosen_reading_that_depends_on_the_profile_is_remembered_too(respond: Respond) -> None:
    said = respond(
        "action_answer",
        '/inform{"faq": "tuition-clc"}',
        intent="inform",
        entities=(("faq", "tuition-clc", "tuition-clc"),),
    )
    events = dict(said["events"])
    assert (events["pending_choice"], events["missing_dimensions"]) == ({"faq": "tuition-clc"}, ["program"])

    said = respond(
        "action_answer",
        '/inform{"program": "clc"}',
        intent="inform",
        entities=(("program", "clc", "clc"),),
        latest_action="profile_form",
        profile_stage="filled",
        pending_choice={"faq": "tuition-clc"},
        missing_dimensions=["program"],
    )
    assert "900.000" in said["responses"][0]["text"]


def test_a_chosen_passage_is_quoted(respond: Respond, engine: Engine, small_index: Path) -> None:
    passages = open_index(small_index, load_embedder()).passages
    documents = {passage_key(passage): passage.document_id for passage in passages}
    offered = [option["passage"] for option in options_of(engine, BROAD)]
    key = next(key for key in offered if documents[key] == "quy-che-2025")
    said = press(respond, "passage", key)

    [answer] = said["responses"]
    assert (answer["response"], answer["custom"]["tier"]) == ("utter_answer", "document")
    assert {cited["document_id"] for cited in answer["custom"]["citations"]} == {"quy-che-2025"}


def test_a_chosen_passage_that_depends_on_the_profile_is_remembered_and_then_quoted(
    respond: Respond, small_index: Path
) -> None:
    passages = open_index(small_index, load_embedder()).passages
    key = passage_key(next(passage for passage in passages if passage.id == "ngoai-ngu-k49#0"))
    said = press(respond, "passage", key)

    events = dict(said["events"])
    assert said["responses"] == []
    assert events["pending_choice"] == {"passage": key}
    assert events["missing_dimensions"] == ["cohort"]

    said = press(
        respond,
        "cohort",
        "49",
        latest_action="profile_form",
        profile_stage="filled",
        pending_choice=events["pending_choice"],
        missing_dimensions=["cohort"],
    )
    assert said["responses"][0]["custom"]["citations"][0]["document_id"] == "ngoai-ngu-k49"


@pytest.mark.parametrize(("key", "gone"), [("faq", "old-1"), ("passage", "old#1")])
def test_a_button_of_what_is_gone_is_no_error_and_the_question_can_be_asked_again(
    respond: Respond, key: str, gone: str
) -> None:
    said = press(respond, key, gone, asked_back={"offered": [f"{key}:{gone}"]})

    assert said == {"events": [("asked_back", None)], "responses": [{"response": "utter_choice_gone"}]}


def test_a_topic_without_examples_asks_for_the_question(respond: Respond) -> None:
    said = respond("action_answer", '/inform{"topic": "study"}', entities=(("topic", "study", "study"),))

    assert said["responses"] == [{"response": "utter_topic_open", "topic_name": "Học vụ"}]
    assert said["events"] == [("last_topic", "study")]


@pytest.mark.parametrize(
    ("intent", "response"),
    [
        ("nlu_fallback", "utter_no_answer"),
        ("inform", "utter_no_answer"),
        ("out_of_scope", "utter_out_of_scope"),
    ],
)
def test_whatever_the_classifier_thinks_the_engine_decides(
    respond: Respond, intent: str, response: str
) -> None:
    known = respond("action_answer", "Mất thẻ sinh viên thì làm lại ở đâu?", intent=intent)
    unknown = respond("action_answer", "trời hôm nay nắng hay mưa vậy", intent=intent)

    assert known["responses"][0]["custom"]["answer_id"] == "study-card"
    assert unknown["responses"][0]["response"] == response


def test_what_is_only_perhaps_no_matter_of_the_school_leads_to_a_person(respond: Respond) -> None:
    unknown = respond("action_answer", "trời hôm nay nắng hay mưa vậy", intent="out_of_scope", confidence=0.5)

    assert unknown["responses"][0]["response"] == "utter_no_answer"


def test_being_asked_for_what_is_known_ends_in_no_answer(engine: Engine) -> None:
    """An engine that keeps asking for the same must not keep a student in the form."""

    class Insistent:
        catalog = engine.catalog
        topics = engine.topics

        def reply(self, _: object) -> object:
            return engine.reply(Question("Chuẩn ngoại ngữ để tốt nghiệp là gì?"))

    insistent: Engine = Insistent()  # type: ignore[assignment]
    said = responder(lambda: insistent)(
        "action_answer", "chuẩn ngoại ngữ", profile={"cohort": ["48", AT - 60]}
    )

    assert said["responses"][0]["response"] == "utter_no_answer"


def test_what_is_merely_near_is_not_offered_to_what_seems_off_topic(small_index: Path) -> None:
    unsure = unsure_engine(small_index)
    respond = responder(lambda: unsure)

    on_topic = respond("action_answer", "bảng điểm thì xin chỗ nào vậy ta", intent="ask_study")
    off_topic = respond("action_answer", "bảng điểm thì xin chỗ nào vậy ta", intent="out_of_scope")

    assert on_topic["responses"][0]["response"] == "utter_choose_reading"
    assert off_topic["responses"][0]["response"] == "utter_out_of_scope"


class Uttering:
    """Takes what an action says."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def utter_message(self, **message: Any) -> None:
        self.said.append(message)


class OfTwoMessages(EngineAction):
    """Greets, and tells the channels something that the student does not see."""

    def name(self) -> str:
        return "action_of_two_messages"

    def respond(self, tracker: Tracker, engine: Engine) -> Outcome:  # noqa: ARG002
        return Outcome([{"response": "utter_no_answer"}, {"json_message": {"type": "erase"}}])


def test_each_message_of_an_action_has_its_act(engine: Engine, make_tracker: MakeTracker) -> None:
    uttering = Uttering()

    asyncio.run(OfTwoMessages(lambda: engine).run(uttering, make_tracker("wifi?"), {}))  # type: ignore[arg-type]

    assert [message.get("act") for message in uttering.said] == ["no_answer", None]


def test_an_engine_that_fails_is_an_apology_and_a_log_entry(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Engine:
        raise IndexUnusableError("the index is damaged; run: covan index")

    with caplog.at_level(logging.ERROR):
        said = responder(broken)(
            "action_answer", "học phí?", pending_question="x", profile_stage="interrupted"
        )

    assert said["responses"] == [{"response": "utter_apology"}]
    assert said["events"] == [("pending_question", None), ("profile_stage", None)]
    assert "the index is damaged" in caplog.text
