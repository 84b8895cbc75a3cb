"""A page that cannot be drawn says so, and leaves the menu and the other pages as they are."""

from __future__ import annotations

import pytest
from console_driver import LAPTOP, OpenPages
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_menu_leads_away_from_a_page_that_cannot_be_drawn_and_a_reload_back(
    open_pages: OpenPages,
) -> None:
    page = open_pages("editor", LAPTOP)
    # The page of topics reads the length of a list that this answer does not have.
    page.route("**/api/topics", lambda route: route.fulfill(json={"problems": [], "warnings": []}))
    page.goto("/topics")
    told = page.get_by_role("main").get_by_role("alert")
    expect(told).to_contain_text("Trang này gặp lỗi")

    menu = page.get_by_role("navigation")
    menu.get_by_role("link", name="Số liệu").click()
    expect(page.get_by_test_id("fact").first).to_be_visible()
    expect(told).to_have_count(0)

    menu.get_by_role("link", name="Chủ đề").click()
    page.get_by_role("button", name="English").click()
    expect(told).to_contain_text("This page has a fault")
    page.unroute("**/api/topics")
    told.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_test_id("topic").first).to_be_visible()
