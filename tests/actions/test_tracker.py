"""Accessors of the tracker."""

from __future__ import annotations

from turns import MakeTracker

from actions.conversation_state import StatedProfile
from actions.tracker import reading, text
from rag.engine import Engine
from school.dimensions import Profile


def test_the_reading_of_the_latest_message_is_passed_on(make_tracker: MakeTracker, engine: Engine) -> None:
    tracker = make_tracker("học phí k48?")
    read = engine.reader.read("học phí k48?")
    tracker.latest_message["reading"] = read.to_json()

    assert reading(tracker) == read


def test_a_button_has_no_reading(make_tracker: MakeTracker, engine: Engine) -> None:
    tracker = make_tracker('/inform{"cohort": "48"}', intent="ask_study")
    tracker.latest_message["reading"] = engine.reader.read("x").to_json()

    assert text(tracker) == ""
    assert reading(tracker) is None


def test_a_profile_value_that_the_catalogue_does_not_have_is_not_known(
    make_tracker: MakeTracker, engine: Engine
) -> None:
    kept = {
        "cohort": ["99", 1.0],
        "major": ["cntt", 1.0],
        "program": ["../etc", 1.0],
        "shoe_size": ["42", 1.0],
    }
    tracker = make_tracker("?", profile=kept, entities=(("cohort", "98", "?"),))

    assert StatedProfile.from_tracker(tracker, engine.catalog).with_said(
        tracker, engine.catalog
    ).profile == Profile({"major": "cntt"})
