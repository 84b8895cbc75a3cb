"""Every page on a phone 390 pixels wide: neither the page nor a table in it scrolls sideways."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import NOW, PASSWORD, OpenPages, Students, scrolling_sideways
from playwright.sync_api import Page

from console.api.dependencies import Console
from console.invitations import Invitations

pytestmark = pytest.mark.browser

PHONE = (390, 844)
LONG = "https://songmay.example/" + "mot-dia-chi-dai-khong-co-cho-ngat" * 4
LOADED_MS = 400
TRACE = "{trace}"
PAGES: list[tuple[str, str]] = [
    ("/today", ""),
    ("/inbox", ""),
    ("/gaps", ""),
    ("/conversations", ""),
    (f"/conversations/{TRACE}", "Vì sao?"),
    ("/try", ""),
    ("/faq", ""),
    ("/documents", ""),
    ("/documents/ngoai-ngu-k48", ""),
    ("/documents/ngoai-ngu-k48", "đoạn"),
    ("/facts", ""),
    ("/facts/facts.dormitory.2026.room", ""),
    ("/facts/dormitory-months", ""),
    ("/facts/dormitory-months", "Quy tắc"),
    ("/facts/dormitory-months", "Sửa"),
    ("/topics", ""),
    ("/topics", "Danh mục"),
    ("/graph", ""),
    ("/nlu", ""),
    ("/models", ""),
    ("/models", "Ngưỡng trả lời"),
    ("/model", ""),
    ("/versions", ""),
    ("/people", ""),
    ("/people", "Nhật ký"),
    ("/account", ""),
    ("/start", ""),
    ("/invited/{token}", ""),
]
"""The address of each page, and the tab or button that is pressed there."""


@pytest.fixture
def trace(students: Students, console: Console, school: Path) -> int:
    """A turn of a student who writes long words, with colleagues, versions and a log of what was done."""
    del school  # keeps versions
    made = students.asks(f"Em xem {LONG} mà không hiểu", "binh", at=NOW - 50, good=False, handed_over=True)
    students.asks("Trường có hồ bơi không?", intent="ask_study", confidence=0.4)
    console.accounts.create(
        "nguyen.thi.mot.nguoi.co.ten.rat.dai@truong-dai-hoc.songmay.example",
        "Nguyễn Thị Một Người Có Tên Rất Dài",
        ["advisor", "editor", "administrator"],
        PASSWORD,
    )
    console.accounts.create("khoa", "Thầy Khóa", ["editor"], PASSWORD)
    console.accounts.change("khoa", active=False)
    console.audit.note("administrator", "publish", LONG[:190], commit="0" * 40)
    return made


@pytest.mark.parametrize(("place", "press"), PAGES, ids=lambda value: value.replace("/", " ").strip())
def test_nothing_scrolls_sideways(
    open_pages: OpenPages, console: Console, trace: int, place: str, press: str
) -> None:
    page = open_pages("administrator", PHONE)
    _, token = Invitations(console.database, console.clock).add(LONG[:80], 7, "administrator")
    page.goto(place.format(trace=trace, token=token))
    loaded(page)
    if press:
        page.get_by_role("tab", name=press).or_(page.get_by_role("button", name=press)).or_(
            page.get_by_text(press, exact=True)
        ).first.click()
        loaded(page)

    assert scrolling_sideways(page) == []


def loaded(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(LOADED_MS)
