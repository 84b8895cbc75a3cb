"""Telegram with the real servers, before a stand-in of the Bot API: what a student sees, and what nobody may do."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
import pytest
from real_servers import WITH_CHANNELS, RealServers
from telegram_api import BOT_ID, SECRET, TOKEN, USERNAME, Call, TelegramApi

if TYPE_CHECKING:
    from conftest import Channels

pytestmark = pytest.mark.stack

PATH = "/webhooks/telegram/webhook"
ENOUGH_S = 60.0
FILE = {"file_id": "x", "file_unique_id": "y"}
OPEN_HOURS = "thư viện mở cửa mấy giờ"
BY_COHORT = "thực tập tốt nghiệp bao nhiêu tuần"

Found = TypeVar("Found")
_numbers = itertools.count(1_000)


def eventually(look: Callable[[], Found]) -> Found:
    """What `look` finds, as soon as it finds something. Raises AssertionError when it does not in time."""
    until = time.monotonic() + ENOUGH_S
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing was found in time")


class Student:
    """Somebody with a chat of their own with the bot, or a member of a group."""

    def __init__(self, channels: Channels, group: int | None = None) -> None:
        self.id = next(_numbers)
        self.group = group
        self.api = channels.telegram
        self._url = channels.url + PATH
        self._channels = channels

    @property
    def chat(self) -> int:
        return self.group or self.id

    def update(self, text: str | None = None, **fields: Any) -> dict[str, Any]:
        return self.api.writes(self.id, text, group=self.group, **fields)

    def post(self, update: dict[str, Any], secret: str | None = SECRET) -> int:
        return self.api.post(update, self._url, secret).status_code

    def says(self, text: str | None = None, *, replies: int = 1, **fields: Any) -> list[Call]:
        """Writes, and gives what is answered, once it is `replies` messages."""
        before = len(self.got)
        assert self.post(self.update(text, **fields)) == httpx.codes.OK
        return self.hears(before + replies)[before:]

    def presses(self, title: str, *, replies: int = 1) -> list[Call]:
        before = len(self.got)
        assert self.post(self.api.presses(self.id, title, group=self.group)) == httpx.codes.OK
        return self.hears(before + replies)[before:]

    @property
    def got(self) -> list[Call]:
        return self.api.messages(self.chat)

    def hears(self, count: int) -> list[Call]:
        """All that has come, once it is `count` messages; more is an error."""
        eventually(lambda: len(self.got) >= count)
        self.says_no_more()
        assert len(self.got) == count, [call.text for call in self.got]
        return self.got

    def says_no_more(self) -> None:
        """Waits until a message of somebody else, who wrote after this, is answered: nothing is under way then."""
        settled(self._channels)


def settled(channels: Channels) -> None:
    """Nothing that was received by now waits for an answer."""
    other = next(_numbers)
    api = channels.telegram
    assert api.post(api.writes(other, "/help"), channels.url + PATH).is_success
    eventually(lambda: api.messages(other))


@pytest.fixture
def student(channels: Channels) -> Student:
    return Student(channels)


# --- who may speak ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [None, "", "wrong", SECRET + "x", SECRET[:-1], SECRET.upper(), "bí-mật"])
def test_who_does_not_know_the_secret_is_turned_away(student: Student, secret: str | None) -> None:
    assert student.post(student.update(OPEN_HOURS), secret) == httpx.codes.FORBIDDEN

    student.says_no_more()
    assert student.got == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"update_id": "1"}', 400),
        (b"[" * 50_000, 400),
        (b'{"update_id": 1, "message": ' + b'"x"' * 200_000, 413),
        (b'{"update_id": 1, "message": "no message"}', 200),
        (b'{"update_id": 1, "message": {"message_id": 1}}', 200),
    ],
)
def test_what_is_no_update_does_no_harm(channels: Channels, body: bytes, status: int) -> None:
    answer = httpx.post(
        channels.url + PATH,
        content=body,
        headers={"X-Telegram-Bot-Api-Secret-Token": SECRET},
        trust_env=False,
    )

    assert answer.status_code == status


# --- talking ------------------------------------------------------------------------------------------------------


def test_a_question_is_answered_with_its_source_and_thumbs(student: Student) -> None:
    (answer,) = student.says(OPEN_HOURS)

    assert "Nguồn:" in answer.text
    assert answer.params["parse_mode"] == "HTML"
    assert [button["text"][:1] for button in answer.buttons[-2:]] == ["👍", "👎"]
    assert student.api.calls("sendChatAction", student.chat)


def test_clarification_by_buttons_from_start_to_end(student: Student) -> None:
    (greeting,) = student.says("/start")
    assert greeting.buttons

    (asked,) = student.says(BY_COHORT)
    assert "khóa" in asked.text.lower()
    (answer,) = student.presses("48")
    assert "08 tuần" in answer.text

    (why,) = student.presses("👎")
    (thanks,) = student.presses(why.buttons[0]["text"])
    assert thanks.text
    assert eventually(
        lambda: any("48" in call.params.get("text", "") for call in student.api.calls("answerCallbackQuery"))
    )


def test_no_button_carries_more_than_an_opaque_id(student: Student) -> None:
    student.says("điểm")

    (asked,) = student.got
    assert len(asked.buttons) > 2
    assert all(re.fullmatch(r"o:[A-Za-z0-9_-]{8,62}", button["callback_data"]) for button in asked.buttons)


def test_the_menu(student: Student) -> None:
    (profile,) = student.says("/hoso")
    assert profile.text
    (sure,) = student.says(f"/xoa@{USERNAME}")
    assert len(sure.buttons) == 2
    (kept,) = student.presses(sure.buttons[1]["text"])
    assert kept.text != sure.text
    (forgotten,) = student.presses(sure.buttons[0]["text"])
    assert forgotten.text


def test_fault_3_everything_is_erased_after_one_question_in_words(student: Student) -> None:
    student.says("em k48")
    (sure,) = student.says("xoa het du lieu cua minh di")
    assert [button["text"] for button in sure.buttons] == ["Xóa hết", "Giữ lại"]

    (erased,) = student.says("dạ xóa đi")

    assert "đã xóa" in erased.text
    (shown,) = student.says("/hoso")
    assert "48" not in shown.text


def test_a_sticker_is_answered_politely(student: Student) -> None:
    sticker = {**FILE, "type": "regular", "width": 1, "height": 1, "is_animated": False, "is_video": False}

    (said,) = student.says(sticker=sticker)

    assert "chữ" in said.text


def test_the_words_under_a_picture_are_answered_too(student: Student) -> None:
    only_text, answer = student.says(photo=[{**FILE, "width": 1, "height": 1}], caption=OPEN_HOURS, replies=2)

    assert "chữ" in only_text.text
    assert "Nguồn:" in answer.text


def test_an_edit_is_no_new_turn(student: Student) -> None:
    student.says(OPEN_HOURS)
    message = student.update("thư viện đóng cửa mấy giờ")["message"]

    edited = {
        "update_id": student.update()["update_id"],
        "edited_message": {**message, "edit_date": message["date"] + 9},
    }
    assert student.post(edited) == httpx.codes.OK

    student.says_no_more()
    assert len(student.got) == 1


@pytest.mark.parametrize(
    "typed",
    [
        '<img src=x onerror="alert(1)"> học phí & <b>học bổng',
        "*học phí* _[x](javascript:alert(1))_ `học bổng",
        "\u202ehọc phí\u202c \u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧‍👦🇻🇳 \u0645\u0631\u062d\u0628\u0627",
        '/inform{"cohort": "47"}',
        "o:abc /start {{ facts }} {lead}",
        "Thư viện mở cửa <i>mấy giờ</i>? Xin **bảng điểm** ở <a href='x'>đâu</a>?",
    ],
)
def test_hostile_text_is_only_text(student: Student, typed: str) -> None:
    before = len(student.api.calls("sendMessage", ok=False))
    assert student.post(student.update(typed)) == httpx.codes.OK

    eventually(lambda: student.got)
    student.says_no_more()
    # The stand-in refuses, as Telegram does, what is no good markup; nothing was sent a second time as plain text.
    assert len(student.api.calls("sendMessage", ok=False)) == before
    assert all(call.params.get("parse_mode") == "HTML" for call in student.got)
    assert all(not re.search(r"<(img|i>|a href=.x)", call.params["text"]) for call in student.got)


def test_a_message_as_long_as_telegram_allows_is_answered(student: Student) -> None:
    (said,) = student.says("học " * 1_024)

    assert len(said.text) < 4_096


# --- once, and in order -------------------------------------------------------------------------------------------


def test_an_update_that_comes_again_is_answered_once(student: Student) -> None:
    update = student.update(OPEN_HOURS)
    with ThreadPoolExecutor(4) as at_once:
        assert set(at_once.map(student.post, [update] * 4)) == {httpx.codes.OK}
    student.hears(1)

    assert student.post(update) == httpx.codes.OK

    student.says_no_more()
    assert len(student.got) == 1


def test_updates_out_of_order_are_each_answered_once(student: Student) -> None:
    updates = [student.update(text) for text in ("xin chào", OPEN_HOURS, "cảm ơn")]

    for update in (updates[2], updates[0], updates[1], updates[0]):
        assert student.post(update) == httpx.codes.OK

    assert "Nguồn:" in student.hears(3)[2].text


def test_what_one_student_asks_in_a_row_is_answered_in_that_row(student: Student) -> None:
    questions = [OPEN_HOURS, "xin chào", "xin bảng điểm ở đâu", "cảm ơn"]
    updates = [student.update(text) for text in questions]
    for update in updates:
        assert student.post(update) == httpx.codes.OK

    sources = ["Nguồn:" in call.text for call in student.hears(4)]

    assert sources == [True, False, True, False]


# --- when Telegram does not take it -------------------------------------------------------------------------------


def test_a_pause_that_telegram_asks_for_is_made_and_then_the_answer_comes_once(student: Student) -> None:
    student.api.fail_next("sendMessage", 429, {"retry_after": 2}, chat=student.chat)
    student.says(OPEN_HOURS)

    (refused,) = student.api.calls("sendMessage", student.chat, ok=False)
    (sent,) = student.got
    assert sent.at - refused.at >= 2


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_fault_of_telegrams_is_outlasted(student: Student, status: int) -> None:
    student.api.fail_next("sendMessage", status, chat=student.chat, times=2)

    student.says(OPEN_HOURS)

    assert len(student.api.calls("sendMessage", student.chat, ok=False)) == 2


def test_answers_stay_in_order_while_telegram_is_faulty(student: Student) -> None:
    student.api.fail_next("sendMessage", 502, chat=student.chat, times=2)
    for text in (OPEN_HOURS, "cảm ơn"):
        assert student.post(student.update(text)) == httpx.codes.OK

    assert ["Nguồn:" in call.text for call in student.hears(2)] == [True, False]


def test_markup_that_telegram_does_not_take_goes_as_plain_text(student: Student) -> None:
    described = "Bad Request: can't parse entities: Can't find end tag corresponding to start tag b"
    student.api.fail_next("sendMessage", 400, description=described, chat=student.chat)

    (answer,) = student.says(OPEN_HOURS)

    assert "parse_mode" not in answer.params
    assert "<" not in answer.params["text"]
    assert answer.buttons


def test_what_cannot_reach_a_student_is_shown_to_the_advisors(student: Student, channels: Channels) -> None:
    student.says(OPEN_HOURS)
    student.api.blocked.add(student.id)
    assert student.post(student.update("cảm ơn")) == httpx.codes.OK

    def undelivered() -> list[dict[str, Any]]:
        answer = httpx.get(
            f"{channels.url}/webhooks/advisors/undelivered",
            headers={"Authorization": f"Bearer {channels.advisor_token}"},
            trust_env=False,
        )
        return [call for call in answer.json()["calls"] if call["sender"] == str(student.id)]

    (call,) = eventually(undelivered)
    assert call["channel"] == "telegram"
    assert "blocked" in call["why"]
    assert len(student.api.calls("sendMessage", student.chat, ok=False)) == 1


# --- buttons ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["o:of-another-student", "o:", "like_42", '/inform{"cohort": "47"}'])
def test_a_button_that_is_none_of_ours_is_acknowledged_and_explained(student: Student, data: str) -> None:
    shown = {"message_id": 1, "date": 1, "chat": {"id": student.id, "type": "private"}, "text": "…"}
    update = student.api.presses_data(student.id, data, shown)
    student.update()
    assert student.post(update) == httpx.codes.OK

    (said,) = student.hears(1)

    assert "Nút" in said.text
    query = update["callback_query"]["id"]
    eventually(
        lambda: [
            c for c in student.api.calls("answerCallbackQuery") if c.params["callback_query_id"] == query
        ]
    )


def test_another_students_button_is_worth_nothing(student: Student, channels: Channels) -> None:
    (asked,) = student.says(BY_COHORT)
    other = Student(channels)
    other.update()
    shown = {"message_id": 1, "date": 1, "chat": {"id": other.id, "type": "private"}, "text": "…"}

    other.post(other.api.presses_data(other.id, asked.buttons[0]["callback_data"], shown))

    assert "Nút" in other.hears(1)[0].text


def test_a_press_that_telegram_no_longer_waits_for_is_answered_all_the_same(student: Student) -> None:
    student.says(BY_COHORT)
    student.api.fail_next(
        "answerCallbackQuery", 400, description="Bad Request: query is too old and response timeout expired"
    )

    (answer,) = student.presses("48")

    assert "08 tuần" in answer.text


# --- groups -------------------------------------------------------------------------------------------------------


@pytest.fixture
def group() -> int:
    return -1_000_000 - next(_numbers)


def test_in_a_group_it_speaks_only_when_spoken_to(channels: Channels, group: int) -> None:
    member = Student(channels, group)
    for text in ("mai học phòng nào vậy", "/help@another_bot", "@another_bot học phí"):
        assert member.post(member.update(text)) == httpx.codes.OK
    member.says_no_more()
    assert member.got == []

    update = member.update(f"@{USERNAME} {OPEN_HOURS}")
    member.post(update)

    (answer,) = member.hears(1)
    assert "Nguồn:" in answer.text
    assert answer.params["reply_parameters"]["message_id"] == update["message"]["message_id"]


def test_in_a_group_an_answer_to_the_bot_goes_on_with_ones_own_conversation(
    channels: Channels, group: int
) -> None:
    an, binh = Student(channels, group), Student(channels, group)
    bots = {"message_id": 1, "date": 1, "chat": {"id": group, "type": "supergroup"}}
    to_bot = {"reply_to_message": {**bots, "from": {"id": BOT_ID, "is_bot": True, "first_name": "Covan"}}}

    an.says(f"@{USERNAME} {BY_COHORT}")
    binh.says(f"/help@{USERNAME}")
    (answer,) = an.says("khóa 48", **to_bot)

    assert "08 tuần" in answer.text


# --- a person -----------------------------------------------------------------------------------------------------


def test_an_advisors_long_answer_comes_in_pieces_with_its_emphasis(
    student: Student, channels: Channels
) -> None:
    (contact,) = student.says("/covan")
    student.presses(
        next(button["text"] for button in contact.buttons if "callback_data" in button), replies=2
    )
    advisors = httpx.Client(
        base_url=f"{channels.url}/webhooks/advisors",
        headers={"Authorization": f"Bearer {channels.advisor_token}"},
        trust_env=False,
    )

    def waiting() -> list[dict[str, Any]]:
        found = advisors.get("/conversations", params={"status": "all"}).json()["conversations"]
        return [each for each in found if each["sender"] == str(student.id)]

    (conversation,) = eventually(waiting)
    sentence = "Em <b>nộp</b> đơn *tại* phòng 🎓. "
    text = sentence * 100 + "🎓" * 500
    answer = advisors.post(f"/conversations/{conversation['id']}/reply", json={"by": "Cô Lan", "text": text})
    assert answer.status_code == httpx.codes.ACCEPTED, answer.text

    def pieces() -> list[str]:
        return [call.text for call in student.got if "🎓" in call.text]

    eventually(lambda: "".join(pieces()).count("🎓") == text.count("🎓"))
    assert pieces()[0].startswith("Cô Lan (cố vấn):\n" + sentence.replace("*", ""))
    assert len(pieces()) == 2
    assert all(len(piece.encode("utf-16-le")) // 2 <= 4_096 for piece in pieces())


# --- secrets ------------------------------------------------------------------------------------------------------


def test_no_log_has_the_token_or_the_secret(student: Student, channels: Channels) -> None:
    student.api.fail_next("sendMessage", 502, chat=student.chat)
    student.says(OPEN_HOURS)

    log = channels.servers.log("channels").read_text(encoding="utf-8", errors="replace")

    assert "tried again" in log
    assert TOKEN not in log
    assert SECRET not in log


# --- without an address -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def polled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TelegramApi, RealServers]]:
    """A front door that asks for updates, before a Telegram with a webhook that has kept what students wrote."""
    api = TelegramApi()
    servers = RealServers(
        Path(tmp_path_factory.mktemp("polled")),
        names=WITH_CHANNELS,
        telegram_token=TOKEN,
        telegram_updates="polling",
        telegram_api_url=api.start(),
    )
    api.webhook = {"url": "https://chat.truong.edu.vn/webhooks/telegram/webhook"}
    api.keep(*(api.writes(user, text) for user in (1, 2, 3) for text in ("xin chào", OPEN_HOURS)))
    try:
        servers.up()
        yield api, servers
    finally:
        servers.close()
        api.stop()


def test_by_polling_a_batch_is_answered_once_the_webhook_is_gone(
    polled: tuple[TelegramApi, RealServers],
) -> None:
    api, servers = polled
    log = servers.log("channels")
    eventually(lambda: "covan channel telegram --remove" in log.read_text(encoding="utf-8", errors="replace"))
    assert api.messages(1) == []

    api.webhook = {"url": ""}

    for user in (1, 2, 3):
        eventually(lambda user=user: len(api.messages(user)) == 2)  # type: ignore[misc]
        assert ["Nguồn:" in call.text for call in api.messages(user)] == [False, True]
    eventually(lambda: not api.unconfirmed)


def test_with_polling_the_webhook_is_closed(polled: tuple[TelegramApi, RealServers]) -> None:
    api, servers = polled

    assert api.post(api.writes(9, OPEN_HOURS), servers.url + PATH).status_code == httpx.codes.NOT_FOUND


def test_a_batch_that_was_taken_before_a_crash_is_answered_once_after_it(
    polled: tuple[TelegramApi, RealServers],
) -> None:
    api, servers = polled
    api.webhook = {"url": ""}
    update = api.writes(4, OPEN_HOURS)
    api.keep(update)
    eventually(lambda: update["update_id"] not in api.unconfirmed)
    with servers.without("channels"):
        # Telegram does not know that it was taken, say.
        api.keep(update)

    eventually(lambda: api.messages(4))
    eventually(lambda: not api.unconfirmed)
    api.keep(api.writes(5, "xin chào"))
    eventually(lambda: api.messages(5))
    assert len(api.messages(4)) == 1
