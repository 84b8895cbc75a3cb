"""The channels handle the payloads of their own buttons, and commands that a student types."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from wire import Wire

from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.incoming import ButtonPress, Content, Incoming, TextInput
from channels.delivery.store import Store
from channels.delivery.turn_handler import BACK_TO_BOT, FORGET_ALL, KEEP_ALL, REASON, TurnHandler
from channels.delivery.work_queue import QueuedTurn
from channels.rasa_client import Replies, Turn
from covan.domain import read_domain
from dialogue.acts import Act
from rag.settings import Settings


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


class Rasa:
    """Notes the turns and the erasures that it gets; a response is its name. A consent is the word "yes"."""

    ready = True

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.erased: list[str] = []
        self.act: Act | None = None

    async def text_turn(self, sender: str, channel: str, text: str, *, turn: Turn | None = None) -> Replies:
        self.turns.append(text)
        custom = {"custom": {"type": "erase"}} if text == "yes" else {}
        return Replies([{"text": "of Rasa", "act": self.act, **custom}], "vi")

    async def payload_turn(
        self, sender: str, channel: str, payload: str, *, turn: Turn | None = None
    ) -> Replies:
        return await self.text_turn(sender, channel, payload)

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, Any]) -> Replies:
        return Replies([{"text": name}], "vi")

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
    return f"sqlite:///{tmp_path / 'channels.sqlite'}"


CHANNELS = ["web", "telegram", "messenger"]


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


@pytest.mark.parametrize("channel", CHANNELS)
def test_fault_3_a_consent_in_words_erases_what_channels_and_rasa_store(url: str, channel: str) -> None:
    store, rasa = Store(url), Rasa()
    store.incoming.accept(
        channel, [Incoming("1", "an", TextInput("a secret")), Incoming("2", "binh", TextInput("b"))]
    )

    assert handled(rasa, url, channel, TextInput("yes")) == ()

    assert rasa.erased == [f"{channel}:an"]
    assert [each.text for each in store.conversations.history(channel, "an", None, 9)] == [
        "utter_forgotten_all"
    ]
    assert [each.text for each in store.conversations.history(channel, "binh", None, 9)][:1] == ["b"]


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


def test_only_the_options_right_above_can_be_typed(conversation: Conversation) -> None:
    conversation.bot_says(ASKED)
    conversation.types("khi nào đóng học phí")
    conversation.bot_says(Draft("Trước ngày 15/9.", act="answer"))
    conversation.types("2")

    assert conversation.rasa.turns == ["khi nào đóng học phí", "2"]


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
    quiet = Draft("Cán bộ sẽ trả lời.", act="hand_over", buttons=(("Quay lại hỏi bot", BACK_TO_BOT),))
    conversation.bot_says(quiet)
    assert conversation.types("quay lại") == ["utter_advisor_noted"]

    conversation.bot_says(quiet)
    assert conversation.types("quay lai hoi bot") == ["utter_back_to_bot"]
