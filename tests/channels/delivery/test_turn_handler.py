"""The channels handle the payloads of their own buttons, and commands that a student types."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from made_databases import channels_database
from wire import Wire, until_within

from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.incoming import ButtonPress, Content, Incoming, TextInput
from channels.delivery.message import ADVISOR
from channels.delivery.store import Store
from channels.delivery.tables import turns
from channels.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON, TurnHandler
from channels.delivery.work_queue import QueuedTurn
from channels.rasa_client import Replies, Turn
from covan.domain import read_domain
from dialogue.acts import Act
from rag.settings import Settings

DEADLINE_S = 20

until = partial(until_within, DEADLINE_S)


def buttons_of_the_domain() -> Iterator[str]:
    for variations in read_domain()["responses"].values():
        for variation in variations:
            yield from (button["payload"] for button in variation.get("buttons", ()))


@pytest.mark.parametrize(
    "payload", sorted({each for each in buttons_of_the_domain() if each.startswith("!")})
)
def test_every_button_of_the_domain_that_is_not_for_the_bot_is_one_of_the_channels_own(payload: str) -> None:
    assert payload in (BACK_TO_BOT, FORGET_ALL, KEEP_ALL) or re.fullmatch(
        re.escape(REASON) + r"[a-z_]+", payload
    )


WISH = "xóa dữ liệu của em"
QUESTION = "utter_forget_all_confirm"
ASKED_TO_ERASE = {"text": QUESTION, "buttons": [{"title": "Xóa hết", "payload": FORGET_ALL}]}


class Rasa:
    """Notes the turns and the erasures that it gets; a response is its name. A consent is the word "yes"."""

    ready = True

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.typed: list[str] = []
        self.erased: list[str] = []
        self.act: Act | None = None

    async def text_turn(self, sender: str, channel: str, text: str, *, turn: Turn | None = None) -> Replies:
        self.typed.append(text)
        return self._of_bot(text)

    def _of_bot(self, said: str) -> Replies:
        self.turns.append(said)
        custom = {"custom": {"type": "erase"}} if said == "yes" else {}
        return Replies(
            [ASKED_TO_ERASE if said == WISH else {"text": "of Rasa", "act": self.act, **custom}], "vi"
        )

    async def payload_turn(
        self, sender: str, channel: str, payload: str, *, turn: Turn | None = None
    ) -> Replies:
        return self._of_bot(payload)

    async def intent(self, sender: str, text: str) -> str:
        return "forget_profile" if text.startswith("xóa") else "ask_study"

    async def language(self, sender: str) -> str:
        return "vi"

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, Any]) -> Replies:
        return Replies([ASKED_TO_ERASE if name == QUESTION else {"text": name}], "vi")

    async def forget(self, sender: str) -> None:
        self.erased.append(sender)


def handled(rasa: Rasa, url: str, channel: str, content: Content | QueuedTurn) -> Sequence[Draft]:
    """Return the reply to a turn."""
    turn = content if isinstance(content, QueuedTurn) else QueuedTurn(1, content, 0.0)
    delivery = DeliveryWorker(Settings(channels_db=url), Store(url), InProcess())
    handler = TurnHandler(rasa, delivery)  # type: ignore[arg-type]

    async def answer() -> Sequence[Draft]:
        platform = Wire()
        platform.name = channel
        await delivery.open(platform)
        said = await handler.answer(channel, "an", turn, lambda: None)
        await delivery.close(channel)
        return said

    return asyncio.run(answer())


@pytest.fixture
def url(tmp_path: Path) -> str:
    return channels_database(tmp_path / "channels.sqlite")


CHANNELS = ["web", "telegram", "messenger", "zalo"]


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("/xoa", "/erase_all"),
        (" /XOA ", "/erase_all"),
        ("/forget", "/erase_all"),
        ("/xoa hết giúp em", "/xoa hết giúp em"),
        ("xoa", "xoa"),
    ],
)
def test_fault_3_the_typed_command_to_erase_means_the_same_on_every_channel(
    url: str, channel: str, text: str, turn: str
) -> None:
    rasa = Rasa()

    drafts = handled(rasa, url, channel, TextInput(text))

    assert [draft.text for draft in drafts] == ["of Rasa"]
    assert (rasa.turns, rasa.erased) == ([turn], [])


class Student:
    """A student of a channel, whose messages a delivery takes and a `TurnHandler` answers."""

    def __init__(self, delivery: DeliveryWorker, rasa: Rasa, wire: Wire) -> None:
        self.rasa = rasa
        self._delivery, self._wire, self._written = delivery, wire, 0

    async def writes(self, *texts: str) -> Sequence[str]:
        """Return what is said to the texts; each waits for the reply to the one before."""
        before = len(self._wire.sent)
        for text in texts:
            self._written += 1
            await self._delivery.accept(
                self._wire.name, [Incoming(str(self._written), "an", TextInput(text))]
            )
            await until(lambda: not self._delivery._tasks)
        return self._wire.sent[before:]

    async def is_handed_over(self, hours: Mapping[str, Any] | None = None, **values: Any) -> int:
        hand_overs, request = self._delivery.store.hand_overs, {"hours": hours}
        number = await self._delivery.run(hand_overs.open, self._wire.name, "an", request, True, None)
        if values:
            await self._delivery.run(partial(hand_overs.change, number, ("waiting",), **values))
        return number

    async def hears_of_the_clock(self) -> Sequence[str]:
        """Return what is said because time has passed."""
        before = len(self._wire.sent)
        await self._delivery.answering.tick(self._wire.name)
        await until(lambda: not self._delivery._tasks)
        return self._wire.sent[before:]

    async def hears_of_advisor(self, text: str) -> None:
        await self._delivery.say(self._wire.name, "an", [Draft(text, ADVISOR, by="Cô Lan")])
        await until(lambda: text in self._wire.sent)

    async def is_back(self, hand_over: int) -> None:
        await self._delivery.run(self._delivery.store.hand_overs.close, hand_over, "Cô Lan")

    async def history(self, sender: str = "an") -> Sequence[str]:
        said = await self._delivery.history(self._wire.name, sender)
        return [message.text for message in said]


def with_student(url: str, channel: str, talk: Callable[[Student], Coroutine[Any, Any, None]]) -> None:
    """Run a conversation on a channel."""

    async def run() -> None:
        delivery, wire, rasa = (
            DeliveryWorker(Settings(channels_db=url), Store(url), InProcess()),
            Wire(),
            Rasa(),
        )
        delivery.answering = TurnHandler(rasa, delivery)  # type: ignore[arg-type]
        wire.name = channel
        await delivery.open(wire)
        try:
            await talk(Student(delivery, rasa, wire))
        finally:
            await delivery.close(channel)

    asyncio.run(run())


@pytest.mark.parametrize("channel", CHANNELS)
def test_fault_3_a_consent_in_words_erases_what_channels_and_rasa_store(url: str, channel: str) -> None:
    store = Store(url)
    store.incoming.accept(channel, [Incoming("of another", "binh", TextInput("b"))])
    store.close()

    async def talk(student: Student) -> None:
        assert QUESTION in await student.writes("a secret", WISH)

        assert await student.writes("yes") == ["utter_forgotten_all"]

        assert student.rasa.erased == [f"{channel}:an"]
        assert await student.history() == ["utter_forgotten_all"]
        assert (await student.history("binh"))[:1] == ["b"]

    with_student(url, channel, talk)


@pytest.mark.parametrize("channel", CHANNELS)
def test_fault_3_the_wish_in_words_erases_everything_while_an_advisor_replies(url: str, channel: str) -> None:
    async def talk(student: Student) -> None:
        await student.is_handed_over()
        assert await student.writes("Em khóa 47 ạ") == ["utter_advisor_noted"]

        assert await student.writes(WISH) == [QUESTION]
        assert student.rasa.erased == []
        assert await student.writes("dạ xóa hết giúp em") == ["utter_forgotten_all"]

        assert student.rasa.erased == [f"{channel}:an"]
        assert student.rasa.turns == []
        assert await student.history() == ["utter_forgotten_all"]

    with_student(url, channel, talk)


@pytest.mark.parametrize("channel", CHANNELS)
def test_fault_3_the_typed_command_to_erase_works_while_an_advisor_replies(url: str, channel: str) -> None:
    async def talk(student: Student) -> None:
        await student.is_handed_over()

        assert await student.writes("/xoa", "có") == [QUESTION, "utter_forgotten_all"]

        assert (student.rasa.turns, student.rasa.erased) == ([], [f"{channel}:an"])

    with_student(url, channel, talk)


def test_fault_3_who_refuses_while_an_advisor_replies_keeps_everything(url: str) -> None:
    async def talk(student: Student) -> None:
        await student.is_handed_over()

        assert await student.writes("em chào cô", WISH, "thôi đừng") == [
            "utter_advisor_noted",
            QUESTION,
            "utter_kept_all",
        ]
        # A later message to the advisor answers nothing.
        assert await student.writes("dạ có") == []
        assert student.rasa.erased == []

    with_student(url, "web", talk)


@pytest.mark.parametrize("between", ["of the student", "of the advisor"])
def test_fault_3_a_yes_to_the_advisor_erases_nothing(url: str, between: str) -> None:
    async def talk(student: Student) -> None:
        await student.is_handed_over()
        await student.writes("em chào cô", WISH)
        if between == "of the student":
            assert await student.writes("em hỏi cô thêm một việc") == []
        else:
            await student.hears_of_advisor("Em đã nộp đơn chưa?")

        assert await student.writes("dạ có") == []

        assert student.rasa.erased == []

    with_student(url, "web", talk)


def test_fault_3_a_consent_typed_before_the_question_came_erases_nothing(url: str) -> None:
    store = Store(url)
    typed = [Incoming(str(at), "an", TextInput(text)) for at, text in enumerate((WISH, "có"), 100)]
    store.incoming.accept("web", typed)
    store.hand_overs.open("web", "an", {}, True, None)
    store.close()

    async def talk(student: Student) -> None:
        await student.writes("em chào cô")

        assert student.rasa.erased == []

    with_student(url, "web", talk)


def test_fault_3_a_consent_that_rasa_hears_after_an_advisor_has_spoken_is_asked_again(url: str) -> None:
    async def talk(student: Student) -> None:
        assert await student.writes(WISH) == [QUESTION]
        hand_over = await student.is_handed_over()
        await student.hears_of_advisor("Chào em.")
        await student.is_back(hand_over)

        assert (await student.writes("yes"))[-1] == QUESTION
        assert student.rasa.erased == []
        assert await student.writes("yes") == ["utter_forgotten_all"]

    with_student(url, "web", talk)


def test_fault_3_a_long_message_to_an_advisor_is_for_the_advisor(url: str) -> None:
    async def talk(student: Student) -> None:
        await student.is_handed_over()
        long = "xóa giúp em học phần đăng ký nhầm trên cổng thông tin với ạ, em cảm ơn cô nhiều lắm"

        assert await student.writes(long) == ["utter_advisor_noted"]

    with_student(url, "web", talk)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(
    "text", ['/inform{"cohort":"47"}', "/restart", "/forget_profile", "!forget_all", "/erase_all"]
)
def test_a_payload_that_a_student_types_is_text(url: str, channel: str, text: str) -> None:
    async def talk(student: Student) -> None:
        assert await student.writes(WISH, text) == [QUESTION, "of Rasa"]

        assert student.rasa.typed == [WISH, text]
        assert student.rasa.erased == []

    with_student(url, channel, talk)


def test_fault_3_whoever_keeps_everything_is_asked_no_longer(url: str) -> None:
    rasa, store = Rasa(), Store(url)
    store.incoming.accept("web", [Incoming("1", "an", TextInput("x"))])
    confirm = Draft("sure?", buttons=(("Keep", KEEP_ALL),))
    [asked] = store.replies.finish("web", "an", None, [confirm], lambda message, address: ())

    drafts = handled(rasa, url, "web", ButtonPress(asked.options[0].id))

    assert [draft.text for draft in drafts] == ["utter_kept_all"]
    assert (rasa.turns, rasa.erased) == (["/deny"], [])


# --- typed choices ----------------------------------------------------------------------------------------------------

OPTIONS = (
    ("Học phí học kỳ hè", '/inform{"faq": "tuition-summer"}'),
    ("Điều kiện xét học bổng", '/inform{"faq": "scholarship"}'),
    ("Không phải ý nào", '/inform{"choice": "none"}'),
)
ASKED = Draft("Bạn hỏi điều nào?", act="ask", buttons=OPTIONS)


class Conversation:
    """A conversation on a channel with a stand-in of Rasa: the bot says drafts, the student types."""

    def __init__(self, url: str, channel: str = "web") -> None:
        self.store, self.rasa, self._channel, self._url = Store(url), Rasa(), channel, url
        self._number = 0

    def bot_says(self, *drafts: Draft) -> None:
        self.store.replies.finish(self._channel, "an", None, drafts, lambda message, address: ())

    def types(self, text: str) -> list[str]:
        """Send a text and return the replies, without storing them."""
        self._number += 1
        typed = Incoming(str(self._number), "an", TextInput(text))
        self.store.incoming.accept(self._channel, [typed])
        _, turn = self.store.work.next(self._channel, "an")
        assert turn is not None
        said = handled(self.rasa, self._url, self._channel, turn)
        self.store.replies.finish(self._channel, "an", turn, [], lambda message, address: ())
        return [draft.text for draft in said]

    def passed_on(self) -> list[str]:
        """Return the texts of the turns that are left to an advisor."""
        with self.store.database.read() as db:
            return [
                json.loads(each)["text"]
                for each in db.scalars(sa.select(turns.c.content).where(turns.c.passed_on))
            ]


@pytest.fixture
def conversation(url: str) -> Conversation:
    return Conversation(url)


@pytest.mark.parametrize("channel", ["web", "telegram", "messenger", "zalo"])
@pytest.mark.parametrize(
    ("typed", "payload"),
    [
        ("2", OPTIONS[1][1]),
        ("câu cuối", OPTIONS[1][1]),
        ("cái đầu tiên", OPTIONS[0][1]),
        ("dieu kien xet hoc bong", OPTIONS[1][1]),
        ("học bổng", OPTIONS[1][1]),
        ("không phải ý nào", OPTIONS[2][1]),
        ("3", "3"),
        ("50", "50"),
        ("học phí khi nào đóng", "học phí khi nào đóng"),
    ],
)
def test_an_option_may_be_typed_on_every_channel(url: str, channel: str, typed: str, payload: str) -> None:
    conversation = Conversation(url, channel)
    conversation.bot_says(ASKED)

    conversation.types(typed)

    assert conversation.rasa.turns == [payload]


def test_the_reply_tells_which_button_was_typed(conversation: Conversation) -> None:
    conversation.bot_says(ASKED)
    accept = conversation.store.incoming.accept
    accept("web", [Incoming("a", "an", TextInput("2"))])
    _, turn = conversation.store.work.next("web", "an")
    assert turn is not None

    [reply] = handled(conversation.rasa, conversation._url, "web", turn)

    [asked] = [
        each for each in conversation.store.conversations.history("web", "an", None, 9) if each.options
    ]
    assert (reply.facts["used_on"], reply.facts["used"]) == (asked.id, OPTIONS[1][0])


def test_only_the_options_right_above_can_be_typed(conversation: Conversation) -> None:
    conversation.bot_says(ASKED)
    conversation.types("khi nào đóng học phí")
    conversation.bot_says(Draft("Trước ngày 15/9.", act="answer"))
    conversation.types("2")

    assert conversation.rasa.turns == ["khi nào đóng học phí", "2"]


def test_a_reply_that_declines_leaves_the_options_above_it_open(conversation: Conversation) -> None:
    conversation.bot_says(ASKED)
    conversation.types("quy định")
    advisor = ("Gặp cán bộ tư vấn", "/ask_advisor")
    conversation.bot_says(Draft("Bạn chọn một ý ở trên nhé.", act="no_answer", buttons=(advisor,)))
    conversation.types("2")

    assert conversation.rasa.turns == ["quy định", OPTIONS[1][1]]


def test_what_was_typed_before_the_options_came_does_not_choose_one(conversation: Conversation) -> None:
    accept = conversation.store.incoming.accept
    accept("web", [Incoming("a", "an", TextInput("học phí")), Incoming("b", "an", TextInput("2"))])
    _, first = conversation.store.work.next("web", "an")
    conversation.store.replies.finish("web", "an", first, [ASKED], lambda message, address: ())
    _, second = conversation.store.work.next("web", "an")
    assert second is not None

    handled(conversation.rasa, conversation._url, "web", second)

    assert conversation.rasa.turns == ["2"]


def test_a_part_of_a_buttons_words_chooses_only_where_a_choice_is_waited_for(
    conversation: Conversation,
) -> None:
    conversation.bot_says(Draft("Chào bạn!", act="talk", buttons=OPTIONS))
    conversation.types("học bổng")

    assert conversation.rasa.turns == ["học bổng"]


def test_the_words_of_the_button_hand_the_conversation_over(conversation: Conversation) -> None:
    advisor = Draft("Bạn có thể liên hệ…", act="hand_over", buttons=(("Nhắn cán bộ tại đây", "/hand_over"),))
    for typed in ("Nhắn cán bộ tại đây", "nhan can bo tai day", "1", "nhắn cán bộ"):
        conversation.bot_says(advisor)
        conversation.types(typed)

    assert conversation.rasa.turns == ["/hand_over", "/hand_over", "1", "/hand_over"]


def test_a_button_of_the_channels_own_may_be_typed(conversation: Conversation) -> None:
    conversation.bot_says(Draft("Xóa?", act="talk", buttons=(("Xóa hết", FORGET_ALL), ("Giữ lại", KEEP_ALL))))

    assert conversation.types("xóa") == ["of Rasa"]
    conversation.bot_says(Draft("Xóa?", act="talk", buttons=(("Xóa hết", FORGET_ALL), ("Giữ lại", KEEP_ALL))))
    assert conversation.types("giữ lại") == ["utter_kept_all"]


# --- with an advisor --------------------------------------------------------------------------------------------------

QUIET, ANSWERING = True, False


@pytest.fixture
def expecting(conversation: Conversation) -> Conversation:
    """A student who waits for an advisor while the bot goes on replying."""
    conversation.store.incoming.accept("web", [Incoming("0", "an", TextInput("x"))])
    _, turn = conversation.store.work.next("web", "an")
    conversation.store.replies.finish("web", "an", turn, [], lambda message, address: ())
    conversation.store.hand_overs.open("web", "an", {}, ANSWERING, None)
    return conversation


@pytest.mark.parametrize("typed", ["em bị trừ tiền học phí hai lần", "mssv B2012345", "alo có ai không"])
def test_what_is_told_while_an_advisor_is_expected_is_for_the_advisor(
    expecting: Conversation, typed: str
) -> None:
    expecting.rasa.act = "answer"

    assert expecting.types(typed) == ["utter_added_for_advisor"]
    assert expecting.passed_on() == [typed]


def test_what_the_bot_cannot_answer_is_for_the_advisor_too(expecting: Conversation) -> None:
    expecting.rasa.act = "no_answer"

    assert expecting.types("sân bóng thuê bao nhiêu") == ["utter_added_for_advisor"]


@pytest.mark.parametrize(
    ("typed", "act"),
    [
        ("khi nào đóng học phí", "answer"),
        ("học phí k51", "ask"),
        ("em không muốn sống nữa", "hand_over"),
        ("quên thông tin của mình đi", "talk"),
    ],
)
def test_what_is_asked_meanwhile_the_bot_answers(expecting: Conversation, typed: str, act: str) -> None:
    expecting.rasa.act = act

    assert expecting.types(typed) == ["of Rasa"]
    assert expecting.passed_on() == []


def test_an_option_that_is_chosen_meanwhile_is_no_word_for_the_advisor(expecting: Conversation) -> None:
    expecting.rasa.act = "no_answer"
    expecting.bot_says(ASKED)

    assert expecting.types("2") == ["of Rasa"]


def test_while_the_bot_is_quiet_the_advisor_gets_everything_but_distress(conversation: Conversation) -> None:
    conversation.types("x")
    conversation.store.hand_overs.open("web", "an", {}, QUIET, None)
    conversation.rasa.turns.clear()

    assert conversation.types("khi nào đóng học phí") == ["utter_advisor_noted"]
    assert conversation.types("alo") == []
    conversation.rasa.act = "hand_over"
    assert conversation.types("em muốn chết cho xong") == ["of Rasa"]
    assert conversation.rasa.turns == ["em muốn chết cho xong"]


def test_while_the_bot_is_quiet_only_whole_words_of_a_button_press_it(conversation: Conversation) -> None:
    conversation.types("x")
    conversation.store.hand_overs.open("web", "an", {}, QUIET, None)
    quiet = Draft("Cán bộ sẽ trả lời.", act="hand_over", buttons=(("Quay lại với trợ lý", BACK_TO_BOT),))
    conversation.bot_says(quiet)
    assert conversation.types("quay lại") == ["utter_advisor_noted"]

    conversation.bot_says(quiet)
    assert conversation.types("quay lai voi tro ly") == ["utter_back_to_bot"]


@pytest.mark.parametrize(("status", "told"), [("waiting", "advisor_expected"), ("taken", "advisor_away")])
def test_when_the_opening_hours_end_the_notice_fits_who_has_the_conversation(
    url: str, status: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVAN_NOW", "2026-11-23T19:00:00+07:00")
    hours = {"timezone": "Asia/Ho_Chi_Minh", "week": {"tue": [["07:30", "11:30"]]}}

    async def talk(student: Student) -> None:
        await student.is_handed_over(hours, status=status, last_at=0.0)

        assert await student.hears_of_the_clock() == [f"utter_{told}"]
        assert await student.hears_of_the_clock() == []

    with_student(url, "web", talk)
