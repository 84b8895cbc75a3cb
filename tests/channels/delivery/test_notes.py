"""Advisors' notes in the database: with the student's data erased, and written in one step with a hand-over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from made_databases import channels_database

from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.store import Store
from channels.delivery.student_words import student_words
from channels.delivery.tables import notes


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = (
        channels_database(tmp_path / "channels.sqlite")
        if request.param == "sqlite"
        else str(request.getfixturevalue("postgres").new_database())
    )
    opened = Store(url)
    yield opened
    opened.close()


def waits(store: Store, sender: str) -> int:
    """A student who waits for a person; the id of the hand-over."""
    store.incoming.accept("wire", [Incoming(f"of {sender}", sender, TextInput("học phí?"))])
    return store.hand_overs.open("wire", sender, {"question": "học phí?", "office": "A"}, True, None)


def texts(store: Store, sender: str) -> list[str]:
    return [note["text"] for note in store.notes.of("wire", sender, 10)]


def test_notes_are_of_one_student_and_the_last_ones_are_read(store: Store) -> None:
    an, binh = waits(store, "an"), waits(store, "binh")
    for text in ("1", "2", "3"):
        store.notes.add(an, "Lan", text)
    store.notes.add(binh, "Nam", "4")

    assert texts(store, "an") == ["1", "2", "3"]
    assert [note["text"] for note in store.notes.of("wire", "an", 2)] == ["2", "3"]
    assert texts(store, "binh") == ["4"]


def test_notes_are_erased_with_the_student_and_none_is_written_after(store: Store) -> None:
    an, binh = waits(store, "an"), waits(store, "binh")
    store.notes.add(an, "Lan", "bị ốm nặng")
    store.notes.add(binh, "Lan", "nợ học phí")
    with store.database.read() as db:
        # Their bytes are looked for in the file.
        assert "bị ốm nặng" in set(student_words(db, "wire", "an"))

    store.deletion.erase("wire", "an")

    assert store.notes.add(an, "Lan", "đã gọi") is None
    assert store.hand_overs.hand_on(an, "", "Lan", "đã gọi", taken_by="", office="B") is False
    with store.database.engine.connect() as db:
        assert db.execute(sa.select(notes.c.text)).scalars().all() == ["nợ học phí"]


def test_who_hands_on_what_another_has_leaves_no_note(store: Store) -> None:
    an = waits(store, "an")
    taken = {"status": "taken", "taken_by": "Nam", "office": "A"}

    assert store.hand_overs.hand_on(an, "", "Lan", "hỏi Nam", **taken)
    assert not store.hand_overs.hand_on(an, "", "Lan", "hỏi B", status="waiting", taken_by="", office="B")

    assert [(note["text"], note["handed_to"]) for note in store.notes.of("wire", "an", 10)] == [
        ("hỏi Nam", "Nam")
    ]
    found = store.hand_overs.by_id(an)
    assert found is not None
    assert (found["taken_by"], found["office"]) == ("Nam", "A")
