"""The page of people in a real browser, on a laptop and on a phone."""

from __future__ import annotations

import re

import pytest
from console_driver import LAPTOP, PASSWORD, SIZES, OpenPages, in_view
from playwright.sync_api import expect

from console.api.dependencies import Console

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", SIZES)
def test_an_advisor_has_a_mail_address_and_offices(
    open_pages: OpenPages, console: Console, size: tuple[int, int]
) -> None:
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", size)
    page.goto("/people")
    page.get_by_role("row", name="Cô Lan").get_by_role("button", name="Sửa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Địa chỉ thư").fill("lan@truong")
    form.get_by_role("combobox", name="Phòng ban").click()
    page.get_by_role("option", name="Phòng Tài chính").click()
    form.get_by_role("combobox", name="Phòng ban").press("Escape")
    assert in_view(page)
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("Địa chỉ thư phải viết như")
    form.get_by_label("Địa chỉ thư").fill("lan@truong.test")
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form).to_have_count(0)

    [lan] = [each for each in console.accounts.all() if each.login == "lan"]
    assert (lan.mail, lan.offices) == ("lan@truong.test", ("phong-tai-chinh",))


@pytest.mark.parametrize("size", SIZES)
def test_an_account_is_locked_after_a_question_alone(
    open_pages: OpenPages, console: Console, size: tuple[int, int]
) -> None:
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", size)
    page.goto("/people")
    row = page.get_by_role("row", name="Cô Lan")

    def is_active() -> bool:
        return next(each.active for each in console.accounts.all() if each.login == "lan")

    row.get_by_role("button", name="Khóa tài khoản").click()
    asked = page.get_by_role("dialog", name="Khóa tài khoản")
    expect(asked).to_contain_text("Cô Lan bị đăng xuất ngay")
    asked.get_by_role("button", name="Thôi").click()
    expect(asked).to_have_count(0)
    assert is_active()

    row.get_by_role("button", name="Khóa tài khoản").click()
    asked.get_by_role("button", name="Khóa tài khoản").click()
    expect(row).to_contain_text("Đã khóa")
    assert not is_active()
    row.get_by_role("button", name="Mở lại").click()
    expect(row).to_contain_text("Hoạt động")
    assert in_view(page)


@pytest.mark.parametrize(
    ("role", "path", "page_name"), [("advisor", "people", "Tài khoản"), ("editor", "inbox/3", "Hộp thư")]
)
def test_who_may_not_see_a_page_is_told_and_where_to_ask(
    open_pages: OpenPages, role: str, path: str, page_name: str
) -> None:
    page = open_pages(role, LAPTOP)

    page.goto(f"/{path}")

    expect(page.get_by_text(f"Tài khoản của bạn chưa mở được trang “{page_name}”")).to_be_visible()
    expect(page.get_by_text("hãy nhờ quản trị viên")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/{path}$"))
