"""Kept drafts: saved, reviewed, published or discarded; none of them answers anybody before."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from console_driver import SIZES, Clock, Enter, OpenPages, Students, databases, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import expect
from test_documents import upload
from test_facts import KEYS

from console import kept_drafts as limits
from console.api.dependencies import Console
from console.kept_drafts import KeptDrafts

POOL = "Trường có hồ bơi không?"
NEW = {"question": POOL, "variants": ["truong co ho boi khong"], "answer": "Có, ở khu B.", "topic": "study"}
TRANSCRIPT = "study-transcript"
FIELDS = ("question", "variants", "answer", "topic", "sources", "applies_to", "owner", "reviewed_at")


def keep(client: TestClient, **more: Any) -> dict[str, Any]:
    made = client.post("/api/drafts", json={"kind": "entry", "fields": NEW, **more})
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
    return list(client.get("/api/drafts").json()["drafts"])


def test_a_draft_is_reviewed_published_and_gone(enter: Enter, console: Console, students: Students) -> None:
    editor, other = enter("editor"), enter("administrator")
    asked = students.asks(POOL)
    kept = keep(editor, settles=[asked], checks=[POOL], tell=[asked])
    [row] = listed(other)
    assert (row["name"], row["state"], row["author"], row["part"]) == (POOL, "draft", "Cô editor", "new")
    # Nobody is answered by it.
    assert editor.post("/api/try", json={"question": POOL}).json()["said"][0]["decision"] == "no_answer"

    reviewed = other.post(f"/api/drafts/{kept['id']}/review", json={"version": kept["version"]}).json()
    assert (reviewed["state"], reviewed["reviewed_by"]) == ("reviewed", "Cô administrator")
    noted = console.audit.page()[0]
    assert (noted["login"], noted["action"], noted["target"]) == ("administrator", "review_draft", POOL)

    opened = editor.get(f"/api/drafts/{kept['id']}").json()
    draft = opened["draft"]
    body = {**draft["fields"], **{name: draft[name] for name in ("settles", "checks", "tell")}}
    published = editor.post("/api/faq/entries", json={**body, "draft": ref(opened)})
    assert (published.status_code, published.json()["told"]) == (201, 1)
    assert editor.post("/api/try", json={"question": POOL}).json()["said"][0]["decision"] == "answer"
    assert listed(editor) == []
    assert [each.question for each in console.publisher.files.checked()] == [POOL]


def test_a_gap_tells_of_the_draft_that_is_to_settle_it(enter: Enter, students: Students) -> None:
    editor, reader = enter("editor"), enter("advisor")
    asked, _other = students.asks(POOL), students.asks("Thuê sân bóng ở đâu?", "binh")
    kept = keep(editor, settles=[asked])

    told = {group["question"]: group["draft"] for group in reader.get("/api/gaps").json()["groups"]}

    assert told == {
        POOL: {"id": kept["id"], "author": "Cô editor", "at": kept["at"]},
        "Thuê sân bóng ở đâu?": None,
    }
    editor.delete(f"/api/drafts/{kept['id']}", params={"version": kept["version"]})
    assert {group["draft"] for group in reader.get("/api/gaps").json()["groups"]} == {None}


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_who_writes_an_answer_to_a_gap_is_offered_the_draft(
    open_pages: OpenPages, enter: Enter, students: Students, size: tuple[int, int]
) -> None:
    keep(enter("administrator"), settles=[students.asks(POOL)])
    page = open_pages("editor", size)
    page.goto("/gaps")
    expect(page.get_by_test_id("gap")).to_contain_text("Có bản nháp của Cô administrator")

    page.get_by_role("button", name="Viết câu trả lời").click()
    offered = page.get_by_role("dialog")
    expect(offered).to_contain_text("Cô administrator đang giữ một bản nháp")
    assert in_view(page)
    offered.get_by_role("button", name="Mở bản nháp").click()

    answer = page.get_by_role("dialog").get_by_role("textbox", name="Câu trả lời")
    expect(answer).to_have_value("Có, ở khu B.")


@databases
def test_drafts_are_kept_changed_and_discarded(enter: Enter, console: Console, clock: Clock) -> None:
    editor = enter("editor")
    first, _second = keep(editor), keep(editor, fields={**NEW, "question": "Có sân bóng không?"})
    path = f"/api/drafts/{first['id']}"
    reviewed = editor.post(f"{path}/review", json={"version": first["version"]}).json()
    assert reviewed["state"] == "reviewed"

    clock.now += 60
    changed = {"kind": "entry", "fields": {**NEW, "answer": "Có, ở khu C."}}
    saved = editor.put(path, json={"version": reviewed["version"], "draft": changed}).json()
    # It is another text than the one that was reviewed.
    assert (saved["state"], saved["reviewed_by"], saved["at"]) == ("draft", "", clock.now)
    assert editor.get(path).json() == saved
    assert [each["name"] for each in listed(editor)] == [POOL, "Có sân bóng không?"]

    assert editor.delete(path, params={"version": first["version"]}).json()["error"] == "draft_conflict"
    assert editor.delete(path, params={"version": saved["version"]}).status_code == 204
    for answer in (editor.get(path), editor.delete(path, params={"version": 1})):
        assert (answer.status_code, answer.json()["error"]) == (404, "no_kept_draft")
    assert [each["name"] for each in listed(editor)] == ["Có sân bóng không?"]
    assert [each["action"] for each in console.audit.page()][:5] == [
        *("discard_draft", "keep_draft", "review_draft", "keep_draft", "keep_draft")
    ]


def test_two_editors_of_a_draft_never_overwrite_each_other(enter: Enter, console: Console) -> None:
    editor, other = enter("editor"), enter("administrator")
    kept = keep(editor)
    path = f"/api/drafts/{kept['id']}"
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
    assert [(each["part_id"], each["part"]) for each in listed(editor)] == [(TRANSCRIPT, "same")]
    meanwhile = {**body, "answer": "Ở phòng khác.", "draft": None}
    now = editor.put(f"/api/faq/entries/{TRANSCRIPT}", json=meanwhile).json()

    assert [each["part"] for each in listed(editor)] == ["changed"]
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

    assert [each["part"] for each in listed(editor)] == ["gone"]


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
    refused = editor.post("/api/drafts", json=personal)
    assert (refused.status_code, refused.json()["error"]) == (422, "personal_data")
    assert KeptDrafts(console.database).all() == []

    monkeypatch.setattr(limits, "MOST", 1)
    keep(editor)
    full = editor.post("/api/drafts", json={"kind": "entry", "fields": NEW})
    assert (full.status_code, full.json()["error"]) == (409, "too_many_kept_drafts")


ROOM = "facts.dormitory.2026.room"
DORMITORY = {"name": ROOM, "seen": "350.000 đồng", "seen_note": "Thông báo 12"}


@pytest.fixture
def noted(school: Path) -> Path:
    """Return the school with a fact that has a note."""
    text = '"2026":\n  room: 350.000 đồng  # Thông báo 12\n'
    (school / "facts" / "dormitory.yml").write_text(text, encoding="utf-8")
    return school


def kept_of(client: TestClient, draft: dict[str, Any]) -> dict[str, Any]:
    made = client.post("/api/drafts", json=draft)
    assert made.status_code == 201, made.text
    return dict(made.json())


def of_kind(client: TestClient, kind: str) -> list[dict[str, Any]]:
    return list(client.get("/api/drafts", params={"kind": kind}).json()["drafts"])


def test_a_value_is_kept_reviewed_and_published(enter: Enter, noted: Path) -> None:
    editor, other = enter("editor"), enter("administrator")
    kept = kept_of(editor, {"kind": "fact", **DORMITORY, "value": "360.000 đồng", "note": "Thông báo 13"})
    [row] = of_kind(editor, "fact")
    assert (row["name"], row["part_id"], row["part"]) == (DORMITORY["name"], DORMITORY["name"], "same")
    assert "350.000" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")
    assert of_kind(editor, "calculator") == of_kind(editor, "entry") == []
    assert other.post(f"/api/drafts/{kept['id']}/review", json={"version": 1}).json()["state"] == "reviewed"

    body = {**DORMITORY, "value": "360.000 đồng", "note": "Thông báo 13"}
    late = editor.put("/api/facts/value", json={**body, "draft": ref(kept)})
    assert (late.status_code, late.json()["error"]) == (409, "draft_conflict")
    assert "350.000" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")

    done = editor.put("/api/facts/value", json={**body, "draft": {**ref(kept), "version": 2}})
    assert done.status_code == 200, done.text
    assert "360.000 đồng  # Thông báo 13" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")
    assert of_kind(editor, "fact") == []


@pytest.mark.usefixtures("noted")
def test_a_value_that_changed_since_is_marked_and_a_new_fact_is_new(enter: Enter) -> None:
    editor = enter("editor")
    kept_of(editor, {"kind": "fact", **DORMITORY, "seen": "340.000 đồng", "value": "360.000 đồng"})
    gone = {**DORMITORY, "name": "facts.dormitory.2020.price"}
    kept_of(editor, {"kind": "fact", **gone, "value": "360.000 đồng"})
    new = {"kind": "fact", "name": "facts.dormitory.2027.price", "is_new": True, "value": "370.000 đồng"}
    made = kept_of(editor, new)
    assert [each["part"] for each in of_kind(editor, "fact")] == ["new", "gone", "changed"]

    body = {"name": new["name"], "value": new["value"], "draft": ref(made)}
    assert editor.post("/api/facts", json=body).status_code == 201
    assert [each["part"] for each in of_kind(editor, "fact")] == ["gone", "changed"]
    wrong = editor.post("/api/drafts", json={**new, "name": "dormitory"})
    assert wrong.status_code == 422


def test_a_calculator_is_kept_with_its_faults_and_published_once_it_has_none(enter: Enter) -> None:
    editor = enter("editor")
    found = editor.get("/api/calculators").json()["calculators"][0]["id"]
    whole = editor.get(f"/api/calculators/{found}").json()
    about = {"kind": "calculator", "calculator_id": found, "seen": whole["version"]}
    kept = kept_of(editor, {**about, "text": f"{whole['text']}\n  nonsense: ["})
    assert [(each["name"], each["part"]) for each in of_kind(editor, "calculator")] == [(found, "same")]

    text = f"{whole['text'].rstrip()}  # đã xem\n"
    saved = editor.put(f"/api/drafts/{kept['id']}", json={"version": 1, "draft": {**about, "text": text}})
    body = {"version": whole["version"], "text": text, "draft": ref(saved.json())}
    done = editor.put(f"/api/calculators/{found}", json=body)
    assert done.status_code == 200, done.text
    assert of_kind(editor, "calculator") == []


def test_a_new_calculator_is_kept_by_the_id_in_its_text(enter: Enter) -> None:
    editor = enter("editor")
    kept_of(editor, {"kind": "calculator", "text": KEYS})
    [row] = of_kind(editor, "calculator")
    assert (row["name"], row["part"], row["part_id"]) == ("dormitory-keys", "new", "")


def test_topics_and_parts_of_the_catalogue_are_kept_and_published(enter: Enter) -> None:
    editor = enter("editor")
    topic = editor.get("/api/topics").json()["topics"][0]
    names = ("name", "name_en", "description", "office", "examples", "assumes")
    fields = {**{each: topic[each] for each in names}, "description": "Tất cả về việc học"}
    about = {"kind": "topic", "topic_id": topic["id"], "id": topic["id"], "seen": topic["version"]}
    kept = kept_of(editor, {**about, "fields": fields})
    assert [(each["name"], each["part"]) for each in of_kind(editor, "topic")] == [(topic["name"], "same")]

    [office] = [
        section for section in editor.get("/api/catalogue").json()["sections"] if section["id"] == "office"
    ]
    part = office["parts"][0]
    phone = {"phone": "0200 3999999"}
    of_part = {"kind": "part", "section_id": "office", "part_id": part["id"], "seen": part["version"]}
    kept_part = kept_of(editor, {**of_part, "fields": phone})
    assert kept_part["draft"]["fields"] == phone
    [row] = of_kind(editor, "part")
    assert (row["section_id"], row["part_id"], row["part"]) == ("office", part["id"], "same")

    address = f"/api/topics/{topic['id']}"
    done = editor.put(address, json={**fields, "version": topic["version"], "draft": ref(kept)})
    assert done.status_code == 200, done.text
    address = f"/api/catalogue/office/{part['id']}"
    done = editor.put(address, json={**phone, "version": part["version"], "draft": ref(kept_part)})
    assert done.status_code == 200, done.text
    assert listed(editor) == []


def test_what_is_known_of_a_document_is_kept_and_of_an_upload_it_is_reviewed(enter: Enter) -> None:
    editor = enter("editor")
    draft = upload(editor, "Quy định thuê tủ đồ.txt")["draft"]
    read = editor.get(f"/api/documents/drafts/{draft}").json()
    fields = {**read["fields"], "title": "Quy định thuê tủ đồ", "topic": "study"}
    about = {"kind": "document", "document_id": read["id"], "upload": draft, "seen": read["version"]}
    kept = kept_of(editor, {**about, "fields": fields})
    [row] = of_kind(editor, "document")
    assert (row["name"], row["upload"], row["part"]) == ("Quy định thuê tủ đồ", draft, "same")
    reviewed = editor.post(f"/api/drafts/{kept['id']}/review", json={"version": 1}).json()

    body = {**fields, "version": read["version"], "draft": ref(reviewed)}
    done = editor.post(f"/api/documents/drafts/{draft}/publication", json=body)
    assert done.status_code == 200, done.text
    assert of_kind(editor, "document") == []


@pytest.mark.usefixtures("noted")
def test_a_kept_draft_of_a_value_is_tried_beside_what_is_live_and_one_that_needs_a_build_is_not(
    enter: Enter,
) -> None:
    editor = enter("editor")
    kept = kept_of(editor, {"kind": "fact", **DORMITORY, "value": "360.000 đồng"})
    tried = editor.post("/api/try", json={"question": POOL, "draft": kept["id"]})
    assert tried.status_code == 200, tried.text
    assert tried.json()["drafted"]

    topic = editor.get("/api/topics").json()["topics"][0]
    about = {"kind": "topic", "topic_id": topic["id"], "id": topic["id"]}
    built = kept_of(editor, {**about, "fields": {"name": "Học"}})
    refused = editor.post("/api/try", json={"question": POOL, "draft": built["id"]})
    assert (refused.status_code, refused.json()["error"]) == (422, "needs_build")


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

    row = page.get_by_test_id("kept-draft")
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
    row = page.get_by_test_id("kept-draft")
    expect(row).to_contain_text("Bản gốc đã đổi")

    row.get_by_role("button").click()
    conflict = page.get_by_test_id("conflict")
    expect(conflict).to_contain_text("Ở phòng mới.")
    expect(conflict).to_contain_text("Ở phòng khác.")
    conflict.get_by_role("button", name="Giữ bản của tôi").click()
    # Somebody else saves the draft meanwhile, too.
    theirs = {**editor.get(f"/api/drafts/{kept['id']}").json()["draft"]}
    theirs["fields"] = {**theirs["fields"], "answer": "Ở phòng thứ ba."}
    saved = enter("administrator").put(
        f"/api/drafts/{kept['id']}", json={"version": kept["version"], "draft": theirs}
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


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_a_value_is_kept_opened_again_and_published(
    open_pages: OpenPages, enter: Enter, noted: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto(f"/facts/{ROOM}")
    value = page.get_by_role("textbox", name="Giá trị", exact=True)
    value.fill("360.000 đồng")
    page.get_by_role("button", name="Lưu nháp").click()
    row = page.get_by_test_id("kept-draft")
    expect(page.get_by_test_id("draft-state")).to_contain_text("Cô editor")
    # Nothing written is lost by leaving: no question is asked.
    page.goto("/facts")
    expect(row).to_contain_text("Nháp")
    assert in_view(page)

    row.get_by_role("button").click()
    expect(value).to_have_value("360.000 đồng")
    page.get_by_role("button", name="Đánh dấu đã duyệt").click()
    expect(row).to_contain_text("Đã duyệt")
    assert in_view(page)
    # Somebody else saves it meanwhile.
    [kept] = of_kind(enter("administrator"), "fact")
    theirs = {"kind": "fact", **DORMITORY, "value": "370.000 đồng", "note": "Thông báo 13"}
    saved = enter("administrator").put(
        f"/api/drafts/{kept['id']}", json={"version": kept["version"], "draft": theirs}
    )
    assert saved.status_code == 200, saved.text
    page.get_by_role("button", name="Đăng", exact=True).click()
    conflict = page.get_by_test_id("conflict")
    expect(conflict).to_contain_text("Cô administrator")
    expect(conflict).to_contain_text("370.000 đồng")
    conflict.get_by_role("button", name="Bỏ bản của tôi").click()
    expect(value).to_have_value("370.000 đồng")
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(row).to_have_count(0)
    assert "370.000 đồng  # Thông báo 13" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")


@pytest.mark.browser
def test_drafts_of_a_calculator_and_of_a_new_one_are_opened_in_their_forms(
    open_pages: OpenPages, enter: Enter
) -> None:
    page = open_pages("editor", (1280, 800))
    editor = enter("editor")
    whole = editor.get("/api/calculators/dormitory-months").json()
    about = {"kind": "calculator", "calculator_id": "dormitory-months", "seen": whole["version"]}
    kept_of(editor, {**about, "text": whole["text"].rstrip() + "  # đã xem\n"})
    kept_of(editor, {"kind": "calculator", "text": KEYS})
    page.goto("/facts")
    page.get_by_text("Công thức", exact=True).click()
    rows = page.get_by_test_id("kept-draft")
    expect(rows).to_have_count(2)
    rows.get_by_role("button", name="dormitory-keys").click()
    text = page.get_by_role("textbox", name="Nội dung công thức")
    expect(text).to_have_value(KEYS)
    rows.get_by_role("button", name="dormitory-months").click()
    expect(text).to_have_value(re.compile("# đã xem"))
    page.get_by_role("button", name="Bỏ bản nháp").click()
    page.get_by_role("dialog").get_by_role("button", name="Bỏ bản nháp").click()
    expect(rows).to_have_count(1)


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_drafts_of_topics_and_of_the_catalogue_are_opened_in_their_forms(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    editor = enter("editor")
    topic = editor.get("/api/topics").json()["topics"][0]
    page.goto(f"/topics/topic~{topic['id']}")
    described = page.get_by_label("Mô tả")
    described.fill("Tất cả về việc học")
    page.get_by_role("button", name="Lưu nháp").click()
    expect(page.get_by_test_id("draft-state")).to_contain_text("Cô editor")
    page.goto("/topics")
    row = page.get_by_test_id("kept-draft")
    row.get_by_role("button", name=topic["name"]).click()
    expect(described).to_have_value("Tất cả về việc học")
    assert in_view(page)
    page.get_by_role("button", name="Lưu", exact=True).click()
    expect(row).to_have_count(0)
    assert editor.get("/api/topics").json()["topics"][0]["description"] == "Tất cả về việc học"

    # The office is gone meanwhile: the draft is of a new one.
    of_part = {"kind": "part", "section_id": "office", "part_id": "phong-cu", "seen": "0"}
    kept_of(editor, {**of_part, "fields": {"name": "Phòng cũ", "phone": "0200 3999999"}})
    page.goto("/topics")
    page.get_by_text("Danh mục", exact=True).click()
    expect(row).to_contain_text("Bản gốc không còn")
    row.get_by_role("button", name="Phòng cũ").click()
    expect(page.get_by_role("textbox", name="Điện thoại", exact=True)).to_have_value("0200 3999999")
    expect(page.get_by_test_id("draft-state")).to_contain_text("thành một mục mới")


@pytest.mark.browser
def test_what_is_known_of_an_upload_is_kept_for_its_review(open_pages: OpenPages, enter: Enter) -> None:
    page = open_pages("editor", (1280, 800))
    editor = enter("editor")
    draft = upload(editor, "Quy định thuê tủ đồ.txt")["draft"]
    page.goto(f"/documents/draft-{draft}")
    title = page.get_by_label("Tên văn bản")
    title.fill("Quy định về tủ đồ")
    page.get_by_role("button", name="Lưu nháp").click()
    row = page.get_by_test_id("kept-draft")
    expect(row).to_contain_text("Quy định về tủ đồ")
    page.get_by_role("button", name="Đánh dấu đã duyệt").click()
    expect(row).to_contain_text("Đã duyệt")
    page.goto("/documents")
    row.get_by_role("button").click()
    expect(title).to_have_value("Quy định về tủ đồ")
    # It is as it was kept.
    expect(page.get_by_role("button", name="Lưu nháp")).to_be_disabled()
    editor.delete(f"/api/documents/drafts/{draft}")
    page.goto("/documents")
    expect(row).to_contain_text("Bản gốc không còn")
    row.get_by_role("button", name="Bỏ bản nháp").click()
    page.get_by_role("dialog").get_by_role("button", name="Bỏ bản nháp").click()
    expect(row).to_have_count(0)
