"""The console's pages of the knowledge graph and of the language model, in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from accessibility import violations
from chat_model import Says, Sent, scripted_model
from console_pages import DocumentsFirst, console_pages, sign_in
from playwright.sync_api import Page, expect
from visiting import Visitor, faultless
from worded_documents import ASKED, first_passage

from rag.language_model.ledger import Budget, Ledger
from rag.settings import Settings

pytestmark = pytest.mark.browser

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
PHONE = (390, 844)
FIRST_PAGE_BYTES = 300_000
KEY = "k-very-secret"

Opens = Callable[..., Page]


def script(body: Sent) -> Says:
    """Word the first passage, and add a sentence that no passage says."""
    if "response_format" in body:
        return Says('{"capital": "Hà Nội"}')
    if body["stream"]:
        return Says("Hà Nội là thủ đô.")
    line = first_passage(body).splitlines()[0].rstrip(".")
    return Says(f"{line} [1]. Sinh viên nộp phạt 999.000 đồng [1].")


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small school, with an office that nobody can reach."""
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path_factory.mktemp("school") / "knowledge"))
    catalog = folder / "catalog.yml"
    told = catalog.read_text(encoding="utf-8")
    catalog.write_text(told.replace("Ban Quản lý ký túc xá, phone: 0200 333", "Ban Quản lý ký túc xá"))
    return folder


@pytest.fixture(scope="module")
def with_model(school: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A console whose model has been used."""
    with scripted_model(script) as server:
        settings = Settings(
            state_dir=tmp_path_factory.mktemp("state"),
            llm_url=server.url,
            llm_model="qwen2.5:7b-instruct",
            llm_key=KEY,
            llm_prompt_price=10.0,
        )
        ledger = Ledger(settings.llm_ledger, Budget(prompt_price=10.0))
        ledger.settle(ledger.reserve(1, 1), "qwen2.5:7b-instruct", (12_345, 678), 2_500.0)
        with console_pages(school, settings, DocumentsFirst) as url:
            yield url


@pytest.fixture(scope="module")
def without_model(school: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with console_pages(school, Settings(state_dir=tmp_path_factory.mktemp("state"))) as url:
        yield url


@pytest.fixture
def opens(visitor: Visitor) -> Iterator[Opens]:
    """Opens a page of a console, signed in; fails on any error, and on any request to elsewhere."""
    opened = []

    def open_page(url: str, place: str, size: tuple[int, int] = (1280, 800)) -> Page:
        page = visitor(*size).new_page()
        watched = faultless(page, url)
        watched.__enter__()
        opened.append(watched)
        sign_in(page, url)
        page.goto(f"{url}{place}")
        return page

    yield open_page
    for watched in opened:
        watched.__exit__(None, None, None)


def choose(page: Page, field: str, value: str) -> None:
    page.get_by_role("combobox", name=field).click()
    page.get_by_role("option", name=value).click()
    page.keyboard.press("Escape")


def is_as_wide_as_the_phone(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") <= PHONE[0])


def test_a_node_is_found_expanded_and_followed_to_its_source(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/graph")
    found, node = page.get_by_test_id("found"), page.get_by_test_id("node")
    page.get_by_label("Tìm theo tên hoặc mã").fill("phong dao tao")
    found.get_by_role("button", name="Phòng Đào tạo").click()

    expect(node.get_by_role("heading")).to_have_text("Phòng Đào tạo")
    expect(node).to_contain_text("0200 111")
    drawn = page.locator(".picture")
    # With its two topics; looking at one of these draws nothing more, and expanding it does.
    expect(drawn).to_have_accessible_name(re.compile("^Hình vẽ 3 mục"))
    node.get_by_role("button", name="Ngoại ngữ", exact=True).click()
    expect(node.get_by_role("heading")).to_have_text("Ngoại ngữ")
    expect(drawn).to_have_accessible_name(re.compile("^Hình vẽ 3 mục"))
    node.get_by_role("button", name="Mở rộng").click()
    expect(drawn).to_have_accessible_name(re.compile("^Hình vẽ [4-9] mục"))

    # The source of an edge opens to its passage, and that to its document.
    page.goto(f"{with_model}/graph")
    choose(page, "Loại", "Khoản thu")
    found.get_by_role("button").first.click()
    node.get_by_role("button", name="Mở căn cứ").first.click()
    passage = page.get_by_test_id("passage")
    expect(passage.get_by_role("blockquote")).to_contain_text("đồng")
    passage.get_by_role("link", name="Xem cả văn bản").click()
    expect(page.get_by_role("tab", name="đoạn")).to_be_visible()


def test_the_graph_is_filtered_by_type_and_topic(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/graph")
    found = page.get_by_test_id("found").get_by_role("button")
    choose(page, "Loại", "Văn bản")
    expect(found).to_have_count(7)
    choose(page, "Chủ đề", "Ký túc xá")

    expect(found).to_have_count(1)
    expect(found).to_contain_text("ký túc xá", ignore_case=True)
    page.get_by_label("Tìm theo tên hoặc mã").fill("zzz")
    expect(page.get_by_text("Không có mục nào")).to_be_visible()


def test_what_the_check_found_leads_to_where_it_is_mended(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/graph")
    page.get_by_role("tab", name="Cần sửa").click()
    problems = page.get_by_test_id("problems")
    expect(problems).to_contain_text("Thiếu liên lạc")
    assert violations(page) == []
    problems.get_by_role("link", name="Ban Quản lý ký túc xá").click()

    expect(page).to_have_url(re.compile("/topics/office~"))
    expect(page.get_by_role("textbox", name="Tên", exact=True)).to_have_value("Ban Quản lý ký túc xá")


def test_on_a_phone_the_graph_is_a_list(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/graph", PHONE)
    page.get_by_label("Tìm theo tên hoặc mã").fill("học phí")
    page.get_by_test_id("found").get_by_role("button", name="Học phí").first.click()
    node = page.get_by_test_id("node")
    expect(node.get_by_role("heading")).to_have_text("Học phí")
    assert page.locator(".picture").count() == 0
    assert is_as_wide_as_the_phone(page)
    assert violations(page) == []

    page.get_by_role("button", name="Danh sách").click()
    expect(page.get_by_label("Tìm theo tên hoặc mã")).to_have_value("học phí")


def test_the_pages_speak_english(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/graph/Office:phong-tai-chinh")
    page.get_by_role("button", name="English").click()

    expect(page.get_by_test_id("node")).to_contain_text("Office")
    expect(page.get_by_role("heading", name="Knowledge graph")).to_be_visible()


def test_a_question_is_tried_with_what_the_verifier_dropped(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/model")
    page.get_by_label("Câu hỏi").fill(ASKED)
    page.get_by_role("button", name="Hỏi", exact=True).click()

    tried = page.get_by_test_id("tried")
    expect(tried.get_by_test_id("dropped")).to_contain_text("Sinh viên nộp phạt 999.000 đồng")
    expect(tried.get_by_test_id("dropped")).to_contain_text("con số không có trong nguồn")
    expect(tried.locator(".bubble").first).to_contain_text("[1]")
    expect(tried).to_contain_text("viết câu trả lời: 120 token · 0,001")
    assert KEY not in page.content()
    # Under the mouse, a button is paler.
    page.mouse.move(0, 0)
    assert violations(page) == []


def test_the_connection_is_checked_and_the_days_are_plotted(with_model: str, opens: Opens) -> None:
    page = opens(with_model, "/model", PHONE)
    page.get_by_role("button", name="Kiểm tra kết nối").click()
    expect(page.get_by_test_id("checked")).to_contain_text("Máy chủ giữ đúng khuôn JSON.")

    usage = page.get_by_test_id("usage")
    expect(usage.get_by_role("img", name="Token:")).to_be_visible()
    usage.get_by_text("Chi phí", exact=True).first.click()
    expect(usage.get_by_role("img", name="Chi phí:")).to_be_visible()
    expect(usage.locator("tbody tr")).to_have_count(1)
    assert is_as_wide_as_the_phone(page)


def test_without_a_model_the_page_says_how_to_have_one(without_model: str, opens: Opens) -> None:
    page = opens(without_model, "/model", PHONE)

    expect(page.get_by_text("Chưa dùng mô hình nào, và Covan không cần có")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("COVAN_LLM_URL=")
    expect(page.locator("pre")).to_contain_text("COVAN_LLM_MODEL=")
    assert is_as_wide_as_the_phone(page)
    assert violations(page) == []


def test_the_first_page_is_light(visitor: Visitor, without_model: str) -> None:
    """The page to sign in, and then the first one that an advisor sees, on a connection of a phone."""
    page = visitor(1280, 800).new_page()
    sign_in(page, without_model)
    page.wait_for_load_state("networkidle")

    loaded = page.evaluate(
        "() => performance.getEntriesByType('resource').map((each) => [each.name, each.encodedBodySize])"
    )

    assert any(name.endswith(".js") for name, _ in loaded)
    assert sum(size for _, size in loaded) < FIRST_PAGE_BYTES, sorted(loaded, key=lambda each: -each[1])
