"""Several kept drafts are checked together, and published as one version or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_driver import SIZES, Enter, OpenPages, Students, databases, git, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect
from test_built_drafts import LOCKER, until, uploaded
from test_draft_checks import changes, checks, ended, with_checked
from test_facts import KEYS
from test_kept_drafts import (
    DORMITORY,
    NEW,
    POOL,
    ROOM,
    TRANSCRIPT,
    keep,
    keep_change,
    kept_of,
    listed,
    noted,
    ref,
)
from test_unfinished_changes import contents

from console.api.dependencies import Console
from console.publishing import Publisher
from rag.ingest.checked_questions import CheckedQuestion

__all__ = ["noted"]

PITCH = {"question": "Có sân bóng không?", "answer": "Có, ở khu A.", "topic": "study"}


def review(client: TestClient, *kept: dict[str, Any]) -> list[dict[str, Any]]:
    """Mark drafts as reviewed; return them as the calls of several name them."""
    sent = [
        client.post(f"/api/drafts/{each['id']}/review", json={"version": each["version"]}) for each in kept
    ]
    assert [each.status_code for each in sent] == [200] * len(kept)
    return [ref(each.json()) for each in sent]


def publish(client: TestClient, drafts: list[dict[str, Any]], **seen: Any) -> Any:
    return client.post("/api/drafts/publication", json={"drafts": drafts, **seen})


def answered(client: TestClient, question: str) -> str:
    return str(client.post("/api/try", json={"question": question}).json()["said"][0])


@databases
def test_drafts_of_entries_and_a_fact_are_one_version_with_one_undo(
    enter: Enter, console: Console, students: Students, noted: Path
) -> None:
    editor = enter("editor")
    asked = students.asks(POOL)
    before = contents(noted)
    change, _ = keep_change(editor, "Ở phòng mới.")
    fact = kept_of(editor, {"kind": "fact", **DORMITORY, "value": "360.000 đồng", "note": "Thông báo 13"})
    drafts = review(editor, keep(editor, settles=[asked], checks=[POOL], tell=[asked]), change, fact)

    done = publish(editor, drafts)

    assert done.status_code == 200, done.text
    told = done.json()
    assert (told["count"], told["told"], told["untold"], told["is_live"]) == (3, 1, [], True)
    assert listed(editor) == []
    assert "khu B" in answered(editor, POOL)
    assert "phòng mới" in answered(editor, "Xin bảng điểm ở đâu?")
    assert "360.000 đồng  # Thông báo 13" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")
    assert [each.question for each in console.publisher.files.checked()] == [POOL]
    assert git(noted, "status", "--porcelain") == ""
    latest, *_ = editor.get("/api/versions").json()["versions"]
    assert (latest["action"], latest["commit"]) == ("drafts", told["commit"])
    assert {"faq/faq.yml", "facts/dormitory.yml", "checked.yml"} <= set(latest["files"])
    [noted_last] = console.audit.latest(("publish_drafts",), 1)
    assert noted_last["detail"]["count"] == 3
    assert console.audit.last_save(ROOM) is not None

    undone = editor.post(f"/api/versions/{told['commit']}/undo")
    assert undone.status_code == 200, undone.text
    assert contents(noted) == before
    assert "khu B" not in answered(editor, POOL)


def test_a_draft_whose_part_changed_is_named_with_both_texts_and_nothing_is_published(
    enter: Enter, school: Path
) -> None:
    editor, other = enter("editor"), enter("administrator")
    change, body = keep_change(editor, "Ở phòng mới.")
    gone = kept_of(editor, {"kind": "fact", "name": "facts.dormitory.2020.room", "value": "1 đồng"})
    drafts = review(editor, keep(editor), change, gone)
    meanwhile = {**body, "answer": "Ở phòng khác.", "draft": None}
    assert other.put(f"/api/faq/entries/{TRANSCRIPT}", json=meanwhile).status_code == 200
    before = contents(school)

    for refused in (
        publish(editor, drafts),
        editor.post("/api/try/drafts/set", json={"drafts": drafts}),
    ):
        assert (refused.status_code, refused.json()["error"]) == (409, "parts_changed")
        by_name = {each["part_id"]: each for each in refused.json()["detail"]["changed"]}
        assert by_name.keys() == {TRANSCRIPT, "facts.dormitory.2020.room"}
        theirs = by_name[TRANSCRIPT]
        assert "Ở phòng mới." in theirs["mine"]
        assert "Ở phòng khác." in theirs["theirs"]
        assert theirs["saved"]["name"] == "Cô administrator"
        assert by_name["facts.dormitory.2020.room"]["theirs"] == ""
    assert contents(school) == before
    assert len(listed(editor)) == 3


def test_what_nobody_has_reviewed_or_somebody_saved_since_is_no_part_of_a_set(
    enter: Enter, school: Path
) -> None:
    editor = enter("editor")
    new, pitch = keep(editor), keep(editor, fields=PITCH)
    before = contents(school)
    [seen] = review(editor, pitch)
    for path in ("/api/drafts/publication", "/api/try/drafts/set"):
        refused = editor.post(path, json={"drafts": [ref(new), seen]})
        assert (refused.status_code, refused.json()["error"]) == (409, "not_reviewed")
        assert refused.json()["detail"]["drafts"] == [POOL]
        late = editor.post(path, json={"drafts": [ref(pitch)]})
        assert (late.status_code, late.json()["error"]) == (409, "draft_conflict")
        assert editor.post(path, json={"drafts": [seen, seen]}).status_code == 422
        assert editor.post(path, json={"drafts": []}).status_code == 422
    assert contents(school) == before


def test_two_drafts_of_one_part_are_no_set(enter: Enter, school: Path) -> None:
    editor = enter("editor")
    one, _ = keep_change(editor, "Ở phòng mới.")
    other, _ = keep_change(editor, "Ở phòng khác.")
    before = contents(school)

    refused = publish(editor, review(editor, one, other))

    assert (refused.status_code, refused.json()["error"]) == (409, "same_part")
    assert contents(school) == before


def test_what_an_editor_must_have_seen_is_asked_for_all_of_them(
    enter: Enter, students: Students, school: Path
) -> None:
    editor = enter("editor")
    asked = students.asks(POOL)
    pool = keep(editor, settles=[asked], fields={**NEW, "answer": "Có. Gọi 0200 777 888."})
    again = keep(editor, fields={**NEW, "question": "Trường mình có hồ bơi chứ?", "answer": "Có, ở khu C."})
    aside = editor.post("/api/gaps/aside", json={"traces": [asked]})
    assert aside.is_success
    before = contents(school)
    drafts = review(editor, pool, again)
    seen: dict[str, Any] = {}
    for fault, name, confirmed in (
        ("already_settled", "knows_settled", lambda _: True),
        ("unlisted_contacts", "public_contacts", lambda detail: detail["contacts"]),
        ("same_question", "same_entries", lambda detail: [each["id"] for each in detail["entries"]]),
    ):
        refused = publish(editor, drafts, **seen)
        assert refused.json()["error"] == fault, refused.text
        assert contents(school) == before
        seen[name] = confirmed(refused.json()["detail"])
    # Each of the two new entries has the question of the other.
    assert len(seen["same_entries"]) == 2
    assert publish(editor, drafts, **seen).status_code == 200


def test_drafts_that_cannot_be_written_are_all_named(enter: Enter, school: Path) -> None:
    editor = enter("editor")
    faulty = [
        kept_of(editor, {"kind": "calculator", "text": f"- id: {name}\n  nonsense: ["})
        for name in ("first", "second")
    ]
    before = contents(school)

    refused = publish(editor, review(editor, keep(editor), *faulty))

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    told = refused.json()["message"]
    assert all(f"{name}: " in told for name in ("first", "second"))
    assert contents(school) == before
    # So is one that the check of the folder refuses.
    topic = keep(editor, fields={**PITCH, "topic": "no-topic"})
    refused = publish(editor, review(editor, topic))
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert contents(school) == before


class TestWithBuilds:
    """With a whole build behind each change, and checked questions."""

    @pytest.fixture
    def publisher(self, tmp_path: Path, publisher: Publisher) -> Iterator[Publisher]:
        yield from with_checked(publisher, tmp_path)

    def test_entries_are_checked_together_and_the_check_is_kept(
        self, enter: Enter, school: Path, publisher: Publisher
    ) -> None:
        editor = enter("editor")
        entry = {"question": LOCKER, "answer": "30.000 đồng.", "topic": "study"}
        change, _ = keep_change(editor, "Ở phòng mới.")
        drafts = review(editor, keep(editor, fields=entry), change)
        before, live = contents(school), publisher.live.version

        begun = editor.post("/api/try/drafts/set", json={"drafts": drafts})

        assert begun.status_code == 202, begun.text
        check = ended(editor)
        assert changes(check) == {
            LOCKER: ("no_answer", "answer", False),
            "Xin bảng điểm ở đâu?": ("answer", "answer", True),
        }
        assert check["draft"] == {"kind": "set", "drafts": drafts}
        assert (contents(school), publisher.live.version) == (before, live)

        assert publish(editor, drafts).status_code == 200
        assert checks(editor) == []

    def test_a_topic_a_document_and_an_entry_of_both_go_live_as_one_version(
        self, enter: Enter, school: Path, publisher: Publisher
    ) -> None:
        editor = enter("editor")
        before = contents(school)
        document = uploaded(editor)
        topic = {"kind": "topic", "id": "lockers", "fields": {"name": "Tủ đồ"}}
        in_topic = {**document, "fields": {**document["fields"], "topic": "lockers"}}
        source = {"document": document["document_id"]}
        entry = {**PITCH, "topic": "lockers", "sources": [source]}
        kept = [keep(editor, fields=entry), kept_of(editor, in_topic), kept_of(editor, topic)]
        drafts = review(editor, *kept)
        assert editor.post("/api/try/drafts/set", json={"drafts": drafts}).status_code == 202
        assert list(changes(ended(editor))) == [LOCKER]
        assert contents(school) == before

        done = publish(editor, drafts)

        assert done.status_code == 200, done.text
        assert (done.json()["is_live"], done.json()["count"]) == (False, 3)
        assert (listed(editor), checks(editor)) == ([], [])
        assert editor.get("/api/documents/drafts").json()["drafts"] == []
        until(lambda: not publisher.whole_build.is_running)
        assert "khu A" in answered(editor, "Có sân bóng không?")
        assert "30.000 đồng" in answered(editor, LOCKER)

        undone = editor.post(f"/api/versions/{done.json()['commit']}/undo")
        assert undone.status_code == 200, undone.text
        assert contents(school) == before


def test_an_id_that_others_still_name_stays(enter: Enter, school: Path) -> None:
    editor = enter("editor")
    topics = editor.get("/api/topics").json()["topics"]
    tuition = next(each for each in topics if each["id"] == "tuition")
    fields = {name: tuition[name] for name in ("name", "office", "examples", "assumes")}
    about = {"kind": "topic", "topic_id": "tuition", "seen": tuition["version"], "fields": fields}
    renamed = kept_of(editor, {**about, "id": "fees"})
    before = contents(school)

    refused = publish(editor, review(editor, renamed, keep(editor)))

    assert (refused.status_code, refused.json()["error"]) == (409, "in_use")
    assert "tuition-deadline" in {each["id"] for each in refused.json()["detail"]["uses"]}
    assert contents(school) == before
    assert len(listed(editor)) == 2


def test_a_changed_contact_of_the_catalogue_is_told(enter: Enter, school: Path) -> None:
    editor = enter("editor")
    offices = next(
        each for each in editor.get("/api/catalogue").json()["sections"] if each["id"] == "office"
    )["parts"]
    hostel = next(each for each in offices if each["id"] == "ban-ktx")
    phone = {"phone": "(0200) 3800 111"}
    about = {"kind": "part", "section_id": "office", "part_id": "ban-ktx"}
    first = kept_of(editor, {**about, "seen": hostel["version"], "fields": phone})
    entry = {**PITCH, "answer": "Có. Gọi (0200) 3800 111."}
    # The number is public: the catalogue has it with the same version.
    done = publish(editor, review(editor, first, keep(editor, fields=entry)))
    assert done.status_code == 200, done.text
    assert done.json()["old_contacts"]["count"] == 0

    offices = next(
        each for each in editor.get("/api/catalogue").json()["sections"] if each["id"] == "office"
    )["parts"]
    now = next(each for each in offices if each["id"] == "ban-ktx")
    second = {**about, "seen": now["version"], "fields": {"phone": "(0200) 3800 999"}}
    old = publish(editor, review(editor, kept_of(editor, second))).json()["old_contacts"]
    assert [place["name"] for place in old["places"]] == [PITCH["question"]]
    assert old["replaces"] == [{"old": "02003800111", "new": "(0200) 3800 999"}]
    assert "3800 999" in (school / "catalog.yml").read_text(encoding="utf-8")


def test_a_file_that_is_edited_by_hand_meanwhile_is_not_overwritten(
    enter: Enter, school: Path, monkeypatch: pytest.MonkeyPatch, publisher: Publisher
) -> None:
    editor = enter("editor")
    drafts = review(editor, keep(editor))
    faq = school / "faq" / "faq.yml"
    curated = publisher.live.with_curated
    by_hand = faq.read_text(encoding="utf-8") + "# sửa tay\n"

    def edited_meanwhile(*arguments: Any) -> Any:
        faq.write_text(by_hand, encoding="utf-8")
        return curated(*arguments)

    monkeypatch.setattr(publisher.live, "with_curated", edited_meanwhile)

    refused = publish(editor, drafts)

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert faq.read_text(encoding="utf-8") == by_hand
    assert len(listed(editor)) == 1


def presses_publish(page: Page) -> None:
    page.get_by_role("button", name="Đăng 2 bản nháp").click()
    page.get_by_role("dialog").get_by_role("button", name="Đăng", exact=True).click()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_drafts_are_chosen_checked_and_published_in_the_browser(
    open_pages: OpenPages, enter: Enter, console: Console, noted: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    editor = enter("editor")
    question = CheckedQuestion("Xin bảng điểm ở đâu?", TRANSCRIPT)
    console.publisher.publish_checked(question, ("Cô editor", "editor"))
    change, _ = keep_change(editor, "Ở phòng mới. Gọi 0200 777 888.")
    fact = kept_of(editor, {"kind": "fact", **DORMITORY, "value": "360.000 đồng", "note": "Thông báo 13"})
    review(enter("administrator"), change, fact)
    keep(editor)

    page.goto("/faq")
    page.get_by_role("link", name="Đăng nhiều bản cùng lúc").click()
    rows = page.get_by_test_id("draft-row")
    expect(rows).to_have_count(3)
    # Nobody has reviewed the third one.
    expect(page.get_by_role("checkbox", name=f"Chọn {POOL}")).to_be_disabled()
    page.get_by_role("checkbox", name="Chọn mọi bản đã duyệt").check()
    page.get_by_role("button", name="Xem câu hỏi nào đổi").click()
    checked = page.get_by_test_id("checked")
    expect(checked).to_contain_text("1 câu hỏi đã kiểm: 1 câu trả lời thay đổi, 0 thành từ chối")
    expect(checked).to_contain_text("Ở phòng mới.")
    assert in_view(page)

    presses_publish(page)
    contacts = page.get_by_test_id("contacts")
    expect(contacts).to_contain_text("0200 777 888")
    assert in_view(page)
    contacts.get_by_role("checkbox").check()
    presses_publish(page)
    expect(page.get_by_test_id("published")).to_contain_text("Đã đăng 2 bản nháp")
    expect(rows).to_have_count(1)
    assert in_view(page)
    assert "360.000 đồng" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")
    page.get_by_role("link", name="Xem phiên bản này").click()
    expect(page.get_by_role("button", name="Chỉ bỏ thay đổi này")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_both_texts_of_what_changed_meanwhile_are_shown(
    open_pages: OpenPages, enter: Enter, noted: Path, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    editor, other = enter("editor"), enter("administrator")
    change, body = keep_change(editor, "Ở phòng mới.")
    fact = kept_of(editor, {"kind": "fact", **DORMITORY, "value": "360.000 đồng", "note": "Thông báo 13"})
    review(other, change, fact)
    page.goto("/drafts")
    page.get_by_role("checkbox", name="Chọn mọi bản đã duyệt").check()
    theirs = {**body, "answer": "Ở phòng khác.", "draft": None}
    now = other.put(f"/api/faq/entries/{TRANSCRIPT}", json=theirs)
    assert now.status_code == 200, now.text

    presses_publish(page)

    conflict = page.get_by_test_id("conflict")
    for text in ("Cô administrator", "Ở phòng khác.", "Ở phòng mới."):
        expect(conflict).to_contain_text(text)
    assert in_view(page)
    assert "350.000" in (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8")
    expect(page.get_by_test_id("draft-row").filter(has_text="Bản gốc đã đổi")).to_have_count(1)
    # The draft is opened in its form, where both texts are put together.
    conflict.get_by_role("link", name="Mở bản nháp").click()
    expect(page.get_by_role("dialog").get_by_test_id("conflict")).to_contain_text("Ở phòng khác.")


@pytest.mark.browser
def test_each_kind_of_draft_is_opened_from_the_list_of_all(open_pages: OpenPages, enter: Enter) -> None:
    page = open_pages("editor", (1280, 800))
    editor = enter("editor")
    keep(editor)
    kept_of(editor, {"kind": "calculator", "text": KEYS})
    part = {"kind": "part", "section_id": "office", "id": "thu-vien", "fields": {"name": "Thư viện"}}
    kept_of(editor, part)
    kept_of(editor, {"kind": "topic", "id": "lockers", "fields": {"name": "Tủ đồ"}})
    document = uploaded(editor)
    kept_of(editor, document)
    for name, field, value in (
        (POOL, "Câu hỏi", POOL),
        ("dormitory-keys", "Nội dung công thức", KEYS),
        ("Thư viện", "Tên", "Thư viện"),
        ("Tủ đồ", "Tên", "Tủ đồ"),
        (document["fields"]["title"], "Tên văn bản", document["fields"]["title"]),
    ):
        page.goto("/drafts")
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("textbox", name=field, exact=True).first).to_have_value(value)
