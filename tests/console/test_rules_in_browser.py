"""The pages of query rules in a real browser, on a laptop and on a phone."""

from __future__ import annotations

import pytest
from console_driver import SIZES, OpenPages, Students, in_view
from playwright.sync_api import Page, expect

from console.publishing import Publisher
from rag.types import DecisionKind

pytestmark = pytest.mark.browser

ASKED = "Xin bảng điểm ở đâu?"


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, open_pages: OpenPages, students: Students) -> Page:
    """The pages of an editor, after a student has been answered."""
    students.asks(ASKED, decision="answer", answer_id="study-transcript", confidence=0.9)
    return open_pages("editor", request.param)


def correct(page: Page, choice: str) -> None:
    """Open the correction of the student's turn, and say what is right."""
    page.goto("/conversations")
    page.locator(".row").filter(has_text=ASKED).first.click()
    page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa").click()
    page.get_by_role("dialog").get_by_role("button", name=choice).click()


def test_a_question_is_refused_then_asked_back_about_then_answered_again(
    page: Page, publisher: Publisher
) -> None:
    correct(page, "Không trả lời")
    page.get_by_role("textbox", name="Cách hỏi khác").fill("In bảng điểm chỗ nào?")
    assert in_view(page)
    page.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()
    for text in (ASKED, "in bang diem cho nao"):
        assert publisher.live.ask(text, {}).decision.kind is DecisionKind.NO_ANSWER

    # Another advisor would rather ask: they see the rule, and put theirs in its place.
    correct(page, "Hỏi lại")
    page.get_by_role("combobox", name="Hỏi sinh viên về").click()
    page.get_by_role("option", name="khóa").click()
    page.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_role("alert")).to_contain_text("reply: no_answer")
    expect(page.get_by_test_id("saved-by")).to_contain_text("Lần lưu gần nhất: Cô ")
    page.get_by_role("button", name="Thay quy tắc đó").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert publisher.live.ask(ASKED, {}).decision.missing == ("cohort",)

    page.goto("/faq")
    page.get_by_role("button", name="Quy tắc (1)").click()
    expect(page.get_by_test_id("rule")).to_contain_text("hỏi về khóa")
    assert in_view(page)
    page.get_by_test_id("rule").get_by_role("button", name="Bỏ quy tắc").click()
    asked = page.get_by_role("dialog", name="Bỏ quy tắc")
    expect(asked).to_contain_text(ASKED)
    # Escape closes the question alone, not the list below it, wherever the focus is.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    page.get_by_test_id("rule").get_by_role("button", name="Bỏ quy tắc").click()
    asked.get_by_role("button", name="Bỏ quy tắc").click()
    expect(page.get_by_text("Đã bỏ quy tắc.")).to_be_visible()
    assert publisher.live.ask(ASKED, {}).answer_id == "study-transcript"


def test_a_choice_between_entries(page: Page, publisher: Publisher) -> None:
    correct(page, "Hỏi lại")
    page.get_by_role("radio", name="Cho chọn câu").check()
    publish = page.get_by_role("button", name="Đăng quy tắc")
    for wanted, question in (("thẻ sinh", "Mất thẻ sinh viên"), ("bảng điểm", "Xin bảng điểm")):
        expect(publish).to_be_disabled()
        page.get_by_role("combobox", name="Các câu để chọn").fill(wanted)
        # What was chosen before comes after what was found.
        expect(page.get_by_role("option").first).to_contain_text(question)
        page.get_by_role("option", name=question).click()
    publish.click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()
    offered = publisher.live.ask(ASKED, {}).options
    assert [option.payload["faq"] for option in offered] == ["study-card", "study-transcript"]
