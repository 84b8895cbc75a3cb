"""The trace that is recorded of each turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rasa_sdk.executor import CollectingDispatcher
from turns import MakeTracker, unsure_engine

from actions.answer import ActionAnswer
from rag.engine import Engine


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
