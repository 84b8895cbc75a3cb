"""Facts, calculators, topics and the catalogue in a browser, over the small school; nothing behind the console runs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from console_pages import console_pages, open_place, signed_in
from playwright.sync_api import Browser, Page, expect

from covan.project import ROOT
from rag.ingest.load import load_knowledge
from rag.settings import Settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL_SCHOOL = ROOT / "tests" / "small_school"


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """A copy of the small school that keeps versions."""
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "start"],
    ):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


@pytest.fixture
def address(tmp_path: Path, school: Path) -> Iterator[str]:
    """The console, served alone."""
    with console_pages(school, Settings(state_dir=tmp_path)) as url:
        yield url


@pytest.fixture(params=[(1300, 850), (390, 844)], ids=["laptop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """The console with somebody signed in."""
    yield from signed_in(browser, address, request.param, "Hôm nay")


def test_a_fact_is_changed_after_a_look_at_what_changes_with_it(page: Page, school: Path) -> None:
    open_place(page, "Số liệu và công thức")
    page.get_by_role("textbox", name="Tìm theo tên").fill("room")
    expect(page.get_by_test_id("fact")).to_have_count(1)
    page.get_by_test_id("fact").click()
    expect(page.get_by_test_id("clauses")).to_contain_text("Điều 3")

    page.get_by_label("Giá trị", exact=True).fill("miễn phí")
    page.get_by_role("button", name="Xem sẽ đổi gì").click()
    expect(page.get_by_role("alert")).to_contain_text("calculators/dormitory.yml")

    page.get_by_label("Giá trị", exact=True).fill("400.000 đồng")
    page.get_by_role("button", name="Xem sẽ đổi gì").click()
    expect(page.get_by_test_id("changed")).to_contain_text("1 câu trả lời sẽ đổi lời")
    expect(page.get_by_test_id("changed")).to_contain_text("+ Một chỗ trong ký túc xá giá 400.000 đồng")
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("Đã đăng. Covan dùng giá trị mới ngay.")).to_be_visible()

    assert (school / "facts" / "dormitory.yml").read_text(encoding="utf-8") == "2026: {room: 400.000 đồng}\n"


def test_somebody_elses_value_is_seen_beside_ones_own(page: Page, school: Path) -> None:
    open_place(page, "Số liệu và công thức")
    page.get_by_test_id("fact").click()
    expect(page.get_by_label("Giá trị", exact=True)).to_have_value("350.000 đồng")
    (school / "facts" / "dormitory.yml").write_text("2026: {room: 360.000 đồng}\n", encoding="utf-8")
    page.get_by_label("Giá trị", exact=True).fill("400.000 đồng")
    page.get_by_role("button", name="Đăng", exact=True).click()

    expect(page.get_by_test_id("conflict")).to_contain_text("360.000 đồng")
    page.get_by_role("button", name="Giữ bản của tôi để sửa tiếp").click()
    expect(page.get_by_label("Giá trị", exact=True)).to_have_value("400.000 đồng")
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("Đã đăng. Covan dùng giá trị mới ngay.")).to_be_visible()
    assert load_knowledge(school).facts["facts.dormitory.2026.room"] == "400.000 đồng"


def test_a_calculator_is_tried_and_its_text_edited_with_faults_at_their_line(
    page: Page, school: Path
) -> None:
    open_place(page, "Số liệu và công thức")
    page.get_by_text("Công thức", exact=True).click()
    page.get_by_test_id("calculator").click()
    page.get_by_role("button", name="Tính", exact=True).click()
    expect(page.get_by_test_id("outcome")).to_contain_text("Còn thiếu: Bạn ở mấy tháng?")
    page.get_by_label("Bạn ở mấy tháng?").fill("5")
    page.get_by_role("button", name="Tính", exact=True).click()
    expect(page.get_by_test_id("outcome")).to_contain_text("1.750.000")
    page.get_by_role("tab", name="Quy tắc").click()
    expect(page.get_by_test_id("rule")).to_contain_text("từ 1 đến 12 · số nguyên")

    page.get_by_role("tab", name="Sửa").click()
    editor = page.get_by_role("textbox", name="Nội dung công thức")
    text = editor.input_value()
    editor.fill(text.replace("most: 12", "moost: 12"))
    page.get_by_role("button", name="Kiểm tra").click()
    line = 1 + next(row for row, each in enumerate(text.split("\n")) if "most" in each)
    expect(page.locator(".numbers .wrong")).to_have_text(str(line))
    expect(page.get_by_test_id("faults")).to_contain_text("moost")

    editor.fill(text.replace("most: 12", "most: 10"))
    page.get_by_role("button", name="Kiểm tra").click()
    expect(page.get_by_text("Không có lỗi.")).to_be_visible()
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("Đã đăng. Covan tính theo công thức mới ngay.")).to_be_visible()
    assert "most: 10" in (school / "calculators" / "dormitory.yml").read_text(encoding="utf-8")


def save(page: Page) -> None:
    """Press the button, and wait until it is saved."""
    with page.expect_response(lambda answer: answer.request.method in ("PUT", "POST")) as answer:
        page.get_by_role("button", name="Lưu", exact=True).click()
    assert answer.value.ok, answer.value.text()


def test_a_topic_is_renamed_and_another_added(page: Page, school: Path) -> None:
    open_place(page, "Chủ đề và danh mục")
    page.get_by_test_id("topic").filter(has_text="Học phí").click()
    page.get_by_label("Tên", exact=False).first.fill("Tiền học")
    save(page)
    expect(page.get_by_text("Đã lưu.").first).to_be_visible()

    page.get_by_role("button", name="Thêm").click()
    # The form of the topic before has the same fields.
    expect(page.get_by_label("Mã")).to_have_value("")
    page.get_by_label("Mã").fill("sport")
    page.get_by_label("Tên", exact=False).first.fill("Thể thao")
    save(page)
    # What is still to do for it, and the topic itself.
    expect(page.get_by_test_id("warning")).to_contain_text("Hãy ghi ít nhất 5 câu hỏi mẫu")
    expect(page.get_by_label("Mã")).to_have_value("sport")
    expect(page.get_by_label("Tên", exact=False).first).to_have_value("Thể thao")
    # It stands with the topic, and covers no other page.
    open_place(page, "Phiên bản")
    expect(page.get_by_text("câu hỏi mẫu")).to_have_count(0)

    names = {topic.id: topic.name for topic in load_knowledge(school).topics}
    assert (names["tuition"], names["sport"]) == ("Tiền học", "Thể thao")


def test_a_contact_and_the_names_of_a_major_are_changed(page: Page, school: Path) -> None:
    open_place(page, "Chủ đề và danh mục")
    page.get_by_text("Danh mục", exact=True).click()
    page.get_by_test_id("part").filter(has_text="Ban Quản lý").click()
    page.get_by_label("Điện thoại", exact=True).fill("0200 999")
    save(page)
    back = page.get_by_role("button", name="Danh sách")
    if back.is_visible():
        back.click()

    page.get_by_role("combobox", name="Phần của danh mục").click()
    page.get_by_role("option", name="Ngành").click()
    page.get_by_test_id("part").filter(has_text="Kế toán").click()
    page.get_by_label("Tên gọi khác", exact=True).fill("kt dn\nngành kế")
    save(page)

    catalog = load_knowledge(school).catalog
    assert {each.id: each.phone for each in catalog.offices}["ban-ktx"] == "0200 999"
    assert {each.id: each.aliases for each in catalog.majors}["ketoan"] == ("kt dn", "ngành kế")
