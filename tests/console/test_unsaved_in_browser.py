"""What somebody writes in a form stays: when the session ends, on the way to another page, and at a double click."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pyotp
import pytest
from console_driver import DROPS, LAPTOP, PASSWORD, Asked, Clock, OpenPages, Students, fill_in, new_entry
from playwright.sync_api import Locator, Page, Request, Response, expect

from console.api.dependencies import Console
from console.second_factor import STEP_S

pytestmark = pytest.mark.browser

WRITTEN = "Lời mới viết"
POLLS_MS = 20_000
"""More than the time between two looks at what waits."""


def sign_in_again(page: Page, login: str) -> None:
    again = page.get_by_role("dialog", name="Đăng nhập lại")
    expect(again).to_contain_text("Những gì bạn đang viết vẫn còn nguyên")
    again.get_by_label("Tên đăng nhập").fill(login)
    again.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
    again.get_by_role("button", name="Đăng nhập", exact=True).click()


def set_up_second_factor(page: Page, clock: Clock) -> tuple[pyotp.TOTP, str]:
    """Return the app, whose code of now is used, and a recovery code."""
    page.goto("/account")
    page.get_by_label("Mật khẩu của bạn").fill(PASSWORD)
    page.get_by_role("button", name="Bật đăng nhập hai bước").click()
    app = pyotp.TOTP(page.locator("code").inner_text().replace(" ", ""))
    page.get_by_label("Mã 6 chữ số").fill(app.at(clock.now))
    page.get_by_role("button", name="Xác nhận").click()
    recovery = page.locator("pre").inner_text().split()[0]
    page.get_by_role("button", name="Tôi đã cất").click()
    return app, recovery


def begin_entry(page: Page) -> Locator:
    form = new_entry(page)
    fill_in(form, "Có, đến 22 giờ.", "Có phòng tự học buổi tối không?")
    return form


def is_of_drafts(answer: Response, method: str) -> bool:
    return answer.request.method == method and urlsplit(answer.url).path == "/api/drafts"


def test_an_ended_session_takes_nothing_of_a_form(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    form = begin_entry(page)
    page.context.clear_cookies()
    form.get_by_role("button", name="Lưu nháp").dispatch_event("click")
    sign_in_again(page, "editor")

    expect(page.get_by_role("dialog", name="Đăng nhập lại")).to_have_count(0)
    expect(form.get_by_role("textbox", name="Câu trả lời")).to_have_value("Có, đến 22 giờ.")
    with page.expect_response("**/api/drafts") as kept:
        form.get_by_role("button", name="Lưu nháp").click()
    assert kept.value.status == 201


def test_a_page_whose_session_has_ended_asks_no_further(open_pages: OpenPages) -> None:
    page = open_pages("advisor", LAPTOP)
    page.clock.install()
    page.goto("/today")
    page.get_by_role("heading", name="Hôm nay").wait_for()
    page.context.clear_cookies()
    page.clock.run_for(POLLS_MS)
    again = page.get_by_role("dialog", name="Đăng nhập lại")
    expect(again.get_by_label("Tên đăng nhập")).to_have_value("advisor")
    asked = list[str]()
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))

    page.clock.run_for(10 * POLLS_MS)

    assert [path for path in asked if path.startswith("/api/") and "/session" not in path] == []
    # It asks at once: a poll may be on its way already when the dialog has gone.
    with page.expect_request("**/api/inbox/waiting"):
        sign_in_again(page, "advisor")
        expect(again).to_have_count(0)
        page.clock.run_for(2 * POLLS_MS)


def test_an_ended_session_asks_for_the_second_factor_and_takes_nothing(
    open_pages: OpenPages, clock: Clock
) -> None:
    page = open_pages("editor", LAPTOP)
    app, recovery = set_up_second_factor(page, clock)
    form = begin_entry(page)
    again = page.get_by_role("dialog", name="Đăng nhập lại")

    def enter(label: str, code: str) -> None:
        again.get_by_label(label).fill(code)
        again.get_by_role("button", name="Đăng nhập", exact=True).click()

    page.context.clear_cookies()
    form.get_by_role("button", name="Lưu nháp").dispatch_event("click")
    sign_in_again(page, "editor")
    enter("Mã 6 chữ số", "000000")
    expect(again.get_by_role("alert")).to_contain_text("Mã chưa đúng")
    clock.now += STEP_S
    enter("Mã 6 chữ số", app.at(clock.now))
    expect(again).to_have_count(0)
    expect(form.get_by_role("textbox", name="Câu trả lời")).to_have_value("Có, đến 22 giờ.")

    # The phone is lost meanwhile.
    page.context.clear_cookies()
    form.get_by_role("button", name="Lưu nháp").dispatch_event("click")
    sign_in_again(page, "editor")
    again.get_by_role("button", name="Dùng mã dự phòng").click()
    enter("Mã dự phòng", recovery)
    expect(again).to_have_count(0)
    with page.expect_response("**/api/drafts") as kept:
        form.get_by_role("button", name="Lưu nháp").click()
    assert kept.value.status == 201


def test_a_sign_in_in_another_tab_goes_on_and_another_account_loads_the_page(
    open_pages: OpenPages, console: Console
) -> None:
    page = open_pages("editor", LAPTOP)
    form = begin_entry(page)
    other = page.context.new_page()
    other.request.post("/api/session", data={"login": "editor", "password": PASSWORD})
    form.get_by_role("button", name="Lưu nháp").click()
    expect(page.get_by_text("Đã đăng nhập lại")).to_be_visible()
    # The list is asked for anew once the draft is kept: with no session, it would ask to sign in before the menu does.
    with (
        page.expect_response(lambda answer: is_of_drafts(answer, "GET")),
        page.expect_response(lambda answer: is_of_drafts(answer, "POST")) as kept,
    ):
        form.get_by_role("button", name="Lưu nháp").click()
    assert kept.value.status == 201

    console.accounts.create("lan", "Cô Lan", ["editor"], PASSWORD)
    page.context.clear_cookies()
    # Whatever the page asks for next meets the ended session, so that the dialog may be there before the click is.
    page.get_by_role("link", name="Khoảng trống").dispatch_event("click")
    with page.expect_event("load"):
        sign_in_again(page, "lan")
    expect(page.get_by_text("Cô Lan")).to_be_visible()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((500, {}), "Máy chủ gặp lỗi (500)"),
        ((503, {"error": "strange", "message": "a cable is out"}), "Máy chủ gặp lỗi (strange)"),
        ((429, {"error": "strange", "message": "slow down"}), "Nhiều yêu cầu quá"),
        ((403, {"error": "strange", "message": "not you"}), "không có quyền"),
        ((413, {"error": "too_large", "message": "the body is too large"}), "quá lớn"),
        (None, "Mất kết nối"),
    ],
)
def test_no_error_comes_in_english(
    open_pages: OpenPages, answer: tuple[int, dict[str, str]] | None, told: str
) -> None:
    page = open_pages("advisor", LAPTOP)
    page.goto("/try")
    page.route(
        "**/api/try",
        lambda route: route.fulfill(status=answer[0], json=answer[1]) if answer else route.abort(),
    )
    page.get_by_role("textbox", name="Câu hỏi").fill("Học phí bao nhiêu?")
    page.get_by_role("button", name="Hỏi", exact=True).click()
    expect(page.get_by_text(told)).to_be_visible()
    for english in ("cable", "slow", "not you", "body"):
        expect(page.get_by_text(english)).to_have_count(0)


def fact(page: Page) -> Locator:
    page.goto("/facts")
    page.get_by_test_id("fact").first.click()
    return page.get_by_label("Giá trị", exact=True)


def new_fact(page: Page) -> Locator:
    page.goto("/facts")
    page.get_by_role("button", name="Thêm", exact=True).click()
    return page.get_by_label("Tên đầy đủ")


def new_calculator(page: Page) -> Locator:
    page.goto("/facts")
    page.get_by_text("Công thức", exact=True).click()
    page.get_by_role("button", name="Thêm", exact=True).click()
    return page.get_by_label("Nội dung công thức")


def topic(page: Page) -> Locator:
    page.goto("/topics/topic~study")
    return page.get_by_label("Tên", exact=False).first


def document(page: Page) -> Locator:
    page.goto("/documents/noi-quy-ktx")
    return page.get_by_label("Số hiệu", exact=True)


@pytest.mark.parametrize("opened", [fact, new_fact, new_calculator, topic, document])
def test_a_page_asks_before_the_menu_and_the_way_back_drop_what_was_written(
    open_pages: OpenPages, opened: Callable[[Page], Locator]
) -> None:
    page = open_pages("editor", LAPTOP)
    field, asked = opened(page), Asked(page)
    field.fill(WRITTEN)
    page.get_by_role("link", name="Hỏi thử").click()
    expect(field).to_have_value(WRITTEN)
    assert asked.messages == [DROPS]
    with page.expect_event("dialog"):
        page.evaluate("history.back()")
    expect(field).to_have_value(WRITTEN)
    # To a page that was loaded anew, the browser asks in words of its own.
    assert len(asked.messages) == 2
    asked.stays = False
    page.get_by_role("link", name="Hỏi thử").click()
    page.wait_for_url("**/try")
    assert asked.messages[2:] == [DROPS]


def puts(page: Page) -> list[Request]:
    sent: list[Request] = []
    page.on("request", lambda each: sent.append(each) if each.method == "PUT" else None)
    return sent


def test_a_double_click_publishes_a_fact_once_and_a_second_save_is_no_conflict(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    field = fact(page)
    sent = puts(page)
    publish = page.get_by_role("button", name="Đăng", exact=True)
    for value in ("111.000 đồng", "222.000  đồng"):
        field.fill(value)
        expect(publish).to_be_enabled()
        publish.evaluate("button => { button.click(); button.click(); }")
        expect(publish).not_to_have_attribute("data-loading", "true")
        expect(publish).to_be_disabled()
        expect(field).to_have_value(" ".join(value.split()))
        expect(page.get_by_text("Đã đăng").last).to_be_visible()
        expect(page.get_by_test_id("conflict")).to_have_count(0)
    assert len(sent) == 2


def test_a_double_click_saves_a_topic_once_and_a_second_save_is_no_conflict(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    field = topic(page)
    sent = puts(page)
    save = page.get_by_role("button", name="Lưu", exact=True)
    for value in ("Việc học", "Chuyện học"):
        field.fill(value)
        save.evaluate("button => { button.click(); button.click(); }")
        expect(save).to_be_disabled()
        expect(save).not_to_have_attribute("data-loading", "true")
        expect(page.get_by_test_id("conflict")).to_have_count(0)
    assert len(sent) == 2


def test_a_topic_form_says_what_is_missing(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto("/topics")
    page.get_by_role("button", name="Thêm", exact=True).click()
    page.get_by_label("Tên tiếng Anh", exact=False).fill("Study")
    expect(page.get_by_text("Còn thiếu: Mã, Tên")).to_be_visible()


def test_a_long_question_is_counted_and_refused_and_never_cut(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    form = begin_entry(page)
    question = form.get_by_role("textbox", name="Câu hỏi")
    question.fill("a" * 390)
    expect(form.get_by_text("390/400 ký tự")).to_be_visible()
    question.fill("a" * 412)
    expect(form.get_by_text("Dài quá 12 ký tự (tối đa 400)")).to_be_visible()
    expect(question).to_have_value("a" * 412)
    expect(form.get_by_role("button", name="Đăng", exact=True)).to_be_disabled()


def test_a_rule_asks_before_it_is_dropped(open_pages: OpenPages, students: Students) -> None:
    students.asks("Học phí ngành này bao nhiêu?", decision="answer")
    page = open_pages("editor", LAPTOP)
    page.goto("/conversations")
    page.locator(".row").first.click()
    page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa").click()
    page.get_by_role("dialog").get_by_role("button", name="Hỏi lại").click()
    asked = Asked(page)
    wordings = page.get_by_role("dialog").get_by_role("textbox", name="Cách hỏi khác")
    wordings.fill("Học phí ra sao?")
    wordings.press("Escape")
    expect(wordings).to_have_value("Học phí ra sao?")
    assert asked.messages == [DROPS]


def test_a_calculator_says_the_line_of_a_fault_in_vietnamese(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    text = new_calculator(page)
    text.fill('- id: thu\n  question: "Thử"\n   topic: study\n')
    page.get_by_role("button", name="Kiểm tra", exact=True).click()
    told = page.get_by_text("YAML sai cú pháp")
    expect(told).to_be_visible()
    expect(told).not_to_contain_text("expected")
