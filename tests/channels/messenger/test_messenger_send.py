"""Calls to Facebook and the errors for its refusals, over HTTP against a stand-in that keeps its rules."""

import asyncio
import logging
import time

import pytest
from graph_api import (
    BAD_TOKEN,
    BLOCKED,
    NO_SUCH_USER,
    OUTSIDE_WINDOW,
    PASSING,
    TOO_MANY,
    GraphApi,
)

from channels.delivery.message import ADVISOR, BOT, NOTICE
from channels.delivery.platform import Outgoing, OutsideWindowError, RefusedError, TryAgainError
from channels.messenger.send import (
    ADVISOR_WINDOW_S,
    ANSWER_WINDOW_S,
    MAX_WAIT_S,
    MessengerPlatform,
    failure,
    graph_version,
    messaging_type,
)

CALL = {"message": {"text": "Chào bạn"}}
HOUR, DAY = 3600.0, 24 * 3600.0
NEVER = None
"""In place of the seconds since the student's last message: there was none."""


@pytest.fixture
def graph():
    api = GraphApi()
    api.start()
    yield api
    api.stop()


def with_platform(graph, do, **settings):
    async def run():
        platform = MessengerPlatform(
            settings.get("url", graph.url), settings.get("token", graph.token), graph.app_secret
        )
        try:
            return await do(platform)
        finally:
            await platform.close()

    return asyncio.run(run())


def send(graph, author=BOT, silent_s=0.0, call=CALL, **settings):
    heard_at = 0.0 if silent_s is NEVER else time.time() - silent_s
    outgoing = Outgoing(call, "31", {}, author, heard_at)
    return with_platform(graph, lambda platform: platform.send(outgoing), **settings)


def refusal(graph, error_type, **how):
    with pytest.raises(error_type) as caught:
        send(graph, **how)
    return caught.value


def test_an_answer_goes_to_the_student_at_the_one_version(graph):
    send(graph)

    (asked,) = graph.asked
    assert asked.body == {"recipient": {"id": "31"}, "messaging_type": "RESPONSE", **CALL}
    assert asked.path == "me/messages"
    assert graph_version().startswith("v")


def test_the_token_is_in_no_address_and_in_no_log(graph, caplog):
    with caplog.at_level(logging.DEBUG):
        send(graph)
        graph.fail_next(400, {"message": f"Malformed access token {graph.token}", "code": 190})
        refused = refusal(graph, RefusedError)

    assert graph.asked[0].headers["Authorization"] == f"Bearer {graph.token}"
    assert list(graph.asked[0].query) == ["appsecret_proof"]
    assert graph.token not in str(refused)
    assert "Malformed access token …" in str(refused)
    told = [record.getMessage() for record in caplog.records if record.name != "asyncio"]
    assert not [line for line in told if graph.token in line or graph.app_secret in line]


@pytest.mark.parametrize(
    ("author", "silent_s", "kind"),
    [
        (BOT, 0, {"messaging_type": "RESPONSE"}),
        (BOT, DAY - HOUR, {"messaging_type": "RESPONSE"}),
        (ADVISOR, DAY - HOUR, {"messaging_type": "RESPONSE"}),
        (ADVISOR, DAY + HOUR, {"messaging_type": "MESSAGE_TAG", "tag": "HUMAN_AGENT"}),
        (ADVISOR, 7 * DAY - HOUR, {"messaging_type": "MESSAGE_TAG", "tag": "HUMAN_AGENT"}),
    ],
)
def test_only_a_person_may_write_later_than_a_day(graph, author, silent_s, kind):
    send(graph, author, silent_s)

    assert {key: graph.sent[0].get(key) for key in kind} == kind
    assert graph.sent[0].get("tag") == kind.get("tag")


@pytest.mark.parametrize(
    ("author", "silent_s"),
    [(BOT, DAY + 1), (NOTICE, DAY + 1), (BOT, NEVER), (ADVISOR, 7 * DAY + 1), (ADVISOR, NEVER)],
)
def test_what_may_not_be_sent_now_is_not_even_tried(graph, author, silent_s):
    assert "student" in str(refusal(graph, OutsideWindowError, author=author, silent_s=silent_s))
    assert graph.asked == []


def test_the_windows_end_where_facebook_ends_them():
    assert messaging_type(BOT, ANSWER_WINDOW_S - 1) == {"messaging_type": "RESPONSE"}
    assert messaging_type(ADVISOR, ANSWER_WINDOW_S)["tag"] == "HUMAN_AGENT"
    for author, silent_s in ((BOT, ANSWER_WINDOW_S), (ADVISOR, ADVISOR_WINDOW_S)):
        with pytest.raises(OutsideWindowError):
            messaging_type(author, silent_s)


def test_an_app_without_human_agent_keeps_the_message_until_the_student_writes(graph):
    graph.human_agent = False

    assert "Human Agent" in str(refusal(graph, OutsideWindowError, author=ADVISOR, silent_s=2 * DAY))


def test_facebooks_own_clock_decides_on_the_window(graph):
    graph.fail_next(400, OUTSIDE_WINDOW)

    refusal(graph, OutsideWindowError)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, None),
        (500, None),
        (503, PASSING),
        (400, PASSING),
        (400, TOO_MANY),
        (400, {"code": 4, "message": "Application request limit reached"}),
        (400, {"code": 17}),
        (400, {"code": 32}),
        (400, {"code": 80006}),
        (400, {"code": 1200}),
        (400, {"code": 7, "is_transient": True}),
    ],
)
def test_a_busy_facebook_is_asked_again(graph, status, error):
    graph.fail_next(status, error)

    assert refusal(graph, TryAgainError).after_s is None


@pytest.mark.parametrize(
    ("headers", "after_s"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "86400"}, MAX_WAIT_S),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        (
            {
                "X-Business-Use-Case-Usage": '{"1": [{"type": "messenger", "estimated_time_to_regain_access": 3}]}'
            },
            180.0,
        ),
        ({"X-Business-Use-Case-Usage": "[]"}, None),
        ({"X-Business-Use-Case-Usage": '{"1": 7}'}, None),
        ({}, None),
    ],
)
def test_it_is_asked_again_when_it_wants_to_be(graph, headers, after_s):
    graph.fail_next(429, TOO_MANY, headers)

    assert refusal(graph, TryAgainError).after_s == after_s


def test_a_facebook_out_of_reach_is_asked_again(graph):
    url = graph.url
    graph.stop()

    assert "cannot be reached" in str(refusal(graph, TryAgainError, url=url))


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (BLOCKED, "blocked the page"),
        ({"code": 200, "error_subcode": 1545041, "message": "x"}, "blocked the page"),
        (NO_SUCH_USER, "no such student"),
        (BAD_TOKEN, "COVAN_MESSENGER_TOKEN"),
        ({"code": 10, "message": "x"}, "pages_messaging"),
        ({"code": 230, "message": "x"}, "pages_messaging"),
        ({"code": 100, "message": "(#100) Length of param message[text]"}, "Length of param"),
        ({"code": "100", "error_subcode": [1], "message": None}, "400"),
        ({}, "400"),
    ],
)
def test_what_will_never_be_taken_says_why(graph, error, says):
    graph.fail_next(400, error)

    assert says in str(refusal(graph, RefusedError))


def test_a_wrong_token_or_secret_is_refused(graph):
    assert "COVAN_MESSENGER_TOKEN" in str(refusal(graph, RefusedError, token="EAAB-of-last-year"))
    graph.app_secret, graph.app_secret_before = "another", graph.app_secret
    platform = MessengerPlatform(graph.url, graph.token, graph.app_secret_before)

    async def run():
        with pytest.raises(RefusedError, match="appsecret_proof"):
            await platform.send(Outgoing(CALL, "31", {}, BOT, time.time()))
        await platform.close()

    asyncio.run(run())


def test_a_persons_message_is_refused_for_its_student_not_for_its_tag():
    assert isinstance(failure(400, NO_SUCH_USER, {}, (), tagged=True), RefusedError)
    assert isinstance(failure(400, BLOCKED, {}, (), tagged=True), RefusedError)
    assert isinstance(failure(400, TOO_MANY, {}, (), tagged=True), TryAgainError)


def test_the_student_sees_that_an_answer_is_being_written(graph):
    async def twice_then_again(platform):
        await platform.typing("31", {})
        await platform.typing("31", {})
        await platform.typing("32", {})
        await platform.send(Outgoing(CALL, "31", {}, BOT, time.time()))
        await platform.typing("31", {})

    with_platform(graph, twice_then_again)

    assert [(body["recipient"]["id"], body.get("sender_action", "message")) for body in graph.sent] == [
        ("31", "mark_seen"),
        ("31", "typing_on"),
        ("32", "mark_seen"),
        ("32", "typing_on"),
        ("31", "message"),
        ("31", "mark_seen"),
        ("31", "typing_on"),
    ]
