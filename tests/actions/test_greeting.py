"""Greetings and their topic buttons."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from turns import MakeTracker, Respond

from actions.buttons import MOST_BUTTONS
from actions.greeting import MOST_QUESTIONS, greeting
from covan.project import ROOT
from rag.engine import Engine
from rag.ingest.load import load_knowledge

TOPICS = [
    {"title": "Học vụ", "payload": '/inform{"topic": "study"}'},
    {"title": "Ngoại ngữ", "payload": '/inform{"topic": "language"}'},
    {"title": "Học phí", "payload": '/inform{"topic": "tuition"}'},
    {"title": "Ký túc xá", "payload": '/inform{"topic": "dormitory"}'},
]


def test_the_first_greeting_comes_with_the_topics(respond: Respond) -> None:
    assert respond("action_answer", "chào bạn", intent="greet") == {
        "events": [],
        "responses": [{"response": "utter_greet", "buttons": TOPICS}],
    }


@pytest.mark.parametrize(
    ("events", "begins"),
    [
        (["user"], True),
        (["session_started", "user"], True),
        (["user", "user"], False),
        (["session_started", "user", "bot", "user"], False),
        (["user", "user", "session_started", "user"], True),
    ],
)
def test_in_the_middle_of_a_conversation_it_comes_without(
    make_tracker: MakeTracker, engine: Engine, events: list[str], begins: bool
) -> None:
    tracker = make_tracker("hi", intent="greet")
    tracker.events = [{"event": name} for name in events]

    assert bool(greeting(tracker, engine)["buttons"]) is begins


def test_the_menu_shows_the_topics_at_any_time(make_tracker: MakeTracker, engine: Engine) -> None:
    tracker = make_tracker("/greet", intent="greet")
    tracker.events = [{"event": "user"}] * 5

    assert greeting(tracker, engine)["buttons"] == TOPICS


def test_on_the_website_a_few_example_questions_are_offered_instead(
    make_tracker: MakeTracker, engine: Engine
) -> None:
    tracker = make_tracker("/greet", intent="greet")
    tracker.events = [{"event": "user", "input_channel": "web"}]
    assert greeting(tracker, engine)["buttons"] == TOPICS  # this school gives no examples

    school = cast(Engine, SimpleNamespace(topics=load_knowledge(ROOT / "knowledge").topics))
    offered = greeting(tracker, school)["buttons"]
    assert offered[0] == dict.fromkeys(("title", "payload"), school.topics[0].examples[0])
    assert len(offered) == MOST_QUESTIONS

    tracker.slots["language"] = "en"
    assert greeting(tracker, school)["buttons"][0]["payload"] == '/inform{"topic": "study"}'


def test_the_sample_school_offers_four_to_six_questions() -> None:
    topics = load_knowledge(ROOT / "knowledge").topics

    assert 4 <= len([topic for topic in topics if topic.examples][:MOST_QUESTIONS]) <= 6


def test_a_greeting_that_the_classifier_took_for_something_else_is_greeted_the_same(respond: Respond) -> None:
    [message] = respond("action_answer", "em chào ạ", intent="ask_services")["responses"]

    assert message == {"response": "utter_greet", "buttons": TOPICS}


def test_all_topics_of_the_sample_school_fit_on_the_platforms_in_both_languages() -> None:
    topics = load_knowledge(ROOT / "knowledge").topics

    assert len(topics) <= MOST_BUTTONS
    assert all(0 < len(name) <= 20 for topic in topics for name in (topic.name, topic.name_en))
