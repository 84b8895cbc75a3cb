"""The check before publishing, in a browser on a laptop and on a phone: begun, left, come back to, looked at."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from console_driver import SIZES, Enter, OpenPages, in_view, scrolling_sideways
from playwright.sync_api import Locator, Page, expect
from test_built_drafts import BUILD_S, LOCKER, TITLE, until, use_command
from test_documents import upload
from test_draft_checks import LANGUAGE, PETS, PHONE, hold, with_checked
from test_thresholds import see_answers

from console.api.dependencies import Console
from console.publishing import Publisher
from rag.decide.calibration import Calibration, Counts, save_calibration
from rag.decide.probability import shipped_models

pytestmark = pytest.mark.browser

BEGIN = "Xem câu hỏi nào đổi"
OFFICE = "/topics/office~phong-dao-tao"


@pytest.fixture
def publisher(tmp_path: Path, publisher: Publisher) -> Iterator[Publisher]:
    yield from with_checked(publisher, tmp_path)


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, open_pages: OpenPages) -> Page:
    return open_pages("editor", request.param)


def begin(page: Page | Locator) -> None:
    page.get_by_role("button", name=BEGIN).click()


def result(page: Page | Locator) -> Locator:
    """Return the result of a check, when it is there."""
    shown = page.get_by_test_id("checked")
    expect(shown).to_be_visible(timeout=BUILD_S * 1_000)
    return shown


def test_a_document_is_checked_left_come_back_to_and_published(
    page: Page, enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    draft = upload(enter("editor"), "thue-tu-do.txt")["draft"]
    hold(publisher, tmp_path / "go")
    page.goto(f"/documents/draft-{draft}")
    page.get_by_label("Tên văn bản").fill(TITLE)
    begin(page)
    reading = page.get_by_role("status").filter(has_text="Covan đang đọc cả trường")
    expect(reading).to_contain_text("Đã chờ")
    expect(reading.get_by_role("progressbar")).to_be_visible()
    assert in_view(page)

    # Elsewhere meanwhile; nobody gets an answer of it.
    page.goto("/documents")
    kept = page.get_by_test_id("kept-check")
    expect(kept).to_contain_text(f"Đang kiểm tra trước khi đăng: {TITLE}")
    (tmp_path / "go").touch()
    done = f"Đã kiểm tra, chưa đăng: {TITLE}. 1 câu trả lời thay đổi, 0 thành từ chối."
    expect(kept).to_contain_text(done, timeout=BUILD_S * 1_000)
    assert scrolling_sideways(page) == []
    assert publisher.documents.file_of("thue-tu-do") is None

    # In another browser, the form has nothing of what was written.
    page.evaluate("sessionStorage.clear()")
    kept.get_by_role("link", name="Xem").click()
    shown = result(page)
    expect(shown).to_contain_text("5 câu hỏi đã kiểm: 1 câu trả lời thay đổi, 0 thành từ chối")
    changed = shown.get_by_test_id("changed")
    expect(changed).to_contain_text(LOCKER)
    expect(changed).to_contain_text("Sẽ trả lời: Sinh viên thuê tủ đồ tại thư viện với giá 30.000 đồng")
    # The editor gets back the fields that were written then.
    expect(page.get_by_text("là của một thay đổi khác")).to_be_visible()
    page.get_by_role("button", name="Điền lại thay đổi đó").click()
    expect(page.get_by_label("Tên văn bản")).to_have_value(TITLE)
    expect(page.get_by_text("là của một thay đổi khác")).to_be_hidden()
    assert in_view(page)

    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_test_id("kept-check")).to_have_count(0)
    until(lambda: publisher.documents.file_of("thue-tu-do") is not None)


def test_a_topic_and_a_contact_are_checked(page: Page, publisher: Publisher) -> None:
    page.goto(OFFICE)
    phone = page.get_by_label("Điện thoại", exact=True)
    expect(page.get_by_role("button", name=BEGIN)).to_have_count(0)
    phone.fill("0200 119")
    begin(page)
    changed = result(page).get_by_test_id("changed")
    expect(changed).to_contain_text(PHONE)
    expect(changed).to_contain_text("Đang trả lời: Phòng Đào tạo: điện thoại: 0200 111")
    expect(changed).to_contain_text("Sẽ trả lời: Phòng Đào tạo: điện thoại: 0200 119")
    expect(phone).to_have_value("0200 119")
    expect(page.get_by_text("là của một thay đổi khác")).to_be_hidden()

    # Another number is another change; that of the check can be had back.
    phone.fill("0200 120")
    expect(page.get_by_text("là của một thay đổi khác")).to_be_visible()
    page.get_by_role("button", name="Điền lại thay đổi đó").click()
    expect(phone).to_have_value("0200 119")
    expect(page.get_by_text("là của một thay đổi khác")).to_be_hidden()
    assert in_view(page)
    page.get_by_role("button", name="Lưu", exact=True).press("Enter")
    expect(page.get_by_test_id("draft-check")).to_have_count(0)
    assert "0200 119" in (publisher.files.knowledge / "catalog.yml").read_text(encoding="utf-8")
    # Until then the number is not live, and would be among what changes.
    until(lambda: not publisher.whole_build.is_running)

    page.goto("/topics/topic~language")
    page.get_by_role("combobox", name="Khóa").fill("49")
    page.get_by_role("option", name="Khóa 49").click()
    begin(page)
    shown = result(page)
    changed = shown.get_by_test_id("changed")
    expect(changed).to_contain_text(LANGUAGE)
    expect(changed).to_contain_text(re.compile("Đang trả lời: Hỏi lại · .*Khóa 49"))
    expect(page.get_by_text("là của một thay đổi khác")).to_be_hidden()
    page.get_by_role("button", name="Bỏ kết quả này").click()
    expect(shown).to_have_count(0)
    expect(page.get_by_role("combobox", name="Khóa")).to_have_value("Khóa 49")


@pytest.mark.usefixtures("school")
def test_a_removal_is_checked_in_its_dialog(page: Page, publisher: Publisher) -> None:
    page.goto("/topics/program~clc")
    page.get_by_role("button", name="Xóa", exact=True).press("Enter")
    dialog = page.get_by_role("dialog")
    begin(dialog)
    expect(dialog.get_by_test_id("in-use")).to_contain_text("Học phí")
    assert in_view(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    page.goto("/documents/bai-do-xe-2030")
    page.get_by_role("button", name="Gỡ văn bản").click()
    begin(dialog)
    expect(result(dialog)).to_have_text("5 câu hỏi đã kiểm: không câu nào đổi")
    assert publisher.documents.file_of("bai-do-xe-2030") is not None


def test_a_check_is_stopped_and_one_that_fails_is_told(
    page: Page, publisher: Publisher, tmp_path: Path
) -> None:
    hold(publisher, tmp_path / "go")
    page.goto(OFFICE)
    page.get_by_label("Điện thoại", exact=True).fill("0200 119")
    begin(page)
    page.get_by_role("button", name="Thôi kiểm tra").click()
    expect(page.get_by_role("button", name=BEGIN)).to_be_visible()
    expect(page.get_by_label("Điện thoại", exact=True)).to_have_value("0200 119")

    use_command(publisher, lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    begin(page)
    expect(page.get_by_text("Chưa kiểm tra được. Trường vẫn như cũ")).to_be_visible(timeout=BUILD_S * 1_000)
    assert scrolling_sideways(page) == []


def test_a_threshold_is_checked_at_once(page: Page, publisher: Publisher) -> None:
    strict = Calibration(
        preset="covan",
        index_version=publisher.live.version,
        made_at=datetime.now(UTC),
        risk=0.01,
        delta=0.1,
        threshold=0.9999,
        by_topic={},
        counts=Counts(questions=300, proposed=300, answered=10, wrong=0),
        fitted=False,
        models=shipped_models("covan"),
    )
    save_calibration(publisher.live.folder, strict)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    page.get_by_role("button", name="Dùng ngưỡng có sẵn").click()
    dialog = page.get_by_role("dialog")
    begin(dialog)
    changed = result(dialog).get_by_test_id("changed").filter(has_text=PETS)
    expect(changed).to_contain_text("Đang trả lời: Chưa trả lời được")
    expect(changed).to_contain_text(re.compile("Sẽ trả lời: .*chó, mèo", re.DOTALL))
    assert in_view(page)
    dialog.get_by_role("button", name="Thôi").click()
    expect(page.get_by_test_id("threshold")).to_contain_text("Đang giữ")


def test_the_checked_questions_give_a_first_look_at_the_curve(
    page: Page, console: Console, tmp_path: Path
) -> None:
    see_answers(console, tmp_path)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    page.get_by_role("button", name=re.compile("Xem thử với \\d+ câu hỏi đã kiểm")).click()

    expect(page.get_by_text("Đo trên 300 câu hỏi đã kiểm, Cô editor")).to_be_visible()
    option = page.get_by_test_id("option")
    expect(option).to_have_text("Sai nhiều nhất 5 %: trả lời 100 % câu hỏi")
    page.get_by_role("slider", name="Chấp nhận sai nhiều nhất").press("Home")
    expect(option).to_contain_text("Sai nhiều nhất 1 %: trả lời 83 % câu hỏi")
    expect(page.get_by_role("button", name="Dùng mức này")).to_have_count(0)
    assert in_view(page)
    assert scrolling_sideways(page) == []


def test_a_school_without_checked_questions_is_told(open_pages: OpenPages, publisher: Publisher) -> None:
    (publisher.files.knowledge / "checked.yml").unlink()
    page = open_pages("editor", (390, 844))
    page.goto(OFFICE)
    page.get_by_label("Điện thoại", exact=True).fill("0200 119")
    expect(page.get_by_text("Trường chưa có câu hỏi đã kiểm nào")).to_be_visible()
    expect(page.get_by_role("button", name=BEGIN)).to_have_count(0)
