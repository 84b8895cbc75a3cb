"""One's own password: changed with the one of now, by whoever is signed in."""

from __future__ import annotations

import re

import pytest
from console_driver import PASSWORD, Enter, OpenPages, databases
from playwright.sync_api import expect

from console.api.dependencies import Console

PATH = "/api/account/password"
NEW = "mat-khau-moi-cua-minh"


@databases
def test_a_new_password_takes_the_place_of_the_old_one_and_ends_other_sessions(
    enter: Enter, console: Console
) -> None:
    here, elsewhere = enter("advisor"), enter("advisor")

    changed = here.put(PATH, json={"password": PASSWORD, "new_password": NEW})

    assert changed.status_code == 204, changed.text
    assert here.get("/api/session").status_code == 200
    assert elsewhere.get("/api/session").status_code == 403
    signing_in = [
        enter().post("/api/session", json={"login": "advisor", "password": each}).status_code
        for each in (PASSWORD, NEW)
    ]
    assert signing_in == [403, 200]
    log = str(console.audit.page())
    assert "change_password" in log
    assert NEW not in log


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"password": "not the password", "new_password": NEW}, "wrong"),
        ({"password": PASSWORD, "new_password": "short"}, "bad_password"),
        ({"password": PASSWORD, "new_password": "x" * 201}, "bad_password"),
    ],
)
def test_without_the_password_of_now_or_a_long_one_nothing_changes(
    enter: Enter, body: dict[str, str], error: str
) -> None:
    refused = enter("advisor").put(PATH, json=body)

    assert (refused.status_code >= 400, refused.json()["error"]) == (True, error)
    again = enter().post("/api/session", json={"login": "advisor", "password": PASSWORD})
    assert again.status_code == 200


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1300, 850), (390, 844)], ids=["laptop", "phone"])
def test_it_is_changed_on_the_page_of_ones_own_account(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("advisor", size)
    page.goto("/account")
    page.get_by_role("textbox", name="Mật khẩu hiện nay").fill(PASSWORD)
    page.get_by_role("textbox", name=re.compile("^Mật khẩu mới")).fill(NEW)
    page.get_by_role("textbox", name="Nhập lại mật khẩu mới").fill("khac-voi-mat-khau-moi")
    expect(page.get_by_text("Hai lần nhập khác nhau.")).to_be_visible()
    expect(page.get_by_role("button", name="Đổi mật khẩu")).to_be_disabled()

    page.get_by_role("textbox", name="Nhập lại mật khẩu mới").fill(NEW)
    page.get_by_role("button", name="Đổi mật khẩu").click()

    expect(page.get_by_text("Đã đổi mật khẩu.")).to_be_visible()
    signed_in = enter().post("/api/session", json={"login": "advisor", "password": NEW})
    assert signed_in.status_code == 200
