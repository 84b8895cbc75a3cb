"""Deliveries that are stored together are stored as if each had come alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import sqlalchemy as sa
from made_databases import channels_database

from channels.delivery.draft import Draft
from channels.delivery.incoming import Incoming, MenuCommand, Rating, TextInput
from channels.delivery.incoming_store import AcceptedDelivery, Delivery
from channels.delivery.message import Message
from channels.delivery.message_rate import MESSAGES_PER_MINUTE
from channels.delivery.platform import Call
from channels.delivery.store import Store
from channels.delivery.tables import HELD


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def store(request: pytest.FixtureRequest, tmp_path) -> Iterator[Store]:  # type: ignore[no-untyped-def]
    if request.param == "sqlite":
        url = channels_database(tmp_path / "channels.sqlite")
    else:
        url = request.getfixturevalue("postgres").new_database()
    opened = Store(url)
    yield opened
    opened.close()


def typed(event: str, text: str, sender: str = "an", **address: str) -> Incoming:
    return Incoming(event, sender, TextInput(text), address)


def senders(accepted: Sequence[AcceptedDelivery | Exception]) -> list[list[str]]:
    return [list(each.senders) for each in accepted if isinstance(each, AcceptedDelivery)]


def turns(store: Store, channel: str, sender: str) -> list[object]:
    """Return the waiting contents in order, and end them."""
    found = []
    while (turn := store.work.next(channel, sender)[1]) is not None:
        found.append(turn.content)
        store.replies.finish(channel, sender, turn, [], _no_calls)
    return found


def _no_calls(_message: Message, _address: object) -> Sequence[Call]:
    return []


def test_each_sender_s_messages_keep_their_order_and_each_channel_its_own(store: Store) -> None:
    accepted = store.incoming.accept_all(
        [
            Delivery("web", [typed("1", "a"), typed("2", "b", "binh")]),
            Delivery("wire", [typed("1", "c")]),
            Delivery("web", [typed("3", "d")]),
        ]
    )

    assert senders(accepted) == [["an", "binh"], ["an"], ["an"]]
    assert turns(store, "web", "an") == [TextInput("a"), TextInput("d")]
    assert turns(store, "wire", "an") == [TextInput("c")]
    assert [message.text for message in store.conversations.history("web", "an", None, 10)] == ["a", "d"]


def test_a_delivery_that_comes_twice_at_a_time_or_again_is_stored_once(store: Store) -> None:
    together = store.incoming.accept_all(
        [Delivery("web", [typed("1", "a")]), Delivery("web", [typed("1", "a")])]
    )
    again = store.incoming.accept_all([Delivery("web", [typed("1", "a"), typed("2", "b")])])

    assert senders(together) == [["an"], []]
    assert senders(again) == [["an"]]
    assert turns(store, "web", "an") == [TextInput("a"), TextInput("b")]


def test_a_message_that_the_conversation_does_not_show_has_no_message_of_its_own(store: Store) -> None:
    contents = [TextInput("a"), MenuCommand("help"), Rating(1, True), TextInput("b")]
    store.incoming.accept_all(
        [Delivery("web", [Incoming(str(i), "an", each)]) for i, each in enumerate(contents)],
    )

    assert [message.text for message in store.conversations.history("web", "an", None, 10)] == ["a", "b"]
    assert turns(store, "web", "an") == contents


def test_the_limit_of_a_minute_counts_what_comes_together(store: Store) -> None:
    flood = [Delivery("web", [typed(str(i), "a")]) for i in range(MESSAGES_PER_MINUTE + 2)]

    accepted = store.incoming.accept_all([*flood, Delivery("web", [typed("other", "b", "binh")])])

    assert senders(accepted) == [["an"]] * MESSAGES_PER_MINUTE + [[], [], ["binh"]]
    told = [i for i, each in enumerate(accepted) if isinstance(each, AcceptedDelivery) and each.too_fast]
    assert told == [MESSAGES_PER_MINUTE]
    refused = [list(each.refused) for each in accepted if isinstance(each, AcceptedDelivery)]
    assert refused == [[]] * MESSAGES_PER_MINUTE + [[each.incoming[0].event_id] for each in flood[-2:]] + [[]]
    assert not any(e.too_fast for e in store.incoming.accept_all([Delivery("web", [typed("more", "a")])]))  # type: ignore[union-attr]


def test_the_last_address_counts_and_an_empty_one_leaves_the_one_before(store: Store) -> None:
    store.incoming.accept_all(
        [Delivery("web", [typed("1", "a", to="x")]), Delivery("web", [typed("2", "b", to="y")])]
    )
    store.incoming.accept_all([Delivery("web", [typed("3", "c")])])

    assert store.replies.outgoing("web", "an")[0] == {"to": "y"}


def test_what_was_held_until_the_student_writes_is_sent(store: Store) -> None:
    def render(message: Message, _address: object) -> Sequence[Call]:
        return [{"text": message.text}]

    store.incoming.accept("web", [typed("1", "a")])
    turn = store.work.next("web", "an")[1]
    store.replies.finish("web", "an", turn, [Draft("b")], render)
    call = store.work.next("web", "an")[0]
    assert call is not None
    store.replies.mark(call.id, HELD)
    assert store.work.next("web", "an") == (None, None)

    store.incoming.accept_all([Delivery("web", [typed("2", "c")])])

    held = store.work.next("web", "an")[0]
    assert held is not None
    assert held.id == call.id


def test_a_delivery_that_cannot_be_stored_costs_its_neighbours_nothing(store: Store) -> None:
    bad = typed("2", "b", "binh", to=object())  # type: ignore[arg-type]

    first, failed, last = store.incoming.accept_all(
        [Delivery("web", [typed("1", "a")]), Delivery("web", [bad]), Delivery("web", [typed("3", "c")])]
    )

    assert isinstance(failed, TypeError)
    assert senders([first, last]) == [["an"], ["an"]]
    assert turns(store, "web", "an") == [TextInput("a"), TextInput("c")]
    assert turns(store, "web", "binh") == []


def test_many_deliveries_take_no_more_statements_than_a_few(store: Store) -> None:
    ran: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        ran.append(statement)

    sa.event.listen(store.database.engine, "before_cursor_execute", note)
    store.incoming.accept_all([Delivery("web", [typed(f"few {n}", "a", f"s{n}")]) for n in range(2)])
    few, ran[:] = len(ran), []
    store.incoming.accept_all([Delivery("web", [typed(f"many {n}", f"{n}", f"s{n}")]) for n in range(40)])

    assert len(ran) == few
    assert [message.text for message in store.conversations.history("web", "s39", None, 9)] == ["39"]


@pytest.mark.parametrize(
    ("command", "written", "said"),
    [
        (MenuCommand("start", unasked=True), ["a"], ["a"]),
        (MenuCommand("start", unasked=True), [], ["Xin chào"]),
        (MenuCommand("start"), ["a"], ["a", "Xin chào"]),
    ],
    ids=["of-the-page-too-late", "of-the-page-in-time", "of-the-student"],
)
def test_a_greeting_that_nobody_asked_for_does_not_come_below_what_was_written(
    store: Store, command: MenuCommand, written: list[str], said: list[str]
) -> None:
    store.incoming.accept_all([Delivery("web", [Incoming("1", "an", command)])])
    turn = store.work.next("web", "an")[1]
    assert turn is not None
    of_another = typed("9", "b", "binh")
    later = [typed(str(number), text) for number, text in enumerate(written, 2)]
    store.incoming.accept_all([Delivery("web", [*later, of_another])])

    made = store.replies.finish("web", "an", turn, [Draft("Xin chào")], _no_calls)

    assert [message.text for message in store.conversations.history("web", "an", None, 10)] == said
    assert [message.text for message in made] == [text for text in said if text not in written]
    assert turns(store, "web", "an") == [TextInput(text) for text in written]
