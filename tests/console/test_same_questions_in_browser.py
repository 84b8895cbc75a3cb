"""An answer to a question that another entry answers, in a real browser: seen first, then published or left."""

from __future__ import annotations

import pytest
from console_driver import (
    SIZES,
    Enter,
    OpenPages,
    Students,
    fill_in,
    in_view,
    new_entry,
    scrolling_sideways,
)
from playwright.sync_api import expect

from console.publishing import Publisher

pytestmark = pytest.mark.browser

ASKED = "han dong hoc phi la ngay nao"


@pytest.mark.parametrize("size", SIZES)
def test_the_other_entry_is_shown_and_the_answer_is_published_all_the_same(
    open_pages: OpenPages, publisher: Publisher, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    form = new_entry(page)
    fill_in(form, "Ngày 15 tháng 10.", "Chuẩn ngoại ngữ để tốt nghiệp là gì?")
    form.get_by_role("button", name="Đăng").click()

    same = form.get_by_test_id("same-question")
    shown = same.get_by_test_id("same-entry")
    expect(shown).to_have_count(2)
    expect(shown.filter(has_text="TOEIC 600")).to_contain_text("Cho: khóa 49-")
    link = shown.first.get_by_role("link", name="Xem câu này")
    assert (link.get_attribute("href") or "").startswith("/faq/language-k")
    assert scrolling_sideways(page) == []
    assert in_view(page)
    # Who presses again without a look is asked again.
    form.get_by_role("button", name="Đăng").click()
    expect(same).to_be_visible()
    same.get_by_role("checkbox", name="Tôi đã xem").check()
    form.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    assert "Ngày 15 tháng 10.\n" in [each.record["answer"] for each in publisher.files.entries()]


def test_the_entry_that_is_there_is_edited_instead(
    open_pages: OpenPages, students: Students, publisher: Publisher, enter: Enter
) -> None:
    students.asks(ASKED)
    page = open_pages("editor", (1280, 800))
    page.goto("/gaps")
    page.get_by_role("button", name="Viết câu trả lời").first.click()
    form = page.get_by_role("dialog")
    fill_in(form, "Ngày 15 tháng 10.", topic="Học phí")
    form.get_by_role("button", name="Đăng").click()

    form.get_by_test_id("same-question").get_by_role("button", name="Sửa câu ấy").click()
    page.get_by_role("dialog", name="Sửa câu ấy").get_by_role("button", name="Sửa câu ấy").click()

    expect(page.get_by_role("dialog", name="Sửa câu trả lời")).to_be_visible()
    answer = form.get_by_role("textbox", name="Câu trả lời")
    expect(answer).to_have_value("Hạn đóng học phí là ngày 30 tháng 9.")
    answer.fill("Hạn đóng học phí là ngày 15 tháng 10.")
    form.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    entry = enter("editor").get("/api/faq/entries/tuition-deadline").json()
    assert entry["answer"] == "Hạn đóng học phí là ngày 15 tháng 10.\n"
    assert ASKED in entry["variants"]
    assert len([each for each in publisher.files.entries() if each.record["topic"] == "tuition"]) == 3
    page.goto("/gaps")
    expect(page.get_by_test_id("gap")).to_have_count(0)
