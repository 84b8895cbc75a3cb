"""Fields of a day, in a real browser: shown and typed as day/month/year, chosen in a calendar, sent as ISO 8601."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_driver import LAPTOP, SIZES, Asked, OpenPages, fill_day, in_view, scrolling_sideways
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

RULES = "noi-quy-ktx"
UNREADABLE = "31/2/2026"


def document(page: Page) -> Locator:
    page.goto(f"/documents/{RULES}")
    return page.get_by_label("Ngày ban hành")


@pytest.mark.parametrize("typed", ["15/09/2026", "15/9/2026", "15.9.2026", "15-09-2026", "2026-09-15"])
def test_a_day_is_typed_as_people_write_it(open_pages: OpenPages, school: Path, typed: str) -> None:
    page = open_pages("editor", LAPTOP)
    day = document(page)
    day.fill(typed)
    day.press("Tab")
    expect(day).to_have_value("15/09/2026")

    page.get_by_role("button", name="Lưu", exact=True).click()

    expect(page.get_by_text("Đã lưu.").first).to_be_visible()
    assert "2026-09-15" in (school / "documents" / f"{RULES}.meta.yml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_a_day_is_chosen_in_a_calendar_of_the_language_of_the_page(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    day = document(page)
    fill_day(day, "2026-09-15")
    day.click()
    expect(page.get_by_role("button", name="Chọn tháng")).to_have_text("tháng 9 2026")
    assert scrolling_sideways(page) == []
    page.get_by_role("button", name="Tháng sau").click()
    page.get_by_role("button", name="7 tháng 10 2026", exact=True).click()
    expect(day).to_have_value("07/10/2026")
    expect(page.get_by_role("button", name="Tháng sau")).to_have_count(0)

    page.get_by_role("button", name="English").click()
    issued = page.get_by_label("Issued on")
    expect(issued).to_have_value("07/10/2026")
    issued.click()
    expect(page.get_by_role("button", name="Choose a month")).to_have_text("October 2026")


@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_a_day_that_cannot_be_read_is_told_and_kept(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    day = document(page)
    save = page.get_by_role("button", name="Lưu", exact=True)
    fill_day(day, "2026-09-15")
    expect(save).to_be_enabled()

    day.fill(UNREADABLE)
    day.press("Tab")

    expect(page.get_by_text(f"Không có ngày “{UNREADABLE}”")).to_be_visible()
    expect(day).to_have_value(UNREADABLE)
    expect(page.get_by_text("Còn thiếu: Ngày ban hành")).to_be_visible()
    expect(save).to_be_disabled()
    assert in_view(page)
    day.fill("28/2/2026")
    day.press("Tab")
    expect(page.get_by_text("Không có ngày")).to_have_count(0)
    expect(save).to_be_enabled()


def test_a_day_that_cannot_be_read_narrows_no_list(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto("/conversations")
    page.get_by_role("button", name="Bộ lọc").click()
    day = page.get_by_label("Từ ngày")
    asked = re.compile(r"/api/conversations(\?|$)")
    with page.expect_response(asked) as narrowed:
        fill_day(day, "2026-09-15")
    assert "since=" in narrowed.value.url

    with page.expect_response(asked) as answered:
        day.fill(UNREADABLE)
        day.press("Tab")

    assert answered.value.ok
    assert "since=" not in answered.value.url
    expect(page.get_by_text(f"Không có ngày “{UNREADABLE}”")).to_be_visible()


@pytest.mark.usefixtures("school")
def test_escape_closes_the_calendar_before_the_dialog(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    asked = Asked(page)
    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    day = form.get_by_label("Ngày rà soát gần nhất")
    fill_day(day, "2026-09-15")
    day.click()
    page.get_by_role("button", name="Chọn tháng").wait_for()

    day.press("Escape")

    expect(page.get_by_role("button", name="Chọn tháng")).to_have_count(0)
    expect(day).to_have_value("15/09/2026")
    assert asked.messages == []
