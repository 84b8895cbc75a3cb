"""Kept drafts of FAQ entries: saved, reviewed, published or discarded; none of them answers anybody before."""

from __future__ import annotations

from typing import Any

import pytest
from console_driver import SIZES, Clock, Enter, OpenPages, Students, databases, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console import entry_drafts as limits
from console.api.dependencies import Console
from console.entry_drafts import EntryDrafts

POOL = "Trường có hồ bơi không?"
NEW = {"question": POOL, "variants": ["truong co ho boi khong"], "answer": "Có, ở khu B.", "topic": "study"}
TRANSCRIPT = "study-transcript"
FIELDS = ("question", "variants", "answer", "topic", "sources", "applies_to", "owner", "reviewed_at")


def keep(client: TestClient, **more: Any) -> dict[str, Any]:
    made = client.post("/api/faq/drafts", json={"kind": "entry", "fields": NEW, **more})
    assert made.status_code == 201, made.text
    return dict(made.json())


def keep_change(client: TestClient, answer: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keep a draft of an entry with another answer; return it, and its fields with the version seen."""
    entry = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()
    fields = {**{name: entry[name] for name in FIELDS}, "answer": answer}
    kept = keep(client, entry_id=TRANSCRIPT, seen=entry["version"], fields=fields)
    return kept, {**fields, "version": entry["version"], "draft": ref(kept)}


def ref(kept: dict[str, Any]) -> dict[str, Any]:
    return {"id": kept["id"], "version": kept["version"]}


def listed(client: TestClient) -> list[dict[str, Any]]:
    return list(client.get("/api/faq/drafts").json()["drafts"])


def test_a_draft_is_reviewed_published_and_gone(enter: Enter, console: Console, students: Students) -> None:
    editor, other = enter("editor"), enter("administrator")
    asked = students.asks(POOL)
    kept = keep(editor, settles=[asked], checks=[POOL], tell=[asked])
    [row] = listed(other)
    assert (row["question"], row["state"], row["author"], row["entry"]) == (POOL, "draft", "Cô editor", "new")
    # Nobody is answered by it.
    assert editor.post("/api/try", json={"question": POOL}).json()["said"][0]["decision"] == "no_answer"

    reviewed = other.post(f"/api/faq/drafts/{kept['id']}/review", json={"version": kept["version"]}).json()
    assert (reviewed["state"], reviewed["reviewed_by"]) == ("reviewed", "Cô administrator")
    noted = console.audit.page()[0]
    assert (noted["login"], noted["action"], noted["target"]) == ("administrator", "review_draft", POOL)

    opened = editor.get(f"/api/faq/drafts/{kept['id']}").json()
    draft = opened["draft"]
    body = {**draft["fields"], **{name: draft[name] for name in ("settles", "checks", "tell")}}
    published = editor.post("/api/faq/entries", json={**body, "draft": ref(opened)})
    assert (published.status_code, published.json()["told"]) == (201, 1)
    assert editor.post("/api/try", json={"question": POOL}).json()["said"][0]["decision"] == "answer"
    assert listed(editor) == []
    assert [each.question for each in console.publisher.files.checked()] == [POOL]


@databases
def test_drafts_are_kept_changed_and_discarded(enter: Enter, console: Console, clock: Clock) -> None:
    editor = enter("editor")
    first, _second = keep(editor), keep(editor, fields={**NEW, "question": "Có sân bóng không?"})
    path = f"/api/faq/drafts/{first['id']}"
    reviewed = editor.post(f"{path}/review", json={"version": first["version"]}).json()
    assert reviewed["state"] == "reviewed"

    clock.now += 60
    changed = {"kind": "entry", "fields": {**NEW, "answer": "Có, ở khu C."}}
    saved = editor.put(path, json={"version": reviewed["version"], "draft": changed}).json()
    # It is another text than the one that was reviewed.
    assert (saved["state"], saved["reviewed_by"], saved["at"]) == ("draft", "", clock.now)
    assert editor.get(path).json() == saved
    assert [each["question"] for each in listed(editor)] == [POOL, "Có sân bóng không?"]

    assert editor.delete(path, params={"version": first["version"]}).json()["error"] == "draft_conflict"
    assert editor.delete(path, params={"version": saved["version"]}).status_code == 204
    for answer in (editor.get(path), editor.delete(path, params={"version": 1})):
        assert (answer.status_code, answer.json()["error"]) == (404, "no_entry_draft")
    assert [each["question"] for each in listed(editor)] == ["Có sân bóng không?"]
    assert [each["action"] for each in console.audit.page()][:5] == [
        *("discard_draft", "keep_draft", "review_draft", "keep_draft", "keep_draft")
    ]


def test_two_editors_of_a_draft_never_overwrite_each_other(enter: Enter, console: Console) -> None:
    editor, other = enter("editor"), enter("administrator")
    kept = keep(editor)
    path = f"/api/faq/drafts/{kept['id']}"
    theirs = {"kind": "entry", "fields": {**NEW, "answer": "Có, ở khu C."}}
    assert other.put(path, json={"version": kept["version"], "draft": theirs}).status_code == 200

    late = {"version": kept["version"]}
    before = {entry.text for entry in console.publisher.files.entries()}
    for answer in (
        editor.put(path, json={**late, "draft": {"kind": "entry", "fields": NEW}}),
        editor.post(f"{path}/review", json=late),
        editor.post("/api/faq/entries", json={**NEW, "draft": ref(kept)}),
    ):
        assert (answer.status_code, answer.json()["error"]) == (409, "draft_conflict")
        assert answer.json()["detail"]["saved"]["name"] == "Cô administrator"
    assert {entry.text for entry in console.publisher.files.entries()} == before
    assert editor.get(path).json()["draft"]["fields"]["answer"] == "Có, ở khu C."


def test_a_draft_of_an_entry_that_changed_since_is_a_conflict(enter: Enter) -> None:
    editor = enter("editor")
    kept, body = keep_change(editor, "Ở phòng mới.")
    assert [(each["entry_id"], each["entry"]) for each in listed(editor)] == [(TRANSCRIPT, "same")]
    meanwhile = {**body, "answer": "Ở phòng khác.", "draft": None}
    now = editor.put(f"/api/faq/entries/{TRANSCRIPT}", json=meanwhile).json()

    assert [each["entry"] for each in listed(editor)] == ["changed"]
    refused = editor.put(f"/api/faq/entries/{TRANSCRIPT}", json=body)
    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert [each["id"] for each in listed(editor)] == [kept["id"]]

    # The editor has seen both texts, and keeps theirs.
    after = editor.put(f"/api/faq/entries/{TRANSCRIPT}", json={**body, "version": now["version"]})
    assert after.json()["answer"].strip() == "Ở phòng mới."
    assert listed(editor) == []


def test_a_draft_whose_entry_is_gone_says_so(enter: Enter, console: Console) -> None:
    editor = enter("editor")
    keep_change(editor, "Ở phòng mới.")
    for file in (console.publisher.files.knowledge / "faq").glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f"id: {TRANSCRIPT}\n", "id: study-record\n"), encoding="utf-8")

    assert [each["entry"] for each in listed(editor)] == ["gone"]


def test_a_draft_that_fails_to_be_published_stays(enter: Enter) -> None:
    editor = enter("editor")
    kept = keep(editor, fields={**NEW, "topic": "no-topic"})

    refused = editor.post("/api/faq/entries", json={**NEW, "topic": "no-topic", "draft": ref(kept)})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert [each["id"] for each in listed(editor)] == [kept["id"]]


def test_a_draft_keeps_no_personal_data_and_there_is_an_end_to_them(
    enter: Enter, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = enter("editor")
    personal = {"kind": "entry", "fields": {**NEW, "variants": ["em là B2012345, có hồ bơi không"]}}
    refused = editor.post("/api/faq/drafts", json=personal)
    assert (refused.status_code, refused.json()["error"]) == (422, "personal_data")
    assert EntryDrafts(console.database).all() == []

    monkeypatch.setattr(limits, "MOST", 1)
    keep(editor)
    full = editor.post("/api/faq/drafts", json={"kind": "entry", "fields": NEW})
    assert (full.status_code, full.json()["error"]) == (409, "too_many_entry_drafts")


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_form_is_kept_reviewed_and_published(
    open_pages: OpenPages, console: Console, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog", name="Câu trả lời mới")
    form.get_by_role("textbox", name="Câu hỏi").fill(POOL)
    form.get_by_role("textbox", name="Câu trả lời").fill("Có, ở khu B.")
    form.get_by_role("combobox", name="Chủ đề").click()
    page.get_by_role("option").first.click()
    form.get_by_role("button", name="Lưu nháp").click()

    row = page.get_by_test_id("entry-draft")
    expect(row).to_contain_text("Nháp")
    expect(row).to_contain_text("Cô editor")
    assert in_view(page)
    assert POOL not in {entry.question for entry in console.publisher.live.index().faq}

    row.get_by_role("button", name=POOL).click()
    state = form.get_by_test_id("draft-state")
    review = state.get_by_role("button", name="Đánh dấu đã duyệt")
    answer = form.get_by_role("textbox", name="Câu trả lời")
    answer.fill("Có, ở khu C.")
    expect(review).to_be_disabled()
    form.get_by_role("button", name="Lưu nháp").click()
    row.get_by_role("button", name=POOL).click()
    expect(answer).to_have_value("Có, ở khu C.")
    review.click()
    expect(state).to_contain_text("Cô editor đã duyệt")
    expect(row).to_contain_text("Đã duyệt")
    assert in_view(page)
    form.get_by_role("button", name="Thôi", exact=True).click()
    page.get_by_text("Nháp (0)").click()
    expect(row).to_have_count(0)
    page.get_by_text("Đã duyệt (1)").click()
    row.get_by_role("button", name=POOL).click()

    form.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_test_id("entry").filter(has_text=POOL)).to_be_visible()
    expect(row).to_have_count(0)
    [made] = [entry for entry in console.publisher.live.index().faq if entry.question == POOL]
    assert made.answer.strip() == "Có, ở khu C."


@pytest.mark.browser
def test_an_older_draft_is_shown_beside_what_is_published_since(open_pages: OpenPages, enter: Enter) -> None:
    page = open_pages("editor", (1280, 800))
    editor = enter("editor")
    kept, body = keep_change(editor, "Ở phòng mới.")
    meanwhile = {**body, "answer": "Ở phòng khác.", "draft": None}
    assert editor.put(f"/api/faq/entries/{TRANSCRIPT}", json=meanwhile).status_code == 200
    page.goto("/faq")
    row = page.get_by_test_id("entry-draft")
    expect(row).to_contain_text("Câu gốc đã đổi")

    row.get_by_role("button").click()
    conflict = page.get_by_test_id("conflict")
    expect(conflict).to_contain_text("Ở phòng mới.")
    expect(conflict).to_contain_text("Ở phòng khác.")
    conflict.get_by_role("button", name="Giữ bản của tôi").click()
    # Somebody else saves the draft meanwhile, too.
    theirs = {**editor.get(f"/api/faq/drafts/{kept['id']}").json()["draft"]}
    theirs["fields"] = {**theirs["fields"], "answer": "Ở phòng thứ ba."}
    saved = enter("administrator").put(
        f"/api/faq/drafts/{kept['id']}", json={"version": kept["version"], "draft": theirs}
    )
    assert saved.status_code == 200
    page.get_by_role("button", name="Lưu nháp").click()
    expect(conflict).to_contain_text("Cô administrator")
    expect(conflict).to_contain_text("Ở phòng thứ ba.")
    conflict.get_by_role("button", name="Bỏ bản của tôi").click()
    answer = page.get_by_role("dialog").get_by_role("textbox", name="Câu trả lời")
    expect(answer).to_have_value("Ở phòng thứ ba.")

    page.get_by_role("button", name="Bỏ bản nháp").click()
    asked = page.get_by_role("dialog", name="Bỏ bản nháp")
    expect(asked).to_contain_text("không lấy lại được")
    asked.get_by_role("button", name="Bỏ bản nháp").click()
    expect(row).to_have_count(0)
