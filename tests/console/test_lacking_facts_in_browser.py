"""A new major without the figures of calculators: all of them are told at once, and the page leads to where they go."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import SIZES, OpenPages, in_view
from playwright.sync_api import Page, expect

from rag.ingest.load import load_knowledge

pytestmark = pytest.mark.browser


def add_fact(page: Page, name: str, label: str, value: str) -> None:
    """Go from the list of lacking facts to the form of one, in a tab of its own, and add it."""
    with page.expect_popup() as opened:
        fact = page.get_by_test_id("lacking-fact").filter(has_text=label)
        fact.get_by_role("link", name="Thêm số liệu này").click()
    tab = opened.value
    expect(tab.get_by_label("Tên đầy đủ")).to_have_value(name)
    tab.get_by_label("Giá trị mới").fill(value)
    tab.locator("form").get_by_role("button", name="Thêm").press("Enter")
    expect(tab.get_by_label("Giá trị", exact=True)).to_have_value(value)
    tab.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_new_major_is_saved_after_one_list_of_what_it_lacks(
    open_pages: OpenPages, fees: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/topics/major~")
    page.get_by_role("textbox", name="Mã", exact=True).fill("luat")
    page.get_by_role("textbox", name="Tên", exact=True).fill("Luật")
    page.get_by_role("button", name="Lưu", exact=True).press("Enter")

    told = page.get_by_test_id("lacking-facts")
    expect(told).to_contain_text("còn thiếu 2 số liệu mà công thức cần")
    expect(told).not_to_contain_text("calculators/")
    first = told.get_by_test_id("lacking-fact").first
    expect(first).to_contain_text("Luật: Fees › group › luật")
    expect(first).to_contain_text("Viết như Fees › group › Công nghệ thông tin (theo Điều 4): “high”")
    expect(first.get_by_role("link", name="“Ngành nào học phí thấp nhất?”")).to_have_attribute(
        "href", "/facts/least"
    )
    assert in_view(page)
    add_fact(page, "fees.group.luat", "Fees › group › luật", "low")
    add_fact(page, "fees.share.luat", "Fees › share › luật", "2")
    page.get_by_role("button", name="Lưu", exact=True).press("Enter")

    expect(page).to_have_url("/topics/major~luat")
    assert "luat" in {each.id for each in load_knowledge(fees).catalog.majors}
