"""What is read from a tracker."""

from __future__ import annotations

import pytest
from turns import MakeTracker

from actions.conversation_state import Given
from actions.tracker import text, topic_scores
from rag.engine import Engine
from school.dimensions import Profile


def test_topic_scores_are_those_of_the_topics_renormalised(make_tracker: MakeTracker) -> None:
    tracker = make_tracker("học phí?")
    tracker.latest_message["intent_ranking"] = [
        {"name": "nlu_fallback", "confidence": 0.4},
        {"name": "ask_tuition", "confidence": 0.3},
        {"name": "greet", "confidence": 0.2},
        {"name": "ask_advisor", "confidence": 0.2},
        {"name": "ask_study", "confidence": 0.1},
    ]

    assert topic_scores(tracker) == pytest.approx({"tuition": 0.75, "study": 0.25})


def test_a_button_says_nothing_of_the_topic(make_tracker: MakeTracker) -> None:
    tracker = make_tracker('/inform{"cohort": "48"}', intent="ask_study")

    assert text(tracker) == ""
    assert topic_scores(tracker) == {}


def test_a_profile_value_that_the_catalogue_does_not_have_is_not_known(
    make_tracker: MakeTracker, engine: Engine
) -> None:
    tracker = make_tracker("?", cohort="99", major="cntt", program="../etc")

    assert Given().with_said(tracker, engine.catalog).profile == Profile({"major": "cntt"})
