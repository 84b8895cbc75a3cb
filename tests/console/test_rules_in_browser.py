"""The pages of query rules in a real browser, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console_driver import PASSWORD, Students
from front_door_server import serving
from playwright.sync_api import Browser, Page, expect

from console.api.dependencies import Console
from console.app import create_app
from console.publishing import Publisher
from covan.project import ROOT
from rag.types import DecisionKind

pytestmark = pytest.mark.browser

ASKED = "Xin bảng điểm ở đâu?"
SIZES = [pytest.param((1280, 800), id="laptop"), pytest.param((390, 844), id="phone")]
TIMEOUT_MS = 15_000


@pytest.fixture(params=SIZES)
def page(
    request: pytest.FixtureRequest,
    browser: Browser,
    console: Console,
    students: Students,
) -> Iterator[Page]:
    """The console's pages, signed in as an editor, after a student has been answered."""
    students.asks(ASKED, decision="answer", answer_id="study-transcript", confidence=0.9)
    console.accounts.create("lan", "Cô Lan", ["editor"], PASSWORD)
    width, height = request.param
    with serving(create_app(console, ROOT / "console" / "ui" / "dist")) as url:
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="vi-VN", base_url=url
        )
        context.set_default_timeout(TIMEOUT_MS)
        opened = context.new_page()
        faults: list[str] = []
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.goto("/conversations")
        opened.get_by_label("Tên đăng nhập").fill("lan")
        opened.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
        opened.get_by_role("button", name="Đăng nhập").click()
        yield opened
        assert faults == []
        context.close()


def correct(page: Page, choice: str) -> None:
    """Open the correction of the student's turn, and say what is right."""
    page.goto("/conversations")
    page.locator(".row").filter(has_text=ASKED).first.click()
    page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa").click()
    page.get_by_role("dialog").get_by_role("button", name=choice).click()


def in_view(page: Page) -> bool:
    """Return whether nothing makes the page scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_question_is_refused_then_asked_back_about_then_answered_again(
    page: Page, publisher: Publisher
) -> None:
    page.get_by_role("heading", name="Trò chuyện").wait_for()
    correct(page, "Không trả lời")
    page.get_by_role("textbox", name="Cách hỏi khác").fill("In bảng điểm chỗ nào?")
    assert in_view(page)
    page.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()
    for text in (ASKED, "in bang diem cho nao"):
        assert publisher.ask(text, {}).decision.kind is DecisionKind.NO_ANSWER

    # Another advisor would rather ask: they see the rule, and put theirs in its place.
    correct(page, "Hỏi lại")
    page.get_by_role("combobox", name="Hỏi sinh viên về").click()
    page.get_by_role("option", name="khóa").click()
    page.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_role("alert")).to_contain_text("reply: no_answer")
    page.get_by_role("button", name="Thay quy tắc đó").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert publisher.ask(ASKED, {}).decision.missing == ("cohort",)

    page.goto("/faq")
    page.get_by_role("button", name="Quy tắc (1)").click()
    expect(page.get_by_test_id("rule")).to_contain_text("hỏi về khóa")
    assert in_view(page)
    page.get_by_role("button", name="Bỏ quy tắc").click()
    expect(page.get_by_text("Đã bỏ quy tắc.")).to_be_visible()
    assert publisher.ask(ASKED, {}).answer_id == "study-transcript"


def test_a_choice_between_entries(page: Page, publisher: Publisher) -> None:
    page.get_by_role("heading", name="Trò chuyện").wait_for()
    correct(page, "Hỏi lại")
    page.get_by_role("radio", name="Cho chọn câu").check()
    publish = page.get_by_role("button", name="Đăng quy tắc")
    for wanted, question in (("thẻ sinh", "Mất thẻ sinh viên"), ("bảng điểm", "Xin bảng điểm")):
        expect(publish).to_be_disabled()
        page.get_by_role("combobox", name="Các câu để chọn").fill(wanted)
        page.get_by_role("option", name=question).click()
    publish.click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()
    offered = publisher.ask(ASKED, {}).options
    assert [option.payload["faq"] for option in offered] == ["study-card", "study-transcript"]
