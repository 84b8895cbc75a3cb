"""An editor compares the passages of a document with its pages, or with its text, on a laptop and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import SIZES, Enter, OpenPages, scrolling_sideways
from pdf_files import pdf_bytes
from playwright.sync_api import Page, expect
from test_document_pages import PAGES, RULE, uploaded
from test_documents import TEXT, upload

pytestmark = pytest.mark.browser


def at_the_passages(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("tab", name="đoạn").click()


def shown_page(page: Page, number: int) -> None:
    """Wait until a page's picture is there."""
    picture = page.get_by_role("img", name=f"Trang {number} của")
    expect(picture).to_have_attribute("data-state", "shown")
    assert picture.evaluate("each => each.naturalWidth") > 1_000
    expect(page.get_by_label("Số trang")).to_have_value(str(number))


def to_passages(page: Page, size: tuple[int, int]) -> None:
    """On a phone, one of both is shown."""
    if size[0] < 900:
        page.get_by_text("Đoạn đã đọc", exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_passages_lead_to_pages_and_pages_to_passages(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    draft = uploaded(enter("editor"))
    page.goto(f"/documents/draft-{draft}")
    expect(page.get_by_role("img", name="Nên xem kỹ")).to_be_visible()
    at_the_passages(page, f"/documents/draft-{draft}")
    passages = page.get_by_test_id("passages")
    expect(page.get_by_test_id("look-at")).to_contain_text("trang 2–3")
    expect(passages.locator('[data-page="2"]')).to_contain_text("không có chữ mà Covan đọc được")
    expect(passages.locator('[data-page="3"]')).to_contain_text("Trang này có bảng")

    passages.get_by_role("button", name="Xem Điều 3 ở trang 3").click()

    shown_page(page, 3)
    expect(page.get_by_test_id("original")).to_contain_text("Trang này có bảng")
    assert scrolling_sideways(page) == []
    to_passages(page, size)
    expect(page.locator("[data-chosen]")).to_contain_text("30.000 đồng")
    expect(page.locator("[data-chosen]")).to_be_in_viewport()
    passages.get_by_role("button", name="Xem Điều 1 ở trang 1").click()
    shown_page(page, 1)

    page.get_by_role("button", name="Trang sau").click()

    shown_page(page, 2)
    to_passages(page, size)
    expect(passages.locator("[data-current]")).to_have_attribute("data-page", "2")
    expect(passages.locator("[data-current]")).to_be_in_viewport()
    assert scrolling_sideways(page) == []
    # The list of documents is one press away.
    page.get_by_role("button", name="Mọi văn bản").click()
    expect(page.get_by_test_id("document").first).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_the_lines_of_a_passage_are_framed_on_the_picture_of_its_page(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    rules = [[line.format(n=n) for line in RULE] for n in (1, 2)]
    # At the bottom of the page: the pane is scrolled to it.
    first = [*rules[0], *[""] * 40, *rules[1]]
    content = pdf_bytes([first, ["Sinh viên trả tủ đồ trước kỳ nghỉ hè và nộp lại chìa khóa."], []])
    page = open_pages("editor", size)
    draft = upload(enter("editor"), "thue-tu-do.pdf", content)["draft"]
    at_the_passages(page, f"/documents/draft-{draft}")
    frame, picture = page.get_by_test_id("frame"), page.get_by_role("img", name="Trang 1 của")
    if size[0] >= 900:
        shown_page(page, 1)
        expect(frame).to_have_count(0)

    page.get_by_test_id("passages").get_by_role("button", name="Xem Điều 2 ở trang 1").click()

    shown_page(page, 1)
    expect(frame).to_have_count(1)
    expect(frame).to_be_in_viewport()
    inner, outer = frame.bounding_box(), picture.bounding_box()
    assert inner is not None
    assert outer is not None
    # Where the PDF has the two lines: 14 points each, from the 44th line on, on a page of 842.
    top, bottom = (inner["y"] - outer["y"]) / outer["height"], inner["height"] / outer["height"]
    assert top == pytest.approx((42 + 14 * 42 - 8) / 842, abs=0.03)
    assert bottom < 3 * 14 / 842
    assert scrolling_sideways(page) == []
    # The passage goes on on the next page; the third one has nothing of it.
    page.get_by_role("button", name="Trang sau").click()
    shown_page(page, 2)
    expect(frame).to_have_count(1)
    page.get_by_role("button", name="Trang sau").click()
    shown_page(page, 3)
    expect(frame).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_published_document_is_compared_by_an_advisor(
    open_pages: OpenPages, school: Path, size: tuple[int, int]
) -> None:
    (school / "documents" / "noi-quy-ktx.txt").unlink()
    (school / "documents" / "noi-quy-ktx.pdf").write_bytes(pdf_bytes(PAGES))
    page = open_pages("advisor", size)
    at_the_passages(page, "/documents/noi-quy-ktx")
    if size[0] < 900:
        page.get_by_text("Trang gốc", exact=True).click()

    page.get_by_label("Số trang").fill("3")

    shown_page(page, 3)


@pytest.mark.parametrize("size", SIZES)
def test_a_text_without_pages_stands_beside_its_passages(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    draft = upload(enter("editor"), "thue-tu-do.txt")["draft"]
    at_the_passages(page, f"/documents/draft-{draft}")

    page.get_by_role("button", name="Xem Điều 2 trong văn bản").click()

    marked = page.get_by_test_id("original").locator("[data-chosen]")
    expect(marked).to_have_text(TEXT.splitlines()[-1])
    expect(marked).to_be_in_viewport()
    expect(page.get_by_test_id("original")).to_contain_text("QUY ĐỊNH VỀ THUÊ TỦ ĐỒ")

    page.get_by_test_id("original").get_by_text("bồi thường 50.000 đồng").click()

    chosen = page.get_by_test_id("passages").locator("[data-chosen]")
    expect(chosen).to_contain_text("50.000 đồng")
    expect(chosen).to_be_in_viewport()
    assert scrolling_sideways(page) == []


def test_a_page_that_cannot_be_shown_says_what_to_do(open_pages: OpenPages, enter: Enter) -> None:
    page = open_pages("editor", (1280, 800))
    draft = uploaded(enter("editor"))
    address = f"**/api/documents/drafts/{draft}/pages/3"
    told = '{"error": "too_many_pages", "message": "wait", "detail": {}}'
    page.route(address, lambda route: route.fulfill(status=429, content_type="application/json", body=told))
    at_the_passages(page, f"/documents/draft-{draft}")
    page.get_by_role("button", name="Xem Điều 3 ở trang 3").click()

    expect(page.get_by_test_id("original")).to_contain_text("Hãy chờ vài giây rồi bấm Thử lại")
    page.unroute(address)
    page.get_by_role("button", name="Thử lại").click()

    shown_page(page, 3)


@pytest.mark.parametrize("size", SIZES)
def test_a_scan_says_that_nothing_was_read_and_shows_its_pages(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    draft = upload(enter("editor"), "ban-quet.pdf", pdf_bytes([[], [], []]))["draft"]
    at_the_passages(page, f"/documents/draft-{draft}")

    expect(page.get_by_test_id("passages")).to_contain_text("Không đọc được đoạn nào")

    if size[0] < 900:
        page.get_by_text("Trang gốc", exact=True).click()
    page.get_by_role("button", name="Trang sau").click()
    shown_page(page, 2)
    assert scrolling_sideways(page) == []


def test_the_text_as_read_is_shown_without_the_signs_of_markdown(open_pages: OpenPages, enter: Enter) -> None:
    page = open_pages("editor", (1280, 800))
    rows = "".join(
        f"| K{n} | {n}0.000 đồng một tháng, **nộp** trước theo học kỳ ở quầy |\n" for n in range(40, 52)
    )
    text = f"### Điều 1. Mức thuê\n\n| Khóa | Giá |\n|---|---|\n{rows}\n### Điều 2. Trả tủ\n\nTrả trước hè.\n"
    draft = upload(enter("editor"), "thue-tu-do.md", text)["draft"]
    at_the_passages(page, f"/documents/draft-{draft}")

    page.get_by_role("button", name="Xem Điều 1, bảng, hàng 3 trong văn bản").click()

    original = page.get_by_test_id("original")
    expect(original.locator("[data-chosen]")).to_have_text(
        "K42 | 420.000 đồng một tháng, nộp trước theo học kỳ ở quầy"
    )
    expect(original).to_contain_text("Điều 2. Trả tủ")
    for sign in ("###", "**", "---"):
        expect(original).not_to_contain_text(sign)


def test_what_is_written_about_an_upload_stays_when_its_page_is_left(
    open_pages: OpenPages, enter: Enter
) -> None:
    page = open_pages("editor", (1280, 800))
    draft = upload(enter("editor"), "thue-tu-do.txt")["draft"]
    page.goto(f"/documents/draft-{draft}")
    number = page.get_by_label("Số hiệu", exact=True)
    number.fill("12/QĐ-DH")

    page.get_by_role("link", name="Câu hỏi có sẵn").click()
    expect(number).to_have_count(0)
    page.goto(f"/documents/draft-{draft}")

    expect(number).to_have_value("12/QĐ-DH")


@pytest.mark.parametrize("size", SIZES)
def test_entries_that_would_answer_before_an_upload_are_named(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    text = "# QUY ĐỊNH MỚI\n\nĐiều 1. Thẻ\n1. Mất thẻ sinh viên thì làm lại ở đâu: tại Phòng Hành chính.\n"
    draft = upload(enter("editor"), "quy-dinh-ve-the.txt", text)["draft"]
    page.goto(f"/documents/draft-{draft}")

    told = page.get_by_test_id("nearer-entries")
    expect(told).to_contain_text("nói về cùng chuyện")
    assert scrolling_sideways(page) == []
    told.get_by_role("link").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
