"""The first steps in a browser: from the folder of `covan new` to a school that answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_pages import console_pages, open_place, sign_in, signed_in
from playwright.sync_api import Browser, Page, Route, expect

from console.first_run import Surroundings
from covan.commands.new import make
from covan.project import NEW_SCHOOL
from rag.settings import Settings

SETTLE_MS = 500
"""A closed notification fades."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["laptop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The console of a new school; its administrator is shown the first steps."""
    school = tmp_path / "school"
    make(school, "vi", "")
    around = Surroundings(
        [NEW_SCHOOL / "vi"],
        address=lambda: "https://tuvan.truong.example",
        is_public=True,
        websites=["https://www.truong.example"],
    )
    with console_pages(school, Settings(state_dir=tmp_path), around=around) as url:
        yield from signed_in(browser, url, request.param, "Bắt đầu")


def state(page: Page, step: str) -> str:
    return page.get_by_test_id(f"step-{step}").get_attribute("data-state") or ""


def go(page: Page, step: str) -> None:
    """Follow a step to the page that does it."""
    page.get_by_test_id(f"step-{step}").get_by_role("link").click()


def back(page: Page, step: str) -> None:
    """Return to the steps, where this one is done now."""
    open_place(page, "Bắt đầu")
    expect(page.get_by_test_id(f"step-{step}")).to_have_attribute("data-state", "done")


def press(page: Page, name: str) -> None:
    """Press a button that changes the folder, wait until that has been done, and close what is told about it."""
    with page.expect_response(lambda each: each.request.method in ("POST", "PUT")) as done:
        page.get_by_role("button", name=name, exact=True).click()
    assert done.value.ok, done.value.text()
    page.wait_for_load_state("networkidle")
    told = page.locator(".mantine-Notification-closeButton")
    told.first.wait_for()
    while told.count():
        told.first.click()
        page.wait_for_timeout(SETTLE_MS)


def test_a_new_school_becomes_one_that_answers(page: Page) -> None:
    steps = ("school", "counselling", "offices", "topics", "documents", "questions", "try")
    assert {state(page, step) for step in steps} == {"missing"}
    expect(page.get_by_test_id("step-counselling")).to_contain_text("Còn 1 nơi có chỗ chưa điền")

    go(page, "school")
    page.get_by_label("Tên", exact=True).fill("Trường Đại học Bến Tre")
    press(page, "Lưu")
    back(page, "school")

    go(page, "counselling")
    for field, value in (
        ("Tên", "Phòng Tham vấn"),
        ("Điện thoại", "0275 111"),
        ("Giờ làm việc", "7:30-17:00"),
    ):
        page.get_by_label(field, exact=True).fill(value)
    press(page, "Lưu")
    back(page, "counselling")

    go(page, "topics")
    page.get_by_label("Mã").fill("tuition")
    page.get_by_label("Tên", exact=False).first.fill("Học phí")
    press(page, "Lưu")
    back(page, "topics")

    go(page, "documents")
    text = "Điều 1. Học phí\n\nHai triệu đồng.".encode()
    page.locator("input[type=file][multiple]").set_input_files(
        {"name": "hoc-phi.txt", "mimeType": "text/plain", "buffer": text}
    )
    page.get_by_role("tab", name="đoạn").wait_for()
    press(page, "Đăng")
    back(page, "documents")

    go(page, "questions")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    form.get_by_role("textbox", name="Câu hỏi", exact=True).fill("Mất thẻ thì làm sao?")
    form.get_by_role("textbox", name="Câu trả lời").fill("Bạn đến thư viện làm lại thẻ.")
    form.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option", name="Thư viện").click()
    press(page, "Đăng")
    back(page, "questions")
    expect(page.get_by_test_id("step-try")).to_contain_text("Mất thẻ thì làm sao?")
    expect(page.get_by_text("Trường đã sẵn sàng trả lời sinh viên.")).to_be_visible()


def test_the_script_tag_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.get_by_test_id("step-website")).to_have_attribute("data-state", "done")

    page.get_by_role("button", name="Sao chép mã nhúng").click()

    expect(page.get_by_role("button", name="Đã sao chép.")).to_be_visible()
    code = '<script src="https://tuvan.truong.example/widget.js" async></script>'
    assert page.evaluate("navigator.clipboard.readText()") == code


def test_a_page_that_is_chosen_before_the_first_one_is_known_stays(browser: Browser, tmp_path: Path) -> None:
    school = Path(__file__).parents[1] / "small_school"
    held: dict[str, Route] = {}

    def hold(route: Route) -> None:
        held[route.request.url.rpartition("/")[2].partition("-")[0]] = route

    with console_pages(school, Settings(state_dir=tmp_path)) as url:
        page = browser.new_context(locale="vi-VN").new_page()
        page.route("**/api/first-run", hold)
        page.route("**/assets/People-*.js", hold)
        sign_in(page, url, "Covan")
        page.get_by_role("link", name="Tài khoản", exact=True).click()
        while held.keys() != {"first", "People"}:
            page.wait_for_timeout(SETTLE_MS)
        with page.expect_response("**/api/first-run"):
            held["first"].continue_()
        page.wait_for_timeout(SETTLE_MS)
        held["People"].continue_()

        expect(page.get_by_role("tab", name="Nhật ký")).to_be_visible()
        assert page.url == f"{url}/people"
        page.context.close()


def test_a_complete_school_begins_with_today(browser: Browser, tmp_path: Path) -> None:
    small_school = Path(__file__).parents[1] / "small_school"
    with console_pages(small_school, Settings(state_dir=tmp_path)) as url:
        for page in signed_in(browser, url, (1280, 800), "Hôm nay"):
            open_place(page, "Bắt đầu")
            expect(page.get_by_text("Trường đã sẵn sàng trả lời sinh viên.")).to_be_visible()
            page.get_by_test_id("step-try").get_by_role("link").click()
            expect(page.get_by_role("textbox", name="Câu hỏi")).not_to_have_value("")
