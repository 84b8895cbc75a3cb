"""A number that was changed in the catalogue: the answers, facts and documents that still have the old one are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from console_driver import SIZES, Enter, OpenPages, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from console.old_contacts import Replacement, _pattern, changed_sentences, replaced, replacements
from console.publishing import Publisher

OLD, NEW = "(0200) 3800 111", "(0200) 3800 999"
OFFICE = "ban-ktx"
NOWHERE = {"places": [], "count": 0, "replaces": []}
ASKED = "Gọi ai khi mất chìa khóa phòng?"


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("gọi (0200) 3800 111.", True),
        ("số 02003800111", True),
        ("+84 200 3800 111", True),
        ("số 3800 111, máy lẻ 3", True),
        ("3.800.111", True),
        ("3800 1112", False),
        ("93800 111", False),
        ("3800 112", False),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, has: bool) -> None:
    assert bool(re.search(_pattern("02003800111"), text)) is has


def office(client: TestClient) -> dict[str, Any]:
    sections = client.get("/api/catalogue").json()["sections"]
    parts = next(each for each in sections if each["id"] == "office")["parts"]
    return dict(next(each for each in parts if each["id"] == OFFICE))


def change(client: TestClient, **fields: str) -> dict[str, Any]:
    now = office(client)
    done = client.put(
        f"/api/catalogue/office/{OFFICE}", json={**now["values"], **fields, "version": now["version"]}
    )
    assert done.status_code == 200, done.text
    return dict(done.json()["old_contacts"])


def answer(client: TestClient, text: str) -> str:
    body = {
        "question": ASKED,
        "answer": text,
        "topic": "dormitory",
        "public_contacts": ["3800 111", "3800 999"],
    }
    made = client.post("/api/faq/entries", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def test_the_places_with_an_old_number_are_told_after_it_was_changed(enter: Enter) -> None:
    client = enter("editor")
    assert change(client, phone=OLD) == NOWHERE
    made = answer(client, "Gọi 3800 111.")
    assert (
        client.post(
            "/api/facts", json={"name": "facts.dormitory.2026.phone", "value": "0200 3800111"}
        ).status_code
        == 201
    )

    assert change(client, name="Ban Quản lý KTX") == NOWHERE
    told = change(client, phone=NEW)

    assert told["count"] == 2
    assert [(each["kind"], each["id"]) for each in told["places"]] == [
        ("entry", made),
        ("fact", "facts.dormitory.2026.phone"),
    ]
    assert told["places"][0]["name"] == ASKED


CHANGE = Replacement("02003800111", NEW)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Gọi (0200) 3800 111.", "Gọi (0200) 3800 999."),
        ("số 02003800111, hay +84 200 3800 111", "số (0200) 3800 999, hay (0200) 3800 999"),
        ("số 3800 111, máy lẻ 3", "số 3800 999, máy lẻ 3"),
        ("[gọi](tel:02003800111)", "[gọi](tel:02003800999)"),
        ("số 3800 112", "số 3800 112"),
    ],
)
def test_the_new_number_is_written_as_the_old_one_stood_there(text: str, after: str) -> None:
    assert replaced(text, [CHANGE]) == after


def test_a_number_without_area_code_gets_another_area_code() -> None:
    assert replaced("Gọi 3800 111", [Replacement("02003800111", "0299 3800 111")]) == "Gọi 0299 3800 111"


def test_the_sentences_that_change_are_told() -> None:
    text = "Mở cửa cả tuần. Gọi 3800 111!\nPhòng B1."
    assert changed_sentences(text, [CHANGE]) == [("Gọi 3800 111!", "Gọi 3800 999!")]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"phone": OLD}, {"phone": NEW}, [CHANGE]),
        ({"email": "a@t.vn"}, {"email": "b@t.vn"}, [Replacement("a@t.vn", "b@t.vn")]),
        ({"phone": OLD}, {}, []),
        ({"phone": OLD}, {"phone": f"{NEW}, (0200) 3800 888"}, []),
        ({"phone": f"{OLD}; 0909 123 456"}, {"phone": f"{NEW}; 0909 123 456"}, None),
    ],
)
def test_what_replaces_a_contact_is_told_by_its_field(before: Any, after: Any, told: Any) -> None:
    found = replacements(before, after, ["02003800111", "a@t.vn"])

    if told is None:
        [change] = found
        assert (change.old, re.sub(r"\D", "", change.new)) == ("02003800111", "02003800999")
    else:
        assert found == told


def both(client: TestClient) -> tuple[str, dict[str, Any]]:
    """Let an answer and a fact have the old number, then change it in the catalogue; return the answer's id."""
    change(client, phone=OLD)
    made = answer(client, "Gọi 3800 111. Cả ngày đêm.")
    fact = {"name": "facts.dormitory.2026.phone", "value": "0200 3800111"}
    assert client.post("/api/facts", json=fact).status_code == 201
    return made, change(client, phone=NEW)


def test_all_answers_and_facts_get_the_new_number_as_one_version(
    enter: Enter, publisher: Publisher, school: Path
) -> None:
    del school
    client = enter("editor")
    made, told = both(client)
    others = {each.id: each.text for each in publisher.files.entries() if each.id != made}
    assert told["replaces"] == [{"old": "02003800111", "new": NEW}]

    seen = client.post("/api/old-contacts/preview", json={"replaces": told["replaces"]}).json()

    assert seen["stay"] == []
    assert [each["sentences"] for each in seen["places"]] == [
        [{"before": "Gọi 3800 111.", "after": "Gọi 3800 999."}],
        [{"before": "0200 3800111", "after": NEW}],
    ]
    places = [{name: each[name] for name in ("kind", "id", "seen")} for each in seen["places"]]
    body = {"replaces": told["replaces"], "places": places}
    before = client.get("/api/versions").json()["versions"][0]["commit"]
    done = client.post("/api/old-contacts/replacement", json=body)
    assert done.status_code == 200, done.text
    entry = publisher.files.entry(made)
    assert entry is not None
    assert entry.record["answer"].strip() == "Gọi 3800 999. Cả ngày đêm."
    assert {each.id: each.text for each in publisher.files.entries() if each.id != made} == others
    fact = publisher.facts.fact("facts.dormitory.2026.phone")
    assert fact is not None
    assert fact.value == NEW
    latest, previous = client.get("/api/versions").json()["versions"][:2]
    assert (latest["action"], previous["commit"]) == ("contacts", before)
    assert {each.answer.strip() for each in publisher.live.index().faq if each.id == made} == {
        "Gọi 3800 999. Cả ngày đêm."
    }
    again = client.post("/api/old-contacts/replacement", json=body)
    assert (again.status_code, again.json()["error"]) == (409, "conflict")


def test_a_place_that_was_changed_meanwhile_is_a_conflict_and_nothing_is_written(
    enter: Enter, publisher: Publisher
) -> None:
    client = enter("editor")
    made, told = both(client)
    seen = client.post("/api/old-contacts/preview", json={"replaces": told["replaces"]}).json()
    [file] = {each.file for each in publisher.files.entries() if each.id == made}
    path = publisher.files.knowledge / file
    path.write_text(path.read_text(encoding="utf-8").replace("Cả ngày đêm", "Ban ngày"), encoding="utf-8")
    before = {each: each.read_bytes() for each in publisher.files.knowledge.rglob("*.yml")}

    places = [{name: each[name] for name in ("kind", "id", "seen")} for each in seen["places"]]
    refused = client.post(
        "/api/old-contacts/replacement", json={"replaces": told["replaces"], "places": places}
    )

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert "Ban ngày" in refused.json()["detail"]["theirs"]
    assert {each: each.read_bytes() for each in publisher.files.knowledge.rglob("*.yml")} == before


@pytest.mark.parametrize("replaces", [{"old": "02003800111", "new": "0909 123 456"}])
def test_only_a_contact_of_the_catalogue_takes_the_place(enter: Enter, replaces: dict[str, str]) -> None:
    client = enter("editor")
    both(client)

    refused = client.post("/api/old-contacts/preview", json={"replaces": [replaces]})

    assert (refused.status_code, refused.json()["error"]) == (422, "contact_not_replaced")


def test_documents_stay_as_they_are_and_are_named(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    phone = "(0200) 3800 222"
    index = publisher.live.index()
    passage = replace(index.passages[0], text=f"Gọi {phone} để hỏi.")
    publisher.live.publish(replace(index, passages=(passage, *index.passages[1:])))
    change(client, phone=phone)

    told = change(client, phone=NEW)

    assert [each["kind"] for each in told["places"]] == ["document"]
    seen = client.post("/api/old-contacts/preview", json={"replaces": told["replaces"]}).json()
    assert seen["places"] == []
    assert [each["id"] for each in seen["stay"]] == [passage.document_id]


def save_new_number(page: Page) -> None:
    """Save the new telephone of the office on the page of the catalogue."""
    page.goto("/topics")
    page.get_by_text("Danh mục", exact=True).click()
    page.get_by_test_id("part").filter(has_text="Ban Quản lý ký túc xá").click()
    page.get_by_label("Điện thoại", exact=True).fill(NEW)
    page.get_by_role("button", name="Lưu", exact=True).click()


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_all_are_changed_in_the_browser_after_a_look(
    open_pages: OpenPages, enter: Enter, publisher: Publisher, size: tuple[int, int]
) -> None:
    client = enter("administrator")
    change(client, phone=OLD)
    made = answer(client, "Gọi 3800 111.")
    page = open_pages("editor", size)
    save_new_number(page)
    page.get_by_test_id("old-contacts").get_by_role("button", name="Đổi hết").click()

    shown = page.get_by_test_id("old-contact-change")
    expect(shown).to_contain_text("Gọi 3800 111.")
    expect(shown).to_contain_text("Gọi 3800 999.")
    assert in_view(page)
    page.get_by_role("button", name="Đổi 1 chỗ").click()

    expect(page.get_by_text("Đã đổi 1 chỗ. Covan dùng số mới ngay.")).to_be_visible()
    expect(page.get_by_test_id("old-contacts")).to_have_count(0)
    entry = publisher.files.entry(made)
    assert entry is not None
    assert entry.record["answer"].strip() == "Gọi 3800 999."


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_documents_that_stay_are_told_as_such(
    open_pages: OpenPages, enter: Enter, publisher: Publisher, size: tuple[int, int]
) -> None:
    client = enter("administrator")
    change(client, phone=OLD)
    answer(client, f"Gọi {OLD}.")
    index = publisher.live.index()
    passage = replace(index.passages[0], text=f"Gọi {OLD} để hỏi.")
    publisher.live.publish(replace(index, passages=(passage, *index.passages[1:])))
    page = open_pages("editor", size)
    save_new_number(page)
    told = page.get_by_test_id("old-contacts")
    expect(told).to_contain_text("Hãy đổi hết một lần")
    told.get_by_role("button", name="Đổi hết").click()
    page.get_by_role("button", name="Đổi 1 chỗ").click()

    expect(told).to_contain_text("còn ở 1 chỗ")
    expect(told).to_contain_text("trích nguyên văn")
    expect(told).not_to_contain_text("đổi hết")
    expect(told).not_to_contain_text("mở từng chỗ")
    expect(told.get_by_role("button")).to_have_count(0)
    assert in_view(page)


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_the_editor_goes_from_the_new_number_to_the_answers_with_the_old_one(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    client = enter("administrator")
    change(client, phone=OLD)
    answer(client, "Gọi 3800 111.")
    page = open_pages("editor", size)
    save_new_number(page)

    told = page.get_by_test_id("old-contacts")
    expect(told).to_contain_text("còn ở 1 chỗ")
    assert in_view(page)
    told.get_by_role("link", name=ASKED).click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Câu trả lời")).to_have_value(
        "Gọi 3800 111."
    )
