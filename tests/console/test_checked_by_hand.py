"""Checked questions that an editor adds and changes by hand."""

from __future__ import annotations

from typing import Any

import pytest
from console_driver import SIZES, Enter, OpenPages, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.publishing import Publisher
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.load import load_knowledge
from rag.types import QueryRule

TRANSCRIPT = "study-transcript"
POOL = "Trường có hồ bơi không?"
WHERE = "Xin bảng điểm ở phòng nào?"


def say(client: TestClient, question: str, reply: str, **more: Any) -> Any:
    return client.post("/api/checked-questions", json={"question": question, "reply": reply, **more})


def listed(client: TestClient) -> dict[str, dict[str, Any]]:
    found = client.get("/api/checked-questions").json()["questions"]
    return {each["question"]: each for each in found}


def test_questions_are_added_with_each_outcome_and_asked_before_a_publication(
    enter: Enter, publisher: Publisher
) -> None:
    editor = enter("editor")
    other = next(each.id for each in publisher.live.index().faq if each.id != TRANSCRIPT)
    assert say(editor, WHERE, "answer", entry=TRANSCRIPT).status_code == 201
    assert say(editor, POOL, "no_answer").status_code == 201
    assert say(editor, "Học phí bao nhiêu?", "ask_back", dimension="major").status_code == 201
    assert say(editor, "Xin giấy ở đâu?", "ask_back", entries=[TRANSCRIPT, other]).status_code == 201

    assert publisher.files.checked() == (
        CheckedQuestion(WHERE, TRANSCRIPT),
        CheckedQuestion(POOL),
        CheckedQuestion("Học phí bao nhiêu?", None, "major"),
        CheckedQuestion("Xin giấy ở đâu?", None, None, (TRANSCRIPT, other)),
    )
    load_knowledge(publisher.files.knowledge)
    # An entry that would answer what is to be refused is told before it is published.
    new = {"question": "Trường mình có hồ bơi không?", "answer": "Có, ở khu B.", "topic": "study"}
    tried = editor.post("/api/faq/try", json={**new, "entry_id": "", "questions": []}).json()["checked"]
    assert tried["count"] == 4
    assert [(each["question"], each["right"]) for each in tried["changed"]] == [(POOL, False)]


def test_a_checked_question_gets_another_outcome_and_other_words(enter: Enter, publisher: Publisher) -> None:
    editor = enter("editor")
    first = say(editor, WHERE, "answer", entry=TRANSCRIPT).json()
    changed = say(editor, WHERE, "no_answer", before=WHERE, version=first["version"])
    assert changed.status_code == 201, changed.text
    assert publisher.files.checked() == (CheckedQuestion(WHERE),)

    late = say(editor, WHERE, "answer", entry=TRANSCRIPT, before=WHERE, version=first["version"])
    assert (late.status_code, late.json()["error"]) == (409, "conflict")
    assert "no_answer" in late.json()["detail"]["theirs"]
    again = say(editor, WHERE, "answer", entry=TRANSCRIPT)
    assert (again.status_code, again.json()["error"]) == (409, "conflict")

    version = listed(editor)[WHERE]["version"]
    renamed = say(editor, POOL, "no_answer", before=WHERE, version=version)
    assert renamed.status_code == 201
    assert publisher.files.checked() == (CheckedQuestion(POOL),)
    same = say(editor, POOL, "no_answer", before=POOL, version=listed(editor)[POOL]["version"])
    assert (same.status_code, same.json()["commit"]) == (201, "")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"reply": "answer"}, "invalid"),
        ({"reply": "no_answer", "entry": TRANSCRIPT}, "invalid"),
        ({"reply": "ask_back", "entries": [TRANSCRIPT]}, "invalid"),
        ({"reply": "ask_back"}, "invalid"),
        ({"reply": "answer", "entry": "no-entry"}, "faulty"),
        ({"reply": "ask_back", "dimension": "no-dimension"}, "faulty"),
        ({"reply": "no_answer", "question": "em là B2012345, có hồ bơi không"}, "personal_data"),
    ],
)
def test_an_outcome_that_means_nothing_is_told_and_nothing_is_written(
    enter: Enter, publisher: Publisher, body: dict[str, Any], error: str
) -> None:
    refused = enter("editor").post("/api/checked-questions", json={"question": POOL, **body})
    assert (refused.status_code, refused.json()["error"]) == (422, error), refused.text
    assert publisher.files.checked() == ()


def test_what_a_rule_demands_is_changed_by_the_rule(enter: Enter, publisher: Publisher) -> None:
    publisher.publish_rule(QueryRule(POOL), "", ("Cô An", "an"))
    refused = say(enter("editor"), POOL, "answer", entry=TRANSCRIPT)
    assert (refused.status_code, refused.json()["error"]) == (409, "checked_by_rule")
    assert publisher.files.checked() == (CheckedQuestion(POOL),)


def test_what_is_answered_otherwise_today_is_told_at_once(enter: Enter, publisher: Publisher) -> None:
    editor = enter("editor")
    entry = publisher.files.entry(TRANSCRIPT)
    assert entry is not None
    asked = str(entry.record["question"])

    right = say(editor, asked, "answer", entry=TRANSCRIPT).json()
    wrong = say(editor, "xin bảng điểm ở đâu ạ", "no_answer").json()

    assert right["otherwise"] is None
    assert wrong["otherwise"]["decision"] == "answer"
    assert wrong["otherwise"]["text"]
    assert len(publisher.files.checked()) == 2, "it is saved all the same"


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_editor_adds_and_changes_a_checked_question(
    open_pages: OpenPages, enter: Enter, publisher: Publisher, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/faq")
    page.get_by_role("button", name="Câu hỏi đã kiểm (0)").click()
    page.get_by_role("button", name="Thêm câu hỏi đã kiểm").click()
    form = page.get_by_role("dialog", name="Thêm câu hỏi đã kiểm")
    form.get_by_role("textbox", name="Câu hỏi").fill(WHERE)
    asked = next(each.question for each in publisher.live.index().faq if each.id == TRANSCRIPT)
    form.get_by_role("combobox", name="Câu trả lời đúng").fill(asked)
    page.get_by_role("option", name=asked).click()
    assert in_view(page)
    form.get_by_role("button", name="Lưu câu hỏi đã kiểm").click()
    row = page.get_by_test_id("checked-question")
    expect(row).to_contain_text(f"→ {asked}")
    assert publisher.files.checked() == (CheckedQuestion(WHERE, TRANSCRIPT),)

    row.get_by_role("button", name="Sửa").click()
    form = page.get_by_role("dialog", name="Sửa câu hỏi đã kiểm")
    form.get_by_role("radio", name="Không trả lời").check()
    # Somebody else says something else of it meanwhile.
    other = enter("administrator")
    version = listed(other)[WHERE]["version"]
    assert say(other, WHERE, "ask_back", dimension="major", before=WHERE, version=version).status_code == 201
    form.get_by_role("button", name="Lưu câu hỏi đã kiểm").click()
    expect(form.get_by_test_id("conflict")).to_contain_text("Cô administrator")
    expect(form.get_by_test_id("conflict")).to_contain_text("dimension: major")
    assert in_view(page)
    form.get_by_role("button", name="Thay bằng của tôi").click()
    told = page.get_by_test_id("answered-otherwise")
    expect(told).to_contain_text("Hiện được trả lời bằng")
    assert in_view(page)
    page.get_by_role("dialog", name="Đã lưu").get_by_role("button", name="Đóng").click()
    expect(row).to_contain_text("không trả lời")
    assert publisher.files.checked() == (CheckedQuestion(WHERE),)
