"""Messenger end to end: Facebook's posts into a real Rasa with the adapter in it, and what students then see."""

from __future__ import annotations

import itertools
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from graph_api import BLOCKED, PASSING, TOO_MANY, GraphApi, Json

if TYPE_CHECKING:
    from conftest import Channels

pytestmark = pytest.mark.stack

COHORT_QUESTION = "Thực tập tốt nghiệp bao nhiêu tuần?"
"""Its answer depends on the cohort."""

LIBRARY, ITS_ANSWER = "thư viện mở cửa mấy giờ", "Ba tuần thi cuối học kỳ"
DAY_S = 24 * 3600.0
DEADLINE_S = 60.0

_numbers = itertools.count(7001)


class Student:
    """One who writes to the page; `read` counts the messages that they have looked at."""

    def __init__(self, channels: Channels) -> None:
        self.id = str(next(_numbers))
        self.graph: GraphApi = channels.messenger
        self.webhook = f"{channels.url}/webhooks/messenger/webhook"
        self.database = channels.servers.settings.state_dir / "channels.sqlite"
        self.read = 0

    def message(self, text: str | None, **rest: Any) -> Json:
        return self.graph.message(self.id, text, **rest)

    def post(self, *events: Json) -> None:
        answer = self.graph.post(self.webhook, *events)
        assert (answer.status_code, answer.text) == (200, "EVENT_RECEIVED")

    def write(self, text: str) -> list[Json]:
        self.post(self.message(text))
        return self.answers()

    def tap(self, title: str) -> list[Json]:
        """Tap on the quick reply whose title begins so, under the last message."""
        offered = self.graph.seen_by(self.id)[-1].get("quick_replies", [])
        [chosen] = [reply for reply in offered if reply["title"].startswith(title)]
        self.post(self.graph.quick_reply(self.id, chosen))
        return self.answers()

    def answers(self) -> list[Json]:
        """The new messages, once nothing that the student did waits for an answer, and no answer to be sent."""
        soon(lambda: not self._waiting())
        found = self.graph.seen_by(self.id)[self.read :]
        self.read += len(found)
        assert found
        return found

    def _waiting(self) -> int:
        with self.connected() as db:
            waiting = "SELECT count(*) FROM {} WHERE channel = 'messenger' AND sender = ? AND {}"
            of = {"channel_turns": "done_at IS NULL", "channel_calls": "state = 'waiting'"}
            return sum(db.execute(waiting.format(*each), [self.id]).fetchone()[0] for each in of.items())

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.database, timeout=30)) as db, db:
            yield db

    def let_pass(self, seconds: float) -> None:
        """What the student wrote was written so much earlier."""
        with self.connected() as db:
            changed = db.execute(
                "UPDATE channel_senders SET heard_at = heard_at - ? WHERE channel = 'messenger' AND sender = ?",
                (seconds, self.id),
            )
            assert changed.rowcount == 1

    def seen(self) -> list[str]:
        return [shown(message) for message in self.graph.seen_by(self.id)]


@pytest.fixture
def student(channels: Channels) -> Student:
    channels.messenger.forget()
    return Student(channels)


def shown(message: Json) -> str:
    """The text of a message, of whatever form."""
    if "text" in message:
        return str(message["text"])
    payload = message["attachment"]["payload"]
    return str(payload.get("text") or payload["elements"][0]["title"])


def titles(message: Json) -> list[str]:
    return [reply["title"] for reply in message.get("quick_replies", [])]


def soon(found: Callable[[], Any]) -> Any:
    """What `found` gives, as soon as it is something."""
    deadline = time.monotonic() + DEADLINE_S
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return value


def advisors_api(channels: Channels, method: str, path: str, **body: str) -> Any:
    answer = httpx.request(
        method,
        f"{channels.url}/webhooks/advisors/{path}",
        headers={"Authorization": f"Bearer {channels.advisor_token}"},
        json=body or None,
        trust_env=False,
        timeout=DEADLINE_S,
    )
    assert answer.is_success, answer.text
    return answer.json()


def undelivered(channels: Channels, student: Student) -> list[Json]:
    calls = advisors_api(channels, "GET", "undelivered")["calls"]
    return [call for call in calls if call["sender"] == student.id]


# --- who posts --------------------------------------------------------------------------------------------------------


def test_facebook_gets_its_challenge_back(channels: Channels) -> None:
    query = {
        "hub.mode": "subscribe",
        "hub.verify_token": channels.messenger.verify_token,
        "hub.challenge": "1158",
    }
    url = f"{channels.url}/webhooks/messenger/webhook"

    answer = httpx.get(url, params=query, trust_env=False)
    refused = httpx.get(url, params={**query, "hub.verify_token": "guessed"}, trust_env=False)

    assert (answer.status_code, answer.text, refused.status_code) == (200, "1158", 403)


def test_what_facebook_did_not_sign_is_refused(student: Student) -> None:
    body = student.graph.batch(student.message(LIBRARY))
    for signature in (None, "", "sha256=" + "0" * 64, student.graph.signature(b"another")):
        assert student.graph.post_signed(student.webhook, body, signature).status_code == 403

    student.write("cảm ơn")
    assert not any(ITS_ANSWER in text for text in student.seen())


def test_replays_and_duplicates_are_answered_once(student: Student) -> None:
    event = student.message(LIBRARY)
    for _ in range(3):
        student.post(event, event)
    student.answers()
    student.post(event)
    student.write("cảm ơn")

    assert sum(ITS_ANSWER in text for text in student.seen()) == 1


def test_a_batch_of_several_students_out_of_order_is_answered_to_each_in_order(channels: Channels) -> None:
    channels.messenger.forget()
    students = [Student(channels) for _ in range(3)]
    # What is answered to the later depends on the earlier.
    texts = ["em là sinh viên khóa 49", COHORT_QUESTION]
    events = [
        student.message(text, seconds_ago=10 - at)
        for at, text in reversed(list(enumerate(texts)))
        for student in students
    ]
    students[0].post(*events)

    for student in students:
        noted, answer, *_ = map(shown, student.answers())
        assert "Khóa 49" in noted
        assert "K49" in answer
        assert "tuần" in answer


# --- a conversation ---------------------------------------------------------------------------------------------------


def test_the_button_to_begin_greets_with_the_topics(student: Student) -> None:
    student.post(student.graph.postback(student.id, "c:start", "Bắt đầu"))
    *_, last = student.answers()

    assert "Học phí" in titles(last)
    answers = student.tap("Học phí")
    assert answers[-1] != last


def test_what_the_answer_depends_on_is_asked_and_tapped(student: Student) -> None:
    [*_, question] = student.write(COHORT_QUESTION)
    cohort = next(title for title in titles(question) if "49" in title)
    answers = student.tap(cohort)

    assert "tuần" in shown(answers[0])
    assert "\n\nNguồn:\n• " in shown(answers[0])
    actions = [
        body.get("sender_action") for body in student.graph.sent if body["recipient"]["id"] == student.id
    ]
    assert actions[:2] == ["mark_seen", "typing_on"]
    assert titles(answers[-1])[-2:] == ["👍", "👎"]
    assert shown(student.tap("👎")[-1])


def test_long_choices_are_numbered_and_lead_to_what_they_say(student: Student) -> None:
    [*_, question] = student.write("đăng ký")
    offered = titles(question)

    assert max(map(len, offered)) <= 20
    assert offered[0].startswith("1. ")
    assert f"\n{offered[0].rstrip('…')}" in shown(question)
    answers = student.tap("1. ")
    assert answers[-1] != question


def test_a_button_of_somebody_else_does_nothing(channels: Channels, student: Student) -> None:
    other = Student(channels)
    other.write(COHORT_QUESTION)
    reply = other.graph.seen_by(other.id)[-1]["quick_replies"][0]

    student.post(student.graph.quick_reply(student.id, reply))
    assert not any("Nguồn:" in shown(message) for message in student.answers())


def test_a_sticker_gets_a_sentence(student: Student) -> None:
    student.post(student.message(None, attachments=[{"type": "image", "payload": {"sticker_id": 1}}]))

    [message] = student.answers()
    assert "chữ" in shown(message)


# --- a Facebook in trouble --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "error"), [(429, TOO_MANY), (503, None), (400, PASSING)])
def test_a_busy_facebook_gets_each_message_once_and_in_order(
    student: Student, status: int, error: Json | None
) -> None:
    student.graph.fail_next(status, error, {"Retry-After": "1"}, times=2)
    student.post(student.message(LIBRARY, seconds_ago=1), student.message("cảm ơn"))
    student.answers()

    tried = [asked.status for asked in student.graph.asked if "message" in asked.body]
    assert tried[:3] == [status, status, 200]
    first, *others = student.seen()
    assert ITS_ANSWER in first
    assert not any(ITS_ANSWER in text for text in others)
    assert tried.count(200) == len(student.seen())


@pytest.mark.parametrize("server", ["channels", "rasa"])
def test_a_restart_between_receipt_and_reply_loses_nothing_and_repeats_nothing(
    channels: Channels, student: Student, server: str
) -> None:
    student.graph.fail_next(503, None, {"Retry-After": "3"})
    student.post(student.message(LIBRARY))
    student.graph.wait_until(lambda asked: any("message" in each.body for each in asked), DEADLINE_S)
    with channels.servers.without(server):
        assert student.seen() == []
    student.answers()
    student.write("cảm ơn")

    assert sum(ITS_ANSWER in text for text in student.seen()) == 1


def test_who_has_blocked_the_page_is_given_up_and_shown_to_the_advisors(
    channels: Channels, student: Student
) -> None:
    student.graph.fail_next(400, BLOCKED)
    student.post(student.message("cảm ơn"))

    [call] = soon(lambda: undelivered(channels, student))
    assert "blocked" in call["why"]


# --- an advisor, and the windows --------------------------------------------------------------------------------------


def handed_over(channels: Channels, student: Student) -> int:
    """The student asks for a person; the number of the conversation."""
    student.post(student.graph.postback(student.id, "c:advisor", "Gặp cố vấn"))
    student.answers()
    student.tap("Nhắn")

    def waiting() -> list[int]:
        found = advisors_api(channels, "GET", "conversations?status=waiting")["conversations"]
        return [each["id"] for each in found if each["sender"] == student.id]

    [conversation] = soon(waiting)
    return int(conversation)


def test_an_advisor_answers_days_later_under_the_tag_for_people(channels: Channels, student: Student) -> None:
    conversation = handed_over(channels, student)
    student.let_pass(3 * DAY_S)
    advisors_api(channels, "POST", f"conversations/{conversation}/reply", by="Cô Lan", text="Chào em *K49*")
    soon(lambda: any("Chào em K49" in text for text in student.seen()))

    body = next(body for body in student.graph.sent if "Chào em" in str(body.get("message")))
    assert (body["messaging_type"], body["tag"]) == ("MESSAGE_TAG", "HUMAN_AGENT")
    assert shown(body["message"]) == "Cô Lan (cố vấn):\nChào em K49"


def test_after_a_week_the_advisors_answer_waits_until_the_student_writes(
    channels: Channels, student: Student
) -> None:
    conversation = handed_over(channels, student)
    student.let_pass(8 * DAY_S)
    advisors_api(channels, "POST", f"conversations/{conversation}/reply", by="Cô Lan", text="Chào em")
    calls = soon(lambda: undelivered(channels, student))
    assert "seven days" in calls[-1]["why"]
    before = len(student.seen())

    student.post(student.message("em chào cô"))
    soon(lambda: any("Chào em" in text for text in student.seen()[before:]))
    assert undelivered(channels, student) == []
    assert not [body for body in student.graph.sent if body.get("tag")]
