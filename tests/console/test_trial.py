"""A question tried in the console: the live reply and why, recorded nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from console_driver import LAPTOP, Enter, OpenPages
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.api.dependencies import Console
from console.api.models import EntryFields, KeptEntry
from console.kept_drafts import KeptDrafts

NEW = "Trường có chỗ sạc xe điện không?"
LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"


def tried(client: TestClient, question: str, **profile: str) -> dict[str, Any]:
    got = client.post("/api/try", json={"question": question, "profile": profile})
    assert got.status_code == 200, got.text
    return dict(got.json())


def test_the_answer_is_the_one_for_the_student(enter: Enter) -> None:
    client = enter("advisor")

    asked_back = tried(client, LANGUAGE)
    [said] = asked_back["said"]
    assert (said["decision"], said["asks"]) == ("clarify", ["khóa"])

    answers = {cohort: tried(client, LANGUAGE, cohort=cohort) for cohort in ("48", "49")}
    given = {cohort: each["turn"]["answer_id"] for cohort, each in answers.items()}
    assert "" not in given.values()
    assert len(set(given.values())) == 2
    trace = answers["48"]["turn"]["trace"]
    assert (trace["reasons"], trace["profile"]) == (["conditions_hold"], [["khóa", "Khóa 48"]])
    assert trace["candidates"][0]["id"] == given["48"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("em muốn chết quá", "không ai phải chịu đựng một mình"),
        ("cảm ơn ad nhiều nha", ""),
        ("hihi", ""),
        ("?", ""),
    ],
)
def test_what_the_chat_takes_for_talk_is_no_answer(enter: Enter, typed: str, told: str) -> None:
    found = tried(enter("advisor"), typed)

    [said] = found["said"]
    assert (said["decision"], found["turn"]["decision"], found["turn"]["answer_id"]) == ("", "", "")
    assert told in said["text"]
    assert said["text"]
    assert "{" not in said["text"]


def test_words_that_an_entry_has_are_a_question_whatever_they_sound_like(enter: Enter) -> None:
    typed, client = "cảm ơn ad nhiều nha", enter("editor")
    entry = client.get("/api/faq/entries/study-transcript").json()
    fields = {name: entry[name] for name in ("question", "answer", "topic", "sources", "version")}
    assert tried(client, typed)["turn"]["decision"] == ""

    done = client.put(
        "/api/faq/entries/study-transcript", json={**fields, "variants": [*entry["variants"], typed]}
    )

    assert done.status_code == 200, done.text
    assert tried(client, typed)["turn"]["answer_id"] == "study-transcript"
    assert tried(client, "Cảm ơn ạ")["turn"]["decision"] == ""


def test_the_questions_asked_before_go_along(enter: Enter) -> None:
    client = enter("advisor")
    body = {"question": LANGUAGE, "before": ["em là sinh viên khóa 48"]}

    got = client.post("/api/try", json=body).json()
    assert "450" in got["said"][0]["text"]
    assert got["drafted"] is None
    assert tried(client, LANGUAGE)["said"][0]["decision"] == "clarify"


def test_a_kept_draft_is_asked_the_same_by_editors_alone(enter: Enter) -> None:
    editor = enter("editor")
    fields = {"question": NEW, "answer": "Có, ở nhà B.", "topic": "study"}
    kept = editor.post("/api/drafts", json={"kind": "entry", "fields": fields}).json()
    body = {"question": NEW, "draft": kept["id"]}

    got = editor.post("/api/try", json=body).json()
    assert "nhà B" not in str(got["said"])
    assert [part["text"] for part in got["drafted"]] == ["Có, ở nhà B."]
    # What it says to other questions stays.
    other = editor.post("/api/try", json={**body, "question": "Xin bảng điểm ở đâu?"}).json()
    assert other["drafted"] == other["said"]

    refused = enter("advisor").post("/api/try", json=body)
    assert (refused.status_code, refused.json()["error"]) == (403, "forbidden")
    gone = editor.post("/api/try", json={**body, "draft": kept["id"] + 1})
    assert (gone.status_code, gone.json()["error"]) == (404, "no_kept_draft")


@pytest.mark.browser
def test_a_conversation_goes_on_until_it_is_begun_anew_with_a_draft_beside_it(
    open_pages: OpenPages, console: Console
) -> None:
    draft = KeptEntry(kind="entry", fields=EntryFields(question=NEW, answer="Có, ở nhà B.", topic="study"))
    KeptDrafts(console.database).add(draft.model_dump_json(), "editor")
    page = open_pages("editor", LAPTOP)
    page.goto("/try")
    typed, replies = page.get_by_role("textbox", name="Câu hỏi"), page.get_by_test_id("reply")

    def ask(question: str) -> None:
        typed.fill(question)
        page.get_by_role("button", name="Hỏi", exact=True).click()
        expect(typed).to_have_value("")

    ask("em là sinh viên khóa 48")
    ask(LANGUAGE)
    expect(replies).to_have_count(2)
    expect(replies.last).to_contain_text("TOEIC 450")

    page.get_by_role("button", name="Trò chuyện mới").click()
    expect(replies).to_have_count(0)
    page.get_by_role("combobox", name="Đặt câu nháp bên cạnh").click()
    page.get_by_role("option", name=NEW).click()
    ask(NEW)
    expect(page.get_by_test_id("try.draft_says")).to_contain_text("Có, ở nhà B.")
    expect(page.get_by_test_id("try.live_says")).not_to_contain_text("nhà B")
    ask(LANGUAGE)
    expect(page.get_by_test_id("try.live_says").last).to_contain_text("Covan hỏi lại: khóa?")


def test_nothing_of_it_is_recorded(enter: Enter) -> None:
    client = enter("advisor")
    tried(client, LANGUAGE)

    assert client.get("/api/conversations").json()["turns"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"question": ""},
        {"question": "x" * 2_001},
        {"question": "Học phí?", "profile": {"cohort": "999"}},
        {"question": "Học phí?", "profile": {"planet": "1"}},
        {"question": "Học phí?", "profile": {"cohort": 48}},
        {"question": "Học phí?", "before": ["Học phí?"] * 11},
        {"question": "Học phí?", "before": [""]},
        {"question": "Học phí?", "draft": 0},
    ],
)
def test_what_cannot_be_asked(enter: Enter, body: dict[str, Any]) -> None:
    refused = enter("advisor").post("/api/try", json=body)

    assert (refused.status_code, refused.json()["error"]) == (422, "invalid")
