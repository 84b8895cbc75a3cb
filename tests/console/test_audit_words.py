"""The audit log as administrators read it: in words of both languages, with the names of what it is about."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain
from pathlib import Path

import pytest
from console_driver import NOW, PASSWORD, SIZES, Clock, Enter, OpenPages, fill_day, in_view
from playwright.sync_api import expect

from console.api import ROUTERS
from console.api.dependencies import Console
from console.audit import NOBODY, PAGE
from covan.project import ROOT

NOTING = (ROOT / "console" / "api", ROOT / "covan" / "commands")
LOCALES = ROOT / "console" / "ui" / "src" / "locales"
NOT_SHOWN = {
    "allowed",
    "commit",
    "title",
    "why",
    "factor",
    "reply",
    "active",
    "is_live",
    "parts",
    "examples",
    "called",
}
"""Details that the page says in sentences of its own, or that it does not get."""


def notes() -> Iterator[ast.Call]:
    """Yield the calls of the API and of the commands that write to the audit log."""
    for file in chain.from_iterable(folder.glob("*.py") for folder in NOTING):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "note"
                and re.search(r"\.audit$|^AuditLog\(", ast.unparse(node.func.value))
            ):
                yield node


def keys(locale: Path) -> set[str]:
    return set(re.findall(r'^  "?([\w.-]+)"?:', locale.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("language", ["vi", "en"])
def test_every_action_every_detail_and_every_place_has_words(language: str) -> None:
    actions = {str(node.args[1].value) for node in notes() if isinstance(node.args[1], ast.Constant)}
    details = {word.arg for node in notes() for word in node.keywords if word.arg} - NOT_SHOWN
    places = {str(getattr(route, "path", "")).split("/")[1] for router in ROUTERS for route in router.routes}
    assert {"publish", "password_right", "create_admin"} <= actions

    known = keys(LOCALES / f"{language}.ts")

    assert {f"audit.did.{each}" for each in actions} <= known
    assert {f"audit.detail.{each}" for each in details} <= known
    assert {f"audit.place.{each}" for each in places} <= known


def test_the_log_names_what_it_is_about(enter: Enter, console: Console) -> None:
    administrator = enter("administrator")
    [entry, *_] = console.publisher.live.index().faq
    topic, *_ = console.publisher.live.index().dictionaries.topics
    console.audit.note("administrator", "publish", entry.id)
    console.audit.note("administrator", "change_catalogue", "office/phong-tai-chinh")

    names = administrator.get("/api/audit").json()["names"]

    assert names[f"entry/{entry.id}"] == entry.question
    assert names["person/administrator"] == "Cô administrator"
    assert names["office/phong-tai-chinh"] == "Phòng Tài chính"
    assert names[f"topic/{topic.id}"] == names[f"intent/ask_{topic.id}"] == topic.name
    assert len([each for each in names if each.startswith("entry/")]) == 1


def test_what_was_removed_keeps_its_name_in_the_log(enter: Enter, console: Console) -> None:
    editor, administrator = enter("editor"), enter("administrator")
    [entry, *_] = console.publisher.live.index().faq
    console.audit.note("editor", "publish", entry.id)
    seen = editor.get(f"/api/faq/entries/{entry.id}").json()["version"]
    gone = editor.post(f"/api/faq/entries/{entry.id}/removal", json={"version": seen})
    assert gone.status_code == 200, gone.text
    reply = {"title": "Chào", "text": "Chào bạn"}
    made = administrator.post("/api/canned-replies", json=reply).json()["id"]
    administrator.delete(f"/api/canned-replies/{made}", params={"version": 1})

    told = administrator.get("/api/audit").json()

    assert told["names"][f"entry/{entry.id}"] == entry.question
    of_entry = [each["action"] for each in told["entries"] if each["target"] == entry.id]
    assert of_entry == ["remove_entry", "publish"]
    deleted = next(each for each in told["entries"] if each["action"] == "delete_canned_reply")
    assert deleted["detail"]["title"] == "Chào"


def test_an_item_with_another_id_keeps_the_name_of_the_old_one(enter: Enter) -> None:
    editor, administrator = enter("editor"), enter("administrator")
    new = {"id": "late_work", "name": "Nộp bài muộn"}
    assert editor.post("/api/topics", json=new).status_code == 201
    [topic] = [each for each in editor.get("/api/topics").json()["topics"] if each["id"] == "late_work"]
    changed = {"id": "late_papers", "name": "Nộp bài trễ", "version": topic["version"]}
    told = editor.put("/api/topics/late_work", json=changed)
    assert told.status_code == 200, told.text
    [topic] = [each for each in editor.get("/api/topics").json()["topics"] if each["id"] == "late_papers"]
    removal = {"version": topic["version"]}
    assert editor.post("/api/topics/late_papers/removal", json=removal).status_code == 200

    log = administrator.get("/api/audit").json()

    assert log["names"]["topic/late_work"] == "Nộp bài trễ"
    assert log["names"]["topic/late_papers"] == "Nộp bài trễ"


def test_the_log_is_read_without_an_index(enter: Enter, console: Console) -> None:
    administrator = enter("administrator")
    (console.publisher.live.folder / "CURRENT").unlink()

    told = administrator.get("/api/audit").json()

    assert told["names"] == {"person/administrator": "Cô administrator"}
    assert [each["action"] for each in told["entries"]] == ["sign_in"]


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_administrator_reads_words(
    open_pages: OpenPages, console: Console, enter: Enter, size: tuple[int, int]
) -> None:
    [entry, *_] = console.publisher.live.index().faq
    console.audit.note("administrator", "publish", entry.id, settled=2, commit="f" * 40)
    console.audit.note("administrator", "label", "nlu/labels.yml", intents={"greet": 2}, commit="")
    enter("advisor").get("/api/people")
    console.accounts.create("lan", "Cô Lan", ["advisor"], PASSWORD)
    page = open_pages("administrator", size)
    page.goto("/people")
    page.get_by_role("tab", name="Nhật ký").click()

    noted = page.get_by_test_id("noted")
    published = noted.filter(has_text="Đăng câu trả lời")
    expect(published).to_contain_text(entry.question)
    expect(published).to_contain_text("câu hỏi không còn là khoảng trống: 2")
    expect(published.get_by_role("link", name="xem thay đổi")).to_have_attribute(
        "href", f"/versions/{'f' * 40}"
    )
    expect(noted.filter(has_text="Dán nhãn")).to_contain_text("ý định: Chào (2)")
    expect(noted.filter(has_text="Muốn xem: tài khoản của mọi người")).to_contain_text("không có quyền")
    assert "[object" not in page.inner_text("body")
    assert "ffffffff" not in page.inner_text("body")
    assert in_view(page)


@pytest.mark.browser
def test_the_whole_log_is_saved_as_a_table(open_pages: OpenPages, console: Console) -> None:
    [entry, *_] = console.publisher.live.index().faq
    for number in range(PAGE + 20):
        console.audit.note("administrator", "publish", entry.id, settled=number + 1)
    page = open_pages("administrator", (1280, 800))
    page.goto("/people")
    page.get_by_role("tab", name="Nhật ký").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Tải CSV").click()

    saved = saving.value.path().read_text(encoding="utf-8-sig")
    head, *rows = csv.reader(saved.splitlines())
    assert head == ["Lúc", "Ai", "Việc", "Về", "Chi tiết"]
    published = [row for row in rows if row[3] == entry.question]
    assert [row[1:3] for row in published] == [["administrator", "Đăng câu trả lời"]] * (PAGE + 20)
    assert published[-1][4] == "câu hỏi không còn là khoảng trống: 1"
    assert len(rows) == len(console.audit.page()) + len(console.audit.page(console.audit.page()[-1]["id"]))


def test_the_log_is_narrowed_to_a_person_an_action_and_days(
    enter: Enter, console: Console, clock: Clock
) -> None:
    enter().get("/api/people")
    enter("advisor").get("/api/audit")
    for day in range(3):
        clock.now = NOW + day * 86_400
        console.audit.note("lan", "publish", f"entry-{day}")
        console.audit.note("binh", "add_fact", f"fact-{day}")
    [latest, *_] = console.audit.page()
    administrator = enter("administrator")

    def targets(**wanted: str | float) -> list[str]:
        told = administrator.get("/api/audit", params=wanted)
        assert told.status_code == 200, told.text
        return [each["target"] for each in told.json()["entries"]]

    assert targets(login="lan") == ["entry-2", "entry-1", "entry-0"]
    assert targets(login="lan", action="add_fact") == []
    assert targets(action="add_fact", since=NOW + 86_400) == ["fact-2", "fact-1"]
    assert targets(login="lan", since=NOW + 86_400, until=NOW + 2 * 86_400) == ["entry-1"]
    assert targets(login="binh", before=latest["id"]) == ["fact-1", "fact-0"]
    refused = administrator.get("/api/audit", params={"refused": True}).json()["entries"]
    assert [each["login"] for each in refused] == ["advisor", ""]
    nobody = administrator.get("/api/audit", params={"login": NOBODY}).json()["entries"]
    assert [each["action"] for each in nobody] == ["GET /api/people"]


@pytest.mark.browser
def test_the_log_that_is_narrowed_is_the_one_that_is_saved(
    open_pages: OpenPages, console: Console, clock: Clock
) -> None:
    console.accounts.create("lan", "Cô Lan", ["editor"], PASSWORD)
    for number in range(PAGE + 20):
        console.audit.note("lan", "add_fact", f"fact-{number}")
    console.audit.note("lan", "publish", "entry-now")
    clock.now -= 10 * 86_400
    console.audit.note("lan", "publish", "entry-before")
    clock.now = NOW
    page = open_pages("administrator", (1280, 800))
    page.goto("/people")
    page.get_by_role("tab", name="Nhật ký").click()
    noted = page.get_by_test_id("noted")
    expect(noted).to_have_count(PAGE)

    page.get_by_role("combobox", name="Ai").click()
    page.get_by_role("option", name="Cô Lan").click()
    page.get_by_role("combobox", name="Việc").fill("dang cau tra loi")
    page.get_by_role("option", name="Đăng câu trả lời", exact=True).click()
    expect(noted).to_have_count(2)
    day = date.fromtimestamp(NOW)
    fill_day(page.get_by_label("Từ ngày"), (day - timedelta(1)).isoformat())
    fill_day(page.get_by_label("Đến ngày"), (day + timedelta(1)).isoformat())
    expect(noted).to_have_count(1)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Tải CSV").click()
    _, *rows = csv.reader(saving.value.path().read_text(encoding="utf-8-sig").splitlines())
    assert [row[1:4] for row in rows] == [["lan", "Đăng câu trả lời", "entry-now"]]

    fill_day(page.get_by_label("Đến ngày"), (day - timedelta(30)).isoformat())
    expect(page.get_by_role("main").get_by_text("Không tìm thấy", exact=True)).to_be_visible()
    page.get_by_role("button", name="Bỏ lọc").click()
    expect(noted).to_have_count(PAGE)
