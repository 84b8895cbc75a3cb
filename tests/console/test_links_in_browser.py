"""The ways from one thing to another look alike, wherever they stand."""

from __future__ import annotations

import pytest
from console_driver import LAPTOP, OpenPages
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BROWSERS_OWN = "rgb(0, 0, 238)"
"""The colour of a link without a style."""


@pytest.mark.parametrize(
    ("about", "tab"), [("facts.dormitory.2026.room", ""), ("dormitory-months", "Quy tắc")]
)
def test_links_have_the_colour_of_the_console(open_pages: OpenPages, about: str, tab: str) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto(f"/facts/{about}")
    if tab:
        page.get_by_role("tab", name=tab).click()
    clauses = page.get_by_test_id("clauses").get_by_role("link")
    expect(clauses.first).to_be_visible()

    links = page.locator(".detail").get_by_role("link").all()
    assert len(links) > clauses.count() > 0
    colours = {link.evaluate("link => getComputedStyle(link).color") for link in links}
    assert len(colours) == 1
    assert BROWSERS_OWN not in colours
