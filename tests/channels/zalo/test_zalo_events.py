"""Parsing and signatures of Zalo's posts."""

import hashlib
import json

import pytest

from channels.delivery.incoming import COMMANDS, ButtonPress, MenuCommand, TextInput, UnreadableInput
from channels.zalo.events import (
    OLDEST_S,
    MalformedPostError,
    incoming,
    is_signed,
    parsed,
    signature,
    timestamp_of,
)
from channels.zalo.menu import menu

OA, NOW = "1423847451268726170", 1_790_000_000.0
APP, SECRET = "1450975846052622442", "secret of the OA"


def event(name="user_send_text", sender="31", at=NOW, msg_id="e2a641af6661713b2874", **message):
    return {
        "event_name": name,
        "app_id": APP,
        "sender": {"id": sender},
        "recipient": {"id": OA},
        "message": {"msg_id": msg_id, **message},
        "timestamp": str(round(at * 1000)),
    }


def follower(name, **changes):
    return {
        "oa_id": OA,
        "follower": {"id": "31"},
        "event_name": name,
        "timestamp": str(round(NOW * 1000)),
        **changes,
    }


def content(body):
    found = incoming(body, NOW)
    return found and found.content


# --- who posts --------------------------------------------------------------------------------------------------------


def test_the_signature_is_the_one_that_zalo_documents():
    body = '{"text":"Học phí?","timestamp":"1717061839659"}'.encode()
    documented = hashlib.sha256(APP.encode() + body + b"1717061839659" + SECRET.encode()).hexdigest()

    assert signature(body, "1717061839659", APP, SECRET) == f"mac={documented}"


def test_these_very_bytes_are_signed_with_or_without_mac():
    body = b'{"text": "\\u1ecd" }'
    shown = signature(body, "17", APP, SECRET)

    assert is_signed(body, "17", shown, APP, SECRET)
    assert is_signed(body, "17", shown.removeprefix("mac="), APP, SECRET)
    assert is_signed(body, "17", "mac=" + shown.removeprefix("mac=").upper(), APP, SECRET)


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "mac=",
        "mac=" + "0" * 64,
        signature(b"{}", "17", APP, "another secret"),
        signature(b"{}", "17", "another app", SECRET),
        signature(b"{}", "18", APP, SECRET),
        signature(b"{} ", "17", APP, SECRET),
        signature(b"{}", "17", APP, SECRET) + "0",
        "mac=đ",
        "\udcff",
    ],
)
def test_another_signature_is_none(shown):
    assert not is_signed(b"{}", "17", shown, APP, SECRET)


def test_without_an_app_or_a_secret_nothing_is_signed():
    assert not is_signed(b"{}", "17", signature(b"{}", "17", APP, ""), APP, "")
    assert not is_signed(b"{}", "17", signature(b"{}", "17", "", SECRET), "", SECRET)


def test_the_time_is_signed_as_it_is_written():
    for written, read in (
        ('"1717061839659"', "1717061839659"),
        ("1717061839659", "1717061839659"),
        ("1e400", "1e400"),
    ):
        assert timestamp_of(parsed(b'{"timestamp": ' + written.encode() + b"}")) == read
    assert timestamp_of({}) == ""


# --- what is posted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("posted", "found"),
    [
        (event(text="Học phí?"), TextInput("Học phí?")),
        (event(text="/restart"), TextInput("/restart")),
        (event(text="#hocphi"), TextInput("#hocphi")),
        (event(text="#o:a b"), TextInput("#o:a b")),
        (event(text="o:aB3"), TextInput("o:aB3")),
        (event(text=""), TextInput("")),
        (event(), TextInput("")),
        (event(text="#o:aB3_-x"), ButtonPress("aB3_-x")),
        (event("user_click_button", text="#o:aB3_-x"), ButtonPress("aB3_-x")),
        (event("user_click_button", payload="#o:aB3_-x"), ButtonPress("aB3_-x")),
        (event(text="#bat-dau"), MenuCommand("start")),
        (event(text="#Tro-Giup "), MenuCommand("help")),
        (event("user_send_sticker", attachments=[{"type": "sticker"}]), UnreadableInput("sticker")),
        (event("user_send_image", attachments=[{"type": "image"}]), UnreadableInput("image")),
        (event("user_send_image", text="giấy này nộp ở đâu?"), TextInput("giấy này nộp ở đâu?")),
        (event("user_send_file", attachments=[{"type": "file"}]), UnreadableInput("file")),
        (event("user_send_link", text="https://example.edu.vn"), TextInput("https://example.edu.vn")),
        (event("user_send_location", text="Cơm Coffee"), UnreadableInput("location")),
        (event("user_send_business_card", text="An"), UnreadableInput("business_card")),
        (event("user_send_audio"), UnreadableInput("audio")),
        (event("user_send_Đ"), UnreadableInput("attachment")),
        (follower("follow"), MenuCommand("start")),
        (follower("unfollow"), None),
        (event("oa_send_text", sender=OA, text="re: Học phí?"), None),
        (event("user_send_text", sender=OA, text="của OA"), None),
        (event("user_seen_message", msg_ids=["1"]), None),
        (event("user_received_message"), None),
        (event("user_reacted_message", react_icon="/-strong"), None),
        (event("user_send_group_text", text="trong nhóm"), None),
        (event("anonymous_send_text", text="ẩn danh"), None),
        (event("", text="không tên"), None),
        ({}, None),
    ],
)
def test_an_event_becomes_what_the_student_did(posted, found):
    assert content(posted) == found


def test_every_item_of_the_menu_is_a_command():
    assert {item.command for item in menu()} <= COMMANDS
    for item in menu():
        assert content(event(text=item.payload)) == MenuCommand(item.command)
        assert set(item.title) == {"vi", "en"}


def test_numbers_are_kept_as_they_are_written():
    body = json.dumps(event(sender=9007199254740993, text="chào")).encode()
    found = incoming(parsed(body), NOW)

    assert found is not None
    assert found.sender == "9007199254740993"


@pytest.mark.parametrize("sender", ["", "a b", "\ud800", "x" * 101, None, ["31"], {"id": "31"}, "đ"])
def test_a_sender_that_is_none_is_left_out(sender):
    assert incoming(event(sender=sender, text="chào"), NOW) is None


def test_an_event_keeps_its_id_and_one_without_gets_the_same_each_time():
    named = incoming(event(text="chào"), NOW)
    first, again = (incoming(follower("follow"), NOW) for _ in range(2))
    later = incoming(follower("follow", timestamp=str(round(NOW * 1000) + 1)), NOW)
    odd = incoming(event(msg_id="\ud800", text="chào"), NOW)

    assert named.event_id == "e2a641af6661713b2874"
    assert first.event_id == again.event_id != later.event_id
    assert odd.event_id.startswith("sha256:")


@pytest.mark.parametrize(
    ("age", "kept"), [(0, True), (OLDEST_S - 1, True), (OLDEST_S + 1, False), (-3600, True)]
)
def test_an_old_event_is_left_out(age, kept):
    assert (incoming(event(at=NOW - age, text="chào"), NOW) is not None) is kept


@pytest.mark.parametrize("timestamp", ["", "x", "-1", "1" * 400, "NaN", None, [], "９９９"])
def test_a_time_that_is_none_costs_nothing(timestamp):
    assert content({**event(text="chào"), "timestamp": timestamp}) == TextInput("chào")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"17", b"null", b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_event_is_said_to_be_none(body):
    with pytest.raises(MalformedPostError):
        parsed(body)


@pytest.mark.parametrize("odd", [None, 17, "x", [], [1], {"id": None}, {"id": []}])
def test_parts_of_another_form_break_nothing(odd):
    for name in ("sender", "recipient", "message", "event_name", "follower", "timestamp"):
        for posted in (event(text="chào"), follower("follow")):
            incoming({**posted, name: odd}, NOW)
