"""Why a turn was answered as it was, in a real browser: beside the turn, and in words."""

from __future__ import annotations

import pytest
from console_driver import NOW, Enter, OpenPages, Students
from playwright.sync_api import expect

from console.publishing import Publisher

TRACE = {
    "intents": {"ask_tuition": 0.9, "greet": 0.1},
    "mentions": [["major", "cntt"]],
    "profile": {"cohort": "48", "program": "clc"},
    "reasons": ["similarity_low"],
    "candidates": [
        {"source": "faq", "id": "study-credits", "title": "Tối đa?", "text": "Tối đa **25 tín chỉ**.", "score": 0.4,
         "locator": "", "document_id": "", "scores": {}}
    ],
    "citations": [],
    "signals": {"faq.cosine": 0.92},
    "thresholds": {},
    "preset": "covan",
    "index_version": "1",
}  # fmt: skip
QUESTIONS = 12


def test_a_trace_has_the_schools_names(enter: Enter, students: Students) -> None:
    trace = students.asks("Học phí?", trace=TRACE)

    [turn] = enter("advisor").get(f"/api/conversations/{trace}").json()["turns"].values()

    assert turn["trace"]["topics"] == {"ask_tuition": "Học phí"}
    assert turn["trace"]["mentions"] == [["ngành", "Công nghệ thông tin"]]
    assert turn["trace"]["profile"] == [["khóa", "Khóa 48"], ["chương trình", "Chất lượng cao"]]


def test_a_conversation_adds_nothing_to_its_first_question(enter: Enter, students: Students) -> None:
    in_full = "Hạn nộp đơn học bổng"
    trace = {**TRACE, "resolved": in_full}
    first = students.asks("hạn nộp đơn học bổng nào?", trace=trace)
    students.asks("thế nộp ở đâu?", trace=trace)
    of_entry = {**trace, "resolved": "Tối đa?"}
    students.asks("tối đa mấy tín?", trace=of_entry, answer_id="study-credits", decision="answer")

    turns = enter("advisor").get(f"/api/conversations/{first}").json()["turns"].values()

    assert [turn["trace"]["resolved"] for turn in turns] == ["", in_full, ""]


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1300, 850), (390, 844)], ids=["laptop", "phone"])
def test_reasons_stand_below_the_turn_in_words(
    open_pages: OpenPages, students: Students, size: tuple[int, int]
) -> None:
    traces = [
        students.asks(f"Học phí lần {number}?", at=NOW - 900 + number, trace=TRACE)
        for number in range(QUESTIONS)
    ]
    page = open_pages("editor", size)

    page.goto(f"/conversations/{traces[-1]}")
    own = page.locator(".bubble.student.chosen")
    expect(own).to_have_text(f"Học phí lần {QUESTIONS - 1}?")
    expect(own).to_be_in_viewport()

    page.get_by_role("button", name="Vì sao?").first.click()
    expect(own).to_have_text("Học phí lần 0?")
    expect(own).to_be_in_viewport()
    why = page.get_by_test_id("why")
    expect(why).to_be_in_viewport()
    expect(page.get_by_role("button", name="Câu trả lời này chưa đúng? Sửa")).to_be_in_viewport()
    expect(why).to_contain_text("Hỏi về Học phí 90 %")
    expect(why).to_contain_text("khóa: Khóa 48")
    expect(why).to_contain_text("Tối đa 25 tín chỉ.")
    expect(why.get_by_text("faq.cosine")).to_be_hidden()
    why.get_by_role("button", name="Số đo").click()
    expect(why.get_by_text("faq.cosine")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("role", ["editor", "advisor"])
def test_a_quoted_clause_is_shown_in_its_document(
    open_pages: OpenPages, students: Students, publisher: Publisher, role: str
) -> None:
    passages = [each for each in publisher.live.index().passages if each.document_id == "quy-che-2025"]
    cited = passages[-1]
    quote = cited.text.splitlines()[-1].strip()
    citation = {
        **{"document_id": cited.document_id, "title": cited.title, "locator": cited.locator, "quote": quote},
        **{"number": "", "url": ""},
    }
    trace = students.asks("Tối đa mấy tín chỉ?", decision="answer", trace={**TRACE, "citations": [citation]})
    page = open_pages(role, (390, 844))

    page.goto(f"/conversations/{trace}")
    page.get_by_role("button", name="Vì sao?").click()
    page.get_by_test_id("why").get_by_role("link", name=cited.locator).click()

    shown = page.get_by_test_id("passages").locator(".chosen")
    expect(shown).to_contain_text(cited.locator)
    expect(shown).to_be_in_viewport()
    expect(shown.locator("mark")).to_have_text([quote])
