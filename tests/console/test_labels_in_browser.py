"""Labelling in a real browser: a slip is told before it is saved, and what was saved is shown with the way back."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import LAPTOP, SIZES, OpenPages, Students, in_view
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WORDS = "k48 hỏi xíu được không"
SELECT = """(element, text) => {
  const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(node, node.data.indexOf(text));
  range.setEnd(node, node.data.indexOf(text) + text.length);
  document.getSelection().removeAllRanges();
  document.getSelection().addRange(range);
}"""


@pytest.mark.parametrize("size", SIZES)
def test_a_cohort_that_is_marked_as_a_major_is_told_before_it_is_saved(
    open_pages: OpenPages, students: Students, school: Path, size: tuple[int, int]
) -> None:
    students.asks(WORDS, trace={"intents": {"ask_study": 0.31, "ask_tuition": 0.28}})
    page = open_pages("editor", size)
    page.goto("/nlu")
    message = page.get_by_test_id("unsure")
    message.locator("mark").click()
    message.get_by_text(WORDS).evaluate(SELECT, "k48")
    message.get_by_role("button", name="ngành", exact=True).click()
    message.get_by_role("combobox", name="Ý định").click()
    page.get_by_role("option", name="Học vụ", exact=True).click()
    page.get_by_role("button", name="Lưu 1 nhãn").click()

    told = page.get_by_test_id("unlike")
    expect(told).to_contain_text("“k48” được đánh dấu là ngành, mà danh mục biết đó là khóa.")
    assert in_view(page)
    assert not (school / "nlu").exists()
    told.get_by_role("button", name="Vẫn lưu").click()

    saved = page.get_by_test_id("saved-labels")
    expect(saved).to_contain_text(f"“{WORDS}” → Học vụ")
    expect(saved).to_contain_text("Sinh viên chưa thấy gì khác.")
    expect(page.get_by_test_id("waiting-labels")).to_contain_text("1 nhãn đã lưu đang chờ huấn luyện")
    expect(message).to_have_count(0)
    saved.get_by_role("link", name="Phiên bản").click()
    changed = page.get_by_test_id("changed-thing")
    expect(changed).to_contain_text("Học vụ")
    expect(changed).to_contain_text("Câu ví dụ")
    expect(changed).to_contain_text("{major} hỏi xíu được không")
    expect(page.get_by_test_id("difference")).to_have_count(0)
    page.get_by_role("button", name="Xem bản gốc").click()
    expect(page.get_by_test_id("difference")).to_contain_text("- {major} hỏi xíu được không")
    assert in_view(page)
    expect(page.get_by_role("button", name="Chỉ bỏ thay đổi này")).to_be_visible()
    page.goto("/models")
    expect(page.get_by_test_id("live-model")).to_contain_text("1 nhãn đã lưu đang chờ huấn luyện")
    assert in_view(page)


def test_words_are_marked_with_the_keyboard_alone(open_pages: OpenPages, students: Students) -> None:
    students.asks("nợ môn triết thì sao ạ", trace={"intents": {"ask_study": 0.31, "ask_tuition": 0.28}})
    page = open_pages("editor", LAPTOP)
    page.goto("/nlu")
    message = page.get_by_test_id("unsure")
    message.get_by_role("group", name="nợ môn triết thì sao ạ").focus()

    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    expect(message).to_contain_text("“môn triết”")
    page.keyboard.press("Tab")
    expect(message.get_by_role("button", name="khóa", exact=True)).to_be_focused()
    page.keyboard.press("Enter")

    expect(message.locator("mark")).to_have_text("môn triết")
    expect(message.locator("mark")).to_have_attribute("data-kind", "khóa")


def test_an_improbable_guess_is_not_entered_as_the_meaning(open_pages: OpenPages, students: Students) -> None:
    students.asks("lạc đề một chút", trace={"intents": {"ask_study": 0.12, "ask_tuition": 0.1}})
    page = open_pages("editor", LAPTOP)
    page.goto("/nlu")

    message = page.get_by_test_id("unsure")
    expect(message.get_by_role("combobox", name="Ý định")).to_have_value("")
    message.get_by_text("Học vụ 12 %").click()
    expect(message.get_by_role("combobox", name="Ý định")).to_have_value("Học vụ")
