"""Fields of sentences, in a real browser: all of the text is seen on a phone; Enter sends it and does not break it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from console_driver import LAPTOP, OpenPages, in_view, new_entry
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

PHONE = (390, 844)
LONG = (
    "Hồ sơ xét học bổng khuyến khích học tập cần những giấy tờ gì và nộp ở phòng nào, hạn đến hết ngày nào?"
)


def question_of_an_entry(page: Page) -> Locator:
    return new_entry(page).get_by_role("textbox", name="Câu hỏi")


def question_to_covan(page: Page) -> Locator:
    page.goto("/try")
    return page.get_by_role("textbox", name="Câu hỏi")


def title_of_a_document(page: Page) -> Locator:
    page.goto("/documents/noi-quy-ktx")
    return page.get_by_label("Tên văn bản")


def value_of_a_fact(page: Page) -> Locator:
    page.goto("/facts/facts.dormitory.2026.room")
    return page.get_by_label("Giá trị", exact=True)


def description_of_a_topic(page: Page) -> Locator:
    page.goto("/topics/topic~study")
    return page.get_by_label("Mô tả")


def name_of_a_cohort(page: Page) -> Locator:
    page.goto("/topics/cohort~49")
    return page.get_by_label("Tên", exact=True)


def checked_question(page: Page) -> Locator:
    page.goto("/faq")
    page.get_by_role("button", name="Câu hỏi đã kiểm").click()
    page.get_by_role("dialog").get_by_role("button", name="Thêm câu hỏi đã kiểm").click()
    return page.get_by_role("dialog", name="Thêm câu hỏi đã kiểm").get_by_label("Câu hỏi")


FIELDS = [
    question_of_an_entry,
    question_to_covan,
    title_of_a_document,
    value_of_a_fact,
    description_of_a_topic,
    name_of_a_cohort,
    checked_question,
]


@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("opened", FIELDS)
def test_a_long_sentence_is_seen_in_full_on_a_phone(
    open_pages: OpenPages, opened: Callable[[Page], Locator]
) -> None:
    page = open_pages("editor", PHONE)
    field = opened(page)

    field.fill(LONG)

    hidden = "box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]"
    assert all(pixels <= 1 for pixels in field.evaluate(hidden))
    assert in_view(page)


@pytest.mark.usefixtures("school")
def test_enter_and_pasted_lines_do_not_break_a_sentence(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    field = question_of_an_entry(page)
    field.fill("Có phòng\n tự học")
    field.press("Enter")
    field.press_sequentially(" không?")
    expect(field).to_have_value("Có phòng tự học không?")


@pytest.mark.usefixtures("school")
def test_the_count_of_characters_appears_while_one_types(open_pages: OpenPages) -> None:
    page = open_pages("editor", PHONE)
    page.goto("/try")
    page.get_by_role("button", name="Mời người thử").click()
    named = page.get_by_role("dialog").get_by_label("Mời ai")
    named.fill("a" * 60)

    named.press_sequentially("bcdefghijk")

    expect(page.get_by_text("70/80 ký tự")).to_be_visible()
    expect(named).to_be_focused()
    expect(named).to_have_value("a" * 60 + "bcdefghijk")
    page.keyboard.type("l")
    expect(page.get_by_text("71/80 ký tự")).to_be_visible()


@pytest.mark.usefixtures("school")
def test_enter_sends_the_form_of_a_sentence_once_it_may_be_sent(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.goto("/try")
    page.get_by_role("button", name="Mời người thử").click()
    form = page.get_by_role("dialog")
    named = form.get_by_label("Mời ai")
    named.fill("a" * 81)
    named.press("Enter")
    expect(form.get_by_role("button", name="Tạo đường dẫn")).to_be_disabled()

    named.fill("Khoa Công nghệ thông tin")
    named.press("Enter")

    expect(form.get_by_label("Đường dẫn")).to_be_visible()
    assert len(sent) == 1
