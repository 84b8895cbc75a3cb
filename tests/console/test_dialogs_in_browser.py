"""The dialogs in which something is written, in a real browser: nothing is dropped without a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from console_driver import (
    DROPS,
    LAPTOP,
    NOW,
    PASSWORD,
    SIZES,
    Asked,
    FrontDoor,
    OpenPages,
    Students,
    fill_in,
    in_view,
    new_entry,
)
from playwright.sync_api import Locator, Page, Route, expect

from console.advisors_api import Conversation
from console.api.dependencies import Console

pytestmark = pytest.mark.browser

WRITTEN = "Lời chào đầu tuần"


@pytest.fixture
def taken(front_door: FrontDoor, students: Students) -> Conversation:
    """A student's conversation that the signed-in advisor has taken."""
    students.asks("Cho em gặp cố vấn")
    at = datetime.fromtimestamp(NOW, UTC)
    about = {"id": 1, "channel": "web", "sender": "an", "question": "Cho em gặp cố vấn"}
    of_me = {"status": "taken", "taken_by": "Cô administrator", "taken_at": at}
    found = Conversation.model_validate({**about, **of_me, "opened_at": at, "last_at": at, "messages": []})
    front_door.conversations.append(found)
    return found


def account(page: Page) -> Locator:
    page.goto("/people")
    page.get_by_role("row", name="Cô Lan").get_by_role("button", name="Sửa").click()
    return page.get_by_role("dialog").get_by_label("Tên (sinh viên nhìn thấy)")


def new_account(page: Page) -> Locator:
    page.goto("/people")
    page.get_by_role("button", name="Thêm người").click()
    return page.get_by_role("dialog").get_by_label("Tên đăng nhập")


def canned_reply(page: Page) -> Locator:
    page.goto("/inbox/1")
    page.get_by_role("button", name="Câu soạn sẵn").click()
    page.get_by_role("dialog").get_by_role("button", name="Thêm câu").click()
    return page.get_by_role("dialog").get_by_label("Tên gọi")


def note_of_a_hand_on(page: Page) -> Locator:
    page.goto("/inbox/1")
    page.get_by_role("button", name="Chuyển", exact=True).click()
    return page.get_by_role("dialog").get_by_label("Ghi chú cho người nhận")


def invitation(page: Page) -> Locator:
    page.goto("/try")
    page.get_by_role("button", name="Mời người thử").click()
    return page.get_by_role("dialog").get_by_label("Mời ai")


def entry(page: Page) -> Locator:
    return new_entry(page).get_by_role("textbox", name="Câu hỏi")


DIALOGS = [account, new_account, canned_reply, note_of_a_hand_on, invitation, entry]


@pytest.mark.parametrize("opened", DIALOGS)
def test_a_dialog_asks_before_it_drops_what_was_written(
    open_pages: OpenPages, console: Console, taken: Conversation, opened: Callable[[Page], Locator]
) -> None:
    del taken
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", LAPTOP)
    field, asked = opened(page), Asked(page)
    field.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked.messages == []  # nothing was written

    field = opened(page)
    field.fill(WRITTEN)
    field.press("Escape")
    expect(field).to_have_value(WRITTEN)
    assert asked.messages == [DROPS]
    asked.stays = False
    field.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked.messages == [DROPS, DROPS]


def test_escape_in_a_dialog_over_a_form_leaves_the_form_alone(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    asked, form = Asked(page), new_entry(page)
    fill_in(form, "Có.", WRITTEN)
    question = form.get_by_role("textbox", name="Câu hỏi")
    page.get_by_role("button", name="Mời người thử bản nháp").click()
    invited = page.get_by_role("dialog", name="Mời người thử")
    invited.get_by_label("Mời ai").press("Escape")
    expect(invited).to_have_count(0)
    expect(question).to_have_value(WRITTEN)
    assert asked.messages == []


def test_a_click_beside_an_account_asks_and_a_saved_one_does_not(
    open_pages: OpenPages, console: Console
) -> None:
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", LAPTOP)
    asked, name = Asked(page), account(page)
    form = page.get_by_role("dialog")
    form.get_by_role("checkbox", name="Biên tập").click()
    page.mouse.click(5, 400)
    assert asked.messages == [DROPS]
    expect(form.get_by_role("checkbox", name="Biên tập")).to_be_checked()
    name.fill("Cô Lan Anh")
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert asked.messages == [DROPS]
    assert "Cô Lan Anh" in {each.name for each in console.accounts.all()}


def test_a_canned_reply_goes_to_the_cursor_and_is_not_doubled(
    open_pages: OpenPages, taken: Conversation
) -> None:
    del taken
    page = open_pages("administrator", LAPTOP)
    page.goto("/inbox/1")
    reply = page.get_by_role("textbox", name="Trả lời sinh viên")

    def insert() -> None:
        page.get_by_role("button", name="Câu soạn sẵn").click()
        page.get_by_test_id("canned").click()
        expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Câu soạn sẵn").click()
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="Thêm câu").click()
    form.get_by_label("Tên gọi").fill("Giờ mở cửa")
    form.get_by_label("Nội dung").fill("Phòng mở cửa 7:30–16:30.")
    form.get_by_role("button", name="Lưu", exact=True).click()
    page.get_by_test_id("canned").click()
    expect(reply).to_have_value("Phòng mở cửa 7:30–16:30.")
    insert()
    expect(reply).to_have_value("Phòng mở cửa 7:30–16:30.")

    reply.fill("Chào em,\nEm cần gì cứ hỏi nhé.")
    reply.evaluate("box => box.setSelectionRange(8, 8)")
    insert()
    told = "Chào em,\n\nPhòng mở cửa 7:30–16:30.\n\nEm cần gì cứ hỏi nhé."
    expect(reply).to_have_value(told)
    insert()
    expect(reply).to_have_value(told)


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize(
    ("opened", "most"), [(canned_reply, 80), (note_of_a_hand_on, 4_000), (new_account, 200)]
)
def test_what_is_too_long_is_kept_and_told_in_dialogs(
    open_pages: OpenPages, opened: Callable[[Page], Locator], most: int
) -> None:
    page = open_pages("administrator", LAPTOP)
    field = opened(page)
    field.fill("a" * (most + 7))
    expect(page.get_by_text(f"Dài quá 7 ký tự (tối đa {most})")).to_be_visible()
    expect(field).to_have_value("a" * (most + 7))


@pytest.mark.usefixtures("taken")
def test_a_reply_that_is_too_long_is_kept_and_not_sent(open_pages: OpenPages) -> None:
    page = open_pages("administrator", LAPTOP)
    page.goto("/inbox/1")
    reply = page.get_by_role("textbox", name="Trả lời")
    reply.fill("a" * 4_007)
    expect(page.get_by_text("Dài quá 7 ký tự (tối đa 4000)")).to_be_visible()
    expect(reply).to_have_value("a" * 4_007)
    expect(page.get_by_role("button", name="Gửi", exact=True)).to_be_disabled()


def test_a_reload_asks_while_a_reply_is_written_and_giving_back_asks_first(
    open_pages: OpenPages, taken: Conversation, front_door: FrontDoor
) -> None:
    assert taken in front_door.conversations
    page = open_pages("administrator", LAPTOP)
    page.goto("/inbox/1")
    reply = page.get_by_role("textbox", name="Trả lời sinh viên")
    reply.fill("Chào em, cô")
    asked = Asked(page)
    page.get_by_role("link", name="Hôm nay", exact=True).click()
    page.evaluate("location.reload()")
    page.go_back()
    expect(reply).to_have_value("Chào em, cô")
    assert asked.messages == ["beforeunload"]

    page.get_by_role("button", name="Trả lại cho Covan").click()
    expect(page.get_by_role("dialog")).to_contain_text("cuộc này đóng")
    page.get_by_role("dialog").get_by_role("button", name="Thôi").click()
    expect(reply).to_have_value("Chào em, cô")
    reply.fill("")
    with page.expect_event("load"):
        page.evaluate("location.reload()")
    assert asked.messages == ["beforeunload"]


def test_a_form_that_is_being_published_stays_until_it_is(open_pages: OpenPages) -> None:
    page = open_pages("administrator", LAPTOP)
    waits: list[Route] = []

    def hold(route: Route) -> None:
        waits.append(route)

    page.route("**/api/faq/entries", hold)
    form = new_entry(page)
    fill_in(form, "Có.", "Trường có phòng tự học không?")
    with page.expect_request("**/api/faq/entries"):
        form.get_by_role("button", name="Đăng").click()

    page.keyboard.press("Escape")
    form.get_by_role("button", name="Thôi").click()
    expect(form).to_be_visible()
    waits[0].continue_()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    expect(form).to_have_count(0)


def test_who_may_not_reply_gets_no_link_to_the_inbox(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    expect(page.get_by_text("Đang chờ người")).to_be_visible()
    expect(page.locator("a[href='/gaps']")).not_to_have_count(0)
    expect(page.locator("a[href='/inbox']")).to_have_count(0)


@pytest.fixture
def inbox(front_door: FrontDoor, students: Students) -> Sequence[Conversation]:
    """Conversations of students who wait, wait, and have an advisor; one that is closed."""
    students.asks("Em bị trừ tiền hai lần", "student-3")
    opened = datetime.fromtimestamp(NOW, UTC)
    front_door.conversations = [
        Conversation(
            id=number,
            channel="web",
            sender=f"student-{number}",
            status=status,
            question=question,
            opened_at=opened,
            last_at=opened,
            messages=(),
        )
        for number, (status, question) in enumerate(
            (("waiting", "Mất thẻ"), ("taken", "Học bổng"), ("waiting", "Học phí"), ("closed", "Điểm")),
            start=1,
        )
    ]
    return front_door.conversations


def test_the_menu_counts_the_students_who_wait(
    open_pages: OpenPages, front_door: FrontDoor, inbox: Sequence[Conversation]
) -> None:
    page = open_pages("advisor", LAPTOP)
    link = page.get_by_role("navigation").get_by_role("link", name="Hộp thư")
    expect(link.get_by_label("2 sinh viên đang chờ")).to_be_visible()

    front_door.conversations = [*inbox[1:]]
    link.click()

    expect(link.get_by_label("1 sinh viên đang chờ")).to_be_visible()


@pytest.mark.usefixtures("inbox")
@pytest.mark.parametrize("size", SIZES)
def test_the_inbox_is_searched_without_diacritics(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("advisor", size)
    page.goto("/inbox")
    expect(page.get_by_test_id("waiting")).to_have_count(2)
    search = page.get_by_role("textbox", name="Tìm trong câu hỏi")

    search.fill("bi tru tien")
    expect(page.get_by_test_id("waiting")).to_have_count(1)
    expect(page.get_by_test_id("waiting")).to_contain_text("Học phí")
    expect(page.get_by_text("Đang chờ 1")).to_be_visible()

    search.fill("hoc bong")
    expect(page.get_by_role("status")).to_contain_text("Không có cuộc trò chuyện nào")
    expect(page.get_by_text("Đồng nghiệp 1")).to_be_visible()
    assert in_view(page)


def test_too_many_days_of_an_invitation_are_told(open_pages: OpenPages) -> None:
    page = open_pages("administrator", LAPTOP)
    invitation(page).fill("Lớp thử")
    days = page.get_by_role("dialog").get_by_label("Số ngày")
    days.fill("99")
    days.press("Tab")

    expect(days).to_have_value("99")
    expect(page.get_by_role("dialog")).to_contain_text("Từ 1 đến 30")
    expect(page.get_by_role("button", name="Tạo đường dẫn")).to_be_disabled()


def test_a_fault_of_the_catalogue_calls_the_field_by_its_label(open_pages: OpenPages) -> None:
    page = open_pages("administrator", LAPTOP)
    page.goto("/topics/office~")
    page.get_by_label("Mã", exact=False).first.fill("Trí tuệ")
    page.get_by_label("Tên", exact=True).fill("Phòng Trí tuệ nhân tạo")
    page.get_by_role("button", name="Lưu", exact=True).click()

    told = page.get_by_role("alert")
    expect(told).to_contain_text("“Mã”")
    expect(told).not_to_contain_text("'id'")
