"""Links for testers: whoever has one chats with a draft or with what is live, apart from students, until it ends."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from console_driver import SIZES, Clock, Enter, OpenPages, Students, databases, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console import invitations as limits
from console.api.dependencies import Console
from console.invitations import DAY_S, KEPT_S
from console.publishing import Publisher
from console.tables import invitations, tester_turns

ASKED = "Xin bảng điểm ở đâu?"
LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
AN, BINH = "a" * 32, "b" * 32


def invite(client: TestClient, **body: Any) -> dict[str, Any]:
    made = client.post("/api/invitations", json={"title": "Khoa CNTT", "days": 7, **body})
    assert made.status_code == 201, made.text
    return dict(made.json())


def ask(client: TestClient, token: str, text: str, tester: str = AN, **option: str) -> Any:
    body = {"tester": tester, "text": text, "option": option}
    return client.post(f"/api/invited/{token}/questions", json=body)


def said(client: TestClient, token: str, text: str, **more: str) -> dict[str, Any]:
    answer = ask(client, token, text, **more)
    assert answer.status_code == 200, answer.text
    [part] = answer.json()["said"]
    return dict(part)


@databases
def test_a_tester_asks_without_an_account_and_editors_read_it(enter: Enter, console: Console) -> None:
    editor, tester = enter("editor"), enter()
    made = invite(editor)
    assert tester.get(f"/api/invited/{made['token']}").json()["title"] == "Khoa CNTT"

    answer = said(tester, made["token"], ASKED)
    assert (answer["decision"], answer["asks"]) == ("answer", [])
    said(tester, made["token"], "em là B2012345, chào", tester=BINH)

    [listed] = editor.get("/api/invitations").json()["invitations"]
    assert (listed["title"], listed["testers"], listed["turns"]) == ("Khoa CNTT", 2, 2)
    assert "token" not in listed
    turns = editor.get(f"/api/invitations/{made['id']}/turns").json()["turns"]
    assert [(turn["tester"], turn["said"]) for turn in turns] == [(1, ASKED), (2, "em là •••, chào")]
    with console.database.connect() as db:
        assert made["token"] not in str(db.execute(sa.select(invitations)).all())


def test_a_tester_is_no_student(enter: Enter, students: Students) -> None:
    editor = enter("editor")
    students.asks("Học phí bao nhiêu?")
    before = [editor.get(path).json() for path in ("/api/conversations", "/api/gaps", "/api/nlu")]
    token = invite(editor)["token"]

    assert said(enter(), token, "Trường có sân bay không?")["decision"] == "no_answer"

    assert [editor.get(path).json() for path in ("/api/conversations", "/api/gaps", "/api/nlu")] == before
    assert sum(editor.get("/api/today").json()["decisions"].values()) == 1


@pytest.mark.parametrize("reply", [("Khóa 48", {"cohort": "48"}), ("em k48 ạ", {}), ("48", {})])
def test_a_value_that_was_asked_for_completes_the_question(
    enter: Enter, reply: tuple[str, dict[str, str]]
) -> None:
    tester = enter()
    token = invite(enter("editor"))["token"]
    asked = said(tester, token, LANGUAGE)
    assert asked["asks"] == ["khóa"]
    assert {"title": "Khóa 48", "option": {"cohort": "48"}} in asked["options"]

    text, option = reply
    answer = said(tester, token, text, **option)

    assert "450" in answer["text"]
    # It is known from then on, of this tester alone.
    assert "450" in said(tester, token, LANGUAGE)["text"]
    assert said(tester, token, LANGUAGE, tester=BINH)["asks"] == ["khóa"]


def test_another_question_instead_of_the_value_is_answered(enter: Enter) -> None:
    tester = enter()
    token = invite(enter("editor"))["token"]
    said(tester, token, LANGUAGE)

    assert "Phòng Đào tạo" in said(tester, token, ASKED)["text"]


def test_a_chosen_entry_is_answered(enter: Enter) -> None:
    tester = enter()
    token = invite(enter("editor"))["token"]

    assert "Phòng Đào tạo" in said(tester, token, ASKED, faq="study-transcript")["text"]
    assert ask(tester, token, "x", faq="nobody").status_code == 404
    assert ask(tester, token, "x", cohort="99").status_code == 422
    assert ask(tester, token, "x", colour="red").status_code == 422


def test_a_link_ends_and_what_was_asked_is_forgotten(enter: Enter, console: Console, clock: Clock) -> None:
    editor, tester = enter("editor"), enter()
    made = invite(editor, days=1)
    said(tester, made["token"], ASKED)
    clock.now += DAY_S + 1

    for answer in (tester.get(f"/api/invited/{made['token']}"), ask(tester, made["token"], ASKED)):
        assert (answer.status_code, answer.json()["error"]) == (404, "no_invitation")
    editor = enter("editor")
    assert len(editor.get(f"/api/invitations/{made['id']}/turns").json()["turns"]) == 1

    clock.now += KEPT_S
    invite(enter("editor"))
    with console.database.connect() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(tester_turns)) == 0


def test_an_editor_takes_an_invitation_back(enter: Enter, console: Console) -> None:
    editor, tester = enter("editor"), enter()
    made = invite(editor)
    said(tester, made["token"], ASKED)

    assert editor.delete(f"/api/invitations/{made['id']}").status_code == 204
    assert editor.delete(f"/api/invitations/{made['id']}").status_code == 404
    assert editor.get(f"/api/invitations/{made['id']}/turns").status_code == 404
    assert ask(tester, made["token"], ASKED).status_code == 404
    with console.database.connect() as db:
        assert db.scalar(sa.select(sa.func.count()).select_from(tester_turns)) == 0
    assert [each["action"] for each in console.audit.page()][:2] == ["remove_invitation", "invite"]


def test_testers_are_slowed_down_and_links_are_not_without_end(
    enter: Enter, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_PER_MINUTE", 2)
    monkeypatch.setattr(limits, "MOST_TURNS", 3)
    monkeypatch.setattr(limits, "MOST", 1)
    editor, tester = enter("editor"), enter()
    token = invite(editor)["token"]
    for _ in range(2):
        said(tester, token, ASKED)
    answer = ask(tester, token, ASKED, tester=BINH)
    assert (answer.status_code, answer.json()["error"]) == (429, "too_fast")

    clock.now += 61
    said(tester, token, ASKED)
    clock.now += 61
    assert ask(tester, token, ASKED).json()["error"] == "too_many_turns"
    refused = enter("editor").post("/api/invitations", json={"title": "Nữa", "days": 1})
    assert (refused.status_code, refused.json()["error"]) == (409, "too_many_invitations")


POOL = "Trường có hồ bơi không?"
NEW = {"question": POOL, "variants": ["truong co ho boi khong"], "answer": "Có, ở khu B.", "topic": "study"}


def test_testers_chat_with_a_draft_and_see_what_is_live_beside_it(enter: Enter, publisher: Publisher) -> None:
    editor, tester = enter("editor"), enter()
    before = {entry.text for entry in publisher.files.entries()}
    draft = {"kind": "entry", "fields": NEW}
    made = invite(editor, draft=draft)
    live = invite(editor)

    got = ask(tester, made["token"], "truong co ho boi khong").json()
    assert ([part["text"].strip() for part in got["said"]], got["live"]) == (["Có, ở khu B."], [""])
    same = ask(tester, made["token"], ASKED).json()
    assert "Phòng Đào tạo" in same["said"][0]["text"]
    assert same["live"] == []
    other = ask(tester, live["token"], POOL).json()
    assert (other["said"][0]["decision"], other["live"]) == ("no_answer", [])

    assert tester.get(f"/api/invited/{made['token']}").json()["draft"] == POOL
    assert tester.get(f"/api/invited/{live['token']}").json()["draft"] == ""
    listed = editor.get("/api/invitations").json()["invitations"]
    assert [(each["draft"], each["turns"]) for each in listed] == [("", 1), (POOL, 2)]
    # Nothing of it is published or among students' turns.
    assert {entry.text for entry in publisher.files.entries()} == before
    assert editor.get("/api/conversations").json()["turns"] == []
    assert editor.get("/api/gaps").json()["groups"] == []


def test_a_published_draft_is_what_is_live(enter: Enter) -> None:
    editor, tester = enter("editor"), enter()
    token = invite(editor, draft={"kind": "entry", "fields": NEW})["token"]
    assert editor.post("/api/faq/entries", json=NEW).status_code == 201

    got = ask(tester, token, POOL).json()
    assert ("khu B" in got["said"][0]["text"], got["live"]) == (True, [])


def test_a_changed_entry_a_fact_and_a_calculator_are_tried_as_drafts(enter: Enter) -> None:
    editor, tester = enter("editor"), enter()
    entry = editor.get("/api/faq/entries/study-transcript").json()
    fields = {
        **{name: entry[name] for name in ("question", "variants", "topic", "sources", "applies_to")},
        "answer": "Ở phòng mới.",
    }
    changed = {"kind": "entry", "entry_id": "study-transcript", "fields": fields}
    assert said(tester, invite(editor, draft=changed)["token"], ASKED)["text"].strip() == "Ở phòng mới."

    fact = {"kind": "fact", "name": "facts.dormitory.2026.room", "value": "999.000 đồng"}
    shown = invite(editor, draft=fact)
    assert shown["draft"] == "facts.dormitory.2026.room"
    got = ask(tester, shown["token"], "Ở ký túc xá 5 tháng hết bao nhiêu?").json()
    assert "4.995.000" in got["said"][0]["text"]
    assert got["live"] != []

    calculator = editor.get("/api/calculators/dormitory-months").json()
    text = calculator["text"].replace("tháng hết **", "tháng tốn **")
    assert text != calculator["text"]
    rule = {"kind": "calculator", "calculator_id": "dormitory-months", "text": text}
    asked = ask(tester, invite(editor, draft=rule)["token"], "Ở ký túc xá 5 tháng hết bao nhiêu?").json()
    assert "tháng tốn" in asked["said"][0]["text"]


def test_a_draft_must_be_one_that_could_be_published(enter: Enter) -> None:
    editor = enter("editor")
    drafts: dict[str, dict[str, Any]] = {
        "faulty": {"kind": "entry", "fields": {**NEW, "topic": "no-topic"}},
        "conflict": {"kind": "fact", "name": "facts.none.a", "value": "1"},
        "invalid": {"kind": "image"},
    }
    for fault, draft in drafts.items():
        refused = editor.post("/api/invitations", json={"title": "Khoa", "days": 1, "draft": draft})
        assert (refused.status_code in (409, 422), refused.json()["error"]) == (True, fault)
    assert editor.get("/api/invitations").json()["invitations"] == []


def test_a_draft_whose_entry_is_gone_says_so(enter: Enter, publisher: Publisher) -> None:
    editor, tester = enter("editor"), enter()
    fields = {"question": ASKED, "answer": "Ở phòng mới.", "topic": "study"}
    draft = {"kind": "entry", "entry_id": "study-transcript", "fields": fields}
    token = invite(editor, draft=draft)["token"]
    for file in (publisher.files.knowledge / "faq").glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("id: study-transcript\n", "id: study-record\n"), encoding="utf-8")
    assert editor.post("/api/faq/entries", json=NEW).status_code == 201

    gone = ask(tester, token, ASKED)
    assert (gone.status_code, gone.json()["error"]) == (409, "draft_gone")


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_editor_invites_and_a_tester_chats(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/try")
    page.get_by_role("button", name="Mời người thử").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Mời ai").fill("Khoa CNTT")
    dialog.get_by_role("button", name="Tạo đường dẫn").click()
    link = dialog.get_by_label("Đường dẫn").input_value()
    assert "/invited/" in link
    assert in_view(page)

    context = page.context.browser.new_context(  # type: ignore[union-attr]
        viewport={"width": size[0], "height": size[1]}, locale="vi-VN"
    )
    tester = context.new_page()
    faults: list[str] = []
    tester.on("pageerror", lambda error: faults.append(str(error)))
    tester.goto(link)
    expect(tester.get_by_text("Trường Đại học Sông Mây")).to_be_visible()
    box = tester.get_by_role("textbox", name="Câu hỏi")
    box.fill(LANGUAGE)
    box.press("Enter")
    tester.get_by_role("button", name="Khóa 48").click()
    expect(tester.locator(".bubble").last).to_contain_text("TOEIC 450")
    assert in_view(tester)
    # A reload loses nothing of what the tester has said to be.
    tester.reload()
    box.fill(LANGUAGE)
    box.press("Enter")
    expect(tester.locator(".bubble").last).to_contain_text("TOEIC 450")
    context.close()
    assert faults == []

    page.reload()
    page.get_by_role("button", name="Mời người thử").click()
    page.get_by_test_id("invitation").get_by_role("button", name="Xem").click()
    expect(page.get_by_test_id("tester-turn")).to_have_count(3)
    assert in_view(page)
    page.get_by_test_id("invitation").get_by_role("button", name="Hủy đường dẫn").click()
    asked = page.get_by_role("dialog", name="Hủy đường dẫn")
    expect(asked).to_contain_text("3 câu đã hỏi bị xóa")
    asked.get_by_role("button", name="Hủy đường dẫn").click()
    expect(page.get_by_test_id("invitation")).to_have_count(0)
    page.goto(link)
    expect(page.get_by_text("Đường dẫn này không còn dùng được")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_an_editor_invites_to_a_draft_or_to_what_is_live(
    open_pages: OpenPages, publisher: Publisher, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/faq")
    page.get_by_test_id("entry").filter(has_text="Mất thẻ sinh viên").click()
    form = page.get_by_role("dialog")
    form.get_by_role("textbox", name="Câu trả lời").fill("Làm lại thẻ ở tầng 2.")
    form.get_by_role("button", name="Mời người thử bản nháp").click()
    dialog = page.get_by_role("dialog").filter(has_text="Người thử trò chuyện với")
    expect(dialog.get_by_role("radio", name="Bản nháp này")).to_be_checked()
    links = []
    for title, what in (("Khoa CNTT", "Bản nháp này"), ("Khoa Luật", "Bản đang dùng")):
        dialog.get_by_text(what, exact=True).first.click()
        dialog.get_by_label("Mời ai").fill(title)
        dialog.get_by_role("button", name="Tạo đường dẫn").click()
        expect(dialog.get_by_test_id("invitation").first).to_contain_text(title)
        links.append(dialog.get_by_label("Đường dẫn").input_value())
    expect(dialog.get_by_test_id("invitation").first).to_contain_text("Bản đang dùng")
    expect(dialog.get_by_test_id("invitation").last).to_contain_text("Bản nháp: Mất thẻ sinh viên")
    assert in_view(page)
    # Escape closes the upper dialog alone: what was written stays.
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(form.get_by_role("textbox", name="Câu trả lời")).to_have_value("Làm lại thẻ ở tầng 2.")

    says = []
    for link in links:
        tester = page.context.new_page()
        tester.goto(link)
        says.append(tester.get_by_test_id("tried-draft").inner_text())
        box = tester.get_by_role("textbox", name="Câu hỏi")
        box.fill("Mất thẻ sinh viên thì làm sao?")
        box.press("Enter")
        expect(tester.locator(".bubble").nth(1)).to_be_visible()
        is_draft = link == links[0]
        answer = tester.locator(".bubble").nth(1)
        if is_draft:
            expect(answer).to_have_text("Làm lại thẻ ở tầng 2.")
            expect(tester.get_by_test_id("live")).to_contain_text("Bản đang dùng trả lời")
        else:
            expect(answer).not_to_contain_text("tầng 2")
            expect(tester.get_by_test_id("live")).to_have_count(0)
        assert in_view(tester)
        tester.close()
    assert "bản nháp chưa đăng: Mất thẻ sinh viên" in says[0]
    assert "như sinh viên gặp" in says[1]
    entry = publisher.files.entry("study-card")
    assert entry is not None
    assert "tầng 2" not in str(entry.record["answer"])


@pytest.mark.browser
def test_an_editor_invites_to_the_draft_of_a_value(open_pages: OpenPages) -> None:
    page = open_pages("editor", (1280, 800))
    page.goto("/facts/facts.dormitory.2026.room")
    expect(page.get_by_role("button", name="Mời người thử bản nháp")).to_be_disabled()
    page.get_by_label("Giá trị", exact=True).fill("999.000 đồng")
    page.get_by_role("button", name="Mời người thử bản nháp").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Mời ai").fill("Ban quản lý")
    dialog.get_by_role("button", name="Tạo đường dẫn").click()
    page.goto(dialog.get_by_label("Đường dẫn").input_value())
    box = page.get_by_role("textbox", name="Câu hỏi")
    box.fill("Ở ký túc xá 5 tháng hết bao nhiêu?")
    box.press("Enter")
    expect(page.locator(".bubble").nth(1)).to_contain_text("4.995.000")
    expect(page.get_by_test_id("live")).to_contain_text("1.750.000")
