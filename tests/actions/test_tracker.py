"""Accessors of the tracker."""

from __future__ import annotations

import pytest
from turns import MakeTracker

from actions.conversation_state import StatedProfile
from actions.follow_up_resolution import dimensions_of_others
from actions.tracker import reading, text
from rag.engine import Engine
from school.catalog import Catalog, Program
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


@pytest.mark.parametrize(
    ("said", "is_of_others"),
    [
        ("còn vlvh?", True),
        ("vlvh có được hoãn không", True),
        ("em học vlvh có được hoãn không", False),
        ("vlvh", False),
    ],
)
def test_a_rare_value_is_the_students_own_only_when_they_say_so(
    make_tracker: MakeTracker, said: str, is_of_others: bool
) -> None:
    programs = (Program("standard", "Đại trà"), Program("vlvh", "Vừa làm vừa học", rare=True))
    tracker = make_tracker(said, entities=(("program", "vlvh", "vlvh"),))

    assert dimensions_of_others(tracker, Catalog(programs=programs)) == (
        frozenset({"program"}) if is_of_others else frozenset()
    )
