"""Correcting an answer from the log: the student's own words get the right outcome, and nothing is sent unasked."""

from __future__ import annotations

import pytest
from console_driver import LAPTOP, NOW, SIZES, FrontDoor, OpenPages, Students, fill_in, in_view
from embedder_stand_in import EmbedderStandIn
from playwright.sync_api import Locator, Page, expect
from test_kept_follow_ups import kept

from console.faq_files import wordings_of
from console.publishing import Publisher
from covan.first_message import hear
from rag.live_engine import LiveEngine
from rag.reply_record import record_of
from rag.types import FollowUp, Matter, Question, Reason

pytestmark = pytest.mark.browser

CARD = "Mất thẻ sinh viên thì làm lại ở đâu?"
OWN = "hôm nay có được nghỉ không"
BARE = "ở đâu vậy ạ"
CONTINUED = "còn k50 thì sao"
REMEMBER = f"Ghi nhớ câu này khi sinh viên hỏi tiếp sau “{CARD}”"
REWRITTEN = "Hôm nay trường có cho nghỉ học không?"
ANSWER = "Hôm nay trường nghỉ."


@pytest.fixture
def live(publisher: Publisher) -> LiveEngine:
    """The engine that students ask, beside the console."""
    return LiveEngine(publisher.live.folder, embedder=EmbedderStandIn())


def asked_after_the_card(students: Students, live: LiveEngine, text: str) -> int:
    """Store the turn of a student who asks `text` behind a question about their card; return the trace's id."""
    history = (Matter(CARD, "study-card"),)
    told = record_of(live.current().reply(Question(text, history=history)))
    students.asks(CARD, at=NOW - 200)
    columns = ("decision", "source", "topic", "confidence", "answer_id")
    return students.asks(text, **{name: told[name] for name in columns}, trace=told)


def correct(page: Page, trace: int) -> Locator:
    page.goto(f"/conversations/{trace}")
    page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa").click()
    return page.get_by_role("dialog")


@pytest.mark.parametrize("size", SIZES)
def test_a_rule_as_it_is_offered_holds_for_the_same_words_in_a_new_conversation(
    open_pages: OpenPages, students: Students, live: LiveEngine, publisher: Publisher, size: tuple[int, int]
) -> None:
    trace = asked_after_the_card(students, live, OWN)
    joined = students_turn_in_full(live, OWN)
    page = open_pages("editor", size)

    dialog = correct(page, trace)
    expect(dialog.get_by_role("textbox", name="Câu hỏi")).to_have_value(OWN)
    expect(dialog.get_by_role("checkbox", name=joined)).not_to_be_checked()
    dialog.get_by_role("button", name="Không trả lời").click()
    expect(dialog.get_by_role("textbox", name="Câu hỏi")).to_have_value(OWN)
    assert in_view(page)
    dialog.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()

    for text in (OWN, "hom nay co duoc nghi khong a", OWN.upper()):
        assert live.current().reply(Question(text)).decision.reasons == (Reason.QUERY_RULE,)
    assert [each.question for each in publisher.files.checked()] == [OWN]


def students_turn_in_full(live: LiveEngine, text: str) -> str:
    """Return how the engine reads `text` behind a question about the student's card."""
    resolved = live.current().reply(Question(text, history=(Matter(CARD, "study-card"),))).resolved
    assert resolved.endswith(text)
    assert resolved != text
    return resolved


def test_a_rule_is_put_in_other_words_and_keeps_those_of_the_student(
    open_pages: OpenPages, students: Students, live: LiveEngine, publisher: Publisher
) -> None:
    trace = asked_after_the_card(students, live, OWN)
    joined = students_turn_in_full(live, OWN)
    page = open_pages("editor", LAPTOP)

    dialog = correct(page, trace)
    dialog.get_by_role("checkbox", name=joined).check()
    dialog.get_by_role("button", name="Không trả lời").click()
    expect(dialog.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(joined)
    dialog.get_by_role("textbox", name="Câu hỏi").fill(REWRITTEN)
    dialog.get_by_role("textbox", name="Câu hỏi").press("Tab")
    expect(dialog.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(f"{OWN}\n{joined}")
    dialog.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()

    [rule] = publisher.rules.rules()
    assert rule.rule.phrasings == (REWRITTEN, OWN, joined)


def test_words_that_only_go_on_with_the_conversation_are_named_as_such(
    open_pages: OpenPages, students: Students, live: LiveEngine
) -> None:
    students.asks("thẻ sinh viên", at=NOW - 200)
    trace = students.asks(BARE, trace={"resolved": f"thẻ sinh viên {BARE}"})
    page = open_pages("editor", LAPTOP)

    dialog = correct(page, trace)
    expect(dialog.get_by_test_id("follow-up")).to_contain_text(BARE)
    expect(dialog.get_by_role("textbox", name="Câu hỏi")).to_have_value(f"thẻ sinh viên {BARE}")
    own = dialog.get_by_role("checkbox", name=BARE)
    expect(own).not_to_be_checked()
    own.check()
    dialog.get_by_role("button", name="Không trả lời").click()
    expect(dialog.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(BARE)
    dialog.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()
    for text in (BARE, f"thẻ sinh viên {BARE}"):
        assert live.current().reply(Question(text)).decision.reasons == (Reason.QUERY_RULE,)


@pytest.mark.parametrize("size", SIZES)
def test_words_that_go_on_with_an_answer_are_remembered_after_it(
    open_pages: OpenPages, students: Students, publisher: Publisher, size: tuple[int, int]
) -> None:
    students.asks(CARD, decision="answer", answer_id="study-card", confidence=0.9, at=NOW - 200)
    trace = students.asks(BARE, trace={"resolved": f"thẻ sinh viên {BARE}"})
    page = open_pages("editor", size)

    dialog = correct(page, trace)
    expect(dialog.get_by_role("checkbox", name=REMEMBER)).to_be_checked()
    assert in_view(page)
    dialog.get_by_role("button", name="Viết câu trả lời mới").click()
    fill_in(dialog, ANSWER, REWRITTEN)
    dialog.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()

    [told] = kept(publisher.files.knowledge)
    [made] = [each.id for each in publisher.files.entries() if each.record["question"] == REWRITTEN]
    assert told == FollowUp("study-card", BARE, (made,))
    # The words alone answer nobody: they are no wording of the entry.
    entry = publisher.files.entry(made)
    assert entry is not None
    assert BARE not in wordings_of(entry.record)


def test_words_are_remembered_only_when_the_advisor_says_so(
    open_pages: OpenPages, students: Students, publisher: Publisher
) -> None:
    students.asks(CARD, decision="answer", answer_id="study-card", confidence=0.9, at=NOW - 200)
    trace = students.asks(BARE, trace={"resolved": f"thẻ sinh viên {BARE}"})
    page = open_pages("editor", LAPTOP)

    dialog = correct(page, trace)
    dialog.get_by_role("checkbox", name=REMEMBER).uncheck()
    dialog.get_by_role("combobox", name="Tìm trong các câu có sẵn").fill("bảng điểm")
    page.get_by_role("option", name="Xin bảng điểm").click()
    dialog.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()

    assert kept(publisher.files.knowledge) == ()


@pytest.mark.parametrize(
    ("text", "named"), [(f"{CONTINUED} 0912345678", True), (OWN, False)], ids=["personal", "by_itself"]
)
def test_personal_words_and_those_that_make_sense_by_themselves_are_not_remembered(
    open_pages: OpenPages, students: Students, text: str, named: bool
) -> None:
    students.asks(CARD, decision="answer", answer_id="study-card", confidence=0.9, at=NOW - 200)
    page = open_pages("editor", LAPTOP)

    dialog = correct(page, students.asks(CONTINUED, at=NOW - 150))
    expect(dialog.get_by_role("checkbox", name=REMEMBER)).to_be_checked()
    dialog = correct(page, students.asks(text))
    expect(dialog.get_by_role("button", name="Viết câu trả lời mới")).to_be_visible()
    expect(dialog.get_by_test_id("follow-up")).to_have_count(int(named))
    expect(dialog.get_by_role("checkbox", name=REMEMBER)).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_new_answer_is_for_the_students_words_and_is_sent_only_when_it_is_asked_for(
    open_pages: OpenPages,
    students: Students,
    live: LiveEngine,
    front_door: FrontDoor,
    publisher: Publisher,
    size: tuple[int, int],
) -> None:
    trace = asked_after_the_card(students, live, OWN)
    page = open_pages("editor", size)
    dialog = correct(page, trace)
    dialog.get_by_role("button", name="Không trả lời").click()
    dialog.get_by_role("button", name="Đăng quy tắc").click()
    expect(page.get_by_text("Đã đăng quy tắc.")).to_be_visible()

    # Another advisor sees so, knows the answer, and words the question: the rule for the student's words gives way.
    dialog = correct(page, trace)
    expect(page.get_by_test_id("corrected")).to_contain_text("Cô editor đã đặt quy tắc")
    dialog.get_by_role("textbox", name="Câu hỏi").fill(REWRITTEN)
    expect(dialog.get_by_role("checkbox", name=f"“{OWN}”")).to_be_checked()
    dialog.get_by_role("button", name="Viết câu trả lời mới").click()
    expect(dialog.get_by_role("textbox", name="Câu hỏi", exact=True)).to_have_value(REWRITTEN)
    expect(dialog.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(OWN)
    fill_in(dialog, ANSWER)
    send = dialog.get_by_role("checkbox", name="Gửi câu trả lời cho sinh viên đã hỏi")
    expect(send).not_to_be_checked()
    assert in_view(page)
    dialog.get_by_role("button", name="Đăng").click()
    expect(page.get_by_text("Đã đăng. Covan trả lời được ngay.")).to_be_visible()

    assert front_door.told == []
    for text in (OWN, REWRITTEN):
        assert live.current().reply(Question(text)).text.strip() == ANSWER
    assert publisher.rules.rules() == []
    assert {each.question for each in publisher.files.checked()} == {OWN, REWRITTEN}
    page.goto("/conversations")
    row = page.locator(".row").filter(has_text=OWN)
    expect(row).to_contain_text("Đã sửa")
    row.click()
    mark = page.get_by_test_id("corrected")
    expect(mark).to_contain_text("Cô editor đã sửa")
    assert in_view(page)
    mark.get_by_role("link", name=REWRITTEN).click()
    expect(dialog.get_by_role("textbox", name="Câu trả lời")).to_have_value(ANSWER)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_correction_is_sent_when_the_advisor_says_so(
    open_pages: OpenPages, students: Students, front_door: FrontDoor, is_new: bool
) -> None:
    trace = students.asks(OWN, decision="answer", answer_id="study-card", confidence=0.9)
    page = open_pages("editor", LAPTOP)
    dialog = correct(page, trace)
    if is_new:
        dialog.get_by_role("button", name="Viết câu trả lời mới").click()
        fill_in(dialog, ANSWER)
    else:
        dialog.get_by_role("combobox", name="Tìm trong các câu có sẵn").fill("bảng điểm")
        page.get_by_role("option", name="Xin bảng điểm").click()
    dialog.get_by_role("checkbox", name="Gửi câu trả lời cho sinh viên đã hỏi").check()
    dialog.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã gửi cho 1 sinh viên.")).to_be_visible()
    [(_, sender, text)] = front_door.told
    assert (sender, OWN in text) == ("an", True)


def test_a_kept_draft_of_a_correction_can_still_be_sent(
    open_pages: OpenPages, students: Students, front_door: FrontDoor
) -> None:
    trace = students.asks(OWN, decision="answer", answer_id="study-card", confidence=0.9)
    page = open_pages("editor", LAPTOP)
    dialog = correct(page, trace)
    dialog.get_by_role("button", name="Viết câu trả lời mới").click()
    fill_in(dialog, ANSWER)
    dialog.get_by_role("button", name="Lưu nháp").click()
    expect(page.get_by_text("Đã lưu nháp")).to_be_visible()
    page.goto("/faq")
    page.get_by_test_id("kept-draft").get_by_role("button").click()
    send = dialog.get_by_role("checkbox", name="Gửi câu trả lời cho sinh viên đã hỏi")
    expect(send).not_to_be_checked()
    send.check()
    dialog.get_by_role("button", name="Đăng").click()

    expect(page.get_by_text("Đã gửi cho 1 sinh viên.")).to_be_visible()
    assert len(front_door.told) == 1


@pytest.mark.parametrize("choice", ["Viết câu trả lời mới", "Không trả lời", "Hỏi lại"])
def test_a_form_that_is_left_goes_back_to_the_choice_with_the_question_as_it_was_written(
    open_pages: OpenPages, students: Students, choice: str
) -> None:
    trace = students.asks(OWN, decision="answer", answer_id="study-card", confidence=0.9)
    page = open_pages("editor", LAPTOP)
    dialog = correct(page, trace)
    dialog.get_by_role("textbox", name="Câu hỏi").fill(REWRITTEN)
    dialog.get_by_role("button", name=choice).click()
    expect(dialog.get_by_role("textbox", name="Cách hỏi khác")).to_have_value(OWN)
    dialog.get_by_role("button", name="Thôi").click()

    expect(dialog.get_by_role("heading", name="Câu nào mới đúng?")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Câu hỏi")).to_have_value(REWRITTEN)


@pytest.mark.parametrize("size", SIZES)
def test_a_turn_that_was_taken_for_talk_is_corrected_and_then_answered(
    open_pages: OpenPages, students: Students, live: LiveEngine, size: tuple[int, int]
) -> None:
    typed = "cảm ơn ad nhiều nha"
    trace = students.asks(typed, decision="", intent="thank")
    page = open_pages("editor", size)
    page.goto("/try")
    page.get_by_label("Câu hỏi").fill(typed)
    page.get_by_role("button", name="Hỏi", exact=True).press("Enter")
    expect(page.get_by_test_id("talk")).to_contain_text("nên không tìm câu trả lời")
    assert in_view(page)

    dialog = correct(page, trace)
    dialog.get_by_role("button", name="Viết câu trả lời mới").press("Enter")
    form = page.get_by_role("dialog")
    fill_in(form, ANSWER)
    form.get_by_role("button", name="Đăng").press("Enter")

    expect(page.get_by_text("Đã đăng.").first).to_be_visible()
    assert hear(live.current(), typed, {}).said == ()
    page.goto("/conversations")
    expect(page.get_by_text("Đã sửa")).to_be_visible()
    page.goto("/try")
    page.get_by_label("Câu hỏi").fill(typed)
    page.get_by_role("button", name="Hỏi", exact=True).press("Enter")
    expect(page.get_by_test_id("reply")).to_contain_text(ANSWER)
    expect(page.get_by_test_id("talk")).to_have_count(0)
