"""Texts that are longer than their limit are kept and told, in every form; and what a form's errors call its fields."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from console_driver import OpenPages, fill_day
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

LAPTOP = (1366, 768)

Begin = Callable[[Page], tuple[Locator, Locator]]


def question(page: Page) -> tuple[Locator, Locator]:
    page.goto("/try")
    return page.get_by_role("textbox", name="Câu hỏi"), page.get_by_role("button", name="Hỏi", exact=True)


def invitation(page: Page) -> tuple[Locator, Locator]:
    page.goto("/try")
    page.get_by_role("button", name="Mời người thử").click()
    form = page.get_by_role("dialog")
    return form.get_by_label("Mời ai"), form.get_by_role("button", name="Tạo đường dẫn")


def topic(page: Page) -> tuple[Locator, Locator]:
    page.goto("/topics")
    page.get_by_role("button", name="Thêm", exact=True).click()
    page.get_by_label("Tên tiếng Anh", exact=False).fill("Study")
    return page.get_by_label("Mã", exact=False).first, page.locator("form button[type=submit]")


def fact(page: Page) -> tuple[Locator, Locator]:
    page.goto("/facts")
    page.get_by_role("button", name="Thêm", exact=True).click()
    page.get_by_label("Giá trị mới").fill("1")
    return page.get_by_label("Tên đầy đủ"), page.locator("form").get_by_role("button", name="Thêm")


def answer(page: Page) -> tuple[Locator, Locator]:
    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    form.get_by_role("textbox", name="Câu hỏi").fill("Có phòng tự học không?")
    form.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option").first.click()
    return form.get_by_role("textbox", name="Câu trả lời"), form.get_by_role(
        "button", name="Đăng", exact=True
    )


def document(page: Page) -> tuple[Locator, Locator]:
    page.goto("/documents/noi-quy-ktx")
    return page.get_by_label("Số hiệu", exact=True), page.get_by_role("button", name="Lưu", exact=True)


@pytest.mark.parametrize(
    ("begin", "most"),
    [(question, 2_000), (invitation, 80), (topic, 60), (fact, 300), (answer, 20_000), (document, 200)],
)
def test_what_is_too_long_is_kept_and_told(open_pages: OpenPages, begin: Begin, most: int) -> None:
    page = open_pages("editor", LAPTOP)
    field, button = begin(page)
    written = "a" * (most + 7)

    field.fill(written)

    expect(page.get_by_text(f"Dài quá 7 ký tự (tối đa {most})")).to_be_visible()
    expect(field).to_have_value(written)
    expect(button).to_be_disabled()


def test_an_error_calls_a_field_as_the_form_does(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto("/documents/noi-quy-ktx")
    fill_day(page.get_by_label("Có hiệu lực từ"), "2026-05-01")
    fill_day(page.get_by_label("Hết hiệu lực sau ngày"), "2026-01-01")
    page.get_by_role("button", name="Lưu", exact=True).click()

    told = page.get_by_role("alert").last
    expect(told).to_contain_text("“Hết hiệu lực sau ngày” sớm hơn “Có hiệu lực từ”")


def test_a_fact_that_an_answer_names_and_nobody_has_is_added_from_there(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    field, _ = answer(page)
    field.fill("Gửi xe máy giá {{ facts.parking.2031.moto }}, xem {{ facts.dormitory.2026.room }}.")
    form = page.get_by_role("dialog")
    told = form.get_by_role("status").filter(has_text="Chưa có số liệu")
    expect(told).to_have_count(1)
    with page.context.expect_page() as opened:
        told.get_by_role("link").click()
    other = opened.value
    expect(other.get_by_label("Tên đầy đủ")).to_have_value("parking.2031.moto")
    other.get_by_label("Giá trị mới").fill("7.000 đồng")
    other.locator("form").get_by_role("button", name="Thêm").click()
    expect(other.get_by_label("Giá trị", exact=True)).to_have_value("7.000 đồng")
    other.close()

    page.bring_to_front()
    field.press("End")
    field.press_sequentially(" ")
    expect(form.get_by_test_id("preview")).to_contain_text("Gửi xe máy giá 7.000 đồng")
    expect(told).to_have_count(0)
