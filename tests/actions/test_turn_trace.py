"""The trace that is recorded of each turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rasa_sdk.executor import CollectingDispatcher
from turns import AT, MakeTracker, unsure_engine

from actions.answer import ActionAnswer
from rag.engine import Engine
from rag.retrieve.embedder import load_embedder
from school.reader import Reader
from school.reading_knowledge import ReadingKnowledge


def recorded(
    make_tracker: MakeTracker, engine: Engine, text: str, record: Any = None, **more: Any
) -> list[Any]:
    """Run `action_answer` on a message; return what was recorded."""
    taken: list[tuple[str, str, Mapping[str, Any]]] = []
    tracker = make_tracker(text, **more)
    tracker.latest_message["message_id"] = "7@1.000000"
    action = ActionAnswer(lambda: engine, record or (lambda *trace: taken.append(trace)))
    dispatcher = CollectingDispatcher()
    asyncio.run(action.run(dispatcher, tracker, {}))
    assert dispatcher.messages
    return taken


def test_an_answer_is_recorded_with_what_led_to_it(make_tracker: MakeTracker, engine: Engine) -> None:
    question = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"

    [(sender, message_id, trace)] = recorded(make_tracker, engine, question, intent="ask_study")

    assert (sender, message_id) == ("student", "7@1.000000")
    assert (trace["question"], trace["decision"], trace["answer_id"]) == (question, "answer", "study-credits")
    assert (trace["source"], trace["intent"]) == ("faq", "ask_study")
    assert trace["reasons"] == ["conditions_hold"]
    assert trace["candidates"][0]["id"] == "study-credits"
    assert trace["index_version"] == engine.index_version
    json.dumps(trace)


def test_a_refusal_is_recorded(make_tracker: MakeTracker, engine: Engine) -> None:
    [(_, _, trace)] = recorded(make_tracker, engine, "Ngày mai trời có mưa không?")

    assert trace["decision"] == "no_answer"
    assert trace["answer_id"] == ""


def test_what_was_near_and_not_offered_is_recorded_as_no_answer(
    make_tracker: MakeTracker, small_index: Path
) -> None:
    unsure, near = unsure_engine(small_index), "bảng điểm thì xin chỗ nào vậy ta"

    [(_, _, offered)] = recorded(make_tracker, unsure, near, intent="ask_study")
    [(_, _, refused)] = recorded(make_tracker, unsure, near, intent="out_of_scope")

    assert (offered["decision"], refused["decision"]) == ("clarify", "no_answer")


@pytest.mark.parametrize(
    ("typed", "intent", "entities"),
    [
        ('/inform{"choice": "none"}', "inform", (("choice", "none", "none"),)),
        ("không phải", "deny", ()),
    ],
)
def test_of_rejected_options_the_question_is_recorded_as_one_without_an_answer(
    make_tracker: MakeTracker, small_index: Path, typed: str, intent: str, entities: Any
) -> None:
    near, engine = "bảng điểm thì xin chỗ nào vậy ta", unsure_engine(small_index)
    asked = make_tracker(near, intent="ask_study")
    outcome = ActionAnswer(lambda: engine).respond(asked, engine)
    slots = {event["name"]: event["value"] for event in outcome.events}
    read = Reader(ReadingKnowledge(), load_embedder()).read(near).to_json()
    parsed = {"intent": {"name": "ask_study"}, "reading": read}
    told = {"event": "user", "text": near, "timestamp": AT - 60, "parse_data": parsed}

    [(_, _, trace)] = recorded(
        make_tracker, engine, typed, intent=intent, entities=entities, before=(told,), **slots
    )

    assert (trace["question"], trace["decision"], trace["source"]) == (near, "no_answer", "none")
    assert (trace["reasons"], trace["intent"]) == (["options_rejected"], "ask_study")
    assert trace["vector"], "it is grouped with others that ask the same"
    assert trace["normalized"] == read["normalized"]


def test_no_to_options_of_long_ago_names_no_question(make_tracker: MakeTracker, engine: Engine) -> None:
    pressed = '/inform{"choice": "none"}'

    [(_, _, trace)] = recorded(
        make_tracker, engine, pressed, intent="inform", entities=(("choice", "none", "none"),)
    )

    assert (trace["question"], trace["decision"]) == ("", "")


def test_of_several_questions_the_one_without_an_answer_is_told(
    make_tracker: MakeTracker, engine: Engine
) -> None:
    asked = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ? Ngày mai trời có mưa không?"

    [(_, _, trace)] = recorded(make_tracker, engine, asked)

    assert (trace["decision"], trace["question"]) == ("no_answer", asked)


@pytest.mark.parametrize(
    ("typed", "intent"), [("cảm ơn nhé", "thank"), ("hihi", "out_of_scope"), ("?", "out_of_scope")]
)
def test_what_asks_nothing_is_recorded_without_a_decision(
    make_tracker: MakeTracker, engine: Engine, typed: str, intent: str
) -> None:
    [(_, _, trace)] = recorded(make_tracker, engine, typed, intent=intent)

    assert (trace["question"], trace["decision"], trace["source"]) == (typed, "", "")


def test_a_recorder_that_fails_costs_nobody_the_answer(make_tracker: MakeTracker, engine: Engine) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    recorded(make_tracker, engine, "Ngày mai trời có mưa không?", record=fail)
