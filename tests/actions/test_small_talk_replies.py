"""Small talk that the classifier reads as a question."""

from __future__ import annotations

import pytest
from turns import Respond

from actions.small_talk import RESPONSES
from covan.domain import read_domain
from vietnamese.small_talk import SmallTalk


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("bạn là ai vậy", "utter_who_are_you"),
        ("bot hả", "utter_who_are_you"),
        ("who made you?", "utter_who_are_you"),
        ("cảm ơn ad nhiều ạ", "utter_thank"),
        ("bot ngu quá", "utter_abuse"),
        ("trả lời linh tinh quá", "utter_complain"),
        ("hic", "utter_laughter"),
        ("oke ạ", "utter_affirm"),
        ("😀😀😀", "utter_ask_for_question"),
    ],
)
def test_it_gets_its_own_reply_and_not_that_nothing_was_found(
    respond: Respond, text: str, response: str
) -> None:
    said = respond("action_answer", text, intent="ask_services")

    assert said == {"events": [], "responses": [{"response": response}]}


def test_every_kind_has_a_reply_in_the_domain() -> None:
    domain = read_domain()

    assert set(RESPONSES) == set(SmallTalk)
    assert set(RESPONSES.values()) <= set(domain["responses"])
