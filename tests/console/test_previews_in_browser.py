"""The texts of facts, calculators and documents as each channel shows them, in a real browser."""

from __future__ import annotations

import pytest
from console_driver import SIZES, OpenPages, fill_in, in_view, new_entry
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SHOW = "Xem trên từng kênh"


@pytest.mark.parametrize("size", SIZES)
def test_a_passage_is_shown_with_its_citation(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/documents/noi-quy-ktx?at=%C4%90i%E1%BB%81u+3")
    passage = page.get_by_test_id("passage").filter(has_text="làm hỏng tài sản")
    passage.get_by_role("button", name=SHOW).click()

    shown = passage.get_by_test_id("preview")
    expect(shown).to_be_visible()
    expect(passage.get_by_test_id("preview-sources")).to_contain_text("Nội quy ký túc xá, Điều 3")
    passage.get_by_text("Messenger", exact=True).click()
    expect(shown.last).to_contain_text("Nguồn: ")
    expect(shown.last).to_contain_text("Nội quy ký túc xá, Điều 3")
    assert in_view(page)


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_with_another_value_of_a_fact_is_shown(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/facts/facts.dormitory.2026.room")
    page.get_by_label("Giá trị", exact=True).fill("777.000 đồng")
    page.get_by_role("button", name="Xem sẽ đổi gì").click()
    changed = page.get_by_test_id("changed")
    changed.get_by_role("button", name=SHOW).first.click()

    expect(changed.get_by_test_id("preview").first).to_contain_text("777.000 đồng")
    changed.get_by_text("Messenger", exact=True).first.click()
    expect(changed.get_by_test_id("preview").first).to_contain_text("777.000 đồng")
    assert in_view(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_computed_answer_is_shown_with_its_source(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/facts/dormitory-months")
    page.get_by_label("Bạn ở mấy tháng?").fill("5")
    page.get_by_role("button", name="Tính", exact=True).click()
    page.get_by_role("button", name=SHOW).click()

    expect(page.get_by_test_id("preview-sources")).to_contain_text("Điều 3, khoản 2")
    page.get_by_text("Messenger", exact=True).click()
    expect(page.get_by_test_id("preview").first).to_contain_text("5 tháng hết")
    expect(page.get_by_test_id("preview").last).to_contain_text("Nguồn: ")
    assert in_view(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("breaks", ["\n", "\n\n"])
def test_the_line_below_a_list_is_no_part_of_its_last_item(
    open_pages: OpenPages, size: tuple[int, int], breaks: str
) -> None:
    page = open_pages("editor", size)
    form = new_entry(page)
    fill_in(form, f"Cần:\n- Đơn\n- Bảng điểm{breaks}Hạn: 15/9.", "Xét học bổng cần gì?")

    shown = form.get_by_test_id("preview")
    expect(shown.locator("p")).to_have_text(["Cần:", "Hạn: 15/9."])
    expect(shown.locator("li")).to_have_text(["Đơn", "Bảng điểm"])
    before, below = (each.bounding_box() for each in shown.locator("p").all())
    assert before is not None
    assert below is not None
    assert before["x"] == below["x"]
