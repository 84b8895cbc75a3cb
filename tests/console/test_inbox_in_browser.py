"""The inbox in a real browser: who waits is told of on every page, and found by office and by topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from console_driver import PASSWORD, SIZES, FrontDoor, OpenPages, scrolling_sideways
from playwright.sync_api import Page, expect

from console.advisors_api import Conversation
from console.api.dependencies import Console

pytestmark = pytest.mark.browser

STUDY, FINANCE = "Phòng Đào tạo", "Phòng Tài chính"

# The pages poll every 15 s: the test lets that time pass at once.
NOTIFICATIONS = """
window.shown = [];
class Told {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title) { if (%s) throw new TypeError("Illegal constructor."); window.shown.push(title); }
}
Object.defineProperty(window, "Notification", { value: Told, configurable: true, writable: true });
Object.defineProperty(navigator, "serviceWorker", { value: {
  register: async (address) => window.shown.push(address),
  ready: Promise.resolve({ showNotification: async (title) => window.shown.push(title) }),
}});
"""


def waiting(number: int, office: str = "", topic: str = "", minutes: int = 12, **more: Any) -> Conversation:
    opened = datetime.now(UTC) - timedelta(minutes=minutes, seconds=5)
    told = {"status": "waiting", "question": f"Câu {number}?", "messages": (), **more}
    of = {"id": number, "channel": "web", "sender": f"sv{number}", "office": office, "topic": topic}
    return Conversation(**of, **told, opened_at=opened, last_at=opened)


def shown(page: Page) -> list[str]:
    return list(page.evaluate("window.shown"))


def questions(page: Page, wanted: Sequence[int]) -> None:
    """Check which conversations are listed."""
    rows = page.get_by_test_id("waiting")
    expect(rows).to_have_count(len(wanted))
    for number in wanted:
        expect(rows.filter(has_text=f"Câu {number}?")).to_have_count(1)


@pytest.mark.parametrize(
    ("throws", "told"),
    [
        pytest.param("false", ["Có sinh viên đang chờ"], id="constructor"),
        pytest.param("true", ["/notifications.js", "Có sinh viên đang chờ"], id="service worker"),
    ],
)
def test_a_student_who_begins_to_wait_is_told_of_on_every_page(
    open_pages: OpenPages, front_door: FrontDoor, throws: str, told: list[str]
) -> None:
    front_door.conversations = [waiting(1)]
    page = open_pages("advisor", (1280, 800))
    page.add_init_script(NOTIFICATIONS % throws)
    page.clock.install()
    page.goto("/faq")
    count = page.get_by_role("link", name="Hộp thư").get_by_label("đang chờ")
    expect(count).to_have_text("1")
    assert shown(page) == [], "who waited before is no news"

    front_door.conversations = [waiting(1), waiting(2)]
    page.clock.fast_forward(16_000)

    expect(count).to_have_text("2")
    page.wait_for_function("window.shown.length > 0")
    assert shown(page) == told
    # The page stands: one that threw while it was drawn would be blank.
    expect(page.get_by_role("heading", name="Câu hỏi có sẵn")).to_be_visible()
    # Taken by a colleague, and handed on: told to whom it was handed.
    front_door.conversations = [waiting(1), waiting(2, status="taken", taken_by="Cô Mai")]
    page.clock.fast_forward(16_000)
    expect(count).to_have_text("1")
    front_door.conversations = [waiting(2, status="taken", taken_by="Cô advisor")]
    page.clock.fast_forward(16_000)
    expect(count).to_have_count(0)
    page.wait_for_function(f"window.shown.length === {2 * len(told)}")
    assert shown(page)[-1] == "Một cuộc trò chuyện vừa được chuyển cho bạn"


@pytest.mark.parametrize("size", SIZES)
def test_conversations_are_found_by_office_and_by_topic(
    open_pages: OpenPages, front_door: FrontDoor, console: Console, size: tuple[int, int]
) -> None:
    front_door.conversations = [
        waiting(1, STUDY, "study"),
        waiting(2, FINANCE, "tuition", minutes=125),
        waiting(3, FINANCE, "dormitory"),
        waiting(4),
    ]
    page = open_pages("advisor", size)
    page.goto("/inbox")
    questions(page, [1, 2, 3, 4])
    row = page.get_by_test_id("waiting").filter(has_text="Câu 2?")
    expect(row).to_contain_text(f"Học phí · {FINANCE}")
    expect(row.get_by_text("chờ 2 giờ 5 phút")).to_have_attribute("title", re.compile(r"\d\d:\d\d"))
    expect(page.get_by_test_id("waiting").filter(has_text="Câu 1?")).to_contain_text("chờ 12 phút")

    page.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option", name="Học phí").click()
    questions(page, [2])
    row.click()
    assert "topic=tuition" in page.url
    assert scrolling_sideways(page) == []

    # The offices of a person are what is shown first, and what no office is asked; all is one click away.
    console.accounts.create("chief", "Cô Mai", ["administrator"], PASSWORD)
    console.accounts.change("advisor", offices=["phong-tai-chinh"])
    page.goto("/inbox")
    questions(page, [2, 3, 4])
    page.get_by_role("button", name="Xem tất cả").click()
    questions(page, [1, 2, 3, 4])
    page.reload()
    questions(page, [1, 2, 3, 4])
    page.get_by_role("combobox", name="Phòng, ban").click()
    page.get_by_role("option", name=STUDY).click()
    questions(page, [1])
    page.get_by_role("combobox", name="Phòng, ban").click()
    page.get_by_role("option", name="Phòng, ban của tôi").click()
    questions(page, [2, 3, 4])
