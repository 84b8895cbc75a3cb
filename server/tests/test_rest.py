"""Requests that the channel for tests accepts."""

import json
import re
from pathlib import Path

import pytest
from rasa.shared.utils.io import read_yaml_file

from server.channels.rest import BadRequestError, Payload, TypedMessage, parse, pressed
from server.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON

DOMAIN = Path(__file__).parents[2] / "domain.yml"
CARRIED = frozenset({"cohort", "campus", "faq", "passage", "topic", "choice"})


def buttons_of_the_domain():
    for variations in read_yaml_file(DOMAIN)["responses"].values():
        for variation in variations:
            yield from (button["payload"] for button in variation.get("buttons", ()))


def body(**fields):
    return json.dumps({"sender": "student-1", **fields}).encode()


@pytest.mark.parametrize(
    "payload",
    [
        '/inform{"cohort": "47"}',
        '/inform{"campus": "hoa-an"}',
        '/inform{"faq": "tuition-001"}',
        '/inform{"passage": "quy-che-2025#12"}',
        '/inform{"choice": "none"}',
        "/cancel",
        "/ask_advisor",
    ],
)
def test_our_own_buttons_pass(payload):
    assert pressed(payload, CARRIED) == Payload(payload)


@pytest.mark.parametrize(
    "payload", sorted({each for each in buttons_of_the_domain() if each.startswith("/")})
)
def test_every_button_of_the_domain_that_is_for_the_bot_passes(payload):
    filled = re.sub(r"(?<!\{)\{\w+\}(?!\})", "tuition-001", payload).replace("{{", "{").replace("}}", "}")

    assert pressed(filled, CARRIED) == Payload(filled)


@pytest.mark.parametrize(
    "payload", sorted({each for each in buttons_of_the_domain() if each.startswith("!")})
)
def test_every_other_button_of_the_domain_is_one_of_the_channels_own(payload):
    assert payload in (BACK_TO_BOT, FORGET_ALL, KEEP_ALL) or re.fullmatch(
        re.escape(REASON) + r"[a-z_]+", payload
    )


def test_a_button_may_ask_a_question():
    assert pressed("Hạn đóng học phí?", CARRIED) == TypedMessage("Hạn đóng học phí?")


@pytest.mark.parametrize(
    "payload",
    [
        "/restart",
        "/session_start",
        "/inform{",
        '/inform{"cohort": 47}',
        '/inform{"cohort": ["47"]}',
        '/inform{"pending_question": "x"}',
        '/inform{"faq": "a b\\nc"}',
        '/inform{"passage": "a b"}',
        '/inform{"passage": ""}',
        '/cancel{"cohort": "47"}',
        "/inform" + '{"cohort": "' + "4" * 5000 + '"}',
        '/inform{"cohort": "47"}/restart',
        "/ask_study",
    ],
)
def test_other_payloads_are_refused(payload):
    with pytest.raises(BadRequestError):
        pressed(payload, CARRIED)


@pytest.mark.parametrize(
    "request_body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        body(),
        body(message=None),
        body(message=1),
        body(message="a", payload="/cancel"),
        json.dumps({"message": "a"}).encode(),
        json.dumps({"sender": "", "message": "a"}).encode(),
        json.dumps({"sender": "a b", "message": "a"}).encode(),
        json.dumps({"sender": "x" * 129, "message": "a"}).encode(),
        json.dumps({"sender": 1, "message": "a"}).encode(),
        b" " * 2_000_001,
    ],
    ids=range(15),
)
def test_what_no_page_of_ours_sends_is_a_bad_request(request_body):
    with pytest.raises(BadRequestError):
        parse(request_body, CARRIED)
