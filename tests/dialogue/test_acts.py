"""Every response of the domain has one act, and a turn's act is that of the engine's decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from actions.messages import answer, choice, no_answer
from covan.domain import read_domain
from dialogue.acts import ACTS, BY_RESPONSE, act_of
from rag.types import Decision, DecisionKind, Option, Reason, Reply, Trace

RESPONSES: dict[str, list[dict[str, Any]]] = read_domain()["responses"]


def test_the_responses_of_the_domain_and_no_others_have_an_act() -> None:
    assert set(BY_RESPONSE) == set(RESPONSES)
    assert set(BY_RESPONSE.values()) == ACTS


def test_a_response_without_an_act_is_an_error() -> None:
    with pytest.raises(KeyError):
        act_of("utter_unknown")


@pytest.mark.parametrize(
    ("decision", "say", "act"),
    [
        (Decision(DecisionKind.ANSWER, ()), answer, "answer"),
        (Decision(DecisionKind.CLARIFY, ()), lambda reply: choice(reply, "vi"), "ask"),
        (Decision(DecisionKind.CLARIFY, (Reason.TOO_BROAD,)), lambda reply: choice(reply, "en"), "ask"),
        (
            Decision(DecisionKind.CLARIFY, (), unnamed=("ngành học",)),
            lambda reply: choice(reply, "vi"),
            "ask",
        ),
        (Decision(DecisionKind.NO_ANSWER, (Reason.NOTHING_FOUND,)), no_answer, "no_answer"),
    ],
)
def test_a_decision_of_the_engine_is_said_with_its_act(
    decision: Decision, say: Callable[[Reply], dict[str, Any]], act: str
) -> None:
    options = (Option("Học phí", {"topic": "tuition"}),)
    reply = Reply(decision, "faq", "", (), options, 0.5, Trace("học phí", "covan", "1"))

    assert act_of(say(reply)["response"]) == act


def test_a_response_that_offers_the_way_back_to_the_bot_is_a_hand_over() -> None:
    leading = {
        name
        for name, variations in RESPONSES.items()
        for variation in variations
        for button in variation.get("buttons", ())
        if button["payload"] == "!back_to_bot"
    }

    assert leading
    assert {act_of(name) for name in leading} == {"hand_over"}
