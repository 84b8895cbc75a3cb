"""Two people change one thing: the second one sees both texts, field by field, and loses nothing of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import SIZES, Enter, OpenPages, scrolling_sideways
from playwright.sync_api import Locator, Page, expect
from test_documents import TEXT, metadata, upload

pytestmark = pytest.mark.browser

RULES = "noi-quy-ktx"


def both(conflict: Locator, mine: str, theirs: str) -> None:
    """Check that both texts are shown, each of them marked."""
    marked = conflict.locator("mark")
    expect(marked.filter(has_text=mine)).to_be_visible()
    expect(marked.filter(has_text=theirs)).to_be_visible()


def keep_mine(page: Page) -> None:
    page.get_by_test_id("conflict").get_by_role("button", name="Giữ bản của tôi").click()
    expect(page.get_by_test_id("conflict")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_what_was_written_about_a_document_stays_beside_what_a_colleague_saved(
    open_pages: OpenPages, enter: Enter, school: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto(f"/documents/{RULES}")
    page.get_by_label("Số hiệu", exact=True).fill("8/NQ-KTX")
    administrator = enter("administrator")
    version, fields = metadata(administrator, RULES)
    theirs = {**fields, "version": version, "number": "9/NQ-KTX", "url": "https://sm.edu.vn/ktx"}
    saved = administrator.put(f"/api/documents/published/{RULES}", json=theirs)
    assert saved.status_code == 200, saved.text

    page.get_by_role("button", name="Lưu", exact=True).click()

    conflict = page.get_by_test_id("conflict")
    both(conflict, "8/NQ-KTX", "9/NQ-KTX")
    expect(conflict).to_contain_text("https://sm.edu.vn/ktx")
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("Cô administrator")
    assert scrolling_sideways(page) == []
    keep_mine(page)
    expect(page.get_by_label("Số hiệu", exact=True)).to_have_value("8/NQ-KTX")
    page.get_by_role("button", name="Lưu", exact=True).click()
    expect(page.get_by_text("Đã lưu.").first).to_be_visible()
    written = school / "documents" / f"{RULES}.meta.yml"
    assert 'number: "8/NQ-KTX"' in written.read_text(encoding="utf-8")
    # The form goes on with what it has saved.
    page.get_by_label("Số hiệu", exact=True).fill("10/NQ-KTX")
    with page.expect_response(lambda sent: sent.request.method == "PUT") as sent:
        page.get_by_role("button", name="Lưu", exact=True).click()
    assert sent.value.status == 200
    assert 'number: "10/NQ-KTX"' in written.read_text(encoding="utf-8")


def test_a_new_text_is_shown_beside_the_one_that_was_edited_in_its_file(
    open_pages: OpenPages, enter: Enter, school: Path
) -> None:
    page = open_pages("editor", (1280, 800))
    draft = upload(enter("editor"), f"{RULES}.txt")["draft"]
    page.goto(f"/documents/draft-{draft}")
    expect(page.get_by_role("button", name="Đăng, thay bản cũ")).to_be_enabled()
    by_hand = "Điều 1. Giờ giấc\n\n1. Cổng ký túc xá đóng lúc 23 giờ.\n"
    (school / "documents" / f"{RULES}.txt").write_text(by_hand, encoding="utf-8")

    page.get_by_role("button", name="Đăng, thay bản cũ").click()

    conflict = page.get_by_test_id("conflict")
    both(conflict, "30.000 đồng một tháng", "đóng lúc 23 giờ")
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("tệp")
    keep_mine(page)
    page.get_by_role("button", name="Đăng, thay bản cũ").click()
    expect(page.get_by_text("Đã lưu.").first).to_be_visible()
    assert (school / "documents" / f"{RULES}.txt").read_text(encoding="utf-8") == TEXT


def test_a_topic_is_compared_by_its_fields(open_pages: OpenPages, school: Path) -> None:
    page = open_pages("editor", (1280, 800))
    page.goto("/topics/topic~study")
    name = page.get_by_label("Tên", exact=False).first
    name.fill("Việc học")
    topics = school / "topics.yml"
    topics.write_text(
        topics.read_text(encoding="utf-8").replace("name: Học vụ", "name: Chuyện học"), encoding="utf-8"
    )

    page.get_by_role("button", name="Lưu", exact=True).click()

    conflict = page.get_by_test_id("conflict")
    both(conflict, "Việc học", "Chuyện học")
    expect(conflict).not_to_contain_text("{")
    conflict.get_by_role("button", name="Bỏ bản của tôi").click()
    expect(name).to_have_value("Chuyện học")
