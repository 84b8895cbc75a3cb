"""Calls to the Bot API over HTTP: what is sent, and what each of its errors means for a message."""

from __future__ import annotations

import asyncio
import functools
import logging
import operator
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from telegram_api import TOKEN, USERNAME, TelegramApi

from channels.delivery.message import Message, Option
from channels.delivery.platform import Outgoing, RefusedError, TryAgainError
from channels.telegram.calls import TelegramPlatform, quieten
from channels.telegram.polling import LONGEST_PAUSE_S, poll

AN = 11


@pytest.fixture
def api() -> Iterator[TelegramApi]:
    api = TelegramApi()
    api.start()
    api.writes(AN, "/start")
    yield api
    api.stop()


def with_platform(
    api: TelegramApi, do: Callable[[TelegramPlatform], Awaitable[Any]], token: str = TOKEN
) -> Any:
    quieten()

    async def run() -> Any:
        platform = TelegramPlatform(token, api.base_url)
        try:
            return await do(platform)
        finally:
            await platform.close()

    return asyncio.run(run())


def send(api: TelegramApi, said: Message, token: str = TOKEN, **address: Any) -> None:
    async def do(platform: TelegramPlatform) -> None:
        to = {"chat": AN, **address}
        for call in platform.render(said, to):
            await platform.send(Outgoing(call, str(AN), to, said.author, 0.0))

    with_platform(api, do, token)


def test_a_message_arrives_with_its_buttons_and_without_a_preview_of_links(api: TelegramApi) -> None:
    send(api, Message("**Chào** bạn: https://truong.edu.vn", options=(Option("K47", "abc"),)))

    (message,) = api.messages(AN)
    assert message.text == "Chào bạn: https://truong.edu.vn"
    assert message.params["link_preview_options"] == {"is_disabled": True}
    assert message.buttons == [{"text": "K47", "callback_data": "o:abc"}]


def test_it_answers_a_message_even_when_that_is_gone(api: TelegramApi) -> None:
    send(api, Message("Chào"), reply_to=999)

    assert api.messages(AN)[0].params["reply_parameters"]["message_id"] == 999


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_broken_platform_is_tried_again(api: TelegramApi, status: int) -> None:
    api.fail_next("sendMessage", status)

    with pytest.raises(TryAgainError) as again:
        send(api, Message("Chào"))
    assert again.value.after_s is None


def test_a_platform_out_of_reach_is_tried_again_and_no_token_is_told(api: TelegramApi) -> None:
    api.stop()

    with pytest.raises(TryAgainError) as again:
        send(api, Message("Chào"))
    assert TOKEN not in repr(again.value)
    assert again.value.__cause__ is None
    assert again.value.__suppress_context__


def test_a_pause_that_telegram_asks_for_is_kept_for_the_whole_chat(api: TelegramApi) -> None:
    api.fail_next("sendMessage", 429, {"retry_after": 370})

    async def do(platform: TelegramPlatform) -> list[float | None]:
        waits = []
        for _ in range(2):
            with pytest.raises(TryAgainError) as again:
                await platform.send(Outgoing({"chat": AN, "text": "Chào"}, str(AN), {}, "bot", 0.0))
            waits.append(again.value.after_s)
        return waits

    first, second = with_platform(api, do)

    assert first == 370
    assert second is not None
    assert 300 < second <= 370
    assert len(api.calls("sendMessage", ok=False)) == 1


def test_who_has_blocked_the_bot_gets_no_more(api: TelegramApi) -> None:
    api.blocked.add(AN)

    with pytest.raises(RefusedError, match="blocked"):
        send(api, Message("Chào"))


def test_who_never_wrote_to_the_bot_cannot_be_written_to(api: TelegramApi) -> None:
    with pytest.raises(RefusedError, match=r"[Cc]hat not found"):
        send(api, Message("Chào"), chat=4_711)


def test_markup_that_telegram_cannot_read_goes_once_more_as_plain_text(api: TelegramApi) -> None:
    api.fail_next(
        "sendMessage", 400, description="Bad Request: can't parse entities: unexpected end tag at byte 7"
    )

    send(api, Message("**a** < b & c"))

    (message,) = api.messages(AN)
    assert message.params["text"] == "a < b & c"
    assert "parse_mode" not in message.params


def test_plain_text_that_is_refused_is_not_sent_for_ever(api: TelegramApi) -> None:
    api.fail_next("sendMessage", 400, description="Bad Request: can't parse entities: whatever", times=2)

    with pytest.raises(RefusedError):
        send(api, Message("a"))
    assert len(api.calls("sendMessage", ok=False)) == 2


def test_a_page_that_telegram_does_not_take_costs_only_its_button(api: TelegramApi) -> None:
    api.fail_next(
        "sendMessage", 400, description="Bad Request: inline keyboard button URL 'https://a.vn' is invalid"
    )
    card = {"kind": "link", "title": "Trang", "url": "https://a.vn"}

    send(api, Message("Xem", options=(Option("K47", "abc"),), cards=(card,)))

    assert [button["text"] for button in api.messages(AN)[0].buttons] == ["K47"]


def test_a_group_that_has_moved_is_followed(api: TelegramApi) -> None:
    api.writes(AN, "/help", group=-100_77)
    api.fail_next(
        "sendMessage",
        400,
        {"migrate_to_chat_id": -100_77},
        description="Bad Request: group chat was upgraded",
    )

    send(api, Message("Chào"), chat=-77, reply_to=3)

    assert len(api.messages(-100_77)) == 1


def test_a_wrong_token_is_loud_tried_again_and_not_told(
    api: TelegramApi, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = "123456789:" + "x" * 35

    with pytest.raises(TryAgainError) as again:
        send(api, Message("Chào"), token=wrong)

    assert "COVAN_TELEGRAM_TOKEN" in caplog.text
    assert wrong not in caplog.text + repr(again.value)


def test_no_log_has_the_token_or_what_students_write(
    api: TelegramApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    send(api, Message("điều riêng tư"))

    assert TOKEN not in caplog.text
    assert "riêng tư" not in caplog.text


def test_typing_is_shown(api: TelegramApi) -> None:
    with_platform(api, lambda platform: platform.typing(str(AN), {"chat": AN}))

    assert [call.params["action"] for call in api.calls("sendChatAction", AN)] == ["typing"]


def test_a_press_is_acknowledged_and_one_of_long_ago_does_no_harm(api: TelegramApi) -> None:
    query = api.presses_data(AN, "o:abc", None)["callback_query"]["id"]

    for each in (query, "of-last-year"):
        with_platform(api, lambda platform, query=each: platform.answer(query, "Khóa 47"))

    assert [call.params["text"] for call in api.calls("answerCallbackQuery")] == ["Khóa 47"]
    assert len(api.calls("answerCallbackQuery", ok=False)) == 1


# --- polling ----------------------------------------------------------------------------------------------------------


class Polling:
    """Runs until `wanted` updates are there; `fail` says which hand-overs fail. Pauses are noted, and take no time."""

    def __init__(self, api: TelegramApi, wanted: int, fail: int = 0) -> None:
        self.taken: list[list[int]] = []
        self.pauses: list[float] = []
        self._fail = fail
        self._wanted = wanted
        with_platform(api, self._run)

    async def _run(self, platform: TelegramPlatform) -> None:
        me = await platform.bot.get_me()
        assert me.username == USERNAME
        self._done = asyncio.Event()
        task = asyncio.ensure_future(poll(platform, self._take, self._pause))
        try:
            await asyncio.wait_for(self._done.wait(), 20)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _take(self, updates: Any) -> None:
        if self._fail:
            self._fail -= 1
            raise OSError("the disk is full")
        self.taken.append([update["update_id"] for update in updates])
        if sum(map(len, self.taken)) >= self._wanted:
            self._done.set()

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0)


def test_updates_come_in_batches_in_order_and_once(api: TelegramApi) -> None:
    updates = [api.writes(AN, f"câu {number}") for number in range(150)]
    api.keep(*updates)

    polling = Polling(api, wanted=150)

    assert [len(batch) for batch in polling.taken] == [100, 50]
    assert functools.reduce(operator.iadd, polling.taken, []) == [update["update_id"] for update in updates]


def test_fault_10_a_polled_update_without_a_usable_id_never_costs_its_neighbours(api: TelegramApi) -> None:
    first, odd, last = (api.writes(AN, text) for text in ("trước", "lạ", "sau"))
    api.keep(first, {**odd, "update_id": None}, last)

    polling = Polling(api, wanted=2)

    assert polling.taken == [[first["update_id"], last["update_id"]]]


WORDS = "mã số của em là B2104567"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(f'{{"ok": true, "result": [{{"update_id": 1, "text": "{WORDS}"', id="cut off"),
        pytest.param(f'{{"ok": true, "result": "{WORDS}"}}', id="no list"),
        pytest.param(f'{{"ok": true, "text": "{WORDS}"}}', id="no result"),
        pytest.param(f'{{"ok": true, "result": [{{"text": "{WORDS}"}}]}}', id="no update"),
        pytest.param('{"ok": true, "result": ' + "[" * 100_000 + "]" * 100_000 + "}", id="too deep"),
    ],
)
def test_fault_13_an_answer_that_cannot_be_read_is_asked_for_again_and_not_logged(
    api: TelegramApi, caplog: pytest.LogCaptureFixture, answer: str
) -> None:
    update = api.writes(AN, "học phí")
    api.answer_updates(answer.encode())
    api.keep(update)

    polling = Polling(api, wanted=1)

    assert polling.taken == [[update["update_id"]]]
    assert polling.pauses == [1.0]
    assert "Asking Telegram for updates failed" in caplog.text
    assert WORDS not in caplog.text
    ours = [record for record in caplog.records if record.name.startswith(("channels", "telegram"))]
    assert not [record for record in ours if record.levelno >= logging.ERROR or record.exc_info]


def test_the_pause_after_many_failures_is_the_longest_one(api: TelegramApi) -> None:
    failures = 1_100
    update = api.writes(AN, "học phí")
    api.keep(update)

    polling = Polling(api, wanted=1, fail=failures)

    assert polling.taken == [[update["update_id"]]]
    assert len(polling.pauses) == failures
    assert set(polling.pauses[6:]) == {LONGEST_PAUSE_S}


def test_what_could_not_be_stored_is_not_confirmed_and_comes_again(api: TelegramApi) -> None:
    update = api.writes(AN, "học phí")
    api.keep(update)

    polling = Polling(api, wanted=1, fail=3)

    assert polling.taken == [[update["update_id"]]]
    assert polling.pauses == [1.0, 2.0, 4.0]
    assert api.unconfirmed == [update["update_id"]]


def test_a_webhook_that_is_set_is_told_in_the_log_and_waited_for(
    api: TelegramApi, caplog: pytest.LogCaptureFixture
) -> None:
    api.keep(api.writes(AN, "học phí"))
    for _ in range(2):
        api.fail_next(
            "getUpdates", 409, description="Conflict: can't use getUpdates method while webhook is active"
        )

    polling = Polling(api, wanted=1)

    assert polling.pauses == [1.0, 2.0]
    assert "covan channel telegram --remove" in caplog.text


def test_a_platform_that_is_down_or_asks_for_a_pause_is_asked_later(api: TelegramApi) -> None:
    api.keep(api.writes(AN, "học phí"))
    api.fail_next("getUpdates", 502)
    api.fail_next("getUpdates", 429, {"retry_after": 9})

    assert Polling(api, wanted=1).pauses == [1.0, 9.0]
