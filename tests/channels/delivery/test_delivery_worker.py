"""From a delivery to the reply: once, in order, through restarts and a platform's failures."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

import pytest
from answerers import Answerer
from made_databases import channels_database
from wire import until_within

from channels.delivery import delivery_worker
from channels.delivery.changes import InProcess
from channels.delivery.delivery_worker import END_S, MOST_BREAKS, DeliveryWorker
from channels.delivery.draft import Draft
from channels.delivery.incoming import (
    ButtonPress,
    Incoming,
    MenuCommand,
    Rating,
    TextInput,
    UnreadableInput,
    content_as_json,
    content_of_json,
)
from channels.delivery.message import ADVISOR, NOTICE
from channels.delivery.message_rate import MESSAGES_PER_MINUTE
from channels.delivery.platform import OutsideWindowError, RefusedError, TryAgainError
from channels.delivery.store import Store
from channels.rasa_client import RasaBrokeOffError, RasaUnavailableError
from rag.settings import Settings

DEADLINE_S = 20
until = partial(until_within, DEADLINE_S)


class Wire:
    """A platform that records its calls, after raising each error of `trouble` once."""

    name = "wire"
    options_last = False
    reply_window = None

    def __init__(self):
        self.sent = []
        self.trouble = []
        self.tried = 0

    def render(self, message, address):
        return [{"text": part, "to": address.get("to")} for part in message.text.split("|")]

    async def send(self, outgoing):
        self.tried += 1
        if self.trouble:
            raise self.trouble.pop(0)
        await asyncio.sleep(0)
        self.sent.append((outgoing.sender, outgoing.call["text"]))

    async def typing(self, sender, address):
        pass

    def texts(self, sender):
        return [text for of, text in self.sent if of == sender]


class Echo(Answerer):
    """Says back what it hears, as Rasa's side would; `gate` makes it slow."""

    def __init__(self):
        self.heard = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.broken = False

    async def answer(self, channel, sender, turn, typing):
        typing()
        self.heard.append((sender, turn.content))
        await self.gate.wait()
        if self.broken:
            raise ValueError("a turn that cannot be answered")
        text = turn.content.text if isinstance(turn.content, TextInput) else repr(turn.content)
        return [Draft(f"re: {text}", buttons=(("Một", "/inform"),), answer_id="a-1")]


@asynccontextmanager
async def running(url, wire, echo, **settings):
    delivery = DeliveryWorker(Settings(channels_db=url, **settings), Store(url), InProcess())
    delivery.answering = echo
    await delivery.open(wire)
    try:
        yield delivery
    finally:
        await delivery.close(wire.name)


def typed(number, text, sender="an"):
    return Incoming(f"event-{number}", sender, TextInput(text), {"to": sender})


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def url(request, tmp_path):
    if request.param == "sqlite":
        return channels_database(tmp_path / "channels.sqlite")
    return request.getfixturevalue("postgres").new_database()


def test_each_delivery_is_answered_once_and_each_sender_in_order(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept(
                "wire", [typed(1, "a|b"), typed(2, "c"), typed(1, "a|b"), typed(3, "x", "ba")]
            )
            await delivery.accept("wire", [typed(2, "c"), typed(4, "d")])
            await until(lambda: len(wire.sent) == 5)
        assert wire.texts("an") == ["re: a", "b", "re: c", "re: d"]
        assert wire.texts("ba") == ["re: x"]

    asyncio.run(talk())


def test_duplicates_are_known_after_a_restart(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: wire.sent)
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a"), typed(2, "b")])
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["re: a", "re: b"]

    asyncio.run(talk())


def test_what_a_dead_process_left_undone_is_done_once(url):
    async def talk():
        wire, slow = Wire(), Echo()
        slow.gate.clear()
        async with running(url, wire, slow) as delivery:
            await delivery.accept("wire", [typed(1, "a"), typed(2, "b")])
            await until(lambda: slow.heard)
            for task in list(delivery._tasks.values()):  # dies in the middle of a turn
                task.cancel()
        assert not wire.sent
        async with running(url, wire, Echo()):
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["re: a", "re: b"]

    asyncio.run(talk())


def test_a_busy_platform_is_waited_for_and_the_order_kept(url):
    async def talk():
        wire, echo = Wire(), Echo()
        wire.trouble = [TryAgainError("429", 0.1), TryAgainError("503", 0.05), OSError("connection reset")]
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a|b"), typed(2, "c")])
            await until(lambda: len(wire.sent) == 3)
            assert await delivery.run(delivery.store.replies.undelivered) == []
        assert wire.texts("an") == ["re: a", "b", "re: c"]

    asyncio.run(talk())


def test_a_refused_message_is_kept_and_shown_and_what_follows_is_sent(url):
    async def talk():
        wire, echo = Wire(), Echo()
        wire.trouble = [RefusedError("the student has blocked the bot")]
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a|b")])
            await until(lambda: wire.sent)
            [lost] = await delivery.run(delivery.store.replies.undelivered)
            assert (lost["state"], lost["why"], lost["text"]) == (
                "refused",
                "the student has blocked the bot",
                "re: a|b",
            )
            assert await delivery.run(delivery.store.replies.send_again, lost["id"]) == ("wire", "an")
            delivery.kick("wire", "an")
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["b", "re: a"]

    asyncio.run(talk())


def test_what_the_platform_does_not_allow_now_is_sent_when_the_student_writes_but_for_old_news(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: wire.sent)
            wire.trouble = [
                OutsideWindowError("more than 24 hours"),
                OutsideWindowError("more than 24 hours"),
            ]
            await delivery.say(
                "wire", "an", [Draft("somebody has joined", NOTICE), Draft("from a person", ADVISOR)]
            )
            await until(lambda: not wire.trouble)
            await until(lambda: not delivery._tasks)
            assert wire.texts("an") == ["re: a"]
            await delivery.accept("wire", [typed(2, "b")])
            await until(lambda: len(wire.sent) == 3)
        assert wire.texts("an") == ["re: a", "from a person", "re: b"]

    asyncio.run(talk())


def test_a_turn_that_always_fails_is_apologised_for_and_keeps_nobody_waiting(url):
    async def talk():
        wire, echo = Wire(), Echo()
        echo.broken = True
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: wire.sent)
            echo.broken = False
            await delivery.accept("wire", [typed(2, "b")])
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["sorry", "re: b"]

    asyncio.run(talk())


def test_a_reply_that_cannot_be_rendered_is_apologised_for_and_keeps_nobody_waiting(url):
    class Fragile(Wire):
        def render(self, message, address):
            if message.text == "re: hỏng":
                raise ValueError("a message that has no form here")
            return super().render(message, address)

    async def main():
        wire, echo = Fragile(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "hỏng"), typed(2, "lành")])
            await until(lambda: "re: lành" in wire.texts("an"))
        assert [content.text for _, content in echo.heard] == ["hỏng", "lành"]
        assert len(wire.texts("an")) == 2

    asyncio.run(main())


def test_a_turn_whose_apology_cannot_be_rendered_either_keeps_nobody_waiting(url):
    class Fragile(Wire):
        def render(self, message, address):
            if message.text in ("re: hỏng", "sorry"):
                raise ValueError("a message that has no form here")
            return super().render(message, address)

    async def main():
        wire, echo = Fragile(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "hỏng"), typed(2, "lành")])
            await until(lambda: "re: lành" in wire.texts("an"))
        assert [content.text for _, content in echo.heard] == ["hỏng", "lành"]
        assert wire.texts("an") == ["re: lành"]

    asyncio.run(main())


def test_of_two_processes_one_serves_a_sender_and_the_other_takes_over(url):
    async def talk():
        one, other = Wire(), Wire()
        slow, quick = Echo(), Echo()
        slow.gate.clear()
        async with running(url, one, slow, redis_url="redis://unused") as first:
            await first.accept("wire", [typed(1, "a")])
            # Before there is another, which would look for work, too.
            await until(lambda: slow.heard)
            async with running(url, other, quick, redis_url="redis://unused") as second:
                await second.accept("wire", [typed(2, "b")])
                await until(lambda: not second._tasks)
                assert not quick.heard
                slow.gate.set()
                await until(lambda: len(one.sent) == 2)
        assert one.texts("an") == ["re: a", "re: b"]
        assert not other.sent

    asyncio.run(talk())


def test_a_flood_is_stopped_and_told_so_once(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            for number in range(2 * MESSAGES_PER_MINUTE):
                await delivery.accept("wire", [typed(number, "a")])
            await until(lambda: len(wire.sent) == MESSAGES_PER_MINUTE + 1)
            await until(lambda: not delivery._tasks)
        assert wire.texts("an").count("slow down") == 1
        assert len(echo.heard) == MESSAGES_PER_MINUTE

    asyncio.run(talk())


def test_a_button_and_a_thumb_are_worth_something_to_who_got_them_only(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            store = delivery.store
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: wire.sent)
            asked, answered = await delivery.history("wire", "an")
            assert (asked.author, asked.text) == ("student", "a")
            option = answered.options[0].id
            assert (await delivery.run(store.conversations.chosen, "wire", "an", option)).payload == "/inform"
            assert await delivery.run(store.conversations.chosen, "wire", "ba", option) is None
            assert not await delivery.run(store.conversations.rate, "wire", "ba", answered.id, True, "")
            assert not await delivery.run(store.conversations.rate, "wire", "an", asked.id, True, "")
            assert await delivery.run(store.conversations.rate, "wire", "an", answered.id, False, "sai năm")
            await delivery.accept("wire", [Incoming("event-2", "an", ButtonPress(option))])
            await until(lambda: len(wire.sent) == 2)
            assert [
                each.text for each in await delivery.history("wire", "an") if each.author == "student"
            ] == [
                "a",
                "Một",
            ]
            assert isinstance(echo.heard[-1][1], ButtonPress)

    asyncio.run(talk())


def test_where_only_the_last_message_keeps_its_buttons_it_has_them_all(url):
    async def talk():
        wire = Wire()
        wire.options_last = True
        async with running(url, wire, Echo()) as delivery:
            said = await delivery.say(
                "wire",
                "an",
                [
                    Draft("none", buttons=(("Học phí", "/t1"), ("Ký túc xá", "/t2"))),
                    Draft("a person?", buttons=(("Gặp cán bộ", "/a"), ("Học phí", "/t1"))),
                ],
            )
            assert [[option.title for option in each.options] for each in said] == [
                [],
                ["Gặp cán bộ", "Học phí", "Ký túc xá"],
            ]

    asyncio.run(talk())


def test_nothing_is_left_of_who_wants_to_be_forgotten(url):
    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a"), typed(2, "x", "ba")])
            await until(lambda: len(wire.sent) == 2)
            await delivery.erase("wire", "an")
            assert await delivery.history("wire", "an") == []
            assert len(await delivery.history("wire", "ba")) == 2

    asyncio.run(talk())


def test_an_erased_turn_says_nothing_afterwards(url):
    async def talk():
        wire, echo = Wire(), Echo()
        echo.gate.clear()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: echo.heard)
            await delivery.erase("wire", "an")
            echo.gate.set()
            await until(lambda: not delivery._tasks)
            assert await delivery.history("wire", "an") == []
        assert not wire.sent

    asyncio.run(talk())


@pytest.mark.parametrize(
    "content",
    [
        TextInput("a"),
        ButtonPress("id"),
        MenuCommand("help"),
        Rating(3, good=False, reason="sai"),
        UnreadableInput("sticker"),
    ],
)
def test_what_a_student_did_is_the_same_after_it_was_stored(content):
    assert content_of_json(content_as_json(content)) == content


def test_a_turn_waits_while_rasa_is_away_and_is_answered_once_it_is_back(url):
    class Away(Echo):
        ready = False

        async def answer(self, channel, sender, turn, typing):
            if len(self.heard) < 2:
                self.heard.append((sender, turn.content))
                raise RasaUnavailableError("it restarts")
            return await super().answer(channel, sender, turn, typing)

    async def talk():
        wire, echo = Wire(), Away()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "a"), typed(2, "b")])
            await asyncio.sleep(0.5)
            assert not echo.heard
            echo.ready = True
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["re: a", "re: b"]

    asyncio.run(talk())


def test_a_turn_during_which_rasa_dies_again_and_again_is_answered_with_an_apology(url):
    class Deadly(Echo):
        async def answer(self, channel, sender, turn, typing):
            if turn.content.text == "deadly":
                self.heard.append((sender, turn.content))
                raise RasaBrokeOffError("it went away")
            return await super().answer(channel, sender, turn, typing)

    async def talk():
        wire, echo = Wire(), Deadly()
        async with running(url, wire, echo) as delivery:
            await delivery.accept("wire", [typed(1, "deadly"), typed(2, "b")])
            await until(lambda: len(wire.sent) == 2)
        assert wire.texts("an") == ["sorry", "re: b"]
        assert len(echo.heard) == MOST_BREAKS + 1

    asyncio.run(talk())


def test_a_channel_ends_at_once_while_rasa_is_away_and_the_turn_waits_for_the_next_start(url):
    class Away(Echo):
        ready = False

    async def talk():
        wire = Wire()
        async with running(url, wire, Away()) as delivery:
            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: delivery._tasks)
            ended = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - ended < END_S
        async with running(url, wire, Echo()):
            await until(lambda: wire.sent)
        assert wire.texts("an") == ["re: a"]

    asyncio.run(talk())


def test_conversations_give_way_to_messages_that_wait_for_their_acknowledgement(url, monkeypatch):
    monkeypatch.setattr(delivery_worker, "GIVE_WAY_S", 60.0)

    async def talk():
        wire, echo, stored = Wire(), Echo(), asyncio.Event()
        echo.gate.clear()
        async with running(url, wire, echo) as delivery:
            store = delivery._intake.store

            async def slow(delivered):
                result = await store(delivered)
                await stored.wait()
                return result

            await delivery.accept("wire", [typed(1, "a")])
            await until(lambda: echo.heard)
            monkeypatch.setattr(delivery._intake, "store", slow)
            accepting = asyncio.create_task(delivery.accept("wire", [typed(2, "b", "ba")]))
            reading = asyncio.create_task(delivery.since("wire", "an", 0))
            echo.gate.set()
            await asyncio.sleep(0.5)
            assert not wire.sent
            assert not reading.done()
            stored.set()
            await accepting
            await until(lambda: len(wire.sent) == 2)
            assert next(iter(await reading)).text == "a"

    asyncio.run(talk())


def test_serving_begins_when_no_message_waits_for_its_acknowledgement_any_more(url, monkeypatch):
    async def looks_for_nothing(_delivery):
        pass

    monkeypatch.setattr(delivery_worker, "GIVE_WAY_S", 60.0)
    # It would find what was accepted, and serve it.
    monkeypatch.setattr(DeliveryWorker, "_look", looks_for_nothing)

    async def talk():
        wire, stored = Wire(), asyncio.Event()
        async with running(url, wire, Echo()) as delivery:
            store = delivery._intake.store

            async def slow(delivered):
                result = await store(delivered)
                if delivered.incoming[0].sender == "ba":
                    await stored.wait()
                return result

            monkeypatch.setattr(delivery._intake, "store", slow)
            last = asyncio.create_task(delivery.accept("wire", [typed(1, "b", "ba")]))
            await asyncio.sleep(0)
            await delivery.accept("wire", [typed(2, "a")])
            await asyncio.sleep(0.2)
            assert not delivery._tasks
            stored.set()
            await last
            await until(lambda: len(wire.sent) == 2)

    asyncio.run(talk())


def test_conversations_give_way_for_a_limited_time(url, monkeypatch):
    monkeypatch.setattr(delivery_worker, "GIVE_WAY_S", 0.1)

    async def talk():
        wire, echo = Wire(), Echo()
        async with running(url, wire, echo) as delivery:
            delivery._accepting = 1
            delivery._none_accepted.clear()
            await delivery.say("wire", "an", [Draft("a")])
            await until(lambda: wire.texts("an") == ["a"])

    asyncio.run(talk())
