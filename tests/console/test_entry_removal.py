"""Taking away an FAQ entry, and a checked question."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_driver import SIZES, Enter, OpenPages, in_view
from embedder_stand_in import EmbedderStandIn
from playwright.sync_api import expect

from console.publishing import Publisher
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.load import load_knowledge
from rag.live_engine import LiveEngine
from rag.types import QueryRule, Question

ASKED = "Xin bảng điểm ở đâu?"
TRANSCRIPT, CARD = "study-transcript", "study-card"
AUTHOR = ("Cô Lan", "lan")


@pytest.fixture
def live(publisher: Publisher) -> LiveEngine:
    return LiveEngine(publisher.live.folder, embedder=EmbedderStandIn())


def given(live: LiveEngine) -> str | None:
    return live.current().reply(Question(ASKED)).answer_id


def check(enter: Enter, question: str) -> None:
    """Publish the transcript's entry as it is, with a question that is checked from now on."""
    client = enter("editor")
    entry = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()
    names = ("question", "variants", "answer", "topic", "sources", "version")
    body = {name: entry[name] for name in names} | {"checks": [question]}
    assert client.put(f"/api/faq/entries/{TRANSCRIPT}", json=body).status_code == 200


def test_an_entry_goes_with_its_checked_questions_and_its_version_brings_it_back(
    enter: Enter, publisher: Publisher, school: Path, live: LiveEngine
) -> None:
    check(enter, ASKED)
    client = enter("editor")
    others = {entry.id: entry.text for entry in publisher.files.entries() if entry.id != TRANSCRIPT}
    version = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()["version"]
    assert given(live) == TRANSCRIPT

    stale = client.post(f"/api/faq/entries/{TRANSCRIPT}/removal", json={"version": "0" * 16})
    assert stale.status_code == 409
    done = client.post(f"/api/faq/entries/{TRANSCRIPT}/removal", json={"version": version})

    assert done.status_code == 200, done.text
    assert given(live) != TRANSCRIPT
    assert {entry.id: entry.text for entry in publisher.files.entries()} == others
    assert publisher.files.checked() == ()
    load_knowledge(school)
    latest = client.get("/api/versions").json()["versions"][0]
    assert (latest["action"], latest["message"]) == ("entry_removed", ASKED)
    assert client.post(f"/api/versions/{latest['commit']}/undo").status_code == 200
    assert given(live) == TRANSCRIPT
    assert publisher.files.checked() == (CheckedQuestion(ASKED, TRANSCRIPT),)


def test_an_entry_that_a_rule_offers_stays(enter: Enter, publisher: Publisher, live: LiveEngine) -> None:
    publisher.publish_rule(QueryRule("Làm giấy tờ ở đâu?", entries=(CARD, TRANSCRIPT)), "", AUTHOR)
    client = enter("editor")
    version = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()["version"]

    refused = client.post(f"/api/faq/entries/{TRANSCRIPT}/removal", json={"version": version})

    assert (refused.status_code, refused.json()["error"]) == (409, "in_use")
    [use] = refused.json()["detail"]["uses"]
    assert (use["kind"], use["name"], use["file"]) == ("rule", "Làm giấy tờ ở đâu?", "query_rules.yml")
    assert given(live) == TRANSCRIPT


def test_the_last_entry_of_a_file_takes_the_file_along(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    fields = {"question": "Trường có sân bóng không?", "answer": "Có.", "topic": "dormitory"}
    made = client.post("/api/faq/entries", json=fields).json()["id"]
    entry = publisher.files.entry(made)
    assert entry is not None
    alone = [each for each in publisher.files.entries() if each.file == entry.file]
    for each in alone:
        body = {"version": client.get(f"/api/faq/entries/{each.id}").json()["version"]}
        assert client.post(f"/api/faq/entries/{each.id}/removal", json=body).status_code == 200

    assert not (publisher.files.knowledge / entry.file).exists()
    load_knowledge(publisher.files.knowledge)


def test_a_checked_question_is_taken_out_and_its_answer_stays(
    enter: Enter, publisher: Publisher, live: LiveEngine
) -> None:
    check(enter, ASKED)
    publisher.publish_rule(QueryRule("Cho vay không?"), "", AUTHOR)
    client = enter("editor")
    listed = client.get("/api/checked-questions").json()["questions"]
    assert [(each["question"], each["ruled"]) for each in listed] == [
        (ASKED, False),
        ("Cho vay không?", True),
    ]
    assert listed[0]["entry"] == {"id": TRANSCRIPT, "question": ASKED}

    assert client.post("/api/checked-questions/removal", json={"question": ASKED}).status_code == 200
    assert client.post("/api/checked-questions/removal", json={"question": ASKED}).status_code == 404

    assert publisher.files.checked() == (CheckedQuestion("Cho vay không?"),)
    assert given(live) == TRANSCRIPT


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_entries_and_checked_questions_are_looked_up_and_taken_away(
    open_pages: OpenPages, enter: Enter, publisher: Publisher, live: LiveEngine, size: tuple[int, int]
) -> None:
    check(enter, "bảng điểm xin chỗ nào")
    publisher.publish_rule(QueryRule("Cho vay không?"), "", AUTHOR)
    page = open_pages("administrator", size)
    page.goto("/faq")
    page.get_by_role("button", name="Câu hỏi đã kiểm (2)").click()
    dialog = page.get_by_role("dialog", name="Câu hỏi đã kiểm")
    listed = dialog.get_by_test_id("checked-question")
    expect(listed).to_have_count(2)
    expect(listed.last).to_contain_text("không trả lời (theo quy tắc)")
    dialog.get_by_role("textbox", name="Tìm trong câu hỏi đã kiểm").fill("bang diem")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text(ASKED)
    assert in_view(page)
    listed.get_by_role("button", name="Bỏ").click()
    page.get_by_role("button", name="Bỏ câu hỏi đã kiểm").click()
    expect(page.get_by_text("Đã bỏ câu hỏi đã kiểm.")).to_be_visible()
    assert publisher.files.checked() == (CheckedQuestion("Cho vay không?"),)

    page.goto(f"/faq/{TRANSCRIPT}")
    form = page.get_by_role("dialog", name="Sửa câu trả lời")
    form.get_by_role("button", name="Xóa", exact=True).click()
    page.get_by_role("dialog", name="Xóa").get_by_role("button", name="Xóa hẳn").click()
    expect(page.get_by_text("Đã xóa.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert given(live) != TRANSCRIPT
