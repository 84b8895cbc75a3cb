"""Parsing and signatures of Facebook's posts."""

import json

import pytest

from channels.delivery.incoming import COMMANDS, ButtonPress, MenuCommand, TextInput, UnreadableInput
from channels.messenger.events import (
    OLDEST_S,
    MalformedPostError,
    events,
    is_signed,
    is_token,
    signature,
)

PAGE, NOW = "1000001", 1_790_000_000.0


def message(sender="31", at=NOW, mid="m_1", **rest):
    return {
        "sender": {"id": sender},
        "recipient": {"id": PAGE},
        "timestamp": round(at * 1000),
        "message": {"mid": mid, **rest},
    }


def postback(payload, sender="31", at=NOW, **rest):
    return {
        "sender": {"id": sender},
        "recipient": {"id": PAGE},
        "timestamp": round(at * 1000),
        "postback": {"payload": payload, **rest},
    }


def post(*batches, **rest):
    entries = [{"id": PAGE, "time": 1, "messaging": list(batch)} for batch in batches]
    return json.dumps({"object": "page", "entry": entries, **rest}).encode()


def contents(*batch):
    return [incoming.content for incoming in events(post(batch), NOW)]


# --- who posts --------------------------------------------------------------------------------------------------------


def test_the_signature_is_the_one_that_facebook_makes():
    # HMAC-SHA256 of RFC 4231, test case 2.
    assert (
        signature(b"what do ya want for nothing?", "Jefe")
        == "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        "sha1=" + "0" * 40,
        signature(b"{}", "another secret"),
        signature(b"{} ", "secret"),
        signature(b"{}", "secret").upper(),
        signature(b"{}", "secret")[7:],
        signature(b"{}", "secret") + "0",
        "sha256=đ",
        "\udcff",
    ],
)
def test_another_signature_is_none(shown):
    assert not is_signed(b"{}", shown, "secret")


def test_these_very_bytes_are_signed():
    assert is_signed(b'{"text": "\\u1ecd"}', signature(b'{"text": "\\u1ecd"}', "secret"), "secret")


def test_without_a_secret_nothing_is_signed():
    assert not is_signed(b"{}", signature(b"{}", ""), "")
    assert not is_token("", "")


@pytest.mark.parametrize(
    ("shown", "known"), [("chosen", True), ("ChosenOption", False), (None, False), ("đ", False)]
)
def test_the_verify_token_must_be_ours(shown, known):
    assert is_token(shown, "chosen") is known


# --- what is posted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "content"),
    [
        (message(text="Học phí?"), TextInput("Học phí?")),
        (message(text="/restart"), TextInput("/restart")),
        (message(text="o:abc"), TextInput("o:abc")),
        (message(text="c:forget"), TextInput("c:forget")),
        (message(text="K47", quick_reply={"payload": "o:aB3_-x"}), ButtonPress("aB3_-x")),
        (message(text="Cũ", quick_reply={"payload": '/inform{"cohort": "47"}'}), TextInput("Cũ")),
        (message(text="Cũ", quick_reply={"payload": "o:a b"}), TextInput("Cũ")),
        (postback("o:aB3", mid="m_1", title="K47"), ButtonPress("aB3")),
        (postback("c:start", mid="m_1", title="Bắt đầu"), MenuCommand("start")),
        (postback("c:restart", mid="m_1", title="Làm lại"), TextInput("Làm lại")),
        (postback("FACEBOOK_WELCOME", mid="m_1", title="Học phí"), TextInput("Học phí")),
        (message(attachments=[{"type": "image", "payload": {"url": "https://x"}}]), UnreadableInput("image")),
        (
            message(attachments=[{"type": "image", "payload": {"sticker_id": 369239263222822}}]),
            UnreadableInput("sticker"),
        ),
        (message(attachments=[{"type": "<b>"}]), UnreadableInput("attachment")),
        (message(text="xem https://x", attachments=[{"type": "fallback"}]), TextInput("xem https://x")),
        (message(is_unsupported=True), UnreadableInput("unsupported")),
        (message(text=""), TextInput("")),
    ],
)
def test_what_a_student_does(event, content):
    assert contents(event) == [content]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_can_stand_in_a_menu(command):
    assert contents(postback(f"c:{command}", mid="m_1", title="…")) == [MenuCommand(command)]


@pytest.mark.parametrize(
    "event",
    [
        message(text="chào bạn", is_echo=True, app_id=1),
        message(sender=PAGE, text="chào bạn"),
        message(is_deleted=True),
        {"sender": {"id": "31"}, "timestamp": 1, "delivery": {"mids": ["m_1"], "watermark": 1}},
        {"sender": {"id": "31"}, "timestamp": 1, "read": {"watermark": 1}},
        {"sender": {"id": "31"}, "timestamp": 1, "reaction": {"reaction": "like", "mid": "m_1"}},
        {"sender": {"id": "31"}, "timestamp": 1, "message_edit": {"mid": "m_1", "text": "khác"}},
        {"sender": {"id": "31"}, "timestamp": 1, "optin": {"ref": "x"}},
        {"sender": {"id": "a b"}, "message": {"mid": "m_1", "text": "x"}},
        {"sender": {"id": 31}, "message": {"mid": "m_1", "text": "x"}},
        {"sender": None, "message": {"mid": "m_1", "text": "x"}},
        {"sender": {"id": "31"}, "message": "x"},
        {"sender": {"id": "31"}, "postback": []},
        {"sender": {"id": "31"}, "postback": {"mid": "m_1"}},
        {},
        "x",
        None,
    ],
)
def test_what_is_no_word_of_a_student_is_passed_over_and_the_rest_is_taken(event):
    assert contents(message(mid="m_a", text="trước"), event, message(mid="m_b", text="sau")) == [
        TextInput("trước"),
        TextInput("sau"),
    ]


def test_what_another_app_is_answering_is_passed_over():
    body = {"object": "page", "entry": [{"id": PAGE, "standby": [message(text="x")], "messaging": None}]}

    assert events(json.dumps(body).encode(), NOW) == []


def test_another_object_than_a_page_is_passed_over():
    assert events(post([message(text="x")], object="instagram"), NOW) == []


def test_every_event_of_every_entry_is_taken_each_under_its_own_id():
    body = post(
        [message("31", mid="m_1", text="một"), message("32", mid="m_2", text="hai")],
        [message("31", mid="m_3", text="ba")],
    )

    assert [(each.event_id, each.sender, each.content.text) for each in events(body, NOW)] == [
        ("m_1", "31", "một"),
        ("m_2", "32", "hai"),
        ("m_3", "31", "ba"),
    ]


def test_within_a_post_a_student_is_heard_in_the_order_of_time():
    body = post(
        [message("31", NOW, "m_3", text="ba"), message("32", NOW - 5, "m_9", text="khác")],
        [message("31", NOW - 9, "m_1", text="một"), message("31", NOW - 2, "m_2", text="hai")],
    )

    assert [each.event_id for each in events(body, NOW) if each.sender == "31"] == ["m_1", "m_2", "m_3"]


def test_what_has_the_same_time_or_none_stays_as_it_came():
    without = message(mid="m_2", text="x")
    del without["timestamp"]
    body = post([message(mid="m_b", text="x"), without, message(mid="m_a", text="x")])

    assert [each.event_id for each in events(body, NOW)] == ["m_b", "m_a", "m_2"]


@pytest.mark.parametrize(("age", "taken"), [(OLDEST_S - 60, True), (OLDEST_S + 60, False)])
def test_a_copy_from_long_ago_is_passed_over(age, taken):
    assert bool(contents(message(at=NOW - age, text="x"))) is taken


def test_a_postback_without_an_id_is_known_by_who_pressed_what_and_when():
    def only(event):
        return events(post([event]), NOW)[0].event_id

    first = only(postback("c:start"))

    assert first == only(postback("c:start"))
    others = [postback("c:help"), postback("c:start", sender="32"), postback("c:start", at=NOW + 1)]
    assert len({first, *map(only, others)}) == 4


@pytest.mark.parametrize("mid", ["", 7, "m 1", "\ud800", "x" * 201])
def test_an_id_that_cannot_be_kept_is_replaced_by_one_that_can(mid):
    ids = [
        each.event_id
        for each in events(post([message(mid=mid, text="một"), message(mid=mid, text="hai")]), NOW)
    ]

    assert len(set(ids)) == 2
    assert all(each.isascii() and len(each) <= 200 for each in ids)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"null", b'{"entry": {}}', b'{"object": "page"}']
)
def test_a_signed_body_of_another_form_is_told(body):
    with pytest.raises(MalformedPostError):
        events(body, NOW)
