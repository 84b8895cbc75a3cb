"""A person behind the bot, on every channel, with the real servers: asked for, there, quiet, and gone again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from students import Chat, OnMessenger, OnTelegram, OnWebsite, OnZalo, eventually, hears, responses

from console.advisors_api import AdvisorsApi, Conversation

if TYPE_CHECKING:
    from conftest import Channels

pytestmark = pytest.mark.stack

MONDAY_MORNING = "2026-11-23T09:00:00+07:00"
MONDAY_EVENING = "2026-11-23T18:00:00+07:00"
"""The sample school's advisors are at work on Mondays from 7:30 to 11:00 and from 13:30 to 16:30."""

QUESTION = "học phí một tín chỉ bao nhiêu"
OPEN_HOURS, LIBRARY = "thư viện mở cửa mấy giờ", "7:30–20:30"
UNKNOWN = ("điểm chuẩn 2027 dự kiến bao nhiêu", "sân bóng đá của trường thuê bao nhiêu")
TO_A_PERSON = "Nhắn cán bộ tại đây"
BACK = "Quay lại với trợ lý"
ADVISOR = "Cô Lan"

ON = ("telegram", "messenger", "zalo", "web")
Begin = Callable[[str], Chat]


@pytest.fixture(scope="module")
def at_work(channels: Channels) -> Iterator[Channels]:
    """The servers on a Monday morning."""
    channels.servers.variables["COVAN_NOW"] = MONDAY_MORNING
    channels.servers.restart("channels")
    yield channels
    del channels.servers.variables["COVAN_NOW"]
    channels.servers.restart("channels")


@pytest.fixture
def begin(at_work: Channels) -> Begin:
    """A new student on a channel."""
    kinds: dict[str, Callable[[], Chat]] = {
        "telegram": lambda: OnTelegram(at_work.url, at_work.telegram),
        "messenger": lambda: OnMessenger(at_work.url, at_work.messenger),
        "zalo": lambda: OnZalo(at_work.url, at_work.zalo),
        "web": lambda: OnWebsite(at_work.url),
    }
    return lambda name: kinds[name]()


@pytest.fixture
def advisors(at_work: Channels) -> Iterator[AdvisorsApi]:
    with AdvisorsApi(at_work.url, at_work.advisor_token) as api:
        yield api


def asks_for_a_person(chat: Chat, said: str = "gặp cố vấn") -> int:
    """Up to the button, and over it; how many messages have come then."""
    chat.write(said)
    eventually(lambda: _pressed(chat, TO_A_PERSON), f"the button on {chat.channel}")
    return hears(chat, "utter_handed_over")


def _pressed(chat: Chat, title: str) -> bool:
    try:
        chat.press(title)
    except LookupError:
        return False
    return True


def waiting_as(advisors: AdvisorsApi, chat: Chat, question: str) -> int:
    """The number of the student's conversation in the queue."""
    found = [
        each
        for each in advisors.queue("waiting")
        if each.channel == chat.channel and each.sender == (chat.sender or each.sender)
    ]
    assert found, f"nobody waits on {chat.channel}"
    assert found[-1].question == question
    return found[-1].id


def is_answered(chat: Chat, after: int) -> None:
    """The bot answers again, with its own knowledge, and says nothing else."""
    chat.write(OPEN_HOURS)
    eventually(lambda: len(chat.heard()) > after, "an answer")
    assert LIBRARY in " ".join(chat.heard()[after:])


def nothing_waits(channels: Channels) -> bool:
    """Whether every message that was received has been dealt with."""
    database = channels.servers.settings.state_dir / "channels.sqlite"
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as store:
        return not store.execute("SELECT 1 FROM channel_turns WHERE done_at IS NULL LIMIT 1").fetchall()


@pytest.mark.parametrize("channel", ON)
def test_a_person_answers_until_the_student_goes_back(
    channel: str, begin: Begin, advisors: AdvisorsApi
) -> None:
    chat = begin(channel)
    chat.write(QUESTION)
    eventually(chat.heard)

    before = asks_for_a_person(chat)
    assert hears(chat, "utter_with_advisor", before) == before + 1
    number = waiting_as(advisors, chat, QUESTION)
    advisors.take(number, ADVISOR)
    joined = hears(chat, "utter_advisor_joined", before)
    assert ADVISOR in chat.heard()[joined - 1]

    advisors.reply(number, ADVISOR, "Chào em, em học <b>ngành</b> nào & khóa nào?")
    eventually(lambda: len(chat.heard()) > joined)
    chat.write("Dạ em khóa 47 ngành Luật")
    chat.write(OPEN_HOURS)  # the bot would know; an advisor was asked
    chat.press(BACK)
    back = hears(chat, "utter_back_to_bot", before)

    assert responses(chat.heard()[before:back]) == [
        "utter_with_advisor",
        "utter_advisor_joined",
        "Chào em, em học <b>ngành</b> nào & khóa nào?",
        "utter_back_to_bot",
    ]
    read = advisors.conversation(number)
    assert (read.status, read.closed_by) == ("closed", "student")
    # The student's presses of the channel's own buttons are no words of theirs.
    assert _tail(read, 5) == [
        ("notice", "utter_advisor_joined"),
        ("advisor", "Chào em, em học <b>ngành</b> nào & khóa nào?"),
        ("student", "Dạ em khóa 47 ngành Luật"),
        ("student", OPEN_HOURS),
        ("notice", "utter_back_to_bot"),
    ]
    is_answered(chat, back)


@pytest.mark.parametrize("channel", ON)
def test_who_waits_is_told_once_that_more_is_noted_and_an_advisor_gives_back(
    channel: str, at_work: Channels, begin: Begin, advisors: AdvisorsApi
) -> None:
    chat = begin(channel)
    chat.write(QUESTION)
    eventually(chat.heard)
    before = asks_for_a_person(chat, "cho em gặp cố vấn ạ")
    hears(chat, "utter_with_advisor", before)
    number = waiting_as(advisors, chat, QUESTION)

    for more in ("Mã số của em là 4700123", OPEN_HOURS, "Em cảm ơn"):
        chat.write(more)
    hears(chat, "utter_advisor_noted", before)
    # What is taken up only after that is the bot's to answer.
    eventually(lambda: nothing_waits(at_work), "the end of the turns")
    advisors.give_back(number, ADVISOR)
    left = hears(chat, "utter_advisor_left", before)

    assert responses(chat.heard()[before:left]) == [
        "utter_with_advisor",
        "utter_advisor_noted",
        "utter_advisor_left",
    ]
    assert advisors.conversation(number).closed_by == ADVISOR
    is_answered(chat, left)


@pytest.mark.parametrize("channel", ON)
def test_fault_3_a_wish_to_erase_everything_is_asked_about_and_done_while_a_person_is_there(
    channel: str, begin: Begin, advisors: AdvisorsApi
) -> None:
    chat = begin(channel)
    before = asks_for_a_person(chat)
    hears(chat, "utter_with_advisor", before)
    number = waiting_as(advisors, chat, "")
    advisors.take(number, ADVISOR)
    joined = hears(chat, "utter_advisor_joined", before)

    chat.write("Dạ em khóa 47 ngành Luật")
    chat.write("xóa dữ liệu của em")
    asked = hears(chat, "utter_forget_all_confirm", joined)
    assert asked == joined + 1
    chat.write("dạ xóa hết giúp em")
    # The website shows what is stored: nothing of before.
    hears(chat, "utter_forgotten_all", 0 if channel == "web" else asked)

    assert number not in [each.id for each in advisors.queue()]


@pytest.mark.parametrize("channel", ON)
def test_two_questions_without_an_answer_offer_a_person(
    channel: str, begin: Begin, advisors: AdvisorsApi
) -> None:
    chat = begin(channel)
    chat.write(UNKNOWN[0])
    first = hears(chat, "utter_no_answer")
    assert "utter_offer_advisor" not in responses(chat.heard())

    chat.write(UNKNOWN[1])
    hears(chat, "utter_offer_advisor", first)
    chat.press(TO_A_PERSON)
    hears(chat, "utter_handed_over", first)

    waiting_as(advisors, chat, UNKNOWN[1])


def test_the_queue_is_closed_to_who_has_no_token(at_work: Channels) -> None:
    """As it is put together with the other channels, the API is what server/tests/test_advisors.py knows."""
    url = f"{at_work.url}/webhooks/advisors/conversations"

    assert httpx.get(url, trust_env=False).status_code == httpx.codes.UNAUTHORIZED
    assert (
        httpx.get(url, headers={"Authorization": "Bearer x"}, trust_env=False).status_code
        == httpx.codes.UNAUTHORIZED
    )


def test_an_answer_that_was_on_its_way_arrives_once_after_a_restart(
    at_work: Channels, begin: Begin, advisors: AdvisorsApi
) -> None:
    chats, numbers, before = {name: begin(name) for name in ON}, {}, {}
    for name, chat in chats.items():
        chat.write(QUESTION)
        eventually(chat.heard)
        asked = asks_for_a_person(chat)
        hears(chat, "utter_with_advisor", asked)
        numbers[name] = waiting_as(advisors, chat, QUESTION)
        advisors.take(numbers[name], ADVISOR)
        before[name] = hears(chat, "utter_advisor_joined", asked)

    at_work.telegram.stop()
    at_work.messenger.fail_next(503, times=1000)
    try:
        for name in ON:
            advisors.reply(numbers[name], ADVISOR, "Em nộp đơn ở phòng Đào tạo nhé.")
        for name in ("telegram", "messenger"):
            eventually(lambda number=numbers[name]: advisors.conversation(number).undelivered, "a failure")
        at_work.servers.crash("channels")
    finally:
        at_work.messenger.forget_failures()
        at_work.telegram.start()
    at_work.servers.restart("channels")

    for name, chat in chats.items():
        eventually(lambda c=chat, n=before[name]: len(c.heard()) > n, f"the answer on {name}")
        # What is said later comes later: by then a second one would have come.
        advisors.give_back(numbers[name], ADVISOR)
        left = hears(chat, "utter_advisor_left", before[name])
        assert responses(chat.heard()[before[name] : left]) == [
            "Em nộp đơn ở phòng Đào tạo nhé.",
            "utter_advisor_left",
        ]
        assert advisors.conversation(numbers[name]).undelivered == ()


def test_when_office_hours_end_who_waits_is_told_when_to_expect_an_answer(
    at_work: Channels, begin: Begin, advisors: AdvisorsApi
) -> None:
    # The last one here: the clock is not put back.
    waits, talks = begin("telegram"), begin("web")
    before = {}
    for chat in (waits, talks):
        asked = asks_for_a_person(chat)
        before[chat.channel] = hears(chat, "utter_with_advisor", asked)
    number = next(
        each.id for each in advisors.queue("waiting") if each.channel == "web" and not each.question
    )
    advisors.reply(number, ADVISOR, "Chào em.")
    eventually(lambda: "Chào em." in responses(talks.heard()))

    at_work.servers.variables["COVAN_NOW"] = MONDAY_EVENING
    at_work.servers.restart("channels")

    told = hears(waits, "utter_advisor_expected", before["telegram"])
    assert "7:30 ngày mai (thứ Ba 24/11)" in waits.heard()[told - 1]
    is_answered(waits, told)
    # It is still in the queue, and an answer still arrives, in the morning.
    (still,) = [each for each in advisors.queue("waiting") if each.sender == waits.sender]
    answered = len(waits.heard())
    advisors.reply(still.id, ADVISOR, "Em ơi, cô trả lời nhé.")
    eventually(lambda: "Em ơi, cô trả lời nhé." in responses(waits.heard()[answered:]))
    # Who is being answered just now is not interrupted by the clock.
    assert responses(talks.heard()[before["web"] :]) == ["utter_advisor_joined", "Chào em."]

    late = begin("messenger")
    asked = asks_for_a_person(late)
    told = hears(late, "utter_advisor_expected", asked)
    assert told == asked + 1
    assert "7:30 ngày mai (thứ Ba 24/11)" in late.heard()[told - 1]
    is_answered(late, told)


def _tail(read: Conversation, count: int) -> list[tuple[str, Any]]:
    """The last messages: who, and the response's name or the text."""
    return [(each.author, responses([each.text])[0]) for each in read.messages[-count:]]
