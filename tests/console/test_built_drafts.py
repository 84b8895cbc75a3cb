"""Testers chat with drafts that only a whole build brings in: of documents, topics and the catalogue."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import index_process
import pytest
from console_driver import SIZES, Enter, OpenPages, in_view
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect
from test_documents import metadata, publish, upload
from test_invitations import LANGUAGE, NEW, POOL, ask, invite, said

from console import draft_builds
from console.draft_builds import Command, DraftBuilds
from console.publishing import Publisher
from rag.index.versions import open_index

BUILD_S = 60
LOCKER = "Sinh viên thuê tủ đồ tại thư viện với giá bao nhiêu một tháng?"
TITLE = "Quy định thuê tủ đồ"


@pytest.fixture
def publisher(tmp_path: Path, publisher: Publisher) -> Iterator[Publisher]:
    """A publisher that builds indexes."""
    folder = publisher.files.knowledge
    made = Publisher(folder, tmp_path / "index", EmbedderStandIn(), rebuild=index_process.command)
    yield made
    made.close()


def until(holds: Callable[[], object]) -> None:
    ends = time.monotonic() + BUILD_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def opened(client: TestClient, token: str) -> Mapping[str, Any]:
    """Return what a tester's page shows when its draft can be chatted with, or never can."""
    until(lambda: client.get(f"/api/invited/{token}").json()["state"] != "building")
    return dict(client.get(f"/api/invited/{token}").json())


def uploaded(client: TestClient, name: str = "Quy định thuê tủ đồ.txt") -> dict[str, Any]:
    """Upload a document; return its draft for an invitation."""
    draft = upload(client, name)["draft"]
    read = client.get(f"/api/documents/drafts/{draft}").json()
    fields = {**read["fields"], "title": TITLE, "topic": "study"}
    return {"kind": "document", "document_id": read["id"], "upload": draft, "fields": fields}


def use_command(publisher: Publisher, command: Command) -> None:
    """Begin with the builds as a console does that has just started; the one before has ended its own."""
    publisher.drafts.builds.close()
    publisher.drafts.builds = DraftBuilds(
        publisher.live.folder.parent / "drafted", publisher.live.folder, command
    )


def test_testers_chat_with_an_uploaded_document_until_it_is_published(
    enter: Enter, publisher: Publisher
) -> None:
    editor, tester = enter("editor"), enter()
    draft = uploaded(editor)
    made = invite(editor, draft=draft)
    assert (made["draft"], made["state"]) == (TITLE, "building")
    assert opened(tester, made["token"])["state"] == "ready"
    got = ask(tester, made["token"], LOCKER).json()
    assert "30.000 đồng" in got["said"][0]["text"]
    assert got["said"][0]["sources"][0]["title"] == TITLE
    assert not any("30.000" in text for text in got["live"])
    assert got["live"] != []
    # Nothing of it is in the school.
    assert publisher.documents.file_of(draft["document_id"]) is None
    assert (
        editor.post("/api/try", json={"question": LOCKER}).json()["turn"]["answer_id"] != draft["document_id"]
    )

    # What goes live meanwhile is in the draft, too.
    assert editor.post("/api/faq/entries", json=NEW).status_code == 201
    assert said(tester, made["token"], POOL)["text"].strip() == "Có, ở khu B."

    assert publish(editor, draft["upload"], **draft["fields"]).status_code == 200
    until(lambda: not publisher.whole_build.is_running)
    same = ask(tester, made["token"], LOCKER).json()
    assert "30.000 đồng" in same["said"][0]["text"]
    assert same["live"] == []


def test_a_discarded_document_is_told(enter: Enter) -> None:
    editor, tester = enter("editor"), enter()
    draft = uploaded(editor)
    token = invite(editor, draft=draft)["token"]
    opened(tester, token)
    assert editor.delete(f"/api/documents/drafts/{draft['upload']}").status_code == 200

    gone = ask(tester, token, LOCKER)
    assert (gone.status_code, gone.json()["error"]) == (409, "draft_gone")


def test_testers_chat_with_changed_metadata(enter: Enter) -> None:
    editor, tester = enter("editor"), enter()
    question = "Xe đạp điện gửi tại bãi đỗ phía bắc được sạc pin miễn phí mỗi ngày mấy giờ?"
    _, fields = metadata(editor, "bai-do-xe-2030")
    changed = {**fields, "effective_from": "2020-01-01"}
    token = invite(editor, draft={"kind": "document", "document_id": "bai-do-xe-2030", "fields": changed})[
        "token"
    ]

    opened(tester, token)
    got = ask(tester, token, question).json()
    assert "hai giờ" in got["said"][0]["text"]
    assert not any("hai giờ" in text for text in got["live"])


def test_testers_chat_with_a_changed_catalogue(enter: Enter) -> None:
    editor, tester = enter("editor"), enter()
    cohort = {
        "kind": "part",
        "section_id": "cohort",
        "id": "50",
        "fields": {"name": "Khóa 50", "year": "2026"},
    }
    made = invite(editor, draft=cohort)
    assert made["draft"] == "Khóa 50"

    opened(tester, made["token"])
    assert said(tester, made["token"], LANGUAGE)["asks"] == ["khóa"]
    assert "600" in said(tester, made["token"], "Khóa 50", cohort="50")["text"]


def test_testers_chat_with_a_changed_topic(enter: Enter, publisher: Publisher) -> None:
    editor, tester = enter("editor"), enter()
    [topic] = [each for each in editor.get("/api/topics").json()["topics"] if each["id"] == "study"]
    names = ("name_en", "description", "office", "examples", "assumes")
    fields = {**{name: topic[name] for name in names}, "name": "Việc học", "assumes": {"cohort": "49"}}
    token = invite(editor, draft={"kind": "topic", "topic_id": "study", "id": "study", "fields": fields})[
        "token"
    ]
    new = {"kind": "topic", "id": "library", "fields": {"name": "Thư viện"}}

    shown = opened(tester, token)
    assert (shown["draft"], shown["state"]) == ("Việc học", "ready")
    assert "Phòng Đào tạo" in said(tester, token, "Xin bảng điểm ở đâu?")["text"]
    [built] = (publisher.live.folder.parent / "drafted").iterdir()
    topics = open_index(built / "index", EmbedderStandIn()).dictionaries.topics
    assert {topic.id: topic.name for topic in topics}["study"] == "Việc học"
    assert invite(editor, draft=new)["draft"] == "Thư viện"


def test_a_draft_that_could_not_be_published_gets_no_link(enter: Enter) -> None:
    editor = enter("editor")
    drafts: dict[str, dict[str, Any]] = {
        "conflict": {"kind": "document", "document_id": "no-document", "fields": {"title": "Quy chế"}},
        "faulty": {"kind": "topic", "id": "library", "fields": {"name": "Thư viện", "office": "nobody"}},
        "not_found": {"kind": "part", "section_id": "no-section", "id": "a", "fields": {"name": "A"}},
    }
    for fault, draft in drafts.items():
        refused = editor.post("/api/invitations", json={"title": "Khoa", "days": 1, "draft": draft})
        assert (refused.status_code in (404, 409, 422), refused.json()["error"]) == (True, fault), draft
    lost = {"kind": "document", "document_id": "a", "upload": "0" * 16, "fields": {}}
    assert (
        editor.post("/api/invitations", json={"title": "Khoa", "days": 1, "draft": lost}).status_code == 404
    )
    assert editor.get("/api/invitations").json()["invitations"] == []


def test_a_build_goes_with_its_last_link_and_begins_again_after_a_stop(
    enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    editor, tester = enter("editor"), enter()
    draft = uploaded(editor)
    first, second = invite(editor, draft=draft), invite(editor, draft=draft)
    opened(tester, first["token"])
    folder = tmp_path / "drafted"
    [built] = folder.iterdir()
    assert not (built / "knowledge").exists()

    # The console was stopped in the middle of the build.
    shutil.rmtree(built / "index" / "versions")
    (built / "index" / "CURRENT").unlink()
    use_command(publisher, index_process.command)
    assert opened(tester, second["token"])["state"] == "ready"
    assert "30.000 đồng" in said(tester, second["token"], LOCKER)["text"]

    assert editor.delete(f"/api/invitations/{first['id']}").status_code == 204
    assert built.exists()
    assert editor.delete(f"/api/invitations/{second['id']}").status_code == 204
    assert not built.exists()


def test_a_build_that_goes_on_or_fails_is_told(enter: Enter, publisher: Publisher, tmp_path: Path) -> None:
    editor, tester = enter("editor"), enter()
    end = tmp_path / "end"
    lines = (
        "import pathlib, time",
        f"while not pathlib.Path({str(end)!r}).exists(): time.sleep(0.05)",
        "raise SystemExit(1)",
    )
    waiting = "\n".join(lines)
    use_command(publisher, lambda *_: [sys.executable, "-c", waiting])
    made = invite(editor, draft=uploaded(editor))
    early = ask(tester, made["token"], LOCKER)
    assert (early.status_code, early.json()["error"]) == (409, "draft_building")
    end.touch()

    assert opened(tester, made["token"])["state"] == "failed"
    failed = ask(tester, made["token"], LOCKER)
    assert (failed.status_code, failed.json()["error"]) == (409, "draft_failed")
    [listed] = editor.get("/api/invitations").json()["invitations"]
    assert listed["state"] == "failed"


def test_links_to_drafts_that_are_built_are_not_without_end(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_builds, "MOST", 1)
    editor = enter("editor")
    invite(editor, draft=uploaded(editor))
    other = uploaded(editor, "Thuê tủ.txt")

    refused = editor.post("/api/invitations", json={"title": "Nữa", "days": 1, "draft": other})
    assert (refused.status_code, refused.json()["error"]) == (409, "too_many_drafts")


def link_to_the_draft(page: Page) -> str:
    """Invite testers to what is written in the form, and close the dialog; return the link."""
    page.get_by_role("button", name="Mời người thử bản nháp").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="Bản nháp này")).to_be_checked()
    expect(dialog).to_contain_text("Covan đọc lại cả trường")
    dialog.get_by_label("Mời ai").fill("Khoa CNTT")
    dialog.get_by_role("button", name="Tạo đường dẫn").click()
    link = dialog.get_by_label("Đường dẫn").input_value()
    assert in_view(page)
    expect(dialog.get_by_test_id("invitation").first).not_to_contain_text("đang đọc", timeout=BUILD_S * 1_000)
    page.keyboard.press("Escape")
    return link


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_editor_invites_to_a_document_that_is_not_published(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    draft = upload(enter("editor"), "thue-tu-do.txt")["draft"]
    page.goto(f"/documents/draft-{draft}")
    page.get_by_label("Tên văn bản").fill(TITLE)
    link = link_to_the_draft(page)
    expect(page.get_by_label("Tên văn bản")).to_have_value(TITLE)

    page.goto(link)
    expect(page.get_by_test_id("tried-draft")).to_contain_text(TITLE)
    box = page.get_by_role("textbox", name="Câu hỏi")
    box.fill(LOCKER)
    box.press("Enter")
    expect(page.locator(".bubble").nth(1)).to_contain_text("30.000 đồng")
    expect(page.get_by_test_id("live")).to_be_visible()
    assert in_view(page)


@pytest.mark.browser
def test_a_testers_page_waits_for_the_draft(
    open_pages: OpenPages, enter: Enter, publisher: Publisher, tmp_path: Path
) -> None:
    page = open_pages("administrator", (390, 844))
    ready = tmp_path / "ready"

    def slow(source: Path, out: Path) -> list[str]:
        built = " ".join(map(repr, index_process.command(source, out)))
        return ["sh", "-c", f"until [ -e {ready} ]; do sleep 0.1; done; exec {built}"]

    use_command(publisher, slow)
    topic = {"kind": "topic", "id": "library", "fields": {"name": "Thư viện"}}
    page.goto(f"/invited/{invite(enter('editor'), draft=topic)['token']}")
    expect(page.get_by_role("status")).to_contain_text("Covan đang đọc bản nháp")
    page.get_by_role("textbox", name="Câu hỏi").fill("Xin bảng điểm ở đâu?")
    expect(page.get_by_role("button", name="Hỏi")).to_be_disabled()
    assert in_view(page)
    ready.touch()

    expect(page.get_by_role("button", name="Hỏi")).to_be_enabled(timeout=BUILD_S * 1_000)
    page.get_by_role("button", name="Hỏi").click()
    expect(page.locator(".bubble").nth(1)).to_contain_text("Phòng Đào tạo")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("place", "label", "value", "draft"),
    [
        ("topic~study", "Tên", "Việc học", "Việc học"),
        ("office~phong-dao-tao", "Điện thoại", "0200 119", "Phòng Đào tạo"),
    ],
)
def test_an_editor_invites_to_a_topic_or_a_contact(
    open_pages: OpenPages, place: str, label: str, value: str, draft: str
) -> None:
    page = open_pages("editor", (1280, 800))
    page.goto(f"/topics/{place}")
    expect(page.get_by_role("button", name="Mời người thử bản nháp")).to_be_disabled()
    page.get_by_role("textbox", name=label, exact=True).fill(value)
    page.goto(link_to_the_draft(page))
    expect(page.get_by_test_id("tried-draft")).to_contain_text(f"bản nháp chưa đăng: {draft}")
