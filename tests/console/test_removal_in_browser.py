"""The pages that add, rename and take away facts, calculators and topics, in a browser on a laptop and on a phone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from console_driver import SIZES, OpenPages, in_view
from playwright.sync_api import Page, expect

from console.api.dependencies import Console
from console.first_run import Surroundings
from console.publishing import Publisher
from covan.project import NEW_SCHOOL
from rag.ingest.load import load_knowledge

pytestmark = pytest.mark.browser

TEMPLATES = Surroundings([NEW_SCHOOL / "vi"])


@pytest.fixture
def console(console: Console) -> Console:
    """The console with the templates that it has in a school."""
    return replace(console, around=TEMPLATES)


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, open_pages: OpenPages) -> Page:
    return open_pages("editor", request.param)


def remove(page: Page) -> None:
    """Confirm a removal by the keyboard: on a phone, a message may lie over the buttons."""
    page.get_by_role("button", name="Xóa", exact=True).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Xóa hẳn").press("Enter")


def test_a_fact_is_added_and_taken_away_and_a_used_one_stays(page: Page, publisher: Publisher) -> None:
    page.goto("/facts")
    page.get_by_role("button", name="Thêm", exact=True).click()
    page.get_by_label("Tên đầy đủ").fill("parking.2026.moto")
    page.get_by_label("Giá trị mới").fill("5.000 đồng")
    page.get_by_test_id("fact").first.wait_for(state="attached")
    page.locator("form").get_by_role("button", name="Thêm").click()
    expect(page.get_by_label("Giá trị", exact=True)).to_have_value("5.000 đồng")
    assert publisher.facts.fact("facts.parking.2026.moto") is not None

    remove(page)
    expect(page.get_by_text("Đã xóa.")).to_be_visible()
    assert publisher.facts.fact("facts.parking.2026.moto") is None

    page.goto("/facts/facts.dormitory.2026.room")
    remove(page)
    expect(page.get_by_test_id("in-use")).to_contain_text("dormitory-months · calculators/dormitory.yml:1")
    assert in_view(page)


def test_a_calculator_is_made_from_the_template_renamed_and_taken_away(
    page: Page, publisher: Publisher
) -> None:
    page.goto("/facts")
    page.get_by_text("Công thức", exact=True).click()
    page.get_by_role("button", name="Thêm", exact=True).click()
    text = page.get_by_label("Nội dung công thức")
    expect(text).to_have_value(TEMPLATES.calculator_template("vi"))
    page.get_by_role("button", name="Kiểm tra").click()
    expect(page.get_by_text("không có topic 'library'").first).to_be_visible()

    own = (
        TEMPLATES.calculator_template("vi")
        .replace("topic: library", "topic: study")
        .replace("noi-quy-thu-vien, locator: Điều 2", "quy-che-2025")
        .replace("library.fines.per_day", "dormitory.2026.room")
    )
    page.get_by_label("Nội dung công thức").fill(own)
    page.get_by_role("button", name="Kiểm tra").click()
    expect(page.get_by_text("Không có lỗi.")).to_be_visible()
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("library-fine · calculators/study.yml:1")).to_be_visible()

    page.get_by_role("tab", name="Sửa").click()
    page.get_by_label("Nội dung công thức").fill(own.replace("library-fine", "late-books"))
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("late-books · calculators/study.yml:1")).to_be_visible()
    assert in_view(page)
    page.get_by_role("tab", name="Sửa").click()
    remove(page)
    expect(page.get_by_text("Đã xóa.")).to_be_visible()
    assert [each.id for each in publisher.live.index().calculators] == ["dormitory-months"]


def test_a_topic_is_renamed_and_taken_away_and_a_used_one_stays(page: Page, publisher: Publisher) -> None:
    page.goto("/topics/topic~dormitory")
    remove(page)
    expect(page.get_by_test_id("in-use")).to_contain_text("Văn bản: noi-quy-ktx")
    assert in_view(page)

    page.goto("/topics/topic~")
    page.get_by_label("Mã").fill("sprot")
    page.get_by_label("Tên", exact=False).first.fill("Thể thao")
    # Enough of them: a warning stays over the page until it is closed.
    page.get_by_label("Câu hỏi mẫu").fill("\n".join(f"Thuê sân số {number} ở đâu?" for number in range(5)))
    page.get_by_role("button", name="Lưu", exact=True).press("Enter")
    expect(page).to_have_url("/topics/topic~sprot")
    page.get_by_label("Mã").fill("sport")
    page.get_by_role("button", name="Lưu", exact=True).press("Enter")
    expect(page).to_have_url("/topics/topic~sport")
    remove(page)
    expect(page.get_by_text("Đã xóa.")).to_be_visible()
    assert "sport" not in {each.id for each in load_knowledge(publisher.files.knowledge).topics}


def test_what_rests_on_a_document_is_named_before_it_is_removed(page: Page, school: Path) -> None:
    page.goto("/documents/noi-quy-ktx")
    page.get_by_role("button", name="Gỡ văn bản").press("Enter")

    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_test_id("in-use")).to_contain_text("dormitory-months · calculators/dormitory.yml:1")
    expect(dialog.get_by_role("button", name="Gỡ văn bản")).to_be_disabled()
    assert in_view(page)
    dialog.get_by_role("link", name="Ở ký túc xá 5 tháng hết bao nhiêu tiền?").click()
    expect(page).to_have_url("/facts/dormitory-months")
    assert (school / "documents" / "noi-quy-ktx.txt").exists()


def test_a_document_that_cannot_be_read_is_opened_and_removed(page: Page, school: Path) -> None:
    broken = school / "documents" / "bang-hong.pdf"
    broken.write_bytes(b"%PDF broken")
    page.goto("/documents")

    page.get_by_test_id("waiting-file").click()
    expect(page.get_by_role("alert")).to_contain_text("tệp không phải PDF")
    expect(page.get_by_text("tải lên lại với tên bang-hong.pdf")).to_be_visible()
    expect(page.get_by_label("Số hiệu", exact=True)).to_have_count(0)
    assert in_view(page)
    page.get_by_role("button", name="Gỡ văn bản").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Gỡ văn bản").press("Enter")

    expect(page.get_by_test_id("document").first).to_be_visible()
    expect(page.get_by_test_id("waiting-file")).to_have_count(0)
    assert not broken.exists()
