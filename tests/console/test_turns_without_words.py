"""Turns without words in the list of conversations: a button that was pressed, the menu, the beginning of a chat."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa
from console_driver import NOW, Enter, OpenPages, Students
from playwright.sync_api import expect

from channels.delivery.tables import said, traces, turns


def does(students: Students, *, pressed: str = "", command: str = "", at: float = NOW - 50) -> None:
    """Store a turn as the front door does for a button with this title, or a command of the menu."""
    trace = students.asks(pressed, at=at, decision="", intent="greet")
    with students.database.write() as db:
        turn = db.scalar(sa.select(traces.c.turn_id).where(traces.c.id == trace))
        db.execute(sa.update(traces).where(traces.c.id == trace).values(question=""))
        of_turn = sa.update(turns).where(turns.c.id == turn)
        if pressed:
            content = {"kind": "pressed", "option": "abc"}
            db.execute(of_turn.values(content=json.dumps(content)))
        else:
            asked = db.scalar(sa.select(turns.c.said_id).where(turns.c.id == turn))
            db.execute(sa.delete(said).where(said.c.id == asked))
            content = {"kind": "asked", "command": command}
            db.execute(of_turn.values(content=json.dumps(content), said_id=None))


def test_a_turn_without_words_tells_what_was_pressed(enter: Enter, students: Students) -> None:
    does(students, command="start", at=NOW - 90)
    does(students, pressed="Gọi cô Lan 0912345678", at=NOW - 80)
    students.asks("Học phí bao nhiêu?", at=NOW - 70)

    told = enter("editor").get("/api/conversations").json()["turns"]

    fields = ("question", "pressed", "command")
    assert [tuple(turn[name] for name in fields) for turn in told] == [
        ("Học phí bao nhiêu?", "", ""),
        ("", "Gọi cô Lan •••", ""),
        ("", "", "start"),
    ]
    [_, pressed, _] = enter("advisor").get("/api/conversations").json()["turns"]
    assert pressed["pressed"] == "Gọi cô Lan 0912345678"


@pytest.mark.browser
def test_no_row_is_without_words(open_pages: OpenPages, students: Students) -> None:
    does(students, command="start", at=NOW - 90)
    does(students, command="advisor", at=NOW - 85)
    does(students, pressed="Khóa 48", at=NOW - 80)
    page = open_pages("advisor", (1280, 800))
    page.goto("/conversations")

    rows = page.locator(".list .row")
    expect(rows).to_have_count(3)
    for row, words in zip(
        rows.all(), ["Bấm “Khóa 48”", "Xin gặp người tư vấn", "Mở trò chuyện"], strict=True
    ):
        expect(row).to_contain_text(words)
    page.get_by_role("button", name="English").click()
    expect(rows.first).to_contain_text("Pressed “Khóa 48”")
