"""What the forms and lists of entries say and show, in a real browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from console_driver import NOW, SIZES, OpenPages, Students, in_view
from playwright.sync_api import Page, expect

from console.api.dependencies import Console

pytestmark = pytest.mark.browser

QUESTION = "Có phòng tự học buổi tối không?"


def editor_at(open_pages: OpenPages, size: tuple[int, int], path: str) -> Page:
    page = open_pages("editor", size)
    page.goto(path)
    return page


@pytest.mark.parametrize("size", SIZES)
def test_a_form_says_what_is_missing_and_takes_a_source_by_its_name(
    open_pages: OpenPages, console: Console, size: tuple[int, int]
) -> None:
    page = editor_at(open_pages, size, "/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    publish = form.get_by_role("button", name="Đăng", exact=True)
    expect(publish).to_be_disabled()
    form.get_by_role("textbox", name="Câu hỏi").fill(QUESTION)
    form.get_by_role("textbox", name="Câu trả lời").fill("Có, đến 22 giờ.")
    expect(form).to_contain_text("Còn thiếu: Chủ đề")
    form.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option").first.click()
    expect(publish).to_be_enabled()
    expect(form).not_to_contain_text("Còn thiếu")

    passage = next(each for each in console.publisher.live.index().passages if each.locator)
    sources = form.get_by_role("combobox", name="Căn cứ")
    sources.fill(passage.locator)
    page.get_by_role("option", name=passage.title).first.click()
    expect(sources).to_have_value("")
    expect(form).to_contain_text(f"{passage.title} · ")
    assert in_view(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_card_keeps_all_of_it_inside(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = editor_at(open_pages, size, "/faq")
    cards = page.get_by_test_id("entry")
    cards.first.wait_for()

    beyond = cards.evaluate_all(
        "cards => cards.filter(card => [...card.querySelectorAll('*')].some("
        "part => part.getBoundingClientRect().right > card.getBoundingClientRect().right)).length"
    )

    assert beyond == 0


def test_a_day_is_written_with_a_stroke(open_pages: OpenPages, students: Students) -> None:
    students.asks("Học phí bao nhiêu?", at=datetime(2026, 3, 12, 5, tzinfo=UTC).timestamp())
    students.asks("Còn thư viện?", at=NOW)
    page = editor_at(open_pages, (1280, 800), "/conversations")

    expect(page.get_by_text("12/03")).to_be_visible()
    expect(page.get_by_text("12-03")).to_have_count(0)


def test_a_wait_says_what_goes_on_and_the_first_page_is_never_blank(open_pages: OpenPages) -> None:
    page = editor_at(open_pages, (1280, 800), "/try")
    page.route("**/api/try", lambda _route: None)
    page.get_by_role("textbox", name="Câu hỏi").fill(QUESTION)
    page.get_by_role("button", name="Hỏi", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Covan đang tìm câu trả lời")
    expect(page.get_by_role("status")).to_contain_text("Đã chờ")

    # The first page's own script is on its way.
    page.route("**/assets/Today-*.js", lambda _route: None)
    page.goto("/")
    expect(page.get_by_role("main")).to_contain_text("Đang tải")


def test_a_confirmed_act_says_for_how_long_it_goes_on(open_pages: OpenPages) -> None:
    page = editor_at(open_pages, (1280, 800), "/topics/topic~language")
    page.route("**/removal", lambda _route: None)
    page.get_by_role("button", name="Xóa", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Xóa hẳn").click()

    expect(dialog.get_by_role("status")).to_contain_text("Đã chờ")


def test_figures_are_saved_in_the_readers_language(open_pages: OpenPages, students: Students) -> None:
    students.asks("Học phí bao nhiêu?", topic="study", good=True)
    page = open_pages("advisor", (1280, 800))

    def saved(button: str) -> list[str]:
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        return download.value.path().read_text(encoding="utf-8-sig").splitlines()

    lines = saved("Tải CSV")
    assert lines[0] == '"Loại","Tên","Kết quả","Số lượt"'
    of_topic = '"Chủ đề","Học vụ","Chưa trả lời được","1"'
    assert {'"Kết quả","","Chưa trả lời được","1"', of_topic, '"Đánh giá","","Khen","1"'} < {*lines}
    assert '"Kênh","Website","Chưa trả lời được","1"' in lines
    page.get_by_role("button", name="English").click()
    assert saved("Download CSV")[0] == '"Kind","Name","Outcome","Count"'


def test_the_entries_that_rest_on_a_document_are_opened_from_it(
    open_pages: OpenPages, console: Console
) -> None:
    document, (entry, *_) = next(iter(console.publisher.sources.cited().items()))
    page = editor_at(open_pages, (390, 844), f"/documents/{document}")
    page.get_by_role("tab", name="câu dựa vào").click()
    page.get_by_role("link", name=entry.question).click()

    form = page.get_by_role("dialog")
    expect(form.get_by_role("textbox", name="Câu hỏi")).to_have_value(entry.question)
    form.get_by_role("button", name="Thôi").click()
    expect(form).to_have_count(0)
    expect(page).to_have_url(re.compile("/faq$"))
    page.go_back()
    expect(form.get_by_role("textbox", name="Câu hỏi")).to_have_value(entry.question)
