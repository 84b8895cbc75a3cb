"""The bot calls itself by the name that the school gave it."""

from __future__ import annotations

from actions.self_introduction import self_introduction
from covan.domain import read_domain
from school.catalog import School

NAMED = School(name="Trường", bot_name="Mai")


def test_with_a_name() -> None:
    assert self_introduction(NAMED, "vi") == "Mai, trợ lý tư vấn sinh viên"
    assert self_introduction(NAMED, "en") == "Mai, the student advising assistant"


def test_without_a_name_it_says_what_it_is() -> None:
    assert self_introduction(School(), "vi") == "trợ lý tư vấn sinh viên"


def test_every_greeting_and_introduction_has_a_place_for_it() -> None:
    responses = read_domain()["responses"]

    assert all(
        "{bot}" in variation["text"]
        for name in ("utter_greet", "utter_who_are_you")
        for variation in responses[name]
    )
