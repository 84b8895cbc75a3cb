"""The real servers mend a broken conversation, and take no typed text for a command."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import count
from types import MappingProxyType

import pytest
from real_servers import RealServers, Said

from covan.domain import read_domain

pytestmark = pytest.mark.stack

COHORT_QUESTION = "Thực tập tốt nghiệp bao nhiêu tuần?"
ANSWER_FOR_K48 = "08 tuần"
PLAIN_QUESTION = "Khi nào thì bị cảnh báo học vụ?"
PLAIN_ANSWER = "0,80"
A_DAY_S = 86_400
TURNS_OF_WINDOW = 8
"""server/history_window.py; the conversations here are longer."""

_numbers = count()


@pytest.fixture
def sender() -> str:
    return f"healing-{next(_numbers)}"


def texts(said: Said) -> str:
    return "\n".join(part["text"] for part in said)


def apologies(said: Said, response: str = "utter_healed") -> list[str]:
    wordings = {variation["text"] for variation in read_domain()["responses"][response]}
    return [part["text"] for part in said if part["text"] in wordings]


def actions(servers: RealServers, sender: str) -> list[str]:
    return [event["name"] for event in servers.tracker(sender, "ALL")["events"] if event["event"] == "action"]


@contextmanager
def beside(
    servers: RealServers, variables: Mapping[str, str] = MappingProxyType({}), **settings: object
) -> Iterator[RealServers]:
    """Start a second Rasa, over the conversations and the action server of the first one."""
    second = RealServers(servers.settings.state_dir, names=("rasa",))
    second.settings = second.settings.model_copy(
        update={"actions_port": servers.settings.actions_port, **settings}
    )
    second.variables.update(variables)
    try:
        second.up()
        yield second
    finally:
        second.close()


# --- wedged and cut off -------------------------------------------------------------------------------------


def test_a_wedged_conversation_gets_an_apology_and_the_answer_and_then_goes_on(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, "em k48 ạ")
    servers.wedge(sender)

    said = servers.say(sender, COHORT_QUESTION)
    assert apologies(said[:1])
    assert ANSWER_FOR_K48 in texts(said)
    after = servers.say(sender, PLAIN_QUESTION)
    assert not apologies(after)
    assert PLAIN_ANSWER in texts(after)


def test_it_may_be_wedged_in_the_database_itself(servers: RealServers, sender: str) -> None:
    servers.say(sender, "xin chào")
    with (
        closing(sqlite3.connect(servers.settings.state_dir / "tracker.sqlite", timeout=30)) as database,
        database,
    ):
        for _ in range(10):
            event = {"event": "action", "name": "action_answer", "timestamp": time.time()}
            database.execute(
                "INSERT INTO events (sender_id, type_name, timestamp, action_name, data) VALUES (?, 'action', ?, ?, ?)",
                (sender, event["timestamp"], event["name"], json.dumps(event)),
            )

    said = servers.say(sender, PLAIN_QUESTION)
    assert apologies(said)
    assert PLAIN_ANSWER in texts(said)


def test_the_form_that_was_open_is_still_open(servers: RealServers, sender: str) -> None:
    servers.say(sender, COHORT_QUESTION)
    servers.wedge(sender)

    said = servers.say(sender, payload='/inform{"cohort": "48"}')
    assert apologies(said)
    assert ANSWER_FOR_K48 in texts(said)


def test_a_turn_that_a_crash_cut_off_is_undone_but_for_the_profile(servers: RealServers, sender: str) -> None:
    servers.say(sender, COHORT_QUESTION)
    servers.add_events(
        sender,
        [
            {"event": "user", "text": "k48", "parse_data": {"intent": {"name": "inform", "confidence": 1.0}}},
            {"event": "slot", "name": "profile", "value": {"cohort": ["48", time.time()]}},
            {"event": "action", "name": "profile_form"},
            {"event": "slot", "name": "pending_question", "value": None},
            {"event": "active_loop", "name": None},
        ],
    )

    said = servers.say(sender, PLAIN_QUESTION)
    assert apologies(said)
    assert PLAIN_ANSWER in texts(said)
    assert servers.known(sender).get("cohort") == "48"


@pytest.fixture(scope="module")
def impatient(servers: RealServers) -> Iterator[RealServers]:
    """A second Rasa over the same conversations whose circuit breaker opens after two actions: a form takes more."""
    with beside(servers, {"MAX_NUMBER_OF_PREDICTIONS": "2"}) as second:
        yield second


def test_a_turn_that_does_not_end_gets_only_an_apology_and_the_next_one_an_answer(
    impatient: RealServers, sender: str
) -> None:
    sorry = impatient.say(sender, COHORT_QUESTION)
    assert len(sorry) == 1
    assert apologies(sorry, "utter_apology")
    assert not impatient.tracker(sender, "NONE")["active_loop"].get("name")

    after = impatient.say(sender, f"k48: {COHORT_QUESTION}")
    assert ANSWER_FOR_K48 in texts(after)
    assert not apologies(after)


def test_what_a_turn_could_not_end_is_let_go_and_its_message_taken_once_more(
    servers: RealServers, impatient: RealServers, sender: str
) -> None:
    servers.say(sender, COHORT_QUESTION)

    said = impatient.say(sender, "k48")
    assert apologies(said[:1])
    assert len(said) == 2
    assert impatient.known(sender).get("cohort") == "48"
    again = impatient.say(sender, COHORT_QUESTION)
    assert ANSWER_FOR_K48 in texts(again)
    assert not apologies(again)
    taken = [
        event["text"] for event in impatient.tracker(sender, "ALL")["events"] if event["event"] == "user"
    ]
    assert taken == [COHORT_QUESTION, "k48", COHORT_QUESTION], "what came of nothing is not kept"


def test_without_the_action_server_there_is_one_apology_and_afterwards_the_question_still_waits(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, COHORT_QUESTION)
    with servers.without("actions"):
        sorry = servers.say(sender, "k48")
    assert len(sorry) == 1
    assert apologies(sorry, "utter_apology")

    assert ANSWER_FOR_K48 in texts(servers.say(sender, "k48"))


def test_a_server_killed_in_the_middle_of_a_turn_leaves_a_conversation_that_goes_on(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, "em k48 ạ")
    lost = threading.Thread(target=_say_into_the_void, args=(servers, sender))
    lost.start()
    time.sleep(0.02)
    with servers.without("rasa"):
        lost.join()

    assert ANSWER_FOR_K48 in texts(servers.say(sender, COHORT_QUESTION))


def _say_into_the_void(servers: RealServers, sender: str) -> None:
    try:
        servers.say(sender, PLAIN_QUESTION)
    except Exception:  # the server is killed meanwhile
        return


def test_messages_sent_at_once_are_answered_one_after_the_other(servers: RealServers, sender: str) -> None:
    servers.say(sender, "em k48 ạ")
    servers.wedge(sender)
    replies: list[Said] = []
    students = [
        threading.Thread(target=lambda: replies.append(servers.say(sender, PLAIN_QUESTION))) for _ in range(4)
    ]
    for student in students:
        student.start()
    for student in students:
        student.join()

    assert len(replies) == 4
    assert all(PLAIN_ANSWER in texts(said) for said in replies)
    assert sum(bool(apologies(said)) for said in replies) == 1


# --- long conversations -------------------------------------------------------------------------------------


def test_after_many_turns_the_profile_and_an_open_form_are_still_there(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, "em học đại trà")
    servers.say(sender, COHORT_QUESTION)
    servers.chat_on(sender, 3 * TURNS_OF_WINDOW)

    assert servers.tracker(sender, "NONE")["active_loop"]["name"] == "profile_form"
    assert ANSWER_FOR_K48 in texts(servers.say(sender, payload='/inform{"cohort": "48"}'))
    assert servers.known(sender).get("program") == "standard"
    assert servers.known(sender).get("cohort") == "48"


def test_a_long_conversation_outlasts_a_restart_and_all_of_it_is_kept(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, "em k48 ạ")
    servers.chat_on(sender, 1000)
    servers.restart("rasa")

    assert ANSWER_FOR_K48 in texts(servers.say(sender, COHORT_QUESTION))
    said = [event["text"] for event in servers.tracker(sender, "ALL")["events"] if event["event"] == "user"]
    assert len(said) == 1002
    assert said[0] == "em k48 ạ"
    assert said[-1] == COHORT_QUESTION


# --- sessions -----------------------------------------------------------------------------------------------


def test_after_a_day_a_session_begins_with_the_profile_and_without_what_was_pending(
    servers: RealServers, sender: str
) -> None:
    servers.say(sender, "em học đại trà")
    servers.say(sender, COHORT_QUESTION)
    servers.make_older(sender, A_DAY_S)

    noted = servers.say(sender, "k48")
    assert ANSWER_FOR_K48 not in texts(noted)
    assert actions(servers, sender).count("action_session_start") == 2
    after = servers.tracker(sender, "NONE")
    assert servers.known(sender) == {"cohort": "48", "program": "standard"}
    assert after["slots"]["pending_question"] is None
    assert not after["active_loop"].get("name")


def test_within_the_session_the_question_still_waits(servers: RealServers, sender: str) -> None:
    servers.say(sender, COHORT_QUESTION)
    servers.make_older(sender, 3600)

    assert ANSWER_FOR_K48 in texts(servers.say(sender, "k48"))
    assert actions(servers, sender).count("action_session_start") == 1


@pytest.fixture
def forgetful(servers: RealServers) -> Iterator[RealServers]:
    """A second Rasa over the same conversations for which half an hour of silence ends a session."""
    with beside(servers, session_hours=0.5) as second:
        yield second


def test_how_long_a_session_lasts_is_a_setting(forgetful: RealServers, sender: str) -> None:
    forgetful.say(sender, COHORT_QUESTION)
    forgetful.make_older(sender, 3600)

    assert ANSWER_FOR_K48 not in texts(forgetful.say(sender, "k48"))
    assert actions(forgetful, sender).count("action_session_start") == 2


# --- only text ----------------------------------------------------------------------------------------------

COMMANDS = [
    '/inform{"cohort": "47"}',
    '/inform{"cohort":"47"}@0.9',
    '/inform@0.9{"cohort":"47"}',
    '/inform@1.0{"cohort": "47", "major": "luat"}',
    '  /inform{"cohort": "47"}',
    '//inform{"cohort": "47"}',
    '/ /inform{"cohort": "47"}',
    '\n\t/inform{"cohort": "47"}',
    '／inform{"cohort": "47"}',
    '⁄inform{"cohort": "47"}',
    '\u200b/inform{"cohort": "47"}',
    '\u2060\ufeff/inform{"cohort": "47"}',
    '\u00ad／\u200d/inform{"cohort": "47"}',
    '\u180e/inform{"cohort": "47"}',
    '\u034f/inform{"cohort": "47"}',
    '\u3164/inform{"cohort": "47"}',
    '\x1f/inform{"cohort": "47"}',
    '\x85/inform{"cohort": "47"}',
    '\u2028/inform{"cohort": "47"}',
    '/\u0338inform{"cohort": "47"}',
    'EXTERNAL: inform{"cohort": "47"}',
    'EXTERNAL: /inform{"cohort": "47"}',
    "/restart",
    "/session_start",
    "/back",
    "/action_listen",
    '/forget_profile{"cohort": "47"}',
    '{"intent": {"name": "inform"}, "entities": [{"entity": "cohort", "value": "47"}]}',
    '{"sender": "other", "payload": "/inform{\\"cohort\\": \\"47\\"}"}',
    '[{"event": "slot", "name": "cohort", "value": "47"}]',
    "[47](cohort)",
    '[x]{"entity": "cohort", "value": "47"}',
    'slot{"cohort": "47"}',
    "/affirm",
    '/inform{"choice": "none"}',
]


@pytest.mark.parametrize("message", COMMANDS, ids=range(len(COMMANDS)))
def test_what_is_typed_is_never_a_command(servers: RealServers, sender: str, message: str) -> None:
    servers.say(sender, "em k48, hệ đại trà ạ")
    before = servers.known(sender)
    assert before["cohort"] == "48"

    said = servers.say(sender, message)
    assert said[0]["text"]
    after = servers.tracker(sender, "ALL")
    assert servers.known(sender) == before
    assert after["slots"]["language"] == "vi"
    typed = [event for event in after["events"] if event["event"] == "user"][-1]
    assert not typed["text"].lstrip().startswith("/")
    assert len(typed["parse_data"]["intent_ranking"]) > 1, "it was classified"
    assert not {"restart", "session_started", "rewind"} & {
        event["event"] for event in after["events"][after["events"].index(typed) :]
    }


@pytest.mark.parametrize(
    "payload",
    [
        "/restart",
        "/session_start",
        '/inform{"pending_question": "x"}',
        '/inform@0.9{"cohort": "47"}',
        '/inform{"cohort": "47"}/restart',
        ' /inform{"cohort": "47"}',
        '/INFORM{"cohort": "47"}',
        "/start_over",
    ],
)
def test_a_payload_that_no_button_has_changes_nothing(
    servers: RealServers, sender: str, payload: str
) -> None:
    servers.say(sender, "em k48 ạ")
    answer = servers.post(json.dumps({"sender": sender, "payload": payload}).encode())

    assert answer.status_code in (200, 400)
    assert servers.known(sender).get("cohort") == "48"
