"""The internal channel serves who has the token, and accepts well-formed requests only."""

import json
import re
from pathlib import Path

import pytest
from rasa.shared.exceptions import RasaException
from rasa.shared.utils.io import read_yaml_file

from server.internal_channel import (
    TOKEN,
    BadRequestError,
    InternalChannel,
    TurnInput,
    is_private,
    parse_message,
    parse_payload,
    parse_response,
    parse_turn,
)

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
        "/show_profile",
        '/greet{"language": "en"}',
    ],
)
def test_our_own_buttons_pass(payload):
    assert parse_payload(payload, CARRIED) == TurnInput(payload, pressed=True)


def test_a_turn_may_have_an_id():
    assert parse_turn(body(message="x"), CARRIED).turn is None
    assert parse_turn(body(message="x", turn="17@1763.5"), CARRIED).turn == "17@1763.5"
    for wrong in ("", "a b", 17, "x" * 101):
        with pytest.raises(BadRequestError):
            parse_turn(body(message="x", turn=wrong), CARRIED)


@pytest.mark.parametrize(
    "payload", sorted({each for each in buttons_of_the_domain() if each.startswith("/")})
)
def test_every_button_of_the_domain_that_is_for_the_bot_passes(payload):
    filled = re.sub(r"(?<!\{)\{\w+\}(?!\})", "tuition-001", payload).replace("{{", "{").replace("}}", "}")

    assert parse_payload(filled, CARRIED) == TurnInput(filled, pressed=True)


def test_a_button_may_ask_a_question():
    assert parse_payload("Hạn đóng học phí?", CARRIED) == TurnInput("Hạn đóng học phí?")


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
        '/greet{"cohort": "47"}',
        "/inform" + '{"cohort": "' + "4" * 5000 + '"}',
        '/inform{"cohort": "47"}/restart',
        "/ask_study",
    ],
)
def test_other_payloads_are_refused(payload):
    with pytest.raises(BadRequestError):
        parse_payload(payload, CARRIED)


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
        parse_turn(request_body, CARRIED)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": "action_answer"},
        {"name": "utter_help", "values": []},
        {"name": "utter_help", "values": {"name": 1}},
        {"name": "utter_help", "channel": "Web"},
    ],
)
def test_a_response_that_nobody_asks_for_is_refused(fields):
    with pytest.raises(BadRequestError):
        parse_response(body(**fields))


def test_the_intent_is_asked_of_a_text():
    assert parse_message(body(message="Xóa dữ liệu của em")) == "Xóa dữ liệu của em"
    for wrong in (body(), body(message=1), json.dumps({"message": "x"}).encode()):
        with pytest.raises(BadRequestError):
            parse_message(wrong)


@pytest.mark.parametrize("token", ["", "too short"])
def test_without_a_good_token_rasa_does_not_start(token, monkeypatch):
    monkeypatch.setenv(TOKEN, token)

    with pytest.raises(RasaException, match=TOKEN) as refused:
        InternalChannel.from_credentials(None)
    assert not token or token not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("10.0.0.7", True),
        ("192.168.1.9", True),
        ("::ffff:10.0.0.7", True),
        ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("2001:4860:4860::8888", False),
        ("", False),
        ("somewhere", False),
    ],
)
def test_only_this_machine_and_private_networks_may_ask(address, private):
    assert is_private(address) is private
