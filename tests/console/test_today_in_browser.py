"""The day's figures in a real browser: every outcome by channel and source, beside those before, and as a table."""

from __future__ import annotations

import csv
from datetime import UTC, datetime

import pytest
from console_driver import NOW, PHONE, SIZES, FrontDoor, OpenPages, Students, scrolling_sideways
from playwright.sync_api import Locator, Page, expect

from console.advisors_api import Conversation

pytestmark = pytest.mark.browser

FINANCE = "Phòng Tài chính"
UNANSWERED = "Trường có cho thuê sân bóng không?"
DAY_S = 24 * 3600


@pytest.fixture
def asked(students: Students, front_door: FrontDoor) -> None:
    """Ten turns of four outcomes on two channels, five times with a reply, one of the days before; two who wait."""
    tuition = {"decision": "answer", "source": "faq", "answer_id": "tuition-deadline", "topic": "tuition"}
    for number in range(5):
        students.asks("Hạn đóng học phí?", f"a{number}", took=float(number + 1), **tuition)
    students.asks("Học phí?", "b", decision="clarify", source="faq", channel="zalo")
    for number in range(3):
        students.asks(UNANSWERED, f"c{number}")
    students.asks("Em cảm ơn cô ạ", "d", decision="passed_on", handed_over=True)
    students.asks("Hạn đóng học phí?", "e", at=NOW - 8 * DAY_S, took=20.0, **tuition)
    opened = datetime.fromtimestamp(NOW - 600, UTC)
    front_door.conversations = [
        Conversation(
            **{"id": number, "channel": "web", "sender": f"sv{number}", "status": "waiting"},
            **{"office": office, "opened_at": opened, "last_at": opened, "messages": ()},
        )
        for number, office in ((1, FINANCE), (2, FINANCE), (3, ""))
    ]


def figure(page: Page, name: str) -> Locator:
    return page.get_by_test_id("figure").filter(has=page.get_by_text(name, exact=True))


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("size", SIZES)
def test_every_outcome_is_counted_and_leads_to_its_questions(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("advisor", size)
    for name, share in (
        ("Trả lời được", "50"),
        ("Hỏi lại", "10"),
        ("Chưa trả lời được", "30"),
    ):
        expect(figure(page, name)).to_contain_text(f"{share}\u00a0%")
    handed = figure(page, "Chuyển cho cố vấn")
    expect(handed).to_contain_text("1đã có người nhận: 0 · kỳ trước: 0")
    handed.get_by_text("Số này đếm gì?").click()
    expect(handed.get_by_role("link", name="10\u00a0% số câu hỏi.")).to_be_visible()
    expect(figure(page, "Thời gian trả lời")).to_contain_text("kỳ trước: 20 và 20 giây")
    by_day = page.locator("canvas[aria-label^='Theo ngày']")
    expect(by_day).to_have_attribute("aria-label", "Theo ngày: 18/11 5/1/3/1")
    assert scrolling_sideways(page) == []
    if size == PHONE:
        # The first plot, then the table of topics.
        plot, topics = by_day.bounding_box(), page.get_by_test_id("topics").bounding_box()
        assert plot is not None
        assert topics is not None
        assert plot["y"] < topics["y"]

    rows = page.get_by_test_id("outcomes")
    expect(rows.filter(has_text="Zalo")).to_contain_text("Hỏi lại 100\u00a0%")
    expect(rows.filter(has_text="Câu hỏi có sẵn")).to_contain_text("Đã trả lời 83\u00a0% · Hỏi lại 17\u00a0%")
    waiting = page.get_by_test_id("waiting-by")
    expect(waiting).to_contain_text("chưa thuộc phòng nào: 1")
    expect(waiting.get_by_role("link", name=f"{FINANCE}: 2")).to_have_attribute(
        "href", "/inbox?office=" + "Ph%C3%B2ng+T%C3%A0i+ch%C3%ADnh"
    )

    page.get_by_role("link", name="Hạn đóng học phí?").click()
    expect(page.get_by_test_id("used-filters")).to_contain_text("tuition-deadline")
    expect(page.get_by_role("button").filter(has_text="Hạn đóng học phí?")).to_have_count(5)
    page.go_back()
    page.get_by_role("link", name=UNANSWERED).click()
    expect(page.get_by_test_id("gap").filter(has_text=UNANSWERED)).to_be_in_viewport()


@pytest.mark.usefixtures("asked")
def test_the_table_has_all_that_the_page_shows(open_pages: OpenPages) -> None:
    page = open_pages("advisor", (1280, 800))
    expect(page.get_by_role("link", name=UNANSWERED)).to_be_visible()
    with page.expect_download() as sent:
        page.get_by_role("button", name="Tải CSV").click()

    text = sent.value.path().read_text(encoding="utf-8-sig")
    rows = [tuple(row) for row in csv.reader(text.splitlines())]

    for row in (
        ("Kết quả", "", "Đã chuyển cho cố vấn", "1"),
        ("Kênh", "Zalo", "Hỏi lại", "1"),
        ("Nguồn", "Câu hỏi có sẵn", "Đã trả lời", "5"),
        ("Ngày", "2026-11-18", "Đã chuyển cho cố vấn", "1"),
        ("Giây để trả lời", "", "Một nửa số câu trong", "1"),
        ("Giây để trả lời", "kỳ trước", "95 % số câu trong", "20"),
        ("Được hỏi nhiều nhất", "Hạn đóng học phí?", "", "5"),
        ("Chưa trả lời được, hỏi nhiều nhất", UNANSWERED, "", "3"),
        ("Đang chờ người", FINANCE, "", "2"),
        ("Chuyển cho cố vấn", "", "", "1"),
    ):
        assert row in rows
    assert any(kind == "Giờ" and outcome == "Hỏi lại" for kind, _, outcome, _ in rows)
