"""The versions of the knowledge folder: who changed what, and back to what it was, files and index together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from console_driver import SIZES, Enter, OpenPages, git, in_view
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.publishing import Publisher
from console.version_changes import FieldChange, changes_of
from rag.ingest.load import load_knowledge
from rag.live_engine import LiveEngine
from rag.types import Question

QUESTION = "Thú nuôi có được mang vào ký túc xá không?"
ANSWER = "Ký túc xá không nhận thú nuôi.\n"


def add(client: TestClient, **fields: Any) -> dict[str, Any]:
    done = client.post(
        "/api/faq/entries", json={"question": QUESTION, "answer": ANSWER, "topic": "dormitory", **fields}
    )
    assert done.status_code == 201, done.text
    return dict(done.json())


def faq_of(school: Path) -> dict[str, bytes]:
    files = [*(school / "faq").rglob("*.yml"), *school.glob("checked.yml")]
    return {str(path.relative_to(school)): path.read_bytes() for path in files}


def test_each_change_has_who_when_and_what(enter: Enter, school: Path) -> None:
    client = enter("editor")
    made = add(client)

    told = client.get("/api/versions").json()

    assert (told["kept"], told["more"]) == (True, False)
    new, first = told["versions"]
    assert (new["commit"], new["author"]) == (made["commit"], "Cô editor")
    assert (new["action"], new["message"]) == ("add", QUESTION)
    assert new["at"] >= first["at"] > 0
    assert (first["author"], first["action"], first["message"]) == ("Thầy Bình", "", "Bản đầu")
    [file] = new["files"]
    assert (school / file).is_file()
    diff = client.get(f"/api/versions/{made['commit']}").json()["diff"]
    assert f'+  question: "{QUESTION}"' in diff.splitlines()


def test_a_change_is_told_field_by_field_with_names_for_ids(enter: Enter, school: Path) -> None:
    del school
    client = enter("editor")
    made = add(client)
    entry = client.get(f"/api/faq/entries/{made['id']}").json()
    fields = {
        name: entry[name] for name in ("question", "topic", "variants", "sources", "applies_to", "owner")
    }
    body = {**fields, "answer": "Có, ở khu B.", "version": entry["version"], "owner": "phong-dao-tao"}
    body["applies_to"] = {"major": ["cntt"]}
    changed = client.put(f"/api/faq/entries/{made['id']}", json=body).json()

    [new] = client.get(f"/api/versions/{made['commit']}").json()["changes"]
    [thing] = client.get(f"/api/versions/{changed['commit']}").json()["changes"]

    assert (new["kind"], new["name"]) == ("added", QUESTION)
    told = {each["field"]: (each["before"], each["after"]) for each in new["fields"]}
    assert told["topic"] == ("", "Ký túc xá")
    assert (thing["kind"], thing["name"]) == ("changed", QUESTION)
    told = {each["field"]: (each["before"], each["after"]) for each in thing["fields"]}
    assert told["answer"] == (ANSWER.strip(), "Có, ở khu B.")
    assert told["owner"] == ("", "Phòng Đào tạo")
    assert told["applies_to"] == ("", "ngành: Công nghệ thông tin")
    assert "question" not in told


@pytest.mark.usefixtures("school")
def test_what_items_of_the_catalogue_name_is_told_by_its_name(enter: Enter) -> None:
    client = enter("editor")
    parts = {each["id"]: each["parts"] for each in client.get("/api/catalogue").json()["sections"]}
    [part] = [each for each in parts["major"] if each["id"] == "cntt"]
    body = {"version": part["version"], "programs": ["standard"]}
    told = client.put("/api/catalogue/major/cntt", json=body)
    assert told.status_code == 200, told.text

    [thing] = client.get(f"/api/versions/{told.json()['commit']}").json()["changes"]

    [field] = thing["fields"]
    assert (field["field"], field["after"]) == ("programs", "Đại trà")
    assert field["before"] == "Đại trà\nChất lượng cao"


@pytest.mark.parametrize(
    ("section", "part_id"), [("cohort", "49"), ("office", "ban-ktx"), ("school", "school")]
)
@pytest.mark.usefixtures("school")
def test_a_review_of_an_item_of_the_catalogue_is_told_with_the_name_of_the_office(
    enter: Enter, section: str, part_id: str
) -> None:
    client = enter("editor")
    parts = {each["id"]: each["parts"] for each in client.get("/api/catalogue").json()["sections"]}
    part = next(each for each in parts[section] if each["id"] == part_id)
    body = {"version": part["version"], "owner": "phong-dao-tao", "reviewed_at": "2026-09-05"}
    changed = client.put(f"/api/catalogue/{section}/{part_id}", json=body).json()

    [thing] = client.get(f"/api/versions/{changed['commit']}").json()["changes"]

    assert (thing["kind"], thing["name"]) == ("changed", part["values"]["name"])
    told = {each["field"]: (each["before"], each["after"]) for each in thing["fields"]}
    assert told == {"owner": ("", "Phòng Đào tạo"), "reviewed_at": ("", "2026-09-05")}


def test_facts_documents_and_files_that_are_no_text_are_told() -> None:
    fees = "tuition:\n  2025: {cntt: 500}\n"
    [fact] = changes_of("facts/tuition.yml", fees.encode(), fees.replace("500", "600").encode())
    assert fact.fields == [FieldChange("tuition.2025.cntt", "500", "600")]

    document = "---\ntitle: Nội quy\n---\nĐiều 1.\nĐiều 2.\n"
    [told] = changes_of("documents/n.md", document.encode(), document.replace("Điều 2", "Điều 3").encode())
    assert (told.name, told.fields) == ("Nội quy", [FieldChange("text", "Điều 2.", "Điều 3.")])

    [picture] = changes_of("documents/n.pdf", None, b"\xff\xfe\x00")
    assert (picture.kind, picture.name, picture.fields) == ("added", "n.pdf", ())
    [broken] = changes_of("faq/a.yml", b"- {", b"- {id: a, question: B}\n")
    assert (broken.kind, broken.fields) == ("changed", ())


def test_one_change_is_undone_and_later_ones_stay(enter: Enter, school: Path, tmp_path: Path) -> None:
    client = enter("editor")
    made = add(client)
    # In the same file, right after it.
    later = add(client, question="Học phí nộp ở đâu ạ?", answer="Ở phòng Tài chính.")
    assert client.get(f"/api/versions/{made['commit']}").json()["undoable"]

    done = client.post(f"/api/versions/{made['commit']}/undo")

    assert done.status_code == 200, done.text
    live = LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())
    assert live.current().reply(Question(QUESTION)).answer_id != made["id"]
    assert live.current().reply(Question("Học phí nộp ở đâu ạ?")).answer_id == later["id"]
    assert later["id"] in {entry.id for entry in load_knowledge(school).faq}
    newest = client.get("/api/versions").json()["versions"][0]
    assert (newest["commit"], newest["action"], newest["message"]) == (
        done.json()["commit"],
        "undo",
        QUESTION,
    )
    assert git(school, "status", "--porcelain") == ""
    # It is undone, and can be undone no more; undoing that brings it back.
    assert not client.get(f"/api/versions/{made['commit']}").json()["undoable"]
    assert client.post(f"/api/versions/{made['commit']}/undo").status_code == 409
    assert client.post(f"/api/versions/{newest['commit']}/undo").status_code == 200
    assert live.current().reply(Question(QUESTION)).answer_id == made["id"]


def test_a_change_that_was_changed_again_is_not_undone_alone(enter: Enter, school: Path) -> None:
    client = enter("editor")
    made = add(client)
    entry = client.get(f"/api/faq/entries/{made['id']}").json()
    changed = {name: entry[name] for name in ("question", "topic", "version")}
    second = client.put(f"/api/faq/entries/{made['id']}", json={**changed, "answer": "Nay đã nhận.\n"})
    assert second.status_code == 200, second.text
    before = faq_of(school)

    refused = client.post(f"/api/versions/{made['commit']}/undo")

    assert (refused.status_code, refused.json()["error"]) == (409, "later_changes")
    assert not client.get(f"/api/versions/{made['commit']}").json()["undoable"]
    assert faq_of(school) == before
    # The later one can be: it changed other lines than its neighbours.
    assert client.post(f"/api/versions/{second.json()['commit']}/undo").status_code == 200
    assert client.get(f"/api/faq/entries/{made['id']}").json()["answer"].strip() == ANSWER.strip()


def test_a_fact_is_undone_in_its_file_alone_and_the_first_version_never(enter: Enter, school: Path) -> None:
    client = enter("editor")
    first = git(school, "rev-parse", "HEAD")
    facts = client.get("/api/facts").json()["facts"]
    fact = client.get("/api/facts/value", params={"name": facts[0]["name"]}).json()
    body = {"name": fact["name"], "seen": fact["value"], "seen_note": fact["note"], "note": fact["note"]}
    changed = client.put("/api/facts/value", json={**body, "value": "999.000 đồng"})
    assert changed.status_code == 200, changed.text
    add(client)

    done = client.post(f"/api/versions/{changed.json()['commit']}/undo")

    assert done.status_code == 200, done.text
    assert client.get("/api/facts/value", params={"name": fact["name"]}).json()["value"] == fact["value"]
    assert QUESTION in {entry.question for entry in load_knowledge(school).faq}
    assert not client.get(f"/api/versions/{first}").json()["undoable"]
    assert client.post(f"/api/versions/{first}/undo").status_code == 404


def test_a_restored_version_is_in_the_files_and_answers(enter: Enter, school: Path, tmp_path: Path) -> None:
    client = enter("editor")
    before, first = faq_of(school), git(school, "rev-parse", "HEAD")
    # The topic's file is new, and so are the checked questions.
    made = add(client, checks=[QUESTION])
    live = LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())
    assert live.current().reply(Question(QUESTION)).answer_id == made["id"]

    back = client.post(f"/api/versions/{first}/restore")

    assert back.status_code == 200, back.text
    assert faq_of(school) == before
    assert live.current().reply(Question(QUESTION)).answer_id != made["id"]
    load_knowledge(school)
    # It is a version of its own: what was there can be had again.
    assert client.get("/api/versions").json()["versions"][0]["commit"] == back.json()["commit"]
    again = client.post(f"/api/versions/{made['commit']}/restore")
    assert again.status_code == 200, again.text
    assert live.current().reply(Question(QUESTION)).answer_id == made["id"]
    assert git(school, "status", "--porcelain") == ""
    assert client.post(f"/api/versions/{made['commit']}/restore").json()["commit"] == ""


def test_what_was_changed_by_hand_is_kept_as_a_version_first(enter: Enter, school: Path) -> None:
    client = enter("editor")
    first = git(school, "rev-parse", "HEAD")
    path = sorted((school / "faq").rglob("*.yml"))[0]
    path.write_text(path.read_text(encoding="utf-8") + "\n# by hand\n", encoding="utf-8")
    notes = school / "faq" / "notes.txt"
    notes.write_text("of the office\n", encoding="utf-8")

    assert client.post(f"/api/versions/{first}/restore").status_code == 200

    assert "# by hand" not in path.read_text(encoding="utf-8")
    assert notes.read_text(encoding="utf-8") == "of the office\n"
    assert "# by hand" in git(school, "show", f"HEAD~1:{path.relative_to(school)}")


def test_what_was_changed_by_hand_in_the_file_is_a_version_before_an_entry_is_saved(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    entry = client.get(f"/api/faq/entries/{add(client)['id']}").json()
    path = school / "faq" / "faq.yml"
    by_hand = path.read_text(encoding="utf-8").replace("question:", "# Cần xem lại\n  question:", 1)
    path.write_text(by_hand, encoding="utf-8")
    fields = {name: entry[name] for name in ("question", "topic", "variants", "sources", "applies_to")}
    body = {**fields, "answer": "Có, ở khu B.", "version": entry["version"]}

    changed = client.put(f"/api/faq/entries/{entry['id']}", json=body)

    assert changed.status_code == 200, changed.text
    latest, kept, *_ = client.get("/api/versions").json()["versions"]
    assert (latest["action"], kept["action"]) == ("change", "by_hand")
    assert "# Cần xem lại" in client.get(f"/api/versions/{kept['commit']}").json()["diff"]
    assert "# Cần xem lại" not in client.get(f"/api/versions/{latest['commit']}").json()["diff"].replace(
        " # Cần xem lại", ""
    )
    assert git(school, "status", "--porcelain") == ""


def test_a_conflict_with_a_change_by_hand_names_nobody(enter: Enter, school: Path) -> None:
    client = enter("editor")
    entry = client.get(f"/api/faq/entries/{add(client)['id']}").json()
    path = school / entry["file"]
    path.write_text(path.read_text(encoding="utf-8").replace(ANSWER.strip(), "Sửa tay."), encoding="utf-8")
    fields = {name: entry[name] for name in ("question", "topic", "variants", "sources", "applies_to")}
    body = {**fields, "answer": "Có, ở khu B.", "version": entry["version"]}

    told = client.put(f"/api/faq/entries/{entry['id']}", json=body)

    assert told.status_code == 409
    assert "Sửa tay." in told.json()["detail"]["theirs"]
    assert told.json()["detail"]["saved"] is None


def test_a_file_with_the_line_ends_of_windows_keeps_them(enter: Enter, school: Path) -> None:
    client = enter("editor")
    path = school / "faq" / "faq.yml"
    before = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(before)
    entry = client.get("/api/faq").json()["entries"][0]
    entry = client.get(f"/api/faq/entries/{entry['id']}").json()
    fields = {name: entry[name] for name in ("question", "topic", "variants", "sources", "applies_to")}
    body = {**fields, "answer": "Một dòng mới.", "version": entry["version"]}

    told = client.put(f"/api/faq/entries/{entry['id']}", json=body)

    assert told.status_code == 200, told.text
    after = path.read_bytes()
    assert b"M\xe1\xbb\x99t d\xc3\xb2ng m\xe1\xbb\x9bi." in after
    assert after.count(b"\n") == after.count(b"\r\n")


def test_documents_come_back_with_the_faq(enter: Enter, school: Path) -> None:
    client = enter("editor")
    first = git(school, "rev-parse", "HEAD")
    add(client)
    document, gone, new = (
        school / "documents" / name for name in ("quy-che-2025.md", "khuyen-mai-2024.md", "moi.md")
    )
    before = document.read_bytes()
    document.write_bytes(before + "\nThêm một câu.\n".encode())
    gone.unlink()
    new.write_text("# Thông báo mới\n\nNội dung của thông báo mới.\n", encoding="utf-8")

    differing = client.get(f"/api/versions/{first}").json()["differing"]
    back = client.post(f"/api/versions/{first}/restore")

    assert back.status_code == 200, back.text
    names = {f"documents/{path.name}" for path in (document, gone, new)}
    assert names < set(differing)
    assert (document.read_bytes(), gone.exists(), new.exists()) == (before, True, False)
    assert git(school, "diff", first, "--name-only") == ""
    assert git(school, "status", "--porcelain") == ""
    # The state before is a version, the document that nobody had committed, too.
    assert "Thông báo mới" in git(school, "show", "HEAD~1:documents/moi.md")


def test_a_version_whose_documents_no_longer_fit_changes_nothing(enter: Enter, school: Path) -> None:
    client = enter("editor")
    document = school / "documents" / "quy-che-2025.md"
    sound = document.read_bytes()
    document.write_text("---\ntopic: no-such-topic\n---\n# Quy chế\n", encoding="utf-8")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "broken")
    broken = git(school, "rev-parse", "HEAD")
    document.write_bytes(sound)

    refused = client.post(f"/api/versions/{broken}/restore")

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert "documents/quy-che-2025.md" in refused.json()["message"]
    assert document.read_bytes() == sound
    assert git(school, "rev-parse", "HEAD") == broken


def test_a_version_that_no_longer_fits_the_folder_changes_nothing(enter: Enter, school: Path) -> None:
    client = enter("editor")
    path = sorted((school / "faq").rglob("*.yml"))[0]
    sound = path.read_bytes()
    path.write_text("- id: broken\n", encoding="utf-8")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "broken")
    broken = git(school, "rev-parse", "HEAD")
    path.write_bytes(sound)
    before = faq_of(school)

    refused = client.post(f"/api/versions/{broken}/restore")

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert path.relative_to(school).as_posix() in refused.json()["message"]
    assert faq_of(school) == before
    assert git(school, "rev-parse", "HEAD") == broken


@pytest.mark.parametrize("commit", ["0" * 40, "HEAD", "--output=x", "a" * 39])
def test_a_version_that_is_none(enter: Enter, school: Path, commit: str) -> None:
    client = enter("editor")

    for answer in (client.get(f"/api/versions/{commit}"), client.post(f"/api/versions/{commit}/restore")):
        assert answer.status_code in (404, 422)
    assert git(school, "status", "--porcelain") == ""


def test_a_folder_without_a_repository_of_its_own_keeps_none(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    client = enter("editor")

    told = client.get("/api/versions").json()
    folder = str(publisher.files.knowledge.resolve())
    assert told == {"kept": False, "folder": folder, "versions": [], "more": False}
    assert client.post(f"/api/versions/{'0' * 40}/restore").status_code == 404
    assert not publisher.versions.are_kept
    assert not client.get("/api/session").json()["keeps_versions"]
    steps = client.get("/api/first-run").json()["steps"]
    assert [step["state"] for step in steps if step["id"] == "versions"] == ["missing"]


def test_a_folder_that_keeps_versions_says_so(enter: Enter, school: Path) -> None:
    client = enter("editor")

    assert (school / ".git").exists()
    assert client.get("/api/session").json()["keeps_versions"]
    steps = client.get("/api/first-run").json()["steps"]
    assert [step["state"] for step in steps if step["id"] == "versions"] == ["done"]


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_who_publishes_without_versions_is_told_that_it_cannot_be_undone(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/faq/study-transcript")
    told = page.get_by_role("dialog").get_by_test_id("no-versions")
    expect(told).to_contain_text("không hoàn tác được")
    told.scroll_into_view_if_needed()
    assert in_view(page)

    page.goto("/start")
    expect(page.get_by_test_id("step-versions")).to_contain_text("không hoàn tác được")
    page.get_by_role("link", name="Xem các phiên bản").click()
    expect(page.get_by_text("git init")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_the_command_that_begins_the_versions_names_the_folder(
    open_pages: OpenPages, publisher: Publisher, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/versions")

    command = page.get_by_text("git init")
    expect(command).to_have_text(
        f"cd {publisher.files.knowledge.resolve()} && git init && git add -A && git commit -m start"
    )
    assert in_view(page)
