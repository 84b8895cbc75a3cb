"""Messenger's routes in a server, with a real database and a stand-in of Facebook."""

import asyncio
import contextlib
import itertools
import json
import sqlite3

import httpx
import pytest
from echo_school import EchoSchool
from graph_api import BLOCKED, OUTSIDE_WINDOW, PASSING, TOO_MANY, GraphApi

from channels.delivery.draft import Draft
from channels.delivery.message import ADVISOR
from channels.delivery.receipt import RECEIVED
from channels.messenger import channel
from channels.messenger.channel import LARGE_BYTES
from channels.messenger.events import MAX_BODY_BYTES, events

DAY_S = 24 * 3600.0


class School(EchoSchool):
    """One process with the channel."""

    def __init__(self, graph, database, **settings):
        self.graph = graph
        super().__init__(
            "messenger",
            database,
            **{
                "messenger_token": graph.token,
                "messenger_app_secret": graph.app_secret,
                "messenger_verify_token": graph.verify_token,
                "messenger_api_url": graph.url,
                **settings,
            },
        )

    def get(self, **query):
        with httpx.Client(trust_env=False) as client:
            return client.get(self.webhook, params=query)

    def post(self, *events, **how):
        return self.graph.post(self.webhook, *events, **how)


@pytest.fixture
def graph():
    api = GraphApi()
    api.start()
    yield api
    api.stop()


@pytest.fixture
def school(graph, tmp_path):
    found = School(graph, tmp_path / "channels.sqlite")
    found.start()
    yield found
    found.stop()


def texts(messages):
    return [message["text"] for message in messages]


# --- setting up -------------------------------------------------------------------------------------------------------


def test_facebook_gets_its_challenge_back_from_who_knows_the_token(school, graph):
    query = {"hub.mode": "subscribe", "hub.verify_token": graph.verify_token, "hub.challenge": "<b>17</b>"}
    answer = school.get(**query)

    assert (answer.status_code, answer.text) == (200, "<b>17</b>")
    assert answer.headers["content-type"].startswith("text/plain")
    for wrong in (
        {**query, "hub.verify_token": "guessed"},
        {**query, "hub.mode": "unsubscribe"},
        {key: value for key, value in query.items() if key != "hub.verify_token"},
        {key: value for key, value in query.items() if key != "hub.challenge"},
        {},
    ):
        assert school.get(**wrong).status_code == 403


@pytest.mark.parametrize("missing", ["messenger_token", "messenger_app_secret", "messenger_verify_token"])
def test_a_channel_that_is_not_set_up_is_closed(graph, tmp_path, missing):
    school = School(graph, tmp_path / "channels.sqlite", **{missing: ""})
    school.start()
    try:
        answers = [school.get(**{"hub.mode": "subscribe", "hub.verify_token": "", "hub.challenge": "1"})]
        graph.app_secret = school.settings.messenger_app_secret.get_secret_value()
        answers.append(school.post(graph.message("31", "chào")))
    finally:
        school.stop()

    assert [(answer.status_code, answer.json()) for answer in answers] == [(404, {"error": "not set up"})] * 2


# --- who posts --------------------------------------------------------------------------------------------------------


def test_a_forged_or_unsigned_post_is_refused_and_nobody_is_answered(school, graph):
    body = graph.batch(graph.message("31", "giả"))
    forged = [None, "", graph.signature(body + b" "), "sha256=" + "0" * 64, "sha1=" + "0" * 40]

    statuses = [graph.post_signed(school.webhook, body, signature).status_code for signature in forged]

    assert statuses == [403] * len(forged)
    school.post(graph.message("31", "thật"))
    assert texts(graph.wait_for("31", 1)) == ["re: thật"]


def test_a_forger_learns_nothing_of_what_would_be_read(school, graph):
    assert graph.post_signed(school.webhook, b"{", "sha256=" + "0" * 64).status_code == 403
    assert school.post(body=b"{").status_code == 400


def test_a_body_that_is_too_large_is_refused(school, graph):
    assert school.post(body=b" " * (MAX_BODY_BYTES + 1)).status_code == 413


def test_fault_12_a_large_post_is_read_beside_the_event_loop(school, graph, monkeypatch):
    read_in_the_loop = []

    def watched(body, now):
        read_in_the_loop.append(asyncio._get_running_loop() is not None)
        return events(body, now)

    monkeypatch.setattr(channel, "events", watched)
    noise = [graph.message("32", "x" * 1000, is_echo=True) for _ in range(LARGE_BYTES // 1000)]
    school.post(*noise, graph.message("31", "một"))
    school.post(graph.message("31", "hai"))

    assert read_in_the_loop == [False, True]
    assert texts(graph.wait_for("31", 2)) == ["re: một", "re: hai"]


def test_a_post_is_answered_once_however_often_it_comes(school, graph):
    event = graph.message("31", "một")
    body = graph.batch(event)
    signature = graph.signature(body)

    answers = [graph.post_signed(school.webhook, body, signature) for _ in range(5)]
    school.post(event, graph.message("31", "hai"), event)

    assert {(answer.status_code, answer.text) for answer in answers} == {(200, RECEIVED)}
    assert texts(graph.wait_for("31", 2)) == ["re: một", "re: hai"]


# --- what is posted ---------------------------------------------------------------------------------------------------


def test_all_of_a_batch_is_answered_each_student_in_the_order_of_time(school, graph):
    students = ["31", "32", "33"]
    events = [
        graph.message(student, f"câu {number}", seconds_ago=60 - number)
        for number in (2, 0, 3, 1)
        for student in students
    ]
    noise = [
        graph.message("31", "của trang", is_echo=True),
        {"sender": {"id": "32"}, "timestamp": 1, "read": {"watermark": 1}},
    ]
    school.post(*noise, *events, *noise)

    for student in students:
        assert texts(graph.wait_for(student, 4)) == [f"re: câu {number}" for number in range(4)]


def test_a_burst_is_answered_in_its_order(school, graph):
    for number in range(8):
        assert school.post(graph.message("31", str(number))).status_code == 200

    assert texts(graph.wait_for("31", 8)) == [f"re: {number}" for number in range(8)]


def test_menu_buttons_and_stickers_reach_the_bot_as_what_they_are(school, graph):
    school.post(graph.postback("31", "c:start", "Bắt đầu"))
    school.post(graph.postback("31", "c:profile", with_id=False))
    sticker = [{"type": "image", "payload": {"sticker_id": 369239263222822}}]
    school.post(graph.message("31", None, attachments=sticker))

    assert texts(graph.wait_for("31", 3)) == ["re: [start]", "re: [profile]", "re: [sticker]"]


def test_a_tap_brings_back_the_id_of_what_was_offered(school, graph):
    school.post(graph.message("31", "chọn"))
    first, second = graph.wait_for("31", 1)[0]["quick_replies"]
    school.post(graph.quick_reply("31", second))

    assert (first["title"], second["title"]) == ("Một", "Hai")
    assert texts(graph.wait_for("31", 2))[1] == f"re: [{second['payload'][2:]}]"


def test_the_acknowledgement_does_not_wait_for_the_answer(school, graph):
    school.echo.gate.clear()
    answer = school.post(graph.message("31", "câu khó"))

    assert answer.text == RECEIVED
    graph.wait_until(lambda asked: len(asked) >= 2)
    assert [body["sender_action"] for body in graph.sent] == ["mark_seen", "typing_on"]
    school.echo.gate.set()
    assert texts(graph.wait_for("31", 1)) == ["re: câu khó"]


def test_what_was_acknowledged_is_answered_after_a_restart_once(graph, tmp_path):
    first = School(graph, tmp_path / "channels.sqlite")
    first.start()
    graph.fail_next(503, PASSING, {"Retry-After": "3600"})
    first.post(graph.message("31", "trước khi dừng"))
    first.undelivered(1)
    first.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "channels.sqlite")) as db, db:
        db.execute("UPDATE channel_calls SET not_before = 0")
    second = School(graph, tmp_path / "channels.sqlite")
    second.start()
    try:
        graph.wait_for("31", 1)
        second.post(graph.message("31", "sau đó"))
        assert texts(graph.wait_for("31", 2)) == ["re: trước khi dừng", "re: sau đó"]
    finally:
        second.stop()


def test_what_cannot_be_stored_is_asked_for_again(school, graph):
    with contextlib.closing(sqlite3.connect(school.database)) as db, db:
        db.execute("ALTER TABLE channel_seen RENAME TO gone")
    event = graph.message("31", "một")
    assert school.post(event).status_code == 503
    with contextlib.closing(sqlite3.connect(school.database)) as db, db:
        db.execute("ALTER TABLE gone RENAME TO channel_seen")

    assert school.post(event).status_code == 200
    assert texts(graph.wait_for("31", 1)) == ["re: một"]


# --- what is sent -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error", "headers"),
    [
        (429, TOO_MANY, {"Retry-After": "1"}),
        (503, None, {"Retry-After": "1"}),
        (400, PASSING, {"Retry-After": "1"}),
    ],
)
def test_a_busy_facebook_gets_the_message_later_and_those_after_it_too(school, graph, status, error, headers):
    graph.fail_next(status, error, headers, times=2)
    school.post(graph.message("31", "một"), graph.message("31", "hai"))

    assert texts(graph.wait_for("31", 2)) == ["re: một", "re: hai"]
    tried = [asked for asked in graph.asked if "message" in asked.body]
    assert [asked.status for asked in tried] == [status, status, 200, 200]
    assert all(after.at - before.at >= 1.0 for before, after in itertools.pairwise(tried[:3]))


def test_a_student_who_blocks_the_page_is_given_up_and_shown(school, graph):
    graph.fail_next(400, BLOCKED)
    school.post(graph.message("31", "một"))
    (call,) = school.undelivered(1)

    assert "blocked" in call["why"]
    school.post(graph.message("31", "hai"))
    assert texts(graph.wait_for("31", 1)) == ["re: hai"]


def test_after_a_day_the_bot_waits_until_the_student_writes(school, graph):
    school.post(graph.message("31", "một"))
    graph.wait_for("31", 1)
    school.let_pass(DAY_S + 60)
    school.say("31", Draft("muộn một"))
    school.say("31", Draft("muộn hai"))

    assert ["24 hours" in call["why"] for call in school.undelivered(2)] == [True, True]
    school.post(graph.message("31", "hai"))
    assert texts(graph.wait_for("31", 4)) == ["re: một", "muộn một", "muộn hai", "re: hai"]


def test_facebook_may_know_better_that_a_day_is_over(school, graph):
    graph.fail_next(400, OUTSIDE_WINDOW)
    school.post(graph.message("31", "một"))
    school.undelivered(1)
    school.post(graph.message("31", "hai"))

    assert texts(graph.wait_for("31", 2)) == ["re: một", "re: hai"]


def test_an_advisor_reaches_the_student_for_seven_days(school, graph):
    school.post(graph.message("31", "một"))
    graph.wait_for("31", 1)
    school.let_pass(3 * DAY_S)
    school.say("31", Draft("Chào em", ADVISOR, by="Cô Lan"))

    assert texts(graph.wait_for("31", 2))[1] == "Cô Lan (cố vấn):\nChào em"
    assert (graph.sent[-1]["messaging_type"], graph.sent[-1]["tag"]) == ("MESSAGE_TAG", "HUMAN_AGENT")
    school.let_pass(5 * DAY_S)
    school.say("31", Draft("Em còn cần không?", ADVISOR, by="Cô Lan"))
    assert "seven days" in school.undelivered(1)[0]["why"]


def test_a_name_that_is_json_in_disguise_stays_a_name(school, graph):
    told = json.dumps({"payload": "o:x", "text": "</script>"})
    school.post(graph.message("31", told))

    assert texts(graph.wait_for("31", 1)) == [f"re: {told}"]
