"""Two people change one thing: the second one sees both texts, field by field, and loses nothing of their own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from console_driver import (
    NOW,
    PASSWORD,
    SIZES,
    Enter,
    FrontDoor,
    OpenPages,
    Students,
    in_view,
    scrolling_sideways,
)
from playwright.sync_api import Locator, Page, expect
from test_documents import TEXT, metadata, upload
from test_thresholds import measured, put, see_answers

from console.advisors_api import Conversation
from console.api.dependencies import Console
from console.canned_replies import CannedReplies

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
    other = page.get_by_test_id("their-version")
    expect(other.get_by_text("9/NQ-KTX")).to_be_hidden()
    other.locator("summary").click()
    expect(other.get_by_text("9/NQ-KTX")).to_be_visible()
    expect(other.get_by_text("https://sm.edu.vn/ktx")).to_be_visible()
    assert in_view(page)
    other.locator("summary").click()
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


@pytest.mark.parametrize("size", SIZES)
def test_an_account_is_compared_by_its_fields(
    open_pages: OpenPages, console: Console, enter: Enter, size: tuple[int, int]
) -> None:
    made = console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", size)
    page.goto("/people")
    page.get_by_role("row", name="Cô Lan").get_by_role("button", name="Sửa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Tên (sinh viên nhìn thấy)").fill("Cô Lan Anh")
    form.get_by_role("textbox", name="Mật khẩu mới").fill("mat-khau-cua-toi")
    theirs = {
        "name": "Cô Hoa",
        "roles": ["editor"],
        "mail": "lan@truong.test",
        "offices": ["phong-tai-chinh"],
        "active": False,
    }
    seen = {"version": made.version, "password_version": made.password_version}
    saved = enter("administrator", "editor").patch(
        "/api/people/lan", json={**seen, **theirs, "password": "mat-khau-cua-ho"}
    )
    assert saved.status_code == 200, saved.text

    form.get_by_role("button", name="Lưu", exact=True).click()

    conflict = form.get_by_test_id("conflict")
    both(conflict, "Cô Lan Anh", "Cô Hoa")
    both(conflict, "Cố vấn", "Biên tập")
    for told in ("lan@truong.test", "Phòng Tài chính", "Đã khóa", "(bạn không đổi ở đây)", "vừa được đổi"):
        expect(conflict).to_contain_text(told)
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("Cô administrator-editor")
    assert in_view(page)
    keep_mine(page)
    expect(form.get_by_label("Tên (sinh viên nhìn thấy)")).to_have_value("Cô Lan Anh")
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form).to_have_count(0)
    [lan] = [each for each in console.accounts.all() if each.login == "lan"]
    assert (lan.name, lan.roles, lan.mail, lan.active) == ("Cô Lan Anh", ("advisor",), "", False)


def test_what_a_colleague_saved_of_an_account_is_taken(
    open_pages: OpenPages, console: Console, enter: Enter
) -> None:
    made = console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", (1280, 800))
    page.goto("/people")
    row = page.get_by_role("row", name="Cô Lan")
    row.get_by_role("button", name="Sửa").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Tên (sinh viên nhìn thấy)").fill("Cô Lan Anh")
    colleague = enter("administrator", "editor")
    saved = colleague.patch("/api/people/lan", json={"version": made.version, "name": "Cô Mai"}).json()

    form.get_by_role("button", name="Lưu", exact=True).click()
    form.get_by_role("button", name="Bỏ bản của tôi, lấy bản đang lưu").click()
    expect(form.get_by_label("Tên (sinh viên nhìn thấy)")).to_have_value("Cô Mai")
    form.get_by_role("button", name="Đóng").click()

    # Locking an account that was changed since the list was read asks to look again.
    row = page.get_by_role("row", name="Cô Mai")
    row.get_by_role("button", name="Khóa tài khoản").click()
    asked = page.get_by_role("dialog", name="Khóa tài khoản")
    assert colleague.patch("/api/people/lan", json={"version": saved["version"], "name": "Cô Hoa"}).is_success
    asked.get_by_role("button", name="Khóa tài khoản").click()
    expect(page.get_by_text("Tài khoản này vừa được người khác sửa")).to_be_visible()
    row = page.get_by_role("row", name="Cô Hoa")
    expect(row).to_contain_text("Hoạt động")
    row.get_by_role("button", name="Khóa tài khoản").click()
    asked.get_by_role("button", name="Khóa tài khoản").click()
    expect(row).to_contain_text("Đã khóa")


@pytest.mark.parametrize("size", SIZES)
def test_a_threshold_that_a_colleague_chose_meanwhile_is_shown_beside_mine(
    open_pages: OpenPages, console: Console, enter: Enter, tmp_path: Path, size: tuple[int, int]
) -> None:
    see_answers(console, tmp_path)
    colleague = enter("administrator", "editor")
    at = measured(colleague)["measured"]["at"]
    assert put(colleague, 0.07, at).status_code == 200
    page = open_pages("editor", size)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    slider = page.get_by_role("slider", name="Chấp nhận sai nhiều nhất")
    option = page.get_by_test_id("option")

    def choose() -> None:
        option.get_by_role("button", name="Dùng mức này").click()

    slider.press("ArrowLeft")
    mine = option.inner_text().split("nhiều nhất ")[1].split(":")[0]
    choose()
    # The question is on the screen while the colleague chooses.
    assert put(colleague, 0.06, at).status_code == 200
    page.get_by_role("dialog").get_by_role("button", name="Dùng mức này").click()

    conflict = page.get_by_test_id("conflict")
    both(conflict, mine, "6\u00a0%")
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("Cô administrator-editor")
    expect(page.get_by_test_id("threshold")).to_contain_text("sai nhiều nhất 6\u00a0%")
    assert scrolling_sideways(page) == []
    keep_mine(page)
    expect(option).to_contain_text(f"nhiều nhất {mine}:")
    choose()
    page.get_by_role("dialog").get_by_role("button", name="Dùng mức này").click()
    expect(page.get_by_test_id("threshold")).to_contain_text(f"sai nhiều nhất {mine}")

    # Going back would not be to what was seen; the colleague's choice is taken, and the slider stands there.
    page.get_by_role("button", name="Quay lại lựa chọn trước").click()
    assert put(colleague, None).status_code == 200
    page.get_by_role("dialog").get_by_role("button", name="Quay lại lựa chọn trước").click()
    both(conflict, "lựa chọn trước", "ngưỡng có sẵn")
    conflict.get_by_role("button", name="Bỏ bản của tôi").click()
    expect(conflict).to_have_count(0)
    expect(page.get_by_test_id("threshold")).to_contain_text("Trường chưa chọn mức sai nào")


@pytest.fixture
def taken(front_door: FrontDoor, students: Students) -> None:
    """A student's conversation that the signed-in advisor has taken."""
    students.asks("Cho em gặp cố vấn")
    at = datetime.fromtimestamp(NOW, UTC)
    about = {"id": 1, "channel": "web", "sender": "an", "question": "Cho em gặp cố vấn"}
    of_me = {"status": "taken", "taken_by": "Cô advisor", "taken_at": at}
    front_door.conversations.append(
        Conversation.model_validate({**about, **of_me, "opened_at": at, "last_at": at, "messages": []})
    )


def edit_canned_reply(page: Page) -> Locator:
    page.goto("/inbox/1")
    page.get_by_role("button", name="Câu soạn sẵn").click()
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="Sửa “Chào”").click()
    return form


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize("size", SIZES)
def test_a_canned_reply_is_compared_with_what_a_colleague_saved(
    open_pages: OpenPages, console: Console, enter: Enter, size: tuple[int, int]
) -> None:
    replies = CannedReplies(console.database)
    number = replies.add("Chào", "Chào em.", "lan")
    page = open_pages("advisor", size)
    form = edit_canned_reply(page)
    form.get_by_label("Nội dung").fill("Chào em, thầy cô xem rồi trả lời.")
    colleague = enter("administrator")

    def colleague_saves(version: int, text: str) -> None:
        theirs = {"title": "Chào hỏi", "text": text, "version": version}
        saved = colleague.put(f"/api/canned-replies/{number}", json=theirs)
        assert saved.status_code == 204, saved.text

    colleague_saves(1, "Xin chào em.")
    form.get_by_role("button", name="Lưu", exact=True).click()

    conflict = form.get_by_test_id("conflict")
    both(conflict, "Chào em, thầy cô xem rồi trả lời.", "Xin chào em.")
    expect(conflict).to_contain_text("Chào hỏi")
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("Cô administrator")
    assert scrolling_sideways(page) == []
    keep_mine(page)
    expect(form.get_by_label("Nội dung")).to_have_value("Chào em, thầy cô xem rồi trả lời.")
    expect(page.get_by_test_id("their-version")).to_contain_text("Xin chào em.")
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form.get_by_test_id("canned")).to_contain_text("Chào em, thầy cô xem rồi trả lời.")

    # Nor does the page delete a reply that a colleague has changed since; the colleague's text can be taken.
    form.get_by_role("button", name="Sửa “Chào”").click()
    colleague_saves(3, "Chào bạn.")
    form.get_by_role("button", name="Xóa câu này").click()
    page.get_by_role("dialog", name="Xóa câu này").get_by_role("button", name="Xóa câu này").click()
    conflict.get_by_role("button", name="Bỏ bản của tôi").click()
    expect(form.get_by_label("Nội dung")).to_have_value("Chào bạn.")
    assert [each.text for each in replies.all()] == ["Chào bạn."]


@pytest.mark.usefixtures("taken")
def test_the_text_of_a_canned_reply_that_was_deleted_meanwhile_can_be_saved_again(
    open_pages: OpenPages, console: Console, enter: Enter
) -> None:
    replies = CannedReplies(console.database)
    number = replies.add("Chào", "Chào em.", "lan")
    page = open_pages("advisor", (390, 844))
    form = edit_canned_reply(page)
    form.get_by_label("Nội dung").fill("Chào em, thầy cô xem rồi trả lời.")
    assert enter("administrator").delete(f"/api/canned-replies/{number}?version=1").is_success

    form.get_by_role("button", name="Lưu", exact=True).click()

    expect(form.get_by_test_id("deleted")).to_contain_text("Người xóa: Cô administrator")
    expect(form.get_by_role("button", name="Xóa câu này")).to_have_count(0)
    expect(form.get_by_label("Nội dung")).to_have_value("Chào em, thầy cô xem rồi trả lời.")
    assert replies.all() == []
    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form.get_by_test_id("canned")).to_contain_text("Chào em, thầy cô xem rồi trả lời.")
    assert [(each.title, each.version) for each in replies.all()] == [("Chào", 1)]
