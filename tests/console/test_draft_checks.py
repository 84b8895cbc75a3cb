"""Before a document, a topic, a part of the catalogue or a threshold is published: which checked questions change."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import index_process
import pytest
from console_driver import Enter, databases
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from test_built_drafts import LOCKER, TITLE, until, uploaded, use_command
from test_documents import metadata, publish, upload
from test_invitations import LANGUAGE, ask, invite
from test_unfinished_changes import contents

from console.api.dependencies import Console
from console.api.drafts import keep_builds
from console.checked_folder import CheckedFolder
from console.draft_checks import DraftChecks
from console.knowledge_files import contents_of
from console.publishing import Publisher
from console.replaced_file import write_contents
from rag.ingest.build import build_index
from rag.ingest.checked_questions import CHECKED_FILE, CheckedQuestion

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
PROGRAM = Path(__file__).parents[1] / "stand_ins" / "checking_process.py"
PHONE = "Số điện thoại Phòng Đào tạo?"
PETS = "Ở ký túc xá có được nuôi chó mèo không?"
TRANSCRIPT = "Xin bảng điểm ở đâu?"
CHECKED = (
    CheckedQuestion(LOCKER),
    CheckedQuestion(PHONE),
    CheckedQuestion(PETS),
    CheckedQuestion(LANGUAGE, None, "cohort"),
    CheckedQuestion(TRANSCRIPT, "study-transcript"),
)


@pytest.fixture
def publisher(tmp_path: Path, publisher: Publisher) -> Iterator[Publisher]:
    yield from with_checked(publisher, tmp_path)


@cache
def _index_with_checked(content: str) -> Path:
    """Return the index of the small school with this file of checked questions: no start need build it."""
    folder = Path(tempfile.mkdtemp(prefix="covan-tests-"))
    school = Path(shutil.copytree(SMALL_SCHOOL, folder / "school"))
    (school / CHECKED_FILE).write_text(content, encoding="utf-8")
    build_index(school, folder / "index", EmbedderStandIn())
    return folder / "index"


def with_checked(publisher: Publisher, tmp_path: Path) -> Iterator[Publisher]:
    """Yield a publisher that builds indexes, of a school with checked questions."""
    folder = publisher.files.knowledge
    edit = publisher.files.with_checked(CHECKED)
    assert edit is not None
    write_contents(folder, contents_of([edit]))
    shutil.rmtree(tmp_path / "index")
    shutil.copytree(_index_with_checked(str(edit.content)), tmp_path / "index")
    made = Publisher(folder, tmp_path / "index", EmbedderStandIn(), rebuild=index_process.command)
    yield made
    made.close()


def begin(client: TestClient, draft: dict[str, Any], version: str = "") -> dict[str, Any]:
    sent = client.post("/api/try/drafts", json={"draft": draft, "version": version})
    assert sent.status_code == 202, sent.text
    return dict(sent.json())


def checks(client: TestClient) -> list[dict[str, Any]]:
    return list(client.get("/api/try/drafts").json()["checks"])


def ended(client: TestClient) -> dict[str, Any]:
    """Return the latest check when it has ended."""
    until(lambda: checks(client)[0]["step"] in ("done", "failed"))
    return checks(client)[0]


def changes(check: dict[str, Any]) -> dict[str, tuple[str, str, bool]]:
    """Return the questions that change: their outcomes before and after, and whether the new one is right."""
    assert check["step"] == "done", check
    assert check["checked"]["count"] == len(CHECKED)
    return {
        each["question"]: (each["before"]["decision"], each["after"]["decision"], each["right"])
        for each in check["checked"]["changed"]
    }


def topic(client: TestClient, topic_id: str, **changed: Any) -> dict[str, Any]:
    """Return the draft of a changed topic."""
    [found] = [each for each in client.get("/api/topics").json()["topics"] if each["id"] == topic_id]
    names = ("name", "name_en", "description", "office", "examples", "assumes")
    fields = {**{name: found[name] for name in names}, **changed}
    return {"kind": "topic", "topic_id": topic_id, "id": topic_id, "fields": fields}


def part(section: str, part_id: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "part", "section_id": section, "part_id": part_id, "id": "", "fields": fields}


def removal(of: str, name: str, section: str = "") -> dict[str, Any]:
    return {"kind": "removal", "of": of, "section_id": section, "id": name}


@databases
def test_a_document_is_checked_before_it_is_published(
    enter: Enter, publisher: Publisher, school: Path
) -> None:
    editor = enter("editor")
    draft, before, live = uploaded(editor), contents(school), publisher.live.version
    made = begin(editor, draft)
    assert (made["name"], made["step"], made["checked"]) == (TITLE, "building", None)

    check = ended(editor)
    assert changes(check) == {LOCKER: ("no_answer", "answer", False)}
    [changed] = check["checked"]["changed"]
    assert "30.000 đồng" in changed["after"]["text"]
    assert (check["draft"], check["outdated"], check["told"]) == (draft, False, "")
    # Neither the school nor its index has anything of it, and the index aside is gone.
    assert contents(school) == before
    assert publisher.live.version == live
    until(lambda: list((publisher.live.folder.parent / "drafted").iterdir()) == [])

    assert publish(editor, draft["upload"], **draft["fields"]).status_code == 200
    assert checks(editor) == []
    until(lambda: not publisher.whole_build.is_running)
    answered = editor.post("/api/try", json={"question": LOCKER}).json()["turn"]
    assert "30.000 đồng" in str(answered)


@pytest.mark.usefixtures("school")
def test_a_document_whose_metadata_change_may_leave_questions_without_an_answer(enter: Enter) -> None:
    editor = enter("editor")
    version, fields = metadata(editor, "noi-quy-ktx")
    over = {**fields, "effective_to": "2020-01-01", "effective_from": "2019-01-01"}
    begin(editor, {"kind": "document", "document_id": "noi-quy-ktx", "fields": over}, version)

    check = ended(editor)
    assert changes(check) == {PETS: ("answer", "no_answer", True)}
    assert check["version"] == version

    changed = {**over, "version": version}
    assert editor.put("/api/documents/published/noi-quy-ktx", json=changed).status_code == 200
    assert checks(editor) == []


@pytest.mark.usefixtures("school")
def test_an_answer_that_reads_otherwise_is_a_change(enter: Enter, publisher: Publisher) -> None:
    editor = enter("editor")
    text = (publisher.files.knowledge / "documents" / "noi-quy-ktx.txt").read_text(encoding="utf-8")
    upload_id = upload(editor, "noi-quy-ktx.txt", text.replace("chó, mèo", "chó, mèo, thỏ"))["draft"]
    read = editor.get(f"/api/documents/drafts/{upload_id}").json()
    fields = read["fields"]
    begin(editor, {"kind": "document", "document_id": read["id"], "upload": upload_id, "fields": fields})

    check = ended(editor)
    assert changes(check) == {PETS: ("answer", "answer", False)}
    [changed] = check["checked"]["changed"]
    assert ("thỏ" in changed["before"]["text"], "thỏ" in changed["after"]["text"]) == (False, True)
    assert editor.delete(f"/api/documents/drafts/{upload_id}").status_code == 200
    assert checks(editor) == []


def test_a_topic_and_the_catalogue_are_checked(enter: Enter) -> None:
    editor = enter("editor")
    begin(editor, topic(editor, "language", assumes={"cohort": "49"}))
    assert changes(ended(editor)) == {LANGUAGE: ("clarify", "answer", False)}

    [office, *_] = next(
        each["parts"] for each in editor.get("/api/catalogue").json()["sections"] if each["id"] == "office"
    )
    draft = part("office", office["id"], phone="0200 119")
    begin(editor, draft, office["version"])
    check = ended(editor)
    assert changes(check) == {PHONE: ("answer", "answer", False)}
    assert "0200 119" in check["checked"]["changed"][0]["after"]["text"]
    assert len(checks(editor)) == 2

    saved = {**draft["fields"], "version": office["version"]}
    assert editor.put(f"/api/catalogue/office/{office['id']}", json=saved).status_code == 200
    assert [each["name"] for each in checks(editor)] == ["Ngoại ngữ"]
    # The check has no entry that was published meanwhile.
    assert editor.post(
        "/api/faq/entries", json={"question": "A b?", "answer": "C.", "topic": "study"}
    ).is_success
    assert checks(editor)[0]["outdated"] is True


@pytest.mark.usefixtures("school")
def test_what_is_removed_is_checked_unless_something_names_it(enter: Enter) -> None:
    editor = enter("editor")
    begin(editor, removal("document", "bai-do-xe-2030"))
    check = ended(editor)
    assert (check["name"], changes(check)) == ("bai-do-xe-2030", {})
    version, _ = metadata(editor, "bai-do-xe-2030")
    gone = editor.post("/api/documents/published/bai-do-xe-2030/removal", json={"version": version})
    assert gone.status_code == 200
    assert checks(editor) == []

    refused = [
        ("in_use", removal("document", "noi-quy-ktx")),
        ("in_use", removal("topic", "study")),
        ("not_found", removal("part", "a", "no-section")),
    ]
    for fault, draft in refused:
        sent = editor.post("/api/try/drafts", json={"draft": draft})
        assert sent.json()["error"] == fault, sent.text
    assert checks(editor) == []
    # One that cannot be published takes nothing from the one before.
    begin(editor, topic(editor, "study", name="Việc học"))
    moved = {**topic(editor, "study"), "id": "learning"}
    assert editor.post("/api/try/drafts", json={"draft": moved}).json()["error"] == "in_use"
    assert ended(editor)["name"] == "Việc học"


def test_a_topic_keeps_an_id_that_none_could_get_now(enter: Enter, publisher: Publisher) -> None:
    editor, topics = enter("editor"), publisher.files.knowledge / "topics.yml"
    written = topics.read_text(encoding="utf-8") + "- {id: sinh-hoat, name: Sinh hoạt}\n"
    topics.write_text(written, encoding="utf-8")
    begin(editor, topic(editor, "sinh-hoat", name="Sinh hoạt lớp"))
    assert ended(editor)["step"] == "done"
    new = {**topic(editor, "sinh-hoat"), "topic_id": ""}
    assert editor.post("/api/try/drafts", json={"draft": new}).status_code == 422


def test_checks_are_ones_own_and_one_of_each_thing(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    editor, other = enter("editor"), enter("administrator")
    hold(publisher, tmp_path / "go")
    first = begin(editor, topic(editor, "language", name="Tiếng Anh"))
    second = begin(editor, topic(editor, "language", name="Tiếng nước ngoài"))
    begin(other, topic(editor, "study", name="Việc học"))
    assert [each["id"] for each in checks(editor)] == [second["id"]] != [first["id"]]
    assert [each["name"] for each in checks(other)] == ["Việc học"]
    assert other.delete(f"/api/try/drafts/{second['id']}").json()["error"] == "no_draft_check"

    assert editor.delete(f"/api/try/drafts/{second['id']}").status_code == 204
    assert checks(editor) == []
    # Its build ends, too: the next one's turn comes.
    (tmp_path / "go").touch()
    assert ended(other)["step"] == "done"


def test_a_draft_that_is_checked_can_be_tested_by_others(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    editor, tester = enter("editor"), enter()
    hold(publisher, tmp_path / "go")
    draft = uploaded(editor)
    begin(editor, draft)
    token = invite(editor, draft=draft)["token"]
    (tmp_path / "go").touch()
    assert ended(editor)["step"] == "done"
    # The link keeps the build that the check made.
    assert "30.000 đồng" in ask(tester, token, LOCKER).json()["said"][0]["text"]


def test_a_build_that_fails_and_a_file_that_is_discarded_are_told(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    editor = enter("editor")
    use_command(publisher, lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    begin(editor, topic(editor, "language", name="Tiếng Anh"))
    check = ended(editor)
    assert (check["step"], check["checked"]) == ("failed", None)
    assert "could not be read" in check["told"]

    hold(publisher, tmp_path / "go")
    draft = uploaded(editor)
    begin(editor, draft)
    publisher.documents.discard(publisher.documents.draft(draft["upload"]))
    (tmp_path / "go").touch()
    assert "no such draft" in ended(editor)["told"]


def test_a_build_that_begins_stays_while_those_of_others_are_deleted(
    enter: Enter, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, stage = enter("editor"), CheckedFolder.stage

    def interrupted(folder: CheckedFolder, staged: Path, edit: Mapping[str, bytes | None]) -> None:
        """Stage a folder, while a check that was just stopped deletes the builds that nothing waits for."""
        stage(folder, staged, edit)
        deleting = threading.Thread(target=keep_builds, args=(console,))
        deleting.start()
        deleting.join(0.5)
        assert staged.is_dir()

    monkeypatch.setattr(CheckedFolder, "stage", interrupted)
    begin(editor, topic(editor, "language", assumes={"cohort": "49"}))
    assert list(changes(ended(editor))) == [LANGUAGE]


def test_a_check_goes_on_after_a_stop_of_the_console(
    enter: Enter, console: Console, publisher: Publisher, tmp_path: Path
) -> None:
    editor = enter("editor")
    hold(publisher, tmp_path / "go")
    made = begin(editor, topic(editor, "language", assumes={"cohort": "49"}))
    console.checks.close()
    publisher.drafts.builds.close()
    assert [each["step"] for each in checks(editor)] == ["building"]

    use_command(publisher, index_process.command)
    console.__dict__["checks"] = DraftChecks(console.database, console.clock)
    check = ended(editor)
    assert (check["id"], list(changes(check))) == (made["id"], [LANGUAGE])


def test_a_console_that_is_killed_during_a_check_loses_nothing(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    folder, live = publisher.files.knowledge, publisher.live.version
    before = contents(folder)
    # Its tables are those of this test's console.
    editor = enter("editor")
    program = [sys.executable, str(PROGRAM), str(folder), str(publisher.live.folder)]
    killed = subprocess.run(
        [*program, str(tmp_path / "database.sqlite"), "editor"], check=False, capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert contents(folder) == before
    assert publisher.live.version == live

    use_command(publisher, index_process.command)
    assert checks(editor)[0]["step"] == "building"
    assert list(changes(ended(editor))) == [LANGUAGE]
    assert contents(folder) == before
    assert publisher.live.version == live


def hold(publisher: Publisher, go: Path) -> None:
    """Let the builds of drafts wait until a file is there."""

    def slow(source: Path, out: Path) -> Sequence[str]:
        built = " ".join(map(repr, index_process.command(source, out)))
        return ["sh", "-c", f"until [ -e {go} ]; do sleep 0.1; done; exec {built}"]

    use_command(publisher, slow)
