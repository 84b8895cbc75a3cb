"""Writing an answer in a real browser: for the questions that are marked, as students see it, and never lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_driver import (
    LAPTOP,
    PHONE,
    SIZES,
    Enter,
    FrontDoor,
    OpenPages,
    Students,
    fill_in,
    in_view,
    scrolling_sideways,
)
from playwright.sync_api import Locator, Page, expect

from console.advisors_api import AdvisorsError
from console.publishing import Publisher

pytestmark = pytest.mark.browser

ASKED = "Trường có cho thuê sân bóng không?"
BARE = "truong co cho thue san bong khong"
NEAR = "trường có cho thuê sân bóng không vậy"
ELSEWHERE = "em muốn mượn xe đạp của trường thì mượn ở đâu"
SAME = "Trường có cho sinh viên mượn xe đạp công cộng không ạ?"


def begin_answer(page: Page) -> Locator:
    """Return the form of the answer to the first group of gaps."""
    page.goto("/gaps")
    page.get_by_role("button", name="Viết câu trả lời").first.click()
    return page.get_by_role("dialog")


def publish(form: Locator, answer: str) -> None:
    fill_in(form, answer)
    form.get_by_role("button", name="Đăng").click()


def import_sheet(page: Page, folder: Path, *rows: str) -> Locator:
    """Import a table of questions; return its rows as the page shows them."""
    sheet = folder / "a.csv"
    sheet.write_text("\n".join(("Câu hỏi,Câu trả lời,Chủ đề", *rows)), encoding="utf-8")
    page.goto("/faq")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Nhập từ bảng tính").click()
    choosing.value.set_files(sheet)
    return page.get_by_test_id("sheet")


def colleague_adds(enter: Enter, answer: str, **more: object) -> str:
    """Let a colleague publish an answer to where bicycles are lent; return its id."""
    fields = {"question": SAME, "answer": answer, "topic": "dormitory", **more}
    made = enter("administrator").post("/api/faq/entries", json=fields)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_is_for_the_questions_that_are_marked(
    open_pages: OpenPages,
    students: Students,
    front_door: FrontDoor,
    publisher: Publisher,
    size: tuple[int, int],
) -> None:
    for sender in ("an", "binh", "chi"):
        students.asks(ASKED, sender)
    students.asks(BARE, "dung")
    students.asks(NEAR, "giang")
    page = open_pages("editor", size)
    form = begin_answer(page)
    for text, is_marked in ((ASKED, True), (BARE, True), (NEAR, False)):
        expect(form.get_by_role("checkbox", name=text, exact=True)).to_be_checked(checked=is_marked)
    variants = form.get_by_role("textbox", name="Cách hỏi khác")
    expect(variants).to_have_value(BARE)
    near = form.get_by_role("checkbox", name=NEAR, exact=True)
    near.check()
    expect(variants).to_have_value(f"{BARE}\n{NEAR}")
    near.uncheck()
    expect(variants).to_have_value(BARE)
    assert in_view(page)

    # As students see it, with the value of the fact; an unlisted number is asked about.
    answer = "Giá **{{ facts.dormitory.2026.room }}**, gọi 0912345678."
    form.get_by_role("textbox", name="Câu trả lời").fill(answer)
    expect(form.get_by_test_id("preview")).not_to_contain_text("{{")
    expect(form.get_by_test_id("preview").locator("strong")).to_have_text(re.compile(r"\d"))
    publish(form, answer)
    expect(form.get_by_test_id("contacts")).to_contain_text("0912345678")
    assert front_door.told == []
    form.get_by_role("checkbox", name="Đây là số, địa chỉ công khai").check()
    form.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    assert {sender for _, sender, _ in front_door.told} == {"an", "binh", "chi", "dung"}
    [entry] = [each for each in publisher.files.entries() if each.record["question"] == ASKED]
    assert entry.record["variants"] == [BARE]
    expect(page.get_by_test_id("gap")).to_contain_text(NEAR)
    page.goto("/faq")
    page.get_by_role("textbox", name=re.compile("^Tìm trong")).fill("thuê sân bóng")
    listed = page.get_by_test_id("entry").filter(has_text=ASKED)
    expect(listed).to_contain_text("gọi 0912345678")
    expect(listed).not_to_contain_text(re.compile(r"\*\*|\{\{"))


@pytest.mark.parametrize("size", SIZES)
def test_groups_that_ask_the_same_get_one_answer(
    open_pages: OpenPages,
    students: Students,
    front_door: FrontDoor,
    publisher: Publisher,
    size: tuple[int, int],
) -> None:
    students.asks(ELSEWHERE, "an")
    students.asks(SAME, "binh")
    students.asks(ASKED, "chi")
    page = open_pages("editor", size)
    page.goto("/gaps")
    for text in (ELSEWHERE, SAME):
        page.get_by_role("checkbox", name=f"Chọn: {text}").check()
    joined = page.get_by_test_id("joined")
    expect(joined).to_contain_text("2 nhóm được chọn là cùng một câu hỏi")
    assert in_view(page)
    joined.get_by_role("button", name="Viết một câu trả lời chung").click()
    form = page.get_by_role("dialog")
    for text in (ELSEWHERE, SAME):
        expect(form.get_by_role("checkbox", name=text, exact=True)).to_be_checked()
    publish(form, "Mượn ở cổng chính.")

    expect(page.get_by_text("Đã gửi cho 2 sinh viên.")).to_be_visible()
    assert {sender for _, sender, _ in front_door.told} == {"an", "binh"}
    [entry] = [each for each in publisher.files.entries() if each.record["question"] in (ELSEWHERE, SAME)]
    assert {entry.record["question"], *entry.record["variants"]} == {ELSEWHERE, SAME}
    expect(page.get_by_test_id("gap")).to_have_count(1)
    expect(page.get_by_test_id("gap")).to_contain_text(ASKED)


@pytest.mark.parametrize("size", SIZES)
def test_a_group_is_settled_by_an_answer_that_is_there(
    open_pages: OpenPages,
    enter: Enter,
    students: Students,
    front_door: FrontDoor,
    publisher: Publisher,
    size: tuple[int, int],
) -> None:
    made = colleague_adds(enter, "Mượn ở **cổng chính**.")
    students.asks(ELSEWHERE, "an")
    page = open_pages("editor", size)
    page.goto("/gaps")
    page.get_by_role("button", name="Đã có câu trả lời").click()
    # The nearest to the question come first.
    expect(page.get_by_test_id("existing-entry").first).to_contain_text(SAME)
    page.get_by_role("textbox", name="Tìm trong câu hỏi có sẵn").fill("muon xe dap")
    page.get_by_test_id("existing-entry").filter(has_text=SAME).click()

    form = page.get_by_role("dialog", name="Sửa câu trả lời")
    expect(form.get_by_role("textbox", name="Câu hỏi", exact=True)).to_have_value(SAME)
    expect(form.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(ELSEWHERE)
    expect(form.get_by_role("textbox", name="Câu trả lời")).to_have_value("Mượn ở **cổng chính**.")
    form.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã gửi cho 1 sinh viên.")).to_be_visible()
    [(_, sender, text)] = front_door.told
    assert sender == "an"
    assert ELSEWHERE in text
    assert "cổng chính" in text
    entry = publisher.files.entry(made)
    assert entry is not None
    assert entry.record["variants"] == [ELSEWHERE]
    expect(page.get_by_test_id("gap")).to_have_count(0)


def test_a_new_answer_to_what_is_answered_goes_into_the_one_that_is_there(
    open_pages: OpenPages, enter: Enter, students: Students, publisher: Publisher
) -> None:
    made = colleague_adds(enter, "Mượn ở cổng chính.")
    students.asks(SAME, "an")
    page = open_pages("editor", LAPTOP)
    form = begin_answer(page)
    fill_in(form, "Chưa biết.")
    form.get_by_role("button", name="Thử với những câu đã hỏi").click()
    expect(form.get_by_test_id("own-wordings")).to_contain_text("có dấu và không dấu")
    form.get_by_test_id("taken").get_by_role("button", name="Thêm cách hỏi vào câu ấy").click()
    # What was written of the new entry is asked for.
    asking = page.get_by_role("dialog", name="Thêm cách hỏi vào câu ấy")
    expect(asking).to_contain_text("sẽ bị bỏ")
    asking.get_by_role("button", name="Thêm cách hỏi vào câu ấy").click()

    expect(form.get_by_role("textbox", name="Câu trả lời")).to_have_value("Mượn ở cổng chính.")
    form.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã gửi cho 1 sinh viên.")).to_be_visible()
    assert [each.id for each in publisher.files.entries() if each.record["question"] == SAME] == [made]


def test_a_question_put_in_other_words_keeps_those_of_the_student(
    open_pages: OpenPages, students: Students
) -> None:
    students.asks(BARE, "an")
    page = open_pages("editor", LAPTOP)
    form = begin_answer(page)
    variants = form.get_by_role("textbox", name="Cách hỏi khác")
    expect(variants).to_have_value("")

    question = form.get_by_role("textbox", name="Câu hỏi", exact=True)
    question.fill("Thuê sân bóng của trường thế nào?")
    question.press("Tab")

    expect(variants).to_have_value(BARE)


def test_html_in_an_answer_is_previewed_as_the_chat_shows_it(open_pages: OpenPages) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto("/faq")
    page.get_by_test_id("entry").filter(has_text="Mất thẻ sinh viên").click()
    form = page.get_by_role("dialog")
    written = "Nộp <b>đơn</b> <img src=x onerror=alert(1)> ở **phòng**"

    form.get_by_role("textbox", name="Câu trả lời", exact=True).fill(written)

    expect(form.get_by_test_id("preview")).to_contain_text(written.replace("**", ""))


def test_the_second_of_two_who_answer_a_group_sees_the_first_answer(
    open_pages: OpenPages, students: Students, enter: Enter, front_door: FrontDoor
) -> None:
    trace = students.asks(ASKED, "an")
    page = open_pages("editor", PHONE)
    form = begin_answer(page)
    colleague_adds(enter, "Có, ở khu C.", question="Thuê sân?", topic="study", settles=[trace], tell=[trace])

    publish(form, "Chưa cho thuê.")

    settled = form.get_by_test_id("already-settled")
    expect(settled).to_contain_text("Cô administrator đã đăng câu trả lời")
    expect(settled).to_contain_text("Có, ở khu C.")
    expect(settled).to_contain_text("sẽ nhận thêm câu của bạn")
    assert scrolling_sideways(page) == []
    assert len(front_door.told) == 1
    settled.get_by_role("checkbox", name="Tôi đã xem").check()
    form.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    assert len(front_door.told) == 2


def test_what_was_written_is_not_lost(open_pages: OpenPages, enter: Enter, publisher: Publisher) -> None:
    page = open_pages("editor", LAPTOP)
    page.goto("/gaps")
    page.get_by_role("link", name="Câu hỏi có sẵn").click()
    page.get_by_test_id("entry").filter(has_text="Mất thẻ sinh viên").click()
    form = page.get_by_role("dialog")
    answer = form.get_by_role("textbox", name="Câu trả lời")
    answer.fill("Làm lại thẻ ở tầng 2.")

    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.evaluate("history.back()")):
        with page.expect_event("dialog") as asking:
            page.once("dialog", lambda asked: asked.dismiss())
            leave()
        assert asking.value.message == "Bỏ những gì bạn vừa viết?"
        expect(answer).to_have_value("Làm lại thẻ ở tầng 2.")

    # A colleague is quicker: both texts are there, by field, and one's own goes on.
    colleague = enter("administrator")
    now = colleague.get("/api/faq/entries/study-card").json()
    fields = {name: now[name] for name in ("question", "variants", "topic", "sources", "version")}
    theirs = {**fields, "answer": "Làm lại thẻ ở nhà B."}
    assert colleague.put("/api/faq/entries/study-card", json=theirs).status_code == 200
    form.get_by_role("button", name="Đăng").click()
    conflict = page.get_by_test_id("conflict")
    expect(conflict.get_by_text("Câu trả lời", exact=True)).to_be_visible()
    expect(conflict.locator("mark")).to_have_text(["Làm lại thẻ ở tầng 2.", "Làm lại thẻ ở nhà B."])
    expect(conflict).not_to_contain_text("variants:")
    expect(conflict.get_by_test_id("saved-by")).to_contain_text("Lần lưu gần nhất: Cô administrator, ")
    page.get_by_role("button", name="Giữ bản của tôi để sửa tiếp").click()
    expect(answer).to_have_value("Làm lại thẻ ở tầng 2.")
    form.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()
    entry = publisher.files.entry("study-card")
    assert entry is not None
    assert entry.record["answer"] == "Làm lại thẻ ở tầng 2.\n"


def test_a_rule_holds_for_the_students_own_words_too(
    open_pages: OpenPages, students: Students, publisher: Publisher
) -> None:
    words = "điểm thi hôm qua của em bn"
    trace = students.asks(words)
    page = open_pages("editor", LAPTOP)
    page.goto(f"/conversations/{trace}")
    page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa").click()
    page.get_by_role("dialog").get_by_role("textbox").first.fill("Điểm thi của em là bao nhiêu?")
    page.get_by_role("dialog").get_by_role("button", name="Không trả lời").click()
    expect(page.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(words)
    page.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()

    [rule] = publisher.rules.rules()
    assert rule.rule.phrasings == ("Điểm thi của em là bao nhiêu?", words)


def test_rows_of_a_sheet_tell_what_to_look_at(open_pages: OpenPages, tmp_path: Path) -> None:
    page = open_pages("editor", LAPTOP)

    row = import_sheet(page, tmp_path, "Tiêm phòng hỏi ai?,Gọi **cô Lan** 0912345678.,Dịch vụ")

    expect(row).to_contain_text("Trường không có chủ đề “Dịch vụ”")
    expect(row).to_contain_text("Số hay địa chỉ lạ trong câu trả lời: 0912345678")
    expect(row).to_contain_text("Gọi cô Lan 0912345678.")
    chosen = row.get_by_role("checkbox", name="Tiêm phòng hỏi ai?")
    expect(chosen).not_to_be_checked()
    chosen.check()
    row.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option", name="Học vụ").click()
    expect(page.get_by_role("button", name="Đăng 1 câu")).to_be_disabled()
    page.get_by_role("checkbox", name="Đây là số, địa chỉ công khai").check()
    page.get_by_role("button", name="Đăng 1 câu").click()
    expect(page.get_by_text("Đã đăng 1 câu.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_topics_of_a_sheet_that_the_school_lacks_are_created_when_chosen(
    open_pages: OpenPages, publisher: Publisher, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    listed = import_sheet(
        page,
        tmp_path,
        "Nhà thi đấu mở cửa lúc mấy giờ?,Từ 6 giờ.,Nhà thi đấu",
        "Thuê sân cầu lông bao nhiêu tiền?,40.000 đồng.,Nhà thi đấu",
    )
    expect(page.get_by_role("button", name="Đăng 2 câu")).to_be_disabled()

    page.get_by_role("checkbox", name="Tạo chủ đề “Nhà thi đấu” (2 dòng)").check()

    expect(listed).not_to_contain_text("Trường không có chủ đề")
    assert in_view(page)
    page.get_by_role("button", name="Đăng 2 câu").click()
    expect(page.get_by_text("Đã đăng 2 câu với chủ đề mới.")).to_be_visible()
    assert "nha_thi_dau" in {topic.id for topic in publisher.dictionaries.topics()}


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_is_previewed_on_each_channel(
    open_pages: OpenPages, front_door: FrontDoor, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/faq")
    page.get_by_test_id("entry").filter(has_text="Mất thẻ sinh viên").click()
    form = page.get_by_role("dialog")
    answer = form.get_by_role("textbox", name="Câu trả lời", exact=True)
    answer.fill("Ở **Phòng Đào tạo**.\nMang theo căn cước.")
    expect(form.get_by_test_id("preview").locator("strong")).to_have_text("Phòng Đào tạo")
    form.get_by_text("Messenger", exact=True).click()
    expect(form.get_by_test_id("preview")).to_have_text(["Ở Phòng Đào tạo.", "Mang theo căn cước."])
    assert in_view(page)

    # Without a front door, the website's is left.
    def away(*_: object) -> dict[str, list[str]]:
        raise AdvisorsError("away")

    monkeypatch.setattr(front_door, "previews", away)
    answer.fill("Ở **tầng 2**.")
    expect(form.get_by_test_id("preview").locator("strong")).to_have_text("tầng 2")
    expect(form.get_by_text("Messenger", exact=True)).to_have_count(0)


def test_rows_of_a_sheet_that_ask_the_same_are_told(
    open_pages: OpenPages, publisher: Publisher, tmp_path: Path
) -> None:
    page = open_pages("editor", LAPTOP)

    rows = (f"{ASKED},Có.,Học vụ", f"{BARE},Không.,Học vụ", f"{SAME},Có.,Học vụ")
    listed = import_sheet(page, tmp_path, *rows)

    expect(listed).to_contain_text("Cùng câu hỏi với dòng 3")
    expect(listed).to_contain_text("Cùng câu hỏi với dòng 2")
    for text, is_chosen in ((ASKED, False), (BARE, False), (SAME, True)):
        expect(listed.get_by_role("checkbox", name=text, exact=True)).to_be_checked(checked=is_chosen)
    page.get_by_role("button", name="Đăng 1 câu").click()
    expect(page.get_by_text("Đã đăng 1 câu.")).to_be_visible()
    assert [each for each in publisher.files.entries() if each.record["question"] in (ASKED, BARE)] == []


@pytest.mark.parametrize("size", SIZES)
def test_an_advisor_who_may_not_publish_reads_all_of_an_entry(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    lines = "\n".join(f"- Bước {number}: làm việc số {number}." for number in range(1, 13))
    made = colleague_adds(
        enter,
        f"{lines}\n\nGiá **{{{{ facts.dormitory.2026.room }}}}**.",
        variants=[BARE],
        sources=[{"document": "quy-che-2025", "locator": "Điều 2"}],
    )
    page = open_pages("advisor", size)
    page.goto("/faq")
    page.get_by_role("textbox", name=re.compile("^Tìm trong")).fill("xe đạp công cộng")
    page.get_by_test_id("entry").filter(has_text=SAME).click()

    shown = page.get_by_role("dialog", name=SAME)
    expect(shown.get_by_role("listitem")).to_have_count(12)
    expect(shown.locator("strong")).to_have_text(re.compile(r"\d"))
    expect(shown).to_contain_text(BARE)
    expect(shown.get_by_role("button", name="Đăng")).to_have_count(0)
    assert in_view(page)
    shown.get_by_role("link", name="Điều 2").click()
    expect(page.get_by_test_id("passages")).to_contain_text("Điều 2")

    page.goto(f"/faq/{made}")
    expect(page.get_by_role("dialog", name=SAME)).to_contain_text("Bước 12")
